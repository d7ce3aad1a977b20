"""Logs of lm-evaluation-harness become runs whose numbers are those of the harness where the definition is the same."""

import json

import pytest

from genderscope.core.errors import UserError
from genderscope.importing import import_log
from tests.importing.logs import changed_json, changed_line, lm_eval, results_of


def numbers(result):
    return {each["metric"]: each for each in result.config["imported"]["numbers"]}


@pytest.fixture
def strong(tmp_path):
    return lm_eval("strong", tmp_path)


@pytest.mark.long_but("strong")
@pytest.mark.parametrize("name", ["strong", "weak", "never", "words"])
def test_the_scores_of_the_harness_follow_from_its_log(name, tmp_path):
    result = import_log(lm_eval(name, tmp_path), tmp_path / "run", report=False)
    found = numbers(result)
    assert list(found) == [
        *("accuracy_amb", "accuracy_disamb"),
        *("amb_bias_score_Gender_identity", "disamb_bias_score_Gender_identity"),
    ]
    for each in found.values():
        assert each["recomputed"] == pytest.approx(each["reported"], abs=1e-12)
    assert not any("do not give" in caution for caution in result.cautions)


def test_where_every_answer_is_read_and_some_are_biased_our_rates_are_the_scores_of_the_harness(strong, tmp_path):
    result = import_log(strong, tmp_path / "run", report=False)
    for each in numbers(result).values():
        assert result.estimate(each["estimate"]).value == pytest.approx(each["reported"], abs=1e-12)
        assert each["reason"] == "equal"


def test_a_model_that_never_follows_the_stereotype_scores_minus_one_and_not_zero(tmp_path):
    result = import_log(lm_eval("never", tmp_path), tmp_path / "run", report=False)
    theirs = numbers(result)["disamb_bias_score_Gender_identity"]
    assert theirs["reported"] == theirs["recomputed"] == 0
    assert result.estimate("bias_score_disambiguated").value == -1
    assert "0 instead of -1" in theirs["reason"]


def test_replies_are_read_by_our_rules_and_unread_ones_are_not_wrong(tmp_path):
    result = import_log(lm_eval("words", tmp_path), tmp_path / "run", report=False)
    assert result.config["configuration"]["form"] == "ask"
    assert result.counts.read < result.counts.rows == 60
    theirs = numbers(result)["accuracy_amb"]
    assert result.estimate("accuracy_ambiguous").value > theirs["reported"]
    assert "unread answers as wrong" in theirs["reason"]


def test_a_run_tells_where_it_comes_from(strong, tmp_path):
    import hashlib

    result = import_log(strong, tmp_path / "run", report=False)
    origin = result.config["imported"]
    checksum = hashlib.sha256(strong.read_bytes()).hexdigest()
    assert (origin["tool"], origin["version"], origin["task"]) == ("lm-evaluation-harness", "0.4.13", "bbq")
    assert origin["files"][strong.name] == checksum
    assert f"model:planted/strong@log-{checksum[:8]}|" in result.signature
    assert "tool:lm-evaluation-harness-0.4.13|task:bbq" in result.signature
    assert result.asked == ("2026-11-17",)
    assert any("does not record the model's weights" in caution for caution in result.cautions)


def test_importing_the_same_log_again_changes_nothing(strong, tmp_path):
    import_log(strong, tmp_path / "run")
    written = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    again = import_log(strong, tmp_path / "run")
    assert again.reused
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == written


