"""Audits several models concurrently, each in its own process; if one fails, the others continue."""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Any

from genderscope.auditing.job_process import Event, Job, JobsWatcher
from genderscope.auditing.model_plan import AuditPlan
from genderscope.auditing.plan_execution import Outcome
from genderscope.core.errors import UserError
from genderscope.engine import WINDOWS, gpus_for_job
from genderscope.runs import load_run
from genderscope.util.child_process import Child, environment_of


@dataclass
class _RunningJob:
    child: Child
    slot: int
    job: Job


def require_jobs(jobs: int) -> None:
    """Raise if concurrent audits are requested on Windows, where processes do not inherit pipes."""
    if jobs > 1 and WINDOWS:
        raise UserError("Auditing several models at a time does not work on Windows; omit --jobs.")


def run_jobs(jobs: Sequence[Job], at_a_time: int, visible: list[str], watcher: JobsWatcher) -> "JobOutcomes":
    """Run jobs in order, several at a time, sharing the `visible` GPUs; an exception ends all processes."""
    waiting, free = deque(jobs), list(range(at_a_time))
    running: dict[Any, _RunningJob] = {}
    outcomes = JobOutcomes()
    try:
        while waiting or running:
            while waiting and free:
                started = _start(waiting.popleft(), free.pop(0), at_a_time, visible)
                running[started.child.pipe] = started
            for pipe in wait(list(running)):
                if not _receive(running[pipe], outcomes, watcher):
                    free.append(running.pop(pipe).slot)
                    free.sort()
    finally:
        for each in running.values():
            with suppress(OSError):
                each.child.pipe.close()  # close all pipes before waiting for the first process
        for each in running.values():
            each.child.end()
    return outcomes


def _start(job: Job, slot: int, at_a_time: int, visible: list[str]) -> _RunningJob:
    settings = job.model.settings
    environment = environment_of(at_a_time * (settings.workers or 1))
    gpus = gpus_for_job(slot, at_a_time, settings.device, [] if settings.for_engine.on_ray else visible)
    environment |= {} if gpus is None else {"CUDA_VISIBLE_DEVICES": gpus}
    child = Child("genderscope.auditing.job_process", "work", environment)
    child.send(job)
    return _RunningJob(child, slot, job)


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


def _receive(running: _RunningJob, outcomes: JobOutcomes, watcher: JobsWatcher) -> bool:
    """Forward a job's next event to the watcher; return whether more events will follow."""
    job = running.job
    try:
        event: Event = running.child.pipe.recv()
    except (EOFError, OSError):
        reason = f"The model's {running.child.end()}; all its answers are kept, and the same command resumes the audit."
        outcomes.broken[job.called] = reason
        watcher.finished(job, reason)
        return False
    name, *values = event
    getattr(watcher, name)(job, *values)
    if name == "ends":
        measure, reason = values
        outcomes.measures.setdefault(job.called, {})[measure] = reason
    if name == "finished":
        if values[0] is not None:
            outcomes.broken[job.called] = values[0]
        running.child.end()
    return bool(name != "finished")
