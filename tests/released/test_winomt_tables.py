"""`reproduce winomt`: planted translations with known scores, and the released logs."""

import csv
import re
from pathlib import Path

import pytest

from genderscope.measures.base import PublishedOptions
from genderscope.measures.winomt.rates import estimates as winomt_estimates
from genderscope.published import winomt_tables
from genderscope.published.winomt_tables import Judged, released_outputs, rows_of_output, scores_of
from tests.support import miniature_winomt


@pytest.fixture
def planted(tmp_path, monkeypatch):
    miniature_winomt.install(tmp_path / "mirror", monkeypatch)
    return {each.system: each for each in winomt_tables.reproduce()}


def test_a_sentence_with_another_source_is_left_out(planted):
    """Of the other five, nurses are read as women, cooks and guards as men, and someone as neutral."""
    found = planted["Google 2019"]
    assert found.published_rule == pytest.approx((3 / 5, 1 / 2 - 2 / 3, 1))
    assert found.default == pytest.approx(found.published_rule)
    assert found.share_read == 1


def test_unread_is_wrong_by_rule_and_left_out_by_default(planted):
    found = planted["OPUS 2025"]
    assert found.original == pytest.approx((3 / 5, 4 / 5 - 2 / 3, 1 / 2))
    assert found.published_rule == pytest.approx((2 / 5, 0, 1))
    assert found.default == pytest.approx((3 / 5, 1 / 2 - 2 / 3, 1))
    assert found.share_read == pytest.approx(5 / 6)


def test_a_log_gives_accuracy_and_f1_gap(planted):
    assert planted["Google 2019"].original == pytest.approx((6 / 10, 8 / 12 - 2 / 5, None))


def test_scores_of_nothing_stereotypical_lack_the_gap():
    judged = [Judged("masculine", "masculine", ""), Judged("feminine", "", "pro")]
    assert scores_of(judged) == (0.5, 1.0, None)


def test_the_command_prints_both_tables_and_writes_every_value(tmp_path, monkeypatch, cli):
    miniature_winomt.install(tmp_path / "mirror", monkeypatch)
    done = cli("reproduce", "winomt", "--csv", "scores.csv")
    assert done.returncode == 0, done.stderr
    assert re.search(r"es +OPUS 2025 +60\.0 +40\.0 +60\.0", done.stdout)
    assert re.search(r"de +Ours +60\.0 +20\.0 +24\.5", done.stdout)
    assert re.search(r"ru +online-x +40\.0 +30\.0 +10\.0", done.stdout)
    with Path("scores.csv").open(encoding="utf-8") as file:
        cells = {(row["system"], row["scored by"], row["name"]): row["value"] for row in csv.DictReader(file)}
    assert len(cells) == 2 * 10 + 2 * 3
    assert float(cells["OPUS 2025", "script's rule", "accuracy"]) == pytest.approx(0.4)
    assert cells["Google 2019", "original", "stereotype_gap"] == ""


@pytest.mark.long
def test_confusion_tables_give_the_printed_scores(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    logs = 0
    for output in released_outputs():
        if output.log is None or output.readings is not None:
            continue
        accuracy, men, women = re.search(r"acc = (.+?)%; f1_male = (.+?)% .*; f1_female = (.+?)%", output.log).groups()
        scores = winomt_tables.original_scores(output)
        assert scores.accuracy == pytest.approx(float(accuracy) / 100, abs=6e-4)
        # The script computed F1 from rounded precision and recall.
        assert scores.f1_gap == pytest.approx((float(men) - float(women)) / 100, abs=2e-3)
        logs += 1
    assert logs >= 11


@pytest.mark.long
def test_the_scripts_rule_is_that_of_the_option(mirror, monkeypatch):
    """In Italian, 5 % of the translations show no gender."""
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    output = next(each for each in released_outputs(["it"]) if each.system == "OPUS 2025")
    rows = rows_of_output(output)
    cells = zip(rows["gender"], rows["reading"].fillna(""), rows["stereotype"], strict=True)
    by_rule = scores_of([Judged(*cell) for cell in cells])
    estimates = {
        e.name: e.value
        for e in winomt_estimates(rows, PublishedOptions(as_published=True))
        if set(e.keys) <= {"language"}
    }
    for name, value in by_rule._asdict().items():
        assert estimates[name] == pytest.approx(value), name
    assert by_rule.accuracy - winomt_tables.original_scores(output).accuracy > 0.09
