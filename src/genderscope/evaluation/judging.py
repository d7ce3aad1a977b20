"""A second reading of replies by another model, the judge; its answers are stored in the run's journal too."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from genderscope.core.errors import UserError
from genderscope.core.questions import Question, Reply
from genderscope.engine import ask_with, read_answers
from genderscope.evaluation.model_opening import open_given_model
from genderscope.evaluation.run_settings import RunSettings
from genderscope.measures import Options
from genderscope.models import Chat, ReplyModel, without_secrets
from genderscope.runs import Journal

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
