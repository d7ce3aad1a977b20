"""Process that audits one model and reports events through a pipe."""

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

from genderscope.auditing.audit_display import count_new, describe_totals
from genderscope.auditing.model_plan import AuditPlan, PlannedMeasure, plan_for
from genderscope.auditing.plan_execution import Watcher, run
from genderscope.auditing.recipe_plans import open_audited
from genderscope.auditing.recipes import AuditedModel
from genderscope.auditing.selection import Selection
from genderscope.core.errors import Reason, Terminated, UserError
from genderscope.engine import all_announced
from genderscope.evaluation import ProgressFactory

_PATIENCE = 5.0  # seconds after the signal to terminate until the process is forced to exit

#: an event: the name of a `JobsWatcher` method, and its arguments after the job
Event = tuple[Any, ...]


@dataclass(frozen=True)
class Job:
    """One model in an audit, in a form that another process can open."""

    model: AuditedModel
    folder: Path
    selection: Selection

    @property
    def called(self) -> str:
        """The job's unique name."""
        return self.folder.name


class JobsWatcher:
    """Receiver for the events of several jobs; the base class ignores them."""

    def timed(self, job: Job, text: str) -> None:
        """Handle the loading of the model; `text` gives the number of questions and the estimated time."""

    def begins(self, job: Job, measure: str, missing: int, questions: int) -> None:
        """Handle the start of a measure."""

    def answered(self, job: Job, count: int) -> None:
        """Handle `count` newly answered questions."""

    def ends(self, job: Job, measure: str, reason: str | None) -> None:
        """Handle the end of a measure; `reason` is set if it failed."""

    def warned(self, job: Job, text: str) -> None:
        """Handle a warning logged by the process."""

    def finished(self, job: Job, reason: str | None = None, fault: str | None = None) -> None:
        """Handle the end of the job; `reason` is set if it failed, `fault` is the traceback of an unexpected error."""


class _Reporting(Watcher):
    """Reports the audit's progress to the parent process."""

    def __init__(self, report: Callable[..., None]) -> None:
        self._report = report

    def planned(self, plan: AuditPlan) -> None:
        self._report("timed", describe_totals(plan))

    def begins(self, part: PlannedMeasure) -> ProgressFactory:
        if not part.finished:
            self._report("begins", part.measure, len(part.missing), part.questions)

        def begin(total: int) -> Callable[[int], None]:
            new = count_new(part, total)
            return lambda count: self._report("answered", new(count))

        return begin

    def ends(self, part: PlannedMeasure, reason: str | None) -> None:
        self._report("ends", part.measure, reason)


class _WarningHandler(logging.Handler):
    """Reports the library's log messages."""

    def __init__(self, report: Callable[..., None]) -> None:
        super().__init__()
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        self._report("warned", record.getMessage())


def work(descriptor: int) -> None:
    """Run as a job's process: audit the model received through the pipe, and end early if the pipe closes."""
    pipe: Connection[Any, Any] = Connection(descriptor)
    job: Job = pipe.recv()
    signal.signal(signal.SIGTERM, _terminate)
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
    one_at_a_time = threading.Lock()

    def report(*event: Any) -> None:
        with one_at_a_time:
            pipe.send(event)

    logging.getLogger("genderscope").addHandler(_WarningHandler(report))
    try:
        report("finished", *_audit(job, report))
    except (Terminated, OSError):  # the parent is gone; the journals contain the answers so far
        os._exit(1)


def _audit(job: Job, report: Callable[..., None]) -> tuple[str | None, str | None]:
    """Audit the model; return the reason for a failure, and the traceback of an unexpected error."""
    try:
        model = open_audited(job.model, job.selection.offline)
        plan = plan_for(model, job.selection, job.folder, job.model.settings)
        with all_announced():
            run(plan, _Reporting(report))
    except UserError as error:
        return Reason.of(error), None
    except BrokenPipeError:
        raise
    except (OSError, MemoryError) as error:
        return str(error) or "There is not enough memory to audit the model.", None
    except Exception as error:
        return f"{type(error).__name__}: {error}", traceback.format_exc()
    return None, None


def _terminate(*_: Any) -> None:
    raise Terminated


def _end_with(pipe: "Connection[Any, Any]") -> None:
    """Wait until the pipe closes, then terminate, interrupting a forward pass that takes too long."""
    try:
        while True:
            pipe.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(_PATIENCE)
        os._exit(1)
