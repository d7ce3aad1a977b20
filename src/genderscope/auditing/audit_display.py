"""Terminal output for the plan and progress of an audit, of one model or of several at a time."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Table
from rich.text import Text

from genderscope.auditing.model_plan import AuditPlan, PlannedMeasure
from genderscope.auditing.plan_execution import Outcome, Watcher
from genderscope.auditing.times import probed_questions
from genderscope.evaluation import ProgressFactory
from genderscope.models import TranslationModel
from genderscope.report import PlainLines, duration, plain_lines
from genderscope.runs import AGAIN, in_words
from genderscope.util import clock
from genderscope.util.safe_text import in_line

MILLION = 1_000_000
#: share of the estimated time after which the pace so far corrects the estimate; the first batches are slower
ENOUGH = 0.1


def show_plans(plans: Sequence[AuditPlan], console: Console) -> None:
    """Print each model's planned questions, the reasons for leaving out measures, and the estimated time if known."""
    for plan in plans:
        table = Table(box=None, pad_edge=False, title=in_line(f"Plan for {plan.name}"), title_justify="left")
        for head, right in (("measure", False), ("data", False), ("samples", True), ("questions", True)):
            # In a narrow terminal, the dataset name wraps, but numbers never do.
            table.add_column(head, justify="right" if right else "left", no_wrap=head != "data", overflow="fold")
        for head in ("to ask", "time"):
            table.add_column(head, justify="right", no_wrap=True)
        for part in plan.parts:
            of = f" of {part.whole:,}" if part.samples < part.whole else ""
            to_ask = "finished" if part.finished else f"{len(part.missing):,}"
            time = "" if part.seconds is None or part.finished else f"~{duration(part.seconds)}"
            numbers = (f"{part.samples:,}{of}", f"{part.questions:,}", to_ask, time)
            table.add_row(part.measure, Text(in_line(part.data)), *numbers)
        console.print(table)
        for part in plan.parts:
            if part.note:
                say(console, f"{part.measure}: {part.note}.")
        for sentence in reuse(plan):
            say(console, sentence)
        if reduced := [part for part in plan.parts if part.samples < part.whole]:
            wider = ", ".join(f"{part.measure} {part.wider:.1f}" for part in reduced)
            say(console, f"Intervals are wider than with all samples, by about these factors: {wider}.")
        for name, reason in plan.left_out.items():
            say(console, f"Left out: {name}. {reason}")
        if plan.assumption is not None:
            say(console, plan.assumption)
        say(console, describe_totals(plan))


def reuse(plan: AuditPlan) -> Iterator[str]:
    """Yield one sentence each about reused, resumed and repeated measures, with the dates of their answers."""
    if done := [part for part in plan.parts if part.finished]:
        yield f"Reused: {_dated(done)}; not asked again. {AGAIN}"
    today = clock.now().date()
    if begun := [part for part in plan.parts if not part.finished and set(part.asked) - {today}]:
        yield f"Resumed: {_dated(begun)}; only unanswered questions are asked. {AGAIN}"
    if plan.renewed:
        yield f"Asked again: {', '.join(plan.renewed)}; the earlier runs are kept next to the new ones."


def reused_and_asked(outcome: Outcome) -> str | None:
    """Return a closing sentence about reused and new results; None if no results were reused."""
    done = [part for part in outcome.plan.parts if part.finished and part.measure in outcome.results]
    now = [name for name in outcome.results if name not in {part.measure for part in done}]
    if not done:
        return None
    return f"{outcome.plan.name}: reused {_dated(done)}; asked this time: {', '.join(now) or 'nothing'}. {AGAIN}"


def _dated(parts: Sequence[PlannedMeasure]) -> str:
    return ", ".join(f"{part.measure} ({in_words(part.asked)})" for part in parts)


def tell_timing(plan: AuditPlan, console: Console) -> None:
    """Announce that the model is being loaded and timed, if any measure needs timing."""
    if any(part.missing and not part.announces_cost for part in plan.parts) and not plan.model.free:
        sent = f" ({count} questions, sent before the audit)" if (count := probed_questions(plan)) else ""
        say(console, f"Loading {plan.name} and timing some questions of each measure{sent} …")


def say(console: Console, text: str) -> None:
    """Print a line, leaving wrapping to the terminal."""
    console.print(in_line(text), highlight=False, markup=False, soft_wrap=True)


def describe_totals(plan: AuditPlan) -> str:
    """Describe how many questions a plan asks, what they cost and how long they take."""
    totals = f"{len(plan.parts)} measure{'s' * (len(plan.parts) != 1)}, {plan.missing:,} questions to ask"
    if not plan.missing:
        return f"{totals}."
    totals += _cost(plan)
    if plan.seconds is None:
        return f"{totals}; the time is unknown."
    shared = f", shared by {plan.workers} workers" if plan.workers > 1 else ""
    if not plan.measured:
        return (
            f"{totals}; the audit takes about {duration(plan.seconds)}{shared}, predicted from the size of the model "
            "and of the questions (--time measures it)."
        )
    return (
        f"{totals}; asking takes about {duration(plan.seconds)}{shared}, estimated from some questions of each "
        "measure; reading answers and computing intervals and reports take extra time."
    )


