"""Ending early: Ctrl-C and SIGTERM leave a run that can be resumed, and say how."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import typer
from typer.core import TyperGroup

from genderscope.cli.common import messages
from genderscope.cli.usage import UsageError, mistake
from genderscope.errors import Terminated

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


@contextmanager
def resumable(place: list[Path], command: str) -> Iterator[None]:
    """Say how to resume when a run is stopped; `place` holds where its answers are kept, once it has begun."""
    try:
        yield
    except (KeyboardInterrupt, Terminated) as stopped:
        if place:
            messages.print(
                f"Interrupted. All answers so far are kept in {place[0]}; resume with: {command}",
                soft_wrap=True,
            )
        else:
            messages.print("Interrupted before the run began; nothing was written.")
        raise typer.Exit(TERMINATED if isinstance(stopped, Terminated) else INTERRUPTED) from None


class InterruptibleGroup(TyperGroup):
    """The root of the commands: Ctrl-C ends any of them with one word, a wrong option or argument with one sentence."""

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command line, and end with its exit code."""
        try:
            code = super().main(*arguments, **{**settings, "standalone_mode": False})
        except UsageError as error:
            if type(error).__name__ == "NoArgsIsHelpError":  # the help is shown
                raise SystemExit(error.exit_code) from None
            raise mistake(error) from None
        except typer.Abort:
            messages.print("Aborted.")
            raise SystemExit(1) from None
        raise SystemExit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was given."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            messages.print("Interrupted.")
            raise typer.Exit(INTERRUPTED) from None


@contextmanager
def heeding_termination() -> Iterator[None]:
    """Take SIGTERM as calmly as Ctrl-C: what is open is closed on the way out."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except Terminated:
        messages.print("Terminated.")
        raise SystemExit(TERMINATED) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated
