"""Chat templates that contain the date: a run keeps the date of its start, and no answer is to another prompt."""

import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.support.chat_templates import TEMPLATE
from tests.support.evaluation import evaluate
from tests.support.progress import stop_at

DATED = "Today is {{ strftime_now('%d %B %Y') }}.\n" + TEMPLATE
#: questions of a run: six for each of 16 sentences and 36 controls
ALL = 6 * (16 + 36)
SATURDAY, MONDAY = "2026-11-14T23:30:00+01:00", "2026-11-16T09:30:00+01:00"


@pytest.fixture
def chat(models, tmp_path):
    """Run gest-chat on a tiny chat model: chat(template, out, …)."""
    prompts, file = tmp_path / "prompts.csv", tmp_path / "chat.jinja"
    prompts.write_text("text,women,men,neither\n{sentence},w,m,n\n", encoding="utf-8")

    def run(template, out, **more):
        file.write_text(template, encoding="utf-8")
        options: dict[str, Any] = {
            "data": "starter",
            "limit": 16,
            "batch_size": 8,
            "max_tokens": 6,
            "prompts": str(prompts),
        }
        return evaluate("gest-chat", str(models("llama", "bytes")), out=out, chat_template=str(file), **options | more)

    return run


def noted(out):
    with sqlite3.connect(Path(out) / "journal.sqlite") as journal:
        return dict(journal.execute("SELECT name, text FROM notes"))


def answered(out):
    with sqlite3.connect(Path(out) / "journal.sqlite") as journal:
        return journal.execute("SELECT count(*) FROM answers").fetchone()[0]


def test_a_run_resumed_on_another_day_keeps_its_date(chat, at):
    at(SATURDAY)
    whole = chat(DATED, "whole")
    assert "|template_date:2026-11-14" in whole.signature
    with pytest.raises(KeyboardInterrupt):
        chat(DATED, "run", progress=stop_at(40))
    kept = answered("run")
    at(MONDAY)
    resumed = chat(DATED, "run")
    pd.testing.assert_frame_equal(resumed.rows, whole.rows)
    assert resumed.signature == whole.signature
    assert 40 <= kept < answered("run") == ALL, "no question is asked for two dates"
    texts = [text for name, text in noted("run").items() if name.startswith("prompt ")]
    assert texts == ["Today is 14 November 2026.\n[user] <<user>>\n[assistant] "], "one text for all prompts"


@pytest.mark.long
def test_a_fresh_run_has_the_date_of_its_own_start(chat, at):
    at(SATURDAY)
    first = chat(DATED, "run")
    at(MONDAY)
    assert chat(DATED, "run").reused
    fresh = chat(DATED, "run", fresh=True)
    assert "|template_date:2026-11-16" in fresh.signature
    assert not fresh.rows.equals(first.rows), "the model reads another prompt"


@pytest.mark.long
def test_a_template_without_a_date_leaves_the_signature_as_it_was(chat):
    assert "template_date" not in chat(TEMPLATE, "run").signature


@pytest.mark.long
def test_the_date_outlives_run_json(chat, at):
    at(SATURDAY)
    with pytest.raises(KeyboardInterrupt):
        chat(DATED, "run", progress=stop_at(40))
    Path("run/run.json").unlink()
    at(MONDAY)
    assert "|template_date:2026-11-14" in chat(DATED, "run").signature
    assert answered("run") == ALL


@pytest.mark.long
def test_answers_to_prompts_that_are_rendered_differently_are_not_used_and_that_is_said(chat, caplog, monkeypatch):
    """Another version of the library that renders templates stands for whatever else may change them."""
    with pytest.raises(KeyboardInterrupt):
        chat(TEMPLATE, "run", progress=stop_at(40))
    kept = answered("run")
    from transformers import PreTrainedTokenizerBase

    plain = PreTrainedTokenizerBase.apply_chat_template
    monkeypatch.setattr(
        PreTrainedTokenizerBase, "apply_chat_template", lambda *args, **how: plain(*args, **how).replace("[", "<")
    )
    chat(TEMPLATE, "run")
    assert f"{kept} answers in 'run/journal.sqlite' belong to prompts that the chat template now" in caplog.text
    assert answered("run") == kept + ALL
    assert sum(name.startswith("prompt ") for name in noted("run")) == 2


@pytest.mark.long
def test_a_journal_of_an_earlier_version_is_asked_again_in_one_sentence(chat, caplog):
    """Its keys hold no prompts."""
    with pytest.raises(KeyboardInterrupt):
        chat(TEMPLATE, "run", progress=stop_at(40))
    with sqlite3.connect("run/journal.sqlite") as journal:
        journal.execute("DROP TABLE notes")
        rows = journal.execute("SELECT key, answer FROM answers").fetchall()
        journal.execute("DELETE FROM answers")
        from genderscope.runs.journal_salvage import checksum

        other = [(key[::-1], answer, checksum(key[::-1], answer)) for key, answer in rows]
        journal.executemany("INSERT INTO answers VALUES (?, ?, ?)", other)
    result = chat(TEMPLATE, "run")
    assert "or to an earlier version; they are not used, and those questions are asked again." in caplog.text
    assert result.rows["reply"].notna().all()
