"""Replies read by a second model, the judge, and prompts in the log; both are stored in the journal."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import prompt_digest, question_key
from genderscope.core.questions import Question, Reply, ReplyStart
from genderscope.engine import ask_with, read_answers
from genderscope.evaluation.preflight import open_given_model
from genderscope.evaluation.run_settings import RunSettings
from genderscope.measures import Options
from genderscope.models import Chat, ReplyModel, without_secrets
from genderscope.runs import STARTED, Journal

if TYPE_CHECKING:
    import pandas as pd


class JudgedMeasure(Protocol):
    """A measure with the option `judge`."""

    def judge_questions(self, rows: "pd.DataFrame", chat: Chat) -> list[tuple[int, Question]]:
        """Return the questions to the judge, each with the index of its row."""

    def with_judge(self, rows: "pd.DataFrame", answers: Mapping[int, Any]) -> "pd.DataFrame":
        """Return the rows with the judge's answers, given by the index of their rows."""


_log = logging.getLogger("genderscope")


def open_judge(options: Options, settings: RunSettings) -> ReplyModel | None:
    """Open the judge that the options name, so that a mistake shows before any question is asked; None if none."""
    spec: str | None = getattr(options, "judge", None)
    if spec is None:
        return None
    if without_secrets(spec) != spec:
        raise UserError("The judge's URL seems to contain a key, which the run would record; remove it.")
    # The chat settings are those of the measured model, and the judge's answers are few tokens each.
    plain = {"batch": False, "chat_template": None, "system": None, "max_tokens": None, "reasoning_effort": None}
    judge = open_given_model(spec, replace(settings, remote=settings.remote.model_copy(update=plain)))
    if not isinstance(judge, ReplyModel) or judge.unanswerable(frozenset({Reply})):
        raise UserError(f"The judge '{judge.name}' is a {judge.kind} model, which does not chat; name one that does.")
    return judge


def judged_rows(
    measure: JudgedMeasure, rows: "pd.DataFrame", judge: ReplyModel, settings: RunSettings, journal: Journal
) -> "pd.DataFrame":
    """Ask the judge about every reply whose judgement is not in the journal; return the rows with its readings."""
    numbered = measure.judge_questions(rows, Chat(temperature=0.0, render=judge.chat.render))
    questions = [question for _, question in numbered]
    _log.info("The judge '%s' reads %s replies.", judge.name, f"{len(questions):,}")
    with judge.in_use():
        ask_with(settings.for_engine, judge, questions, journal, settings.batch_size)
    answers = read_answers(judge.fingerprint, questions, journal)
    return measure.with_judge(rows, dict(zip((index for index, _ in numbered), answers, strict=True)))


def log_prompts(
    questions: Iterable[Question], fingerprint: str, journal: Journal, started: datetime, judged: bool = False
) -> None:
    """Record the prompts, with placeholders for messages, and warn about earlier answers to different prompts.

    If the run is `judged`, other answers in the journal are those of the judge.
    """
    frames: set[str] = set()
    keys: set[bytes] = set()
    for question in questions:
        if isinstance(question, Reply | ReplyStart) and question.prompt is not None:
            frames.add(_frame(question, question.prompt))
        keys.add(question_key(fingerprint, question))
    if not frames:
        return
    prompts = {f"prompt {prompt_digest(frame)}": frame for frame in sorted(frames)}
    journal.note({STARTED: started.isoformat(), **prompts})
    if not judged and (others := len(journal) - len(journal.known(list(keys)))):
        _log.warning(
            "%s answers in '%s' belong to prompts that the chat template now renders differently, or to an earlier "
            "version; they are not used, and those questions are asked again.",
            f"{others:,}",
            journal.path,
        )


def _frame(question: Reply | ReplyStart, prompt: str) -> str:
    """Return a prompt with each message replaced with its role, such as <<user>>."""
    for message in sorted(question.messages, key=lambda message: -len(message.content)):
        if content := message.content.strip():
            prompt = prompt.replace(content, f"<<{message.role}>>")
    return prompt
