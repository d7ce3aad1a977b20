"""Scores without a measure of their own: CrowS-Pairs, Winogender and discrim-eval of the harness, and plain JSONL."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from genderscope.comparison import compare
from genderscope.core.errors import UserError
from genderscope.importing import import_log
from genderscope.importing.log import item_scores
from genderscope.measures import measure_type
from genderscope.measures.item_scores import ItemScoreRow
from tests.importing.logs import lm_eval

HEADER = {"genderscope": 1, "task": "jobs", "model": "mine", "meaning": "the accuracy", "scale": "share"}


def numbers(result):
    return {each["metric"]: each for each in result.config["imported"]["numbers"]}


def written(path, header, *records):
    path.write_text("\n".join(map(json.dumps, (header, *records))) + "\n", encoding="utf-8")
    return path


def items(female, male, clusters=8):
    """Two items for each cluster and gender, with these values."""
    return [
        {"item": f"{c}-{k}", "cluster": f"job {c}", "group": group, "value": values[(2 * c + k) % len(values)]}
        for c in range(clusters)
        for k in range(2)
        for group, values in (("female", female), ("male", male))
    ]


def test_the_metrics_of_the_harness_follow_from_its_logs(tmp_path):
    for name in ("crows", "winogender", "discrim"):
        result = import_log(lm_eval(name, tmp_path), tmp_path / "runs" / name, report=False)
        for each in numbers(result).values():
            if each["metric"] != "female_bias":
                assert each["recomputed"] == pytest.approx(each["reported"], abs=1e-9)


def test_a_difference_of_likelihoods_keeps_its_sign(tmp_path):
    result = import_log(lm_eval("crows", tmp_path), tmp_path / "run", report=False)
    theirs = numbers(result)["likelihood_diff"]
    values = result.rows["value"]
    assert len(values) == 12  # two further pairs are about age
    assert result.estimate("mean").value == pytest.approx(values.mean())
    assert abs(result.estimate("mean").value) < theirs["reported"]
    assert "absolute" in theirs["reason"]
    assert result.estimate("share_above").value == (values > 0).mean()


def test_pronouns_are_compared_by_gender_with_occupations_as_clusters(tmp_path):
    result = import_log(lm_eval("winogender", tmp_path), tmp_path / "run", report=False)
    assert numbers(result)["acc"]["reason"] == "equal"
    means = [result.estimate("mean", group=group).value for group in ("female", "male")]
    assert result.estimate("difference").value == pytest.approx(means[0] - means[1])
    assert result.rows["cluster"].nunique() == 6


def test_in_balanced_data_the_mixed_model_of_the_harness_is_our_difference(tmp_path):
    result = import_log(lm_eval("discrim", tmp_path), tmp_path / "run", report=False)
    theirs = numbers(result)["female_bias"]
    assert theirs["recomputed"] is None
    assert result.estimate("difference").value == pytest.approx(theirs["reported"], abs=1e-3)


def test_plain_records_give_means_and_differences_by_hand(tmp_path):
    header = {**HEADER, "contrast": ["female", "male"]}
    log = written(tmp_path / "log.jsonl", header, *items([1, 0, 0, 0], [1, 1, 1, 0]))
    result = import_log(log, tmp_path / "run", report=False)
    assert result.measure == "item-scores"
    assert result.estimate("mean").value == 0.5
    assert result.estimate("mean", group="female").value == 0.25
    found = result.estimate("difference")
    assert (found.value, found.neutral, found.n) == (-0.5, 0, 32)
    assert found.low < -0.5 < found.high


def test_scores_have_students_intervals_over_clusters(tmp_path):
    header = {**HEADER, "scale": "score", "meaning": "the margin", "neutral": 0}
    values = [0.3, 1.2, -0.4, 2.2, 0.9, -1.0]
    records = [{"item": str(k), "cluster": str(k // 2), "value": value} for k, value in enumerate(values * 2)]
    result = import_log(written(tmp_path / "log.jsonl", header, *records), tmp_path / "run", report=False)
    found = result.estimate("mean")
    clusters = np.array([np.mean((values * 2)[2 * c : 2 * c + 2]) for c in range(6)])
    error = clusters.std(ddof=1) / math.sqrt(6)  # clusters of equal size: the mean of their means
    assert found.value == pytest.approx(clusters.mean())
    assert (found.high - found.low) / 2 == pytest.approx(2.570582 * error, rel=1e-3)  # t with 5 degrees of freedom


def test_copies_of_an_item_do_not_narrow_the_interval(tmp_path):
    header = {**HEADER, "neutral": 0.5}
    once = [{"item": str(k), "cluster": str(k), "value": int(k % 3 > 0)} for k in range(12)]
    copies = [{**each, "draw": draw} for each in once for draw in range(5)]
    alone, copied = (
        import_log(written(tmp_path / f"{name}.jsonl", header, *records), tmp_path / name, report=False)
        for name, records in (("once", once), ("copies", copies))
    )
    widths = [e.high - e.low for e in (alone.estimate("mean"), copied.estimate("mean"))]
    assert widths[1] >= 0.95 * widths[0]


def test_two_logs_are_compared_item_by_item(tmp_path):
    header = {**HEADER, "contrast": ["female", "male"]}
    records = items([1, 0, 0, 1], [1, 1, 0, 1])
    other = [{**each, "value": 1 - each["value"]} if each["group"] == "male" else each for each in records]
    first, second = (
        import_log(written(tmp_path / f"{name}.jsonl", header, *rows), tmp_path / name, report=False)
        for name, rows in (("a", records), ("b", other[::-1]))  # the order of items does not matter
    )
    assert first.config["data"] == second.config["data"]
    compared = json.loads(compare(first, second).to_json())
    text = json.dumps(compared)
    assert "difference" in text
    shifted = second.estimate("difference").value - first.estimate("difference").value
    assert shifted == pytest.approx(0.5)


def test_an_unread_item_is_neither_zero_nor_counted(tmp_path):
    unread = {"item": "x", "cluster": "x", "value": None, "unread": "no answer"}
    other = {"item": "y", "cluster": "y", "value": None, "outcome": "neither"}
    log = written(tmp_path / "log.jsonl", HEADER, *items([1], [1]), unread, other)
    result = import_log(log, tmp_path / "run", report=False)
    found = result.estimate("mean")
    assert (found.value, found.n, found.unread) == (1, 32, 1)
    assert result.counts == (34, 33)


@pytest.mark.parametrize(
    ("header", "record", "message"),
    [
        ({"genderscope": 2}, {}, "'genderscope' is 2, not 1"),
        ({"scale": "percent"}, {}, "'scale' is 'percent', not share or score"),
        ({"scal": "share"}, {}, "'scal' is not one of .* Did you mean 'scale'"),
        ({"contrast": ["female", "robot"]}, {}, "names 'robot', which no item has"),
        ({"date": "yesterday"}, {}, "'date' is not a date"),
        ({"task": None}, {}, "'task' is missing"),
        ({}, {"value": 3}, "'value' is 3, but the header says that values are shares"),
        ({}, {"value": "high"}, "'value' is not a number"),
        ({}, {"value": None}, "has neither a value nor a reason"),
        ({}, {"item": "0-0", "group": "female"}, "'item' occurs twice"),
        ({}, {"clusters": "a"}, "'clusters' is not one of .* Did you mean 'cluster'"),
        ({}, {"item": None}, "'item' is missing"),
    ],
)
def test_a_plain_file_that_does_not_fit_is_refused(header, record, message, tmp_path):
    extra = {"item": "extra", "value": 1, **record}
    log = written(tmp_path / "log.jsonl", {**HEADER, **header}, *items([1], [0]), extra)
    with pytest.raises(UserError, match=message):
        import_log(log, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_header_alone_or_another_file_is_refused(tmp_path):
    with pytest.raises(UserError, match="has a header but no items"):
        import_log(written(tmp_path / "log.jsonl", HEADER), tmp_path / "run")
    other = tmp_path / "notes.txt"
    other.write_text("not a log", encoding="utf-8")
    with pytest.raises(UserError, match="is not a log of a known format"):
        import_log(other, tmp_path / "run")
    with pytest.raises(UserError, match="There is no log"):
        import_log(tmp_path / "missing.eval", tmp_path / "run")


def test_item_scores_ask_no_model():
    kind = measure_type("item-scores")
    with pytest.raises(UserError, match="genderscope import LOG"):
        kind(kind.options_type(), None)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"item": "x", "value": 1, "unread": "no"}, "both a value and a reason"),
        ({"item": "x", "value": 1, "draw": 10**30}, "is not a number from 0 to 1,000,000"),
        ({"item": "x", "value": 10**400}, "is not a number"),
    ],
)
def test_an_item_that_contradicts_itself_or_is_out_of_range_is_refused(record, message, tmp_path):
    log = written(tmp_path / "scores.jsonl", HEADER, *items([1, 0], [0, 1]), record)
    with pytest.raises(UserError, match=message):
        import_log(log, tmp_path / "run", report=False)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("date", ["0001-01-01", "9999-12-31T23:59:59-12:00", "yesterday"])
def test_a_date_that_no_calendar_has_is_refused(date, tmp_path):
    log = written(tmp_path / "scores.jsonl", {**HEADER, "date": date}, *items([1, 0], [0, 1]))
    with pytest.raises(UserError, match="is not a date such as"):
        import_log(log, tmp_path / "run", report=False)


def test_replies_may_contain_line_separators_and_halves_of_characters(tmp_path):
    odd = {"item": "x", "value": 1, "reply": "a\u2028b \ud83d"}
    path = tmp_path / "scores.jsonl"
    lines = [json.dumps(HEADER), *map(json.dumps, items([1, 0], [0, 1])), json.dumps(odd).replace("\\u2028", "\u2028")]
    path.write_text("\n".join(lines), encoding="utf-8")
    rows = import_log(path, tmp_path / "run", report=False).rows
    assert rows["reply"].iloc[-1] == "a\u2028b \ufffd"


def test_the_items_identify_the_data_whatever_their_order_and_scores():
    rows = [
        ItemScoreRow(sample=k, item=f"item {k}", cluster=f"cluster {k % 2}", group="women", value=k / 4)
        for k in range(4)
    ]

    def checksum(of):
        return item_scores("task", of, {"scale": "share"}).data["sha256"]

    assert checksum(rows[::-1]) == checksum([replace(row, value=0.5) for row in rows]) == checksum(rows)
    others = [replace(rows[0], item="other"), replace(rows[0], cluster="other"), replace(rows[0], group="other")]
    assert len({checksum(rows), *(checksum([other, *rows[1:]]) for other in others)}) == 4
