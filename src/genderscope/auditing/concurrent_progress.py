"""Progress of an audit in a terminal or log: one line or bar per concurrent model, and one for the whole audit."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from genderscope.auditing.audit_display import TerminalWatcher, say, show_plans
from genderscope.auditing.auditor import AuditDisplay
from genderscope.auditing.jobs import Job, JobsWatcher
from genderscope.auditing.model_plan import AuditPlan
from genderscope.report import PlainLines, announced, plain_lines
from genderscope.util.safe_text import in_line, terminal_safe

WHOLE = "whole audit"


class TerminalDisplay(AuditDisplay):
    """Audit display for a terminal or a log."""

    def __init__(self, console: Console, timed: bool = False) -> None:
        self._console = console
        self.timed = timed

    def opening(self, model: str) -> AbstractContextManager[None]:
        return announced(self._console, model)

    def plans(self, plans: Sequence[AuditPlan]) -> None:
        show_plans(plans, self._console)

    def watch_models(self, count: int) -> TerminalWatcher:
        return TerminalWatcher(self._console, whole=count == 1)

    def watch_jobs(self, missing: int) -> "TerminalJobsWatcher":
        return TerminalJobsWatcher(self._console, missing)


class TerminalJobsWatcher(JobsWatcher):
    """Shows progress as bars in a terminal and as lines elsewhere; every line begins with the model's name."""

    def __init__(self, console: Console, missing: int) -> None:
        self._console = console
        self._missing = missing
        self._stack = ExitStack()
        self._bars: Progress | None = None
        self._lines: PlainLines | None = None
        self._tasks: dict[str, TaskID] = {}
        #: model -> its current measure, the number of questions answered so far, and their total
        self._at: dict[str, list[str | int]] = {}

    def __enter__(self) -> "TerminalJobsWatcher":
        if self._console.is_terminal:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bars = self._stack.enter_context(Progress(*columns, console=self._console, transient=True))
            self._tasks[""] = self._bars.add_task(WHOLE, total=self._missing)
        else:
            self._lines = self._stack.enter_context(plain_lines(self._console))
            self._advance = self._lines.begin(self._missing, f"{WHOLE}: ")
            self._advance(0)
            self._lines.beside = self._where
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _where(self) -> str:
        """Describe each model's current measure."""
        return "".join(f"; {name} at {measure} ({n} of {of})" for name, (measure, n, of) in self._at.items())

    def timed(self, job: Job, text: str) -> None:
        self._say(job, text)

    def begins(self, job: Job, measure: str, missing: int, questions: int) -> None:
        self._at[job.called] = [measure, 0, missing]
        if self._bars is not None:
            self._tasks[job.called] = self._bars.add_task(in_line(f"{job.called}: {measure}"), total=missing)
        else:
            self._say(job, f"{measure}: {missing:,} of {questions:,} questions to ask.")

    def ends(self, job: Job, measure: str, reason: str | None) -> None:
        begun = self._end(job)
        if reason is not None:
            self._say(job, f"{measure} failed: {reason}")
        elif begun and self._lines is not None:
            self._say(job, f"{measure}: done, {job.folder / measure}")

    def warned(self, job: Job, text: str) -> None:
        self._say(job, f"Warning: {text}")

    def finished(self, job: Job, reason: str | None = None, fault: str | None = None) -> None:
        self._end(job)
        if fault is not None:
            self._console.print(terminal_safe(fault), highlight=False, markup=False, soft_wrap=True)
        if reason is not None:
            self._say(job, f"failed: {reason}")

    def _say(self, job: Job, text: str) -> None:
        say(self._console, f"{job.called}: {text}")

    def answered(self, job: Job, count: int) -> None:
        if (at := self._at.get(job.called)) is not None:
            at[1] = int(at[1]) + count
        if self._bars is None:
            self._advance(count)
            return
        for name in ("", job.called):
            if name in self._tasks:
                self._bars.advance(self._tasks[name], count)

    def _end(self, job: Job) -> bool:
        """Hide the current measure; return whether a measure was running."""
        if self._bars is not None and job.called in self._tasks:
            self._bars.update(self._tasks.pop(job.called), visible=False)
        return self._at.pop(job.called, None) is not None