def _cost(plan: AuditPlan) -> str:
    """Describe how much text is sent to a paid model, and what this costs at the given price."""
    if (tokens := plan.model.cost([question for part in plan.parts for question in part.missing])) is not None:
        return f" ({tokens.rstrip('.')})"
    if not plan.announced:
        return ""
    characters = plan.model.characters(plan.announced) if isinstance(plan.model, TranslationModel) else 0
    price = plan.settings.remote.price
    cost = "" if price is None else f", about {price * characters / MILLION:,.2f} at {price:g} per million"
    return f" ({characters:,} characters{cost})"


def count_new(part: PlannedMeasure, total: int) -> Callable[[int], int]:
    """Return a function that converts counts of processed questions to counts of newly answered questions."""
    answered_before = total - len(part.missing)  # already answered, or duplicate questions
    processed = 0

    def new(count: int) -> int:
        nonlocal processed
        before, processed = processed, processed + count
        return max(0, processed - answered_before) - max(0, before - answered_before)

    return new


def seconds_left(estimated: float, done: float, passed: float) -> float:
    """Return the remaining seconds: the estimate minus what is `done`, scaled by the pace (`passed` / `done`)."""
    pace = passed / done if done >= ENOUGH * estimated > 0 else 1.0
    return max(0.0, estimated - done) * pace


class TerminalWatcher(Watcher):
    """Shows the progress of the whole audit and of the current measure: as bars in a terminal, as lines elsewhere."""

    def __init__(self, console: Console, whole: bool = True) -> None:
        self._console = console
        #: whether to show the plan as a table; with several models, all tables are shown at the start
        self._shown_whole = whole
        self._stack = ExitStack()
        self._lines: PlainLines | None = None
        self._bars: Progress | None = None
        self._whole: TaskID | None = None
        self._part: TaskID | None = None
        self._done = self._total = 0
        self._estimated: float | None = None  # estimated seconds of the whole audit
        self._done_estimate = 0.0  # estimated seconds of the answered questions
        self._began: float | None = None

    def __enter__(self) -> "TerminalWatcher":
        if self._console.is_terminal:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[left]}"),
            )
            self._bars = Progress(*columns, console=self._console, transient=True)
            self._stack.callback(self._bars.stop)
        else:
            self._lines = self._stack.enter_context(plain_lines(self._console))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def timing(self, plan: AuditPlan) -> None:
        tell_timing(plan, self._console)

    def planned(self, plan: AuditPlan) -> None:
        if self._shown_whole:
            show_plans([plan], self._console)
        else:
            say(self._console, f"{plan.name}: {describe_totals(plan)}")
        self._done, self._total = 0, plan.missing
        self._estimated, self._done_estimate, self._began = plan.seconds, 0.0, None
        self._hide(self._whole)
        if self._bars is not None:
            self._whole = self._bars.add_task(in_line(plan.name), total=plan.missing, left=self._left())

    def begins(self, part: PlannedMeasure) -> ProgressFactory:
        if self._lines is not None and not part.finished:
            say(self._console, f"{part.measure}: {len(part.missing):,} of {part.questions:,} questions to ask.")
        return partial(self._advance, part)

    def _advance(self, part: PlannedMeasure, total: int) -> Callable[[int], None]:
        new = count_new(part, total)
        step = self._begun(part, total)
        seconds_per_question = (part.seconds or 0.0) / max(1, len(part.missing))
        self._began = self._began or time.monotonic()

        def advance(count: int) -> None:
            answered = new(count)
            self._done += answered
            self._done_estimate += answered * seconds_per_question
            step(count)
            if self._bars is not None and self._whole is not None:
                self._bars.start()  # starts late, since the user may be prompted before the first question
                self._bars.update(self._whole, advance=answered, left=self._left())

        return advance

    def _left(self) -> str:
        """Return the estimated remaining time of the whole audit."""
        if self._estimated is None:
            return ""
        passed = 0.0 if self._began is None else time.monotonic() - self._began
        return f"about {duration(seconds_left(self._estimated, self._done_estimate, passed))} left"

    def _begun(self, part: PlannedMeasure, total: int) -> Callable[[int], None]:
        if self._lines is not None:
            self._lines.beside = self._whole_audit
            return self._lines.begin(total, f"{part.measure}: ")
        assert self._bars is not None
        bars, task = self._bars, self._bars.add_task(part.measure, total=total, left="")
        self._part = task
        return lambda count: bars.advance(task, count)

    def _whole_audit(self) -> str:
        return ", ".join(filter(None, (f"; whole audit {self._done / max(1, self._total):.0%}", self._left())))

    def _hide(self, task: TaskID | None) -> None:
        if self._bars is not None and task is not None:
            self._bars.update(task, visible=False)

    def ends(self, part: PlannedMeasure, reason: str | None) -> None:
        self._hide(self._part)
        if self._lines is not None:
            self._lines.begin(0)  # nothing to report until the next measure begins
        if reason is not None:
            say(self._console, f"{part.measure} failed: {reason}")
        elif self._lines is not None and not part.finished:
            say(self._console, f"{part.measure}: done, {part.folder}")
