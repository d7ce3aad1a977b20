"""Logging of local chat models' prompts in the journal, to document what each answer responds to."""

import logging
from collections.abc import Iterable
from datetime import datetime

from genderscope.core.journal_codec import prompt_digest, question_key
from genderscope.core.questions import Question, Reply, ReplyStart
from genderscope.runs import STARTED, Journal

_log = logging.getLogger("genderscope")


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