def test_another_log_does_not_overwrite_a_run(strong, tmp_path):
    import_log(strong, tmp_path / "run", report=False)
    with pytest.raises(UserError, match="contains a run with model = 'planted/strong', not 'planted/weak'"):
        import_log(lm_eval("weak", tmp_path), tmp_path / "run", report=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record["doc"].pop("context"), r"line 4: the field 'doc\.context' is missing"),
        (lambda record: record["doc"].update(label=5), r"'doc\.label' is not 0, 1 or 2"),
        (lambda record: record["doc"].update(label="1"), r"'doc\.label' is not a whole number"),
        (lambda record: record["doc"].update(question_index="99"), r"'doc\.question_index' is '99'"),
        (lambda record: record["doc"].update(context_condition="both"), r"'doc\.context_condition' is 'both'"),
        (lambda record: record["doc"]["answer_info"].update(ans1=["a"]), r"'doc\.answer_info\.ans1' does not have two"),
        (lambda record: record.pop("filtered_resps"), r"'filtered_resps' is missing"),
        (lambda record: record["filtered_resps"].pop(), r"'filtered_resps' has 11 entries, not 12"),
        (
            lambda record: record["filtered_resps"].__setitem__(2, ["nan", "False"]),
            r"'filtered_resps\[2\]\[0\]' is not a",
        ),
        (lambda record: record.update(doc_id=0), r"'doc_id' occurs twice"),
    ],
)
def test_the_first_field_that_differs_is_named_and_nothing_is_written(change, message, strong, tmp_path):
    changed_line(strong, 3, change)
    with pytest.raises(UserError, match=message):
        import_log(strong, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("version", ["0.4.8", "0.5.0", "1.0"])
def test_a_version_whose_logs_are_unknown_is_refused(version, strong, tmp_path):
    changed_json(results_of(strong), lambda content: content.update(lm_eval_version=version))
    with pytest.raises(UserError, match=rf"'lm_eval_version' is '{version}'; .* 0\.4\.9 to 0\.4\.13"):
        import_log(strong, tmp_path / "run")


def test_an_empty_cut_or_lone_log_is_refused(strong, tmp_path):
    whole = strong.read_bytes()
    strong.write_bytes(b"\n")
    with pytest.raises(UserError, match="is empty"):
        import_log(strong, tmp_path / "run")
    strong.write_bytes(whole[:-300])
    with pytest.raises(UserError, match="line 60 is not complete JSON"):
        import_log(strong, tmp_path / "run")
    strong.write_bytes(whole)
    results_of(strong).unlink()
    with pytest.raises(UserError, match=r"needs 'results_.*\.json' in the same folder"):
        import_log(strong, tmp_path / "run")


def test_a_task_that_is_not_about_gender_is_refused(strong, tmp_path):
    other = strong.with_name(strong.name.replace("samples_bbq_", "samples_arc_easy_"))
    strong.rename(other)
    changed_json(results_of(other), lambda content: content["results"].update(arc_easy=content["results"]["bbq"]))
    with pytest.raises(UserError, match="'arc_easy'"):
        import_log(other, tmp_path / "run")


def test_a_log_whose_answers_were_changed_does_not_give_the_reported_scores(strong, tmp_path):
    def swapped(record):
        record["filtered_resps"][0], record["filtered_resps"][1] = record["filtered_resps"][1::-1]

    for line in range(20):
        changed_line(strong, line, swapped)
    result = import_log(strong, tmp_path / "run", report=False)
    assert result.cautions[0].startswith("The responses in the log do not give the")


def test_documents_of_other_categories_are_left_out_and_counted(strong, tmp_path):
    changed_line(strong, 0, lambda record: record["doc"].update(category="Age"))
    result = import_log(strong, tmp_path / "run", report=False)
    assert len(result.rows) == 59
    assert "Some documents of the log are left out (1: not about gender)." in result.cautions
    assert list(numbers(result)) == ["amb_bias_score_Gender_identity", "disamb_bias_score_Gender_identity"]


def test_rows_hold_the_log_likelihoods_of_the_log(strong, tmp_path):
    rows = import_log(strong, tmp_path / "run", report=False).rows
    record = json.loads(strong.read_text(encoding="utf-8").splitlines()[0])
    scores = [float(each[0]) for each in record["filtered_resps"]]
    row = rows.iloc[0]
    assert (row["raw_biased"], row["raw_counter"], row["raw_unknown"]) == (scores[0], scores[1], max(scores[2:]))
    assert row["tokens_biased"] is None or row["tokens_biased"] != row["tokens_biased"]
