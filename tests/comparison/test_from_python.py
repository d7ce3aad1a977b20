"""What the commands do, Python does by the same code; results show themselves where they are."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pandas as pd
import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.measures import MEASURES
from genderscope.report import scorecard_of, write_scorecard
from tests.report.examples import HOSTILE, result


@pytest.mark.long
def test_report_and_scorecard_write_what_their_commands_write(cli, systems, tmp_path):
    runs = [systems / "strong", systems / "weak"]
    assert genderscope.report(runs, tmp_path / "python.html") == tmp_path / "python.html"
    assert cli("report", *runs, "-o", tmp_path / "command.html").returncode == 0
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "command.html").read_bytes()
    assert genderscope.report(genderscope.load_run(runs[0])) == Path("report.html")

    files = write_scorecard(systems, tmp_path / "card", languages=["sk"])
    html, csv = (next(path for path in files if path.suffix == ending) for ending in (".html", ".csv"))
    done = cli(
        *("scorecard", systems, "--lang", "sk", "--html", tmp_path / "card" / "other.html", "--csv", "command.csv")
    )
    assert done.returncode == 0, done.stderr
    assert html.read_bytes() == (tmp_path / "card" / "other.html").read_bytes()
    assert csv.read_bytes() == Path("command.csv").read_bytes()
    table = pd.read_csv(csv)
    f_s = table.query("estimate == 'stereotype_rate' and run == 'weak' and language == 'sk'")["value"].item()
    assert f_s == pytest.approx(genderscope.load_run(systems / "weak").estimate("stereotype_rate", language="sk").value)
    given = scorecard_of([genderscope.load_run(systems / name) for name in ("strong", "weak", "even")])
    assert [row.label for row in given.rows] == [row.label for row in scorecard_of(systems).rows]
    assert given.rankings == scorecard_of(systems).rankings


def test_mistakes_in_python_are_one_sentence_too(tmp_path):
    with pytest.raises(UserError, match="There are no runs to report"):
        genderscope.report([])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=r"no finished run in '.*empty', so nothing was written"):
        write_scorecard(tmp_path / "empty", tmp_path)
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


@pytest.mark.long_but("gest", "bbq")
@pytest.mark.parametrize("measure", MEASURES)
def test_a_plot_of_every_measure_draws_itself(measure):
    drawn = ET.fromstring(result(measure, model=HOSTILE).plot()._repr_svg_())
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
