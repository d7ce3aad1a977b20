"""Logs of exported tasks, written by the tools themselves, become runs with the numbers of our own runs."""

import json
from typing import Any

import pytest

from genderscope import evaluate
from genderscope.core.errors import UserError
from genderscope.exporting import ReplyScorer
from genderscope.importing import import_log
from genderscope.measures import measure_type as type_of
from tests.importing.logs import changed_json, changed_line, inspect, lm_eval, results_of
from tests.support.tolerance import PER_TOKEN, of_sum

#: log -> measure and options of the run that asks the same
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "exported_gest": ("gest", {"data": "starter", "limit": 64, "templates": "published", "controls": "none"}),
    "exported_bbq": ("bbq", {"data": "starter", "limit": 36, "form": "choice"}),
    "exported_bbq_ask": (
        "bbq",
        {"data": "starter", "limit": 8, "form": "ask", "temperature": 0.0, "max_tokens": 24},
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_the_harness_gives_the_numbers_of_our_own_run(name, fetched, tmp_path, monkeypatch):
    imported = import_log(lm_eval(name, tmp_path), tmp_path / "imported", report=False)
    monkeypatch.setenv("GENDERSCOPE_CACHE", str(fetched))
    measure, options = RUNS[name]
    own = evaluate(measure, "smollm2", out=tmp_path / "own", report=False, **options)
    assert len(imported.rows) == len(own.rows) > 0
    for column in ("sample", "unread", *(["outcome", "reply"] if measure == "bbq" else ["template"])):
        assert imported.rows[column].equals(own.rows[column]), column
    if measure == "gest":
        assert (imported.rows["log_ratio"] - own.rows["log_ratio"]).abs().max() < PER_TOKEN
    elif "choice" in options.values():
        for kind in ("biased", "counter", "unknown"):
            limits = own.rows[f"tokens_{kind}"].map(of_sum)
            for column in (f"raw_{kind}", f"empty_{kind}"):
                assert ((imported.rows[column] - own.rows[column]).abs() < limits).all(), column
    for estimate in type_of(measure).headline:
        ours, theirs = own.estimate(estimate), imported.estimate(estimate)
        assert (theirs.value, theirs.low, theirs.high) == pytest.approx((ours.value, ours.low, ours.high), abs=1e-3)


@pytest.mark.parametrize("name", RUNS)
def test_the_metric_of_the_harness_follows_from_the_log(name, tmp_path):
    result = import_log(lm_eval(name, tmp_path), tmp_path / "run", report=False)
    (number,) = result.config["imported"]["numbers"]
    assert number["recomputed"] == pytest.approx(number["reported"], abs=1e-12)
    assert result.measure == RUNS[name][0]
    assert result.config["data"]["name"] == f"starter:{RUNS[name][1]['limit']}"


def test_token_counts_that_the_harness_does_not_report_are_missing(tmp_path):
    result = import_log(lm_eval("exported_bbq", tmp_path), tmp_path / "run", report=False)
    assert result.rows["raw_biased"].notna().all()
    assert result.rows["tokens_biased"].isna().all()
    assert any("token counts" in caution for caution in result.cautions)


def test_settings_are_those_of_the_log_and_not_those_of_the_task(tmp_path):
    path = lm_eval("exported_bbq_ask", tmp_path)
    generated = import_log(path, tmp_path / "run", report=False).config["settings"]
    assert (generated["temperature"], generated["max_tokens"]) == ("0", "24")

    def sample(record):
        record["arguments"]["gen_args_0"]["arg_1"] |= {"do_sample": True, "temperature": 0.5}

    changed_line(path, 0, sample)
    again = import_log(path, tmp_path / "changed", report=False)
    assert again.config["settings"]["temperature"] == "0.5"


def test_samples_without_all_answers_are_left_out_and_counted(tmp_path):
    path = lm_eval("exported_gest", tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:101]), encoding="utf-8")  # the harness's --limit 101
    result = import_log(path, tmp_path / "run", report=False)
    assert result.rows["sample"].nunique() == 50
    assert result.config["data"]["name"] == "starter:64:50"
    assert any("14 samples are left out" in caution for caution in result.cautions)


# Logs of something else.


def _other_text(record):
    record["doc"]["text"] += " And so on"


def _chat_template(record):
    record["arguments"]["gen_args_0"]["arg_0"] = f"<user>{record['doc']['text']}"


def _other_place(record):
    record["doc"]["sample"] = 10_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_other_text, "'doc.text' is not the question"),
        (_chat_template, "without a chat template and without examples"),
        (_other_place, "'doc.text' is not the question"),
    ],
)
def test_a_log_with_other_texts_is_refused(change, message, tmp_path):
    path = lm_eval("exported_gest", tmp_path)
    changed_line(path, 3, change)
    with pytest.raises(UserError, match=message):
        import_log(path, tmp_path / "run", report=False)
    assert not (tmp_path / "run").exists()


def test_replies_without_a_chat_template_are_refused(tmp_path):
    path = lm_eval("exported_bbq_ask", tmp_path)

    def bare(record):
        record["arguments"]["gen_args_0"]["arg_0"] = record["doc"]["text"]

    changed_line(path, 0, bare)
    with pytest.raises(UserError, match="--apply_chat_template"):
        import_log(path, tmp_path / "run", report=False)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("layout", 2, "another version of genderscope"),
        ("data", {"name": "starter:64", "sha256": "0" * 64, "samples": 64}, "checksum 00000000"),
        ("options", {"data": "starter", "limit": 32}, "differs from the data of the exported task"),
    ],
)
def test_a_task_that_cannot_be_rebuilt_is_refused(field, value, message, tmp_path):
    path = lm_eval("exported_gest", tmp_path)

    def change(results):
        results["configs"]["genderscope_gest"]["metadata"]["genderscope"][field] = value

    changed_json(results_of(path), change)
    with pytest.raises(UserError, match=message):
        import_log(path, tmp_path / "run", report=False)


# Inspect.


@pytest.mark.long
def test_the_means_of_the_inspect_scorer_follow_from_our_rows(tmp_path):
    result = import_log(inspect("exported_bbq.json", tmp_path), tmp_path / "run", report=False)
    numbers = {number["metric"]: number for number in result.config["imported"]["numbers"]}
    assert set(numbers) == {"mean_ambiguous", "mean_disambiguated"}
    for number in numbers.values():
        assert number["recomputed"] == pytest.approx(number["reported"], abs=1e-12)
    assert result.config["settings"]["temperature"] == "0"
    assert set(result.rows["outcome"]) > {"biased", "counter", "unknown"}  # and answers that are none of them


def test_a_reply_is_scored_by_what_it_chooses(tmp_path):
    log = json.loads(inspect("exported_bbq.json", tmp_path).read_text(encoding="utf-8"))
    scorer = ReplyScorer(log["eval"]["metadata"]["genderscope"])
    values = [scorer.score(0, 0, f"({letter})", "stop").value for letter in "ABC"]
    assert sorted(values) == [-1, 0, 1]
    refused = scorer.score(0, 0, "I cannot answer that.", "stop")
    assert refused.value is None
    assert refused.unread is not None
