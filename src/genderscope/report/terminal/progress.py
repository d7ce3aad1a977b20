"""What the user sees while they wait; on stderr, and only where that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress_bar(console: Console) -> Iterator[Callable[[int], Callable[[int], None]]]:
    """Yield a function that takes the total and returns one to call with each number of things done."""
    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)

    def begin(total: int) -> Callable[[int], None]:
        task = bar.add_task("asking", total=total)

        def advance(done: int) -> None:
            bar.start()  # not before the first question: until then the user may be asked something
            bar.advance(task, done)

        return advance

    try:
        yield begin
    finally:
        bar.stop()


@contextmanager
def announced(console: Console, model: str) -> Iterator[None]:
    """Say that the embedded model must be fetched first, since that takes a while."""
    from genderscope.models.hf import smollm2

    if model == "smollm2" and not smollm2.is_there() and find_spec("torch") is not None:
        console.print("Fetching the embedded model SmolLM2-135M (93 MB) and converting it; this happens once.")
    yield
