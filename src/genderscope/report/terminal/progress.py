"""Progress output on stderr: a bar on a terminal, occasional lines otherwise."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

#: seconds before the first line if there is no terminal; later intervals grow with the elapsed time
FIRST_LINE = 10.0
LONGEST_PAUSE = 300.0
A_TENTH = 0.1


@contextmanager
def progress_bar(console: Console, what: str = "questions") -> Iterator[Callable[[int], Callable[[int], None]]]:
    """Yield a function that takes the total and returns a function to call with each increment.

    The first call reports what was done earlier, or 0; the remaining time is estimated from the later ones.
    """
    if not console.is_terminal:
        with plain_lines(console, what) as lines:
            yield lines.begin
        return
    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True)

    def begin(total: int) -> Callable[[int], None]:
        task = bar.add_task("asking", total=total)

        def advance(done: int) -> None:
            bar.start()  # starts late, since the user may be prompted before the first question
            bar.advance(task, done)

        return advance

    try:
        yield begin
    finally:
        bar.stop()


class PlainLines:
    """Prints progress lines to logs and pipes, at growing intervals; short tasks print nothing."""

    def __init__(self, console: Console, what: str) -> None:
        self._console = console
        self._what = what
        self._done = self._total = 0
        #: what an earlier session did, and when this one began
        self._earlier: tuple[int, float] | None = None
        self._label = ""
        #: returns text to append to each line, such as the overall progress
        self.beside: Callable[[], str] = lambda: ""
        self._started = time.monotonic()
        self._ended = threading.Event()

    def begin(self, total: int, label: str = "") -> Callable[[int], None]:
        """Start counting towards a total; return a function to call with each increment, first with what was done."""
        self._done, self._total, self._label = 0, total, label
        self._earlier = None
        self._started = time.monotonic()

        def advance(done: int) -> None:
            self._done += done
            self._earlier = self._earlier or (done, time.monotonic())

        return advance

    def watch(self) -> None:
        """Print lines until `end` is called; runs in its own thread, since a batch may take minutes."""
        began = time.monotonic()
        while not self._ended.wait(min(LONGEST_PAUSE, max(FIRST_LINE, A_TENTH * (time.monotonic() - began)))):
            if self._total:
                self._console.print(self.line(), highlight=False, soft_wrap=True)

    def end(self) -> None:
        """Stop printing."""
        self._ended.set()

    def line(self) -> str:
        """Return the current progress as text."""
        passed = time.monotonic() - self._started
        if self._done >= self._total:
            return f"{self._label}{self._total:,} {self._what} done after {duration(passed)}; computing{self.beside()}"
        progress = f"{self._label}{self._done:,} of {self._total:,} {self._what} ({self._done / self._total:.0%})"
        return f"{progress} after {duration(passed)}{self._left()}{self.beside()}"

    def _left(self) -> str:
        """Return the remaining time at this session's pace; empty if it has done nothing yet."""
        if self._earlier is None or self._done <= self._earlier[0]:
            return ""
        earlier, began = self._earlier
        seconds = (time.monotonic() - began) * (self._total - self._done) / (self._done - earlier)
        return f", about {duration(seconds)} left"


@contextmanager
def plain_lines(console: Console, what: str = "questions") -> Iterator[PlainLines]:
    """Print plain progress lines until the block ends."""
    lines = PlainLines(console, what)
    thread = threading.Thread(target=lines.watch, daemon=True)
    thread.start()
    try:
        yield lines
    finally:
        lines.end()
        thread.join()


def duration(seconds: float) -> str:
    """Format a duration, such as 45 s, 3 min or 2 h 10 min."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60:,} h {minutes % 60} min"


@contextmanager
def announced(console: Console, model: str) -> Iterator[None]:
    """Announce the download of the embedded model if necessary."""
    from genderscope.models.hf import smollm2

    if model == "smollm2" and not smollm2.is_there() and find_spec("torch") is not None:
        console.print("Downloading and converting the embedded model SmolLM2-135M (93 MB); this is done only once.")
    yield
