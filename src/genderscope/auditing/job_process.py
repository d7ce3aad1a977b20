"""The audit of one model in a process of its own; what happens there is told through a pipe."""

import logging
import os
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from genderscope.auditing.matrix import open_audited
from genderscope.auditing.planning import Part, Plan, plan_for
from genderscope.auditing.recipes import AuditedModel
from genderscope.auditing.running import Watcher, run
from genderscope.auditing.selection import Selection
from genderscope.auditing.watching import in_all, newly
from genderscope.engine import all_announced
from genderscope.errors import Terminated, UserError
from genderscope.evaluation import ProgressFactory

#: a batch in hand may take so many seconds to end before the process does
_PATIENCE = 5.0


@dataclass(frozen=True)
class Job:
    """One model of an audit, as another process can open it."""

    model: AuditedModel
    folder: Path
    selection: Selection

    @property
    def called(self) -> str:
        """What the job is called, which no other is."""
        return self.folder.name


@dataclass(frozen=True)
class Timed:
    """The model is loaded: how much is asked and how long it will take, in words."""

    told: str


@dataclass(frozen=True)
class Begun:
    """A measure begins."""

    measure: str
    missing: int
    questions: int


@dataclass(frozen=True)
class Answered:
    """So many questions have an answer that had none."""

    count: int


@dataclass(frozen=True)
class Ended:
    """A measure is done, or failed for a reason."""

    measure: str
    reason: str | None


@dataclass(frozen=True)
class Warned:
    """Something the user should hear of."""

    text: str


@dataclass(frozen=True)
class Finished:
    """All measures had their turn; a reason, if the model had none: a mistake of the user's, or else a traceback."""

    reason: str | None = None
    fault: str | None = None


Message = Timed | Begun | Answered | Ended | Warned | Finished


class _Telling(Watcher):
    """Tells the other process how the audit goes."""

    def __init__(self, tell: Callable[[Message], None]) -> None:
        self._tell = tell

    def planned(self, plan: Plan) -> None:
        self._tell(Timed(in_all(plan)))

    def begins(self, part: Part) -> ProgressFactory:
        if not part.finished:
            self._tell(Begun(part.measure, len(part.missing), part.questions))

        def begin(total: int) -> Callable[[int], None]:
            new = newly(part, total)
            return lambda count: self._tell(Answered(new(count)))

        return begin

    def ends(self, part: Part, reason: str | None) -> None:
        self._tell(Ended(part.measure, reason))


class _Warning(logging.Handler):
    """Passes on what the library logs."""

    def __init__(self, tell: Callable[[Message], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(Warned(record.getMessage()))


def work(descriptor: int) -> None:
    """Run as the process of a job: audit the model that the pipe names, and end early when the pipe closes."""
    pipe: Connection[Any, Any] = Connection(descriptor)
    job: Job = pipe.recv()
    signal.signal(signal.SIGTERM, _terminate)
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
    one_at_a_time = threading.Lock()

    def tell(message: Message) -> None:
        with one_at_a_time:
            pipe.send(message)

    logging.getLogger("genderscope").addHandler(_Warning(tell))
    try:
        tell(_audited(job, tell))
    except (Terminated, OSError):  # nobody listens any more, and the journals hold what was answered
        os._exit(1)


def _audited(job: Job, tell: Callable[[Message], None]) -> Finished:
    try:
        model = open_audited(job.model, job.selection.offline)
        plan = plan_for(model, job.selection, job.folder, job.model.settings)
        with all_announced():
            run(plan, _Telling(tell))
    except UserError as error:
        return Finished(reason=str(error))
    except BrokenPipeError:
        raise
    except (OSError, MemoryError) as error:
        return Finished(str(error) or "There is not enough memory for it.")
    except Exception as error:
        return Finished(f"{type(error).__name__}: {error}", traceback.format_exc())
    return Finished()


def _terminate(*_: Any) -> None:
    raise Terminated


def _end_with(pipe: "Connection[Any, Any]") -> None:
    """Wait until the pipe closes, then end what is open; a pass that takes too long is cut short."""
    try:
        while True:
            pipe.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(_PATIENCE)
        os._exit(1)
