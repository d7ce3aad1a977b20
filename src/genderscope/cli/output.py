"""Terminal output: results, messages, warnings, errors as one sentence, and how to resume an interrupted run."""

import json
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import typer

from genderscope.core.errors import Terminated, UserError, naming_packages
from genderscope.core.exit_codes import ExitCode
from genderscope.core.plugins import PluginWarning
from genderscope.report import SafeConsole
from genderscope.util.safe_text import in_line, one_line, terminal_safe

#: progress and warnings; results go to stdout
messages = SafeConsole(stderr=True)

#: exit code of a program killed by SIGPIPE when it writes to a closed pipe; Windows lacks that signal
BROKEN_PIPE = 128 + getattr(signal, "SIGPIPE", 13)


def console() -> SafeConsole:
    """Return a console for stdout; unless it is a terminal, its width is set by COLUMNS or else fits tables."""
    terminal = SafeConsole()
    return terminal if terminal.is_terminal or "COLUMNS" in os.environ else SafeConsole(width=140)


def print_path(path: Path | str) -> None:
    """Print the path of a file or folder that was written."""
    print(in_line(str(path)))


def print_json(content: Any) -> None:
    """Print a value as indented JSON."""
    print(terminal_safe(json.dumps(content, ensure_ascii=False, indent=1)))


def write_text(text: str, out: Path | None) -> None:
    """Print a text, or write it to a file and print the file's path."""
    if out is None:
        print(terminal_safe(text.rstrip("\n")))
        return
    from genderscope.runs import write_whole

    write_whole(out, (text.rstrip("\n") + "\n").encode(errors="backslashreplace"))
    print_path(out)


def warn(sentence: str | None) -> None:
    """Print a warning, if there is one."""
    if sentence is not None:
        messages.print(in_line(sentence), style="yellow", markup=False, soft_wrap=True)


@contextmanager
def one_sentence() -> Iterator[None]:
    """Report errors that the user can fix as one sentence, and end quietly if the reader closed the pipe."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # escape characters that the terminal's encoding lacks
    try:
        try:
            with naming_packages():
                yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        end_quietly()
    except UserError as error:
        _fail(str(error), error.exit_code)
    except MemoryError:
        _fail("Out of memory; process less at a time, or use a machine with more memory.")
    except OSError as error:
        _discard(sys.stdout)
        path = f"'{os.fsdecode(error.filename)}'" if isinstance(error.filename, str | bytes) else "The output"
        _fail(f"{path} cannot be read or written ({error.strerror or error}).")


def end_quietly() -> None:
    """Exit like a program whose output is no longer read, e.g. because it is piped into `head`."""
    _discard(sys.stdout)
    raise SystemExit(BROKEN_PIPE) from None


def _fail(sentence: str, code: ExitCode = ExitCode.USAGE_ERROR) -> None:
    with suppress(OSError):
        messages.print(f"Error: {one_line(sentence)}", style="red", soft_wrap=True)
    raise SystemExit(int(code)) from None


def _discard(stream: object) -> None:
    """Drop unwritten output, so that Python does not try to write it again when it exits."""
    with suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())  # type: ignore[attr-defined]
        os.close(null)


def show_warnings() -> None:
    """Print the library's warnings as one sentence each; leave the warnings of other packages unchanged."""
    original = warnings.showwarning

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, PluginWarning):
            _log(str(message), is_warning=True)
        else:
            original(message, category, *where, **more)

    warnings.showwarning = show
    logger = logging.getLogger("genderscope")
    logger.handlers = [handler for handler in logger.handlers if not isinstance(handler, _LogHandler)]
    logger.addHandler(_LogHandler())
    logger.setLevel(logging.INFO)


class _LogHandler(logging.Handler):
    """Print each of the library's log messages only once."""

    def __init__(self) -> None:
        super().__init__()
        self._printed: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if text not in self._printed:
            self._printed.add(text)
            _log(text, record.levelno > logging.INFO)


def _log(text: str, is_warning: bool) -> None:
    with suppress(OSError):
        style = "yellow" if is_warning else None
        messages.print(f"{'Warning: ' if is_warning else ''}{one_line(text)}", style=style, soft_wrap=True)


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
