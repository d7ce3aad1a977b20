"""Handling of Ctrl-C and SIGTERM: the run can be resumed, and a message explains how."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import typer

from genderscope.cli.output import messages
from genderscope.core.errors import Terminated

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


@contextmanager
def resumable(place: list[Path], command: str) -> Iterator[None]:
    """Print how to resume an interrupted run; `place` contains the run's folder or journal once the run has begun."""
    try:
        yield
    except (KeyboardInterrupt, Terminated) as stopped:
        if place:
            text = f"Interrupted. All answers so far are kept in {place[0]}; resume with: {command}"
            messages.print(text, soft_wrap=True)
        else:
            messages.print("Interrupted before the run began; nothing was written.")
        raise typer.Exit(TERMINATED if isinstance(stopped, Terminated) else INTERRUPTED) from None


@contextmanager
def handling_sigterm() -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C, so that open files and processes are closed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except Terminated:
        messages.print("Terminated.")
        raise SystemExit(TERMINATED) from None
    finally:
        signal.signal(signal.SIGTERM, previous)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated
