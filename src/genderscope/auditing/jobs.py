"""Audits several models concurrently, each in a process of the engine's pool; if one fails, the others continue."""

import logging
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from genderscope.auditing.audit_display import count_new, describe_totals
from genderscope.auditing.model_plan import AuditPlan, PlannedMeasure, plan_for
from genderscope.auditing.plan_execution import Outcome, Watcher, run
from genderscope.auditing.recipe_plans import open_audited
from genderscope.auditing.recipes import AuditedModel
from genderscope.auditing.selection import Selection
from genderscope.core.errors import Reason, Terminated, UserError
from genderscope.engine import WINDOWS, Exited, ProcessPool, all_announced, gpus_for_job
from genderscope.evaluation import ProgressFactory
from genderscope.runs import load_run
from genderscope.util.child_process import environment_of

_PATIENCE = 5.0  # seconds after the signal to terminate until the process is forced to exit


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

    def environment(self, slot: int, at_a_time: int, visible: list[str]) -> dict[str, str]:
        """Return the environment of the job's process: its share of the cores and GPUs."""
        settings = self.model.settings
        environment = environment_of(at_a_time * (settings.workers or 1))
        gpus = gpus_for_job(slot, at_a_time, settings.device, [] if settings.for_engine.on_ray else visible)
        return environment if gpus is None else environment | {"CUDA_VISIBLE_DEVICES": gpus}


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


@dataclass
class JobOutcomes:
    """Outcomes of all jobs."""

    #: job -> measure -> reason for the failure; None if the measure is done
    measures: dict[str, dict[str, str | None]] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)  # job -> why it ended before all measures were run

    def outcome(self, plan: AuditPlan) -> Outcome:
        """Return the outcome of one model's audit, loading results from its folder."""
        outcome, name = Outcome(plan), plan.name
        ended = self.measures.get(name, {})
        for part in plan.parts:
            reason = ended.get(part.measure, self.broken.get(name))
            if reason is not None and not part.finished:
                outcome.failed[part.measure] = reason
            else:
                result = load_run(part.folder)
                outcome.results[part.measure] = result if part.finished else result.just_asked()
        return outcome


def require_jobs(jobs: int) -> None:
    """Raise if concurrent audits are requested on Windows, where processes do not inherit pipes."""
    if jobs > 1 and WINDOWS:
        raise UserError("Auditing several models at a time does not work on Windows; omit --jobs.")


def run_jobs(jobs: Sequence[Job], at_a_time: int, visible: list[str], watcher: JobsWatcher) -> JobOutcomes:
    """Run jobs in order, several at a time, sharing the `visible` GPUs; an exception ends all processes."""
    waiting, running, pool = deque(jobs), dict[int, Job](), ProcessPool()
    outcomes = JobOutcomes()
    try:
        while waiting or running:
            for slot in (slot for slot in range(at_a_time) if waiting and slot not in running):
                running[slot] = job = waiting.popleft()
                pool.start(slot, __name__, job.environment(slot, at_a_time, visible)).send(job)
            slot, event = pool.receive()
            if _receive(running[slot], event, outcomes, watcher):
                del running[slot]
                if slot in pool:
                    pool.end(slot)
    finally:
        pool.end_all()
    return outcomes


def _receive(job: Job, event: Any, outcomes: JobOutcomes, watcher: JobsWatcher) -> bool:
    """Forward a job's event, the name of a watcher's method with arguments; return whether the job has ended."""
    if isinstance(event, Exited):
        resume = "all its answers are kept, and the same command resumes the audit."
        event = ("finished", f"The model's {event.reason}; {resume}")
    name, *values = event
    getattr(watcher, name)(job, *values)
    if name == "ends":
        measure, reason = values
        outcomes.measures.setdefault(job.called, {})[measure] = reason
    if name == "finished" and values[0] is not None:
        outcomes.broken[job.called] = values[0]
    return bool(name == "finished")


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
