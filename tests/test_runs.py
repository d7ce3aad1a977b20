"""Nothing is lost: kills, interrupts, second processes."""

import json
import os
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.core.journal_codec import answer_from_json, answer_to_json, question_key
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.engine import ask
from genderscope.models import Batch, Plan, WordModel
from genderscope.runs import Journal, RunFolder, run_state, write_whole
from genderscope.runs.journal_salvage import checksum
from tests.prepared import Prepared
from tests.shown_again import without_age
from tests.support.evaluation import evaluate
from tests.support.interruption import answered, run_until


def arguments(folder, out):
    """Ask two at a time, and enough that a run can be caught in the act."""
    return ["run", "gest", "--model", folder, "--data", "starter", "--limit", 96, "--out", out, "--batch-size", 2]


@pytest.fixture
def model(models):
    return models("llama", "bytes")


def slowly():
    """Let every pass of a model take long enough that a run can be caught in the act; it need not work for that."""
    from torch.nn.modules.module import register_module_forward_pre_hook

    register_module_forward_pre_hook(lambda module, _: time.sleep(0.02 * hasattr(module, "lm_head")))


@pytest.mark.long
def test_killed_runs_resume_and_give_the_same_bits(model, cli, tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert cli(*arguments(model, whole)).returncode == 0
    total = answered(whole)
    kept = 0
    for share in (0.2, 0.5, 0.8):
        process = Prepared(*arguments(model, killed), before=slowly)
        assert run_until(process, killed, int(share * total)), "the run ended before it could be killed"
        process.kill()
        process.join()
        now = answered(killed)
        assert kept <= now < total
        kept = now
        assert not (killed / "result.json").exists()
    # An answer that the journal holds is not asked for again: change one and it stays as it is.
    with sqlite3.connect(killed / "journal.sqlite") as db:
        key, text = db.execute("SELECT key, answer FROM answers LIMIT 1").fetchone()
        changed = answer_to_json(ChoiceAnswer((123.0, 0.0), tokens=((1,), (2,))))
        values = (changed, checksum(key, changed), key)
        db.execute("UPDATE answers SET answer = ?, checksum = ? WHERE key = ?", values)
    assert cli(*arguments(model, killed)).returncode == 0
    rows, reference = (pd.read_parquet(folder / "rows.parquet")["log_ratio"] for folder in (killed, whole))
    assert (rows == 123.0).sum() == 1
    original = answer_from_json(Choice, text).scores
    assert rows.replace(123.0, original[0] - original[1]).tolist() == reference.tolist()


@pytest.mark.long
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_a_run_that_is_told_to_stop_can_be_resumed_and_says_how(model, cli, tmp_path, sign):
    out = tmp_path / "run"
    process = Prepared(*arguments(model, out), before=slowly)
    assert run_until(process, out, 20)
    os.kill(process.pid, sign)
    code, message = process.said()
    assert code == 128 + sign
    assert f"All answers so far are kept in {out}; resume with: genderscope run gest --model {model}" in message
    assert "Traceback" not in message
    assert not (out / "journal.sqlite-wal").exists(), "the journal was not closed"
    assert 20 <= answered(out) < 2 * 96
    done = cli(*arguments(model, out), "--json")
    assert json.loads(done.stdout)["coverage"] == 1.0


def test_a_finished_run_is_shown_again_without_asking(models, tmp_path):
    folder = models("gpt2", "bytes")
    first = evaluate("gest", str(folder), data="starter", limit=16, out=tmp_path / "run")
    (tmp_path / "run" / "journal.sqlite").unlink()
    again = evaluate("gest", str(folder), data="starter", limit=16, out=tmp_path / "run")
    assert without_age(again.to_json()) == first.to_json()
    assert again.rows["log_ratio"].tolist() == first.rows["log_ratio"].tolist()


def test_a_resumed_run_counts_the_kept_answers_first_and_only_once(models, tmp_path):
    folder, out = str(models("gpt2", "bytes")), tmp_path / "run"
    evaluate("gest", folder, data="starter", limit=16, out=out)
    (out / "result.json").unlink()
    with sqlite3.connect(out / "journal.sqlite") as db:
        db.execute("DELETE FROM answers WHERE key IN (SELECT key FROM answers LIMIT 12)")
    totals: list[int] = []
    counts: list[int] = []
    progress = lambda total: totals.append(total) or counts.append  # noqa: E731
    evaluate("gest", folder, data="starter", limit=16, out=out, progress=progress)
    assert totals == [16 * 2 + 2 * 18 * 2], "two prompts for each sentence, and for each version of a control"
    assert counts[0] == totals[0] - 12
    assert sum(counts) == totals[0]


@pytest.mark.long
def test_the_result_does_not_depend_on_the_batch_size(models, tmp_path):
    folder = str(models("llama", "bytes"))
    one, many = (
        evaluate("gest", folder, data="starter", limit=48, batch_size=size, out=tmp_path / str(size))
        for size in (1, None)
    )
    assert one.rows["log_ratio"].tolist() == pytest.approx(many.rows["log_ratio"].tolist(), abs=1e-5)


def test_run_json_holds_what_is_needed_to_repeat_the_run(models, tmp_path):
    evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=16, seed=3, out=tmp_path / "run")
    config = json.loads((tmp_path / "run" / "run.json").read_text())
    assert config["configuration"]["seed"] == 3
    assert config["model"]["bos"] == "tokenizer"
    assert config["model"]["parameters"] > 0
    assert set(config["option_tokens"]) == {"he", "she", "man", "woman"}
    assert len(config["data"]["sha256"]) == 64
    assert {"genderscope", "torch", "transformers", "tokenizers"} <= set(config["versions"])
    assert config["signature"].startswith("gest|data:starter:16@")


