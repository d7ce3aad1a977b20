"""Several models at a time, each in a process of its own; what one of them comes to does not touch the others."""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Any

from genderscope.auditing.job_process import Answered, Begun, Ended, Finished, Job, Message, Timed, Warned
from genderscope.auditing.planning import Plan
from genderscope.auditing.running import Outcome
from genderscope.child import Child, environment_of
from genderscope.engine import WINDOWS, gpus_for_job
from genderscope.errors import UserError
from genderscope.runs import load_run

_PROCESS = "genderscope.auditing.job_process"


class JobsWatcher:
    """Hears how several audits go; this one keeps it to itself."""

    def told(self, job: Job, message: Message) -> None:
        """Hear what happened in the process of a job."""

    def lost(self, job: Job, reason: str) -> None:
        """Hear that the process of a job ended before its time."""


@dataclass
class _Running:
    """A job at work."""

    child: Child
    slot: int
    job: Job


def require_jobs(jobs: int) -> None:
    """Refuse several models at a time where processes do not inherit pipes."""
    if jobs > 1 and WINDOWS:
        raise UserError("Several models at a time do not work on Windows; leave --jobs out.")


def run_jobs(jobs: Sequence[Job], at_a_time: int, visible: list[str], watcher: JobsWatcher) -> "Ends":
    """Run jobs in their order, some at a time; return how they ended.

    `visible` names the GPUs that they share. Whatever ends this block early ends the processes; answers are kept.
    """
    waiting, free = deque(jobs), list(range(at_a_time))
    running: dict[Any, _Running] = {}
    ends = Ends()
    try:
        while waiting or running:
            while waiting and free:
                started = _start(waiting.popleft(), free.pop(0), at_a_time, visible)
                running[started.child.pipe] = started
            for pipe in wait(list(running)):
                if not _heard(running[pipe], ends, watcher):
                    done = running.pop(pipe)
                    free.append(done.slot)
                    free.sort()
    finally:
        for each in running.values():
            with suppress(OSError):
                each.child.pipe.close()  # all of them hear it before the first is waited for
        for each in running.values():
            each.child.end()
    return ends


def _start(job: Job, slot: int, at_a_time: int, visible: list[str]) -> _Running:
    settings = job.model.settings
    environment = environment_of(at_a_time * (settings.workers or 1))
    gpus = gpus_for_job(slot, at_a_time, settings.device, [] if settings.for_engine.on_ray else visible)
    child = Child(_PROCESS, "work", environment if gpus is None else {**environment, "CUDA_VISIBLE_DEVICES": gpus})
    child.send(job)
    return _Running(child, slot, job)


@dataclass
class Ends:
    """How jobs ended."""

    #: job -> measure -> why it failed; None: it is done
    measures: dict[str, dict[str, str | None]] = field(default_factory=dict)
    #: job -> why it ended before all measures had their turn
    broken: dict[str, str] = field(default_factory=dict)

    def outcome(self, plan: Plan) -> Outcome:
        """Return what the audit of one model came to, read from its folder."""
        outcome, name = Outcome(plan), plan.name
        ended = self.measures.get(name, {})
        for part in plan.parts:
            reason = ended.get(part.measure, self.broken.get(name))
            if reason is not None and not part.finished:
                outcome.failed[part.measure] = reason
            else:
                done = load_run(part.folder)
                outcome.results[part.measure] = done if part.finished else done.just_asked()
        return outcome


def _heard(running: _Running, ends: Ends, watcher: JobsWatcher) -> bool:
    """Take what a job has to say; tell whether it has more to do."""
    job = running.job
    try:
        message: Message = running.child.pipe.recv()
    except (EOFError, OSError):
        how = running.child.end()
        ends.broken[job.called] = f"Its {how}; all its answers are kept, and the same command resumes."
        watcher.lost(job, ends.broken[job.called])
        return False
    watcher.told(job, message)
    match message:
        case Ended(measure, reason):
            ends.measures.setdefault(job.called, {})[measure] = reason
        case Finished(reason=reason):
            if reason is not None:
                ends.broken[job.called] = reason
            running.child.end()
            return False
        case Timed() | Begun() | Answered() | Warned():
            pass
    return True
