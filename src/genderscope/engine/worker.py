"""Worker that loads the model once, then plans windows and answers shards, in a process or on a cluster."""

import traceback
from dataclasses import dataclass
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import answers_to_json
from genderscope.core.questions import Question
from genderscope.engine.local_engine import answers_to, windows_of
from genderscope.models import Batch, Model, Opening, Plan
from genderscope.version import __version__


@dataclass(frozen=True)
class Load:
    """Task: load the model."""


@dataclass(frozen=True)
class PlanWindow:
    """Task: plan the batches for these questions, which requires a loaded model."""

    questions: tuple[Question, ...]
    batch_size: int | None


@dataclass(frozen=True)
class AnswerShard:
    """Task: answer these batches of a plan."""

    batches: tuple[Batch, ...]


@dataclass(frozen=True)
class Loaded:
    """Outcome of loading the model; the Genderscope version and the fingerprint must match the driver's."""

    version: str
    fingerprint: str
    described: dict[str, Any]
    place: str
    windows: tuple[int, ...]  # window sizes of the local engine on the worker's device


@dataclass(frozen=True)
class Answers:
    """Answers as JSON, by the index of their question in the window."""

    answers: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True)
class Failure:
    """The task failed but the worker is alive; `text` is a user error's message or a traceback."""

    text: str
    users: bool

    def error(self) -> Exception:
        """Return the exception to raise in the driver."""
        return UserError(self.text) if self.users else RuntimeError(f"A worker failed:\n{self.text}")


Task = Load | PlanWindow | AnswerShard
Outcome = Loaded | Plan | Answers | Failure


class Worker:
    """Worker with one copy of the model."""

    def __init__(self, opening: Opening, place: str) -> None:
        self._opening = opening
        self._place = place
        self._model: Model | None = None

    def do(self, task: Task) -> Outcome:
        """Perform a task, returning errors as `Failure` so that only a dead worker counts as lost."""
        try:
            return self._do(task)
        except UserError as error:
            return Failure(str(error), users=True)
        except Exception:
            return Failure(traceback.format_exc(), users=False)

    def _do(self, task: Task) -> Outcome:
        if self._model is None:
            self._model = self._opening.open()
            self._model.load()
        return perform(self._model, task, self._place)


def perform(model: Model, task: Task, place: str = "") -> Outcome:
    """Perform a task with a loaded model."""
    match task:
        case Load():
            return Loaded(__version__, model.fingerprint, model.describe(), place, windows_of(model))
        case PlanWindow(questions, batch_size):
            return model.plan(questions, batch_size)
        case AnswerShard(batches):
            return Answers(
                tuple(
                    pair
                    for part, answers in answers_to(model, batches)
                    for pair in zip(part.indices, answers_to_json(answers), strict=True)
                )
            )
