"""Logs of Inspect become runs, whether zipped or plain."""

import zipfile

import pytest

from genderscope.comparison import compare
from genderscope.core.errors import UserError
from genderscope.importing import import_log
from tests.importing.logs import changed_json, inspect


def test_both_formats_give_the_same_rows(tmp_path):
    zipped = import_log(inspect("strong.eval", tmp_path), tmp_path / "zipped", report=False)
    plain = import_log(inspect("strong.json", tmp_path), tmp_path / "plain", report=False)
    assert zipped.rows.equals(plain.rows)
    assert zipped.config["data"] == plain.config["data"]
    assert zipped.config["imported"]["version"] == "0.3.285"
    assert zipped.config["model"]["name"] == "mockllm/strong"


@pytest.mark.parametrize("name", ["strong.eval", "weak.eval"])
def test_the_accuracy_follows_from_the_log(name, tmp_path):
    result = import_log(inspect(name, tmp_path), tmp_path / "run", report=False)
    (accuracy,) = result.config["imported"]["numbers"]
    assert accuracy["recomputed"] == pytest.approx(accuracy["reported"], abs=1e-12)
    assert accuracy["estimate"] is None


@pytest.mark.long
def test_a_planted_bias_that_the_accuracy_hides_is_found(tmp_path):
    strong, weak = (
        import_log(inspect(f"{name}.eval", tmp_path), tmp_path / name, report=False) for name in ("strong", "weak")
    )
    assert strong.estimate("bias_ambiguous").low > 0.05
    assert weak.estimate("bias_ambiguous").low < 0
    difference = compare(strong, weak)
    assert difference.to_json()
    assert len(strong.rows) == len(weak.rows) == 60


def test_the_stereotype_score_follows_from_the_log_and_ours_is_about_gender(tmp_path):
    result = import_log(inspect("stereo.eval", tmp_path), tmp_path / "run", report=False)
    (score,) = result.config["imported"]["numbers"]
    assert score["recomputed"] == pytest.approx(score["reported"]) == 75
    rows = result.rows
    assert set(rows["draw"]) == {0, 1}  # two epochs
    assert set(rows["outcome"].dropna()) == {"stereotype", "anti-stereotype", "unrelated"}
    counted = rows["value"].dropna()
    assert result.estimate("mean").value == pytest.approx(counted.mean())
    assert result.estimate("mean").n == len(counted) < len(rows)
    assert any("16: not about gender" in caution for caution in result.cautions)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda log: log.update(version=3), "the field 'version' is 3, not 2"),
        (lambda log: log.update(status="error"), "the field 'status' is 'error', not success"),
        (lambda log: log["eval"].pop("model"), r"the field 'eval\.model' is missing"),
        (
            lambda log: log["samples"][7]["metadata"].pop("answer_info"),
            r"'samples\[7\]\.metadata\.answer_info' is missing",
        ),
        (lambda log: log["samples"][0].update(target="D"), r"'samples\[0\]\.target' is 'D', not A or B or C"),
        (lambda log: log["samples"][0].update(input="Who?"), r"'samples\[0\]\.input' does not have the form"),
        (lambda log: log["samples"][0]["output"].pop("completion"), r"output\.completion' is missing"),
        (lambda log: log.update(samples=[]), "contains no samples"),
        (lambda log: log["eval"].update(task="gsm8k"), "'gsm8k'"),
    ],
)
def test_the_first_field_that_differs_is_named_and_nothing_is_written(change, message, tmp_path):
    log = inspect("strong.json", tmp_path)
    changed_json(log, change)
    text = log.read_text(encoding="utf-8")
    assert '"version"' in text[:200]
    with pytest.raises(UserError, match=message):
        import_log(log, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_sample_with_an_error_is_unread(tmp_path):
    log = inspect("strong.json", tmp_path)
    changed_json(log, lambda content: content["samples"][0].update(error={"message": "timeout"}))
    rows = import_log(log, tmp_path / "run", report=False).rows
    assert rows["unread"].dropna().tolist() == ["the tool reports an error"]


def test_a_cut_empty_or_foreign_archive_is_refused(tmp_path):
    log = inspect("strong.eval", tmp_path)
    whole = log.read_bytes()
    for content in (whole[: len(whole) // 2], b"PK\x03\x04 but not really"):
        log.write_bytes(content)
        with pytest.raises(UserError, match="is cut or damaged"):
            import_log(log, tmp_path / "run")
    log.write_bytes(b"")
    with pytest.raises(UserError, match="is empty"):
        import_log(log, tmp_path / "run")
    with zipfile.ZipFile(log, "w") as archive:
        archive.writestr("notes.txt", "not a log")
    with pytest.raises(UserError, match=r"has no 'header\.json'"):
        import_log(log, tmp_path / "run")


def test_a_damaged_sample_is_refused(tmp_path):
    log = inspect("strong.eval", tmp_path)
    content = bytearray(log.read_bytes())
    content[2000] ^= 0xFF
    log.write_bytes(bytes(content))
    with pytest.raises(UserError, match=r"is cut or damaged|is not complete JSON"):
        import_log(log, tmp_path / "run")
