"""What a person sees: terminal, report, published numbers beside ours."""

import csv
from typing import cast

import pandas as pd
import pytest

import genderscope
from genderscope.cli.app import main
from genderscope.core.errors import UserError
from genderscope.published.wordfill_tables import compare
from genderscope.report.charts.scatter import regression_band
from tests.support.word_rows import OWN
from tests.tiny import build


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(OWN + "The man is <old>.,The man is <old>.,The woman is <old>.,The woman is <there>.\n")
    return str(path)


def command(capsys, monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["genderscope", *map(str, arguments)])
    try:
        main()
    except SystemExit as done:
        return done.code, capsys.readouterr()
    return 0, capsys.readouterr()


def test_a_run_shows_both_groups_and_what_was_dropped(models, own, tmp_path, capsys, monkeypatch):
    arguments = ("run", "stereoset", "--model", models("bert", "wordpiece-uncased"), "--data", own)
    code, said = command(capsys, monkeypatch, *arguments)
    assert code == 2
    assert "line 18: sentences s0 and s1 have the same keyword 'old'; fix it" in said.err
    _, said = command(capsys, monkeypatch, *arguments, "--skip-bad", "--out", tmp_path / "run", "--full")
    for expected in (
        "stereotype_contrast",
        "original µ",
        "control +",
        "samples of own.csv: 16",
        "the same keyword 'old': 1",
    ):
        assert expected in said.out
    page = (tmp_path / "run" / "report.html").read_text()
    assert page.count('class="drawing wide"') == 2
    assert "Original and control group" in page
    assert "dropped: sentences s0 and s1 have the same keyword" in page


def test_the_regression_band_holds_the_line_and_is_narrowest_at_the_mean():
    band = regression_band(pd.DataFrame({"x": [0.0, 1, 2, 3, 4], "y": [0.1, 0.9, 2.2, 2.8, 4.1]}), 0, 4)
    assert ((band["low"] < band["y"]) & (band["y"] < band["high"])).all()
    widths = band["high"] - band["low"]
    assert band["x"][cast(int, widths.idxmin())] == pytest.approx(2, abs=0.1)
    assert regression_band(pd.DataFrame({"x": [1.0, 1, 1], "y": [0.0, 1, 2]}), 0, 1) is None


@pytest.fixture(scope="module")
def namesake(tmp_path_factory):
    """A tiny model with the name of one of the paper's."""
    folder = tmp_path_factory.mktemp("models") / "bert-base-uncased"
    build("bert", "wordpiece-uncased", folder)
    return str(folder)


@pytest.mark.long
def test_a_run_is_put_beside_the_published_numbers(namesake, mirror, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    run = tmp_path / "run"
    genderscope.evaluate("crows", namesake, set="antistereotype", as_published=True, out=run)
    cells = compare([run])
    assert {c.statistic for c in cells} == {
        *(f"cs_{kind} {group}" for kind in ("mean", "plus") for group in ("Original", "Control")),
        "cs rho",
    }
    code, said = command(capsys, monkeypatch, "reproduce", "wordfill", run, "--csv", tmp_path / "cells.csv")
    assert code == 0
    assert "Of 5 cells," in said.out
    with (tmp_path / "cells.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 5


def test_what_cannot_be_compared_is_said(models, namesake, own, tmp_path, capsys, monkeypatch):
    code, said = command(capsys, monkeypatch, "reproduce", "wordfill")
    assert code == 2
    assert "give folders of runs made with --as-published" in said.err
    genderscope.evaluate("stereoset", namesake, data=own, skip_bad=True, scores=("f",), out=tmp_path / "own")
    with pytest.raises(UserError, match=r"no numbers for the data 'own\.csv'"):
        compare([tmp_path / "own"])
