"""What the commands do, Python does by the same code; results show themselves where they are."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.measures import MEASURES
from tests.report.examples import HOSTILE, result


@pytest.mark.long
def test_report_and_leaderboard_write_what_their_commands_write(cli, systems, tmp_path):
    runs = [systems / "strong", systems / "weak"]
    assert genderscope.report(runs, tmp_path / "python.html") == tmp_path / "python.html"
    assert cli("report", *runs, "-o", tmp_path / "command.html").returncode == 0
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "command.html").read_bytes()
    assert genderscope.report(genderscope.load_run(runs[0])) == Path("report.html")

    board = genderscope.leaderboard(systems, tmp_path / "python.html")
    done = cli("leaderboard", systems, "-o", tmp_path / "command.html", "--csv", tmp_path / "command.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "command.html").read_bytes()
    assert board.to_csv() == (tmp_path / "command.csv").read_text(encoding="utf-8")
    f_s = board.table.query("estimate == 'stereotype_rate' and run == 'weak' and language == 'sk'")["value"].item()
    assert f_s == pytest.approx(genderscope.load_run(systems / "weak").estimate("stereotype_rate", language="sk").value)
    given = genderscope.leaderboard([*runs, systems / "even"])
    models = [[[entry.model for entry in ranking.entries] for ranking in b.rankings] for b in (given, board)]
    assert models[0] == models[1]


def test_mistakes_in_python_are_one_sentence_too(tmp_path):
    with pytest.raises(UserError, match="There are no runs to report"):
        genderscope.report([])
    (tmp_path / "empty").mkdir()
    (tmp_path / "board.html").write_text("the page of yesterday")
    with pytest.raises(UserError, match=r"no finished run in '.*empty', so nothing was written"):
        genderscope.leaderboard(tmp_path / "empty", tmp_path / "board.html")
    found = result("gest")
    with pytest.raises(UserError, match=r"Unknown figure 'Rate'; available: Masculine rate by stereotype"):
        found.plot("Rate")
    with pytest.raises(UserError, match="Unknown figure format 'bmp'; available: pdf, png, svg"):
        found.plot().save("figure.bmp")
    with pytest.raises(UserError, match="Unknown width 'wide'"):
        found.plot().save("figure.svg", "wide")
    assert not list(Path().glob("figure*"))


@pytest.mark.parametrize("measure", MEASURES)
def test_a_result_of_every_measure_shows_itself(measure):
    found = result(measure, model=HOSTILE)
    lines = repr(found).splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)
    number = r"-?\d[\d.e-]*"
    assert re.search(rf" = {number} (\[{number}, {number}\]|–), neutral {number}, n = \d", lines[1]), lines[1]
    assert "| estimate |" in found.to_markdown()
    assert r"\begin{tabular}" in found.to_latex()
    plot = found.plot()
    assert plot.title
    assert plot.caption
    drawn = ET.fromstring(plot._repr_svg_())
    assert drawn.tag.endswith("svg")


def test_a_plot_is_saved_as_its_name_ends(systems):
    plot = genderscope.load_run(systems / "weak").plot()
    assert plot.save("figure.svg", "column").read_bytes().startswith(b"<svg")
    assert plot.save("figure.pdf").read_bytes().startswith(b"%PDF")
    assert plot.save("figure.png").read_bytes().startswith(b"\x89PNG")


def test_several_estimates_that_fit_are_told_apart():
    found = result("gest")
    with pytest.raises(
        UserError,
        match=r"no estimate 'masculine_rate_by_stereotype' for template=3; 16 match and differ in stereotype; choose",
    ):
        found.estimate("masculine_rate_by_stereotype", template=3)