def test_a_second_process_on_the_folder_is_refused(tmp_path):
    with (
        RunFolder(tmp_path / "run", {"configuration": {}}),
        pytest.raises(UserError, match="Another process is working"),
    ):
        RunFolder(tmp_path / "run", {"configuration": {}})


def test_a_folder_of_another_configuration_is_refused(models, tmp_path):
    folder = str(models("gpt2", "bytes"))
    evaluate("gest", folder, data="starter", limit=16, out=tmp_path / "run")
    with pytest.raises(UserError, match="contains a run with seed = 0, not 1; choose another folder"):
        evaluate("gest", folder, data="starter", limit=16, seed=1, out=tmp_path / "run")


def test_an_unfinished_run_says_how_to_finish_it(models, tmp_path):
    evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=16, out=tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    with pytest.raises(UserError, match="is not finished; resume it"):
        genderscope.load_run(tmp_path / "run")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    def broken(target):
        target.write_text("half")
        raise RuntimeError

    (tmp_path / "file").write_text("before")
    with pytest.raises(RuntimeError):
        write_whole(tmp_path / "file", broken)
    assert (tmp_path / "file").read_text() == "before"
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["file"]


class Forgetful(WordModel):
    """A model that runs out of memory when it is asked more than three things at once."""

    answers = frozenset({Choice})
    kind = "test"
    fingerprint = "forgetful"
    asked: int = 0

    def describe(self):
        return {}

    def load(self):
        pass

    def plan(self, questions, batch_size):
        return Plan((), (Batch(tuple(range(len(questions))), tuple(questions)),))

    def answer(self, batch):
        if len(batch.items) > 3:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        self.asked += len(batch.items)
        return [ChoiceAnswer((float(q.before), 0.0)) for q in batch.items]


def test_when_memory_runs_out_the_batch_is_halved_until_it_fits(tmp_path):
    model = Forgetful("forgetful")
    questions = [Choice(str(k), "", ("a", "b")) for k in range(10)]
    with Journal(tmp_path / "journal") as journal:
        ask(model, questions, journal)
        keys = [question_key("forgetful", q) for q in questions]
        scores = [answer_from_json(Choice, text).scores[0] for text in journal.read(keys)]
    assert scores == list(range(10))
    assert model.asked == 10


def test_the_same_question_is_asked_once(tmp_path):
    model = Forgetful("forgetful")
    with Journal(tmp_path / "journal") as journal:
        ask(model, [Choice("1", "", ("a", "b"))] * 3, journal)
        assert len(journal) == 1
    assert model.asked == 1


def test_other_errors_are_not_taken_for_a_lack_of_memory(tmp_path):
    class Broken(Forgetful):
        def answer(self, batch):
            raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with Journal(tmp_path / "journal") as journal, pytest.raises(RuntimeError, match="mat1"):
        ask(Broken("broken"), [Choice("1", "", ("a", "b")), Choice("2", "", ("a", "b"))], journal)


def test_a_fixed_batch_size_is_part_of_the_signature(models):
    model = str(models("gpt2", "bytes"))
    auto = evaluate("gest", model, data="starter", limit=16)
    fixed = evaluate("gest", model, data="starter", limit=16, batch_size=3)
    assert "|batch:" not in auto.signature
    assert fixed.signature.replace("|batch:3|", "|") == auto.signature
    differ = (auto.rows["log_ratio"] - fixed.rows["log_ratio"]).abs().max()
    assert differ < 1e-4, "float32 rounding"


def test_a_run_from_before_the_batch_size_was_named_is_resumed(models):
    call: dict[str, Any] = {"data": "starter", "limit": 16, "batch_size": 3, "out": "mine"}
    model = str(models("gpt2", "bytes"))
    made = evaluate("gest", model, **call)
    config = json.loads(Path("mine/run.json").read_text())
    config["signature"] = config["signature"].replace("|batch:3", "")
    Path("mine/run.json").write_text(json.dumps(config))
    Path("mine/result.json").unlink()
    assert evaluate("gest", model, **call).signature == made.signature


@pytest.mark.parametrize("option", ["prompts", "controls"])
def test_a_run_is_not_resumed_with_another_content_of_a_file(option):
    def config(digest):
        configuration = {"measure": "gest-chat", "fingerprint": "f", option: "own.csv"}
        model, data = {"name": "m", "fingerprint": "f"}, {"name": "d", "sha256": "0"}
        return {"configuration": configuration, "settings": {option: digest}, "model": model, "data": data}

    assert run_state._difference(config("1"), config("1")) is None
    assert f"other {option}" in run_state._difference(config("1"), config("2"))
