"""What stands between the commands and the terminal: pipes that close, disks that fill up, and what went wrong."""

import logging
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from genderscope.cli.common import messages
from genderscope.errors import UserError, naming_packages
from genderscope.plugins import PluginWarning
from genderscope.terminal_safe import one_line

#: what the shell shows for a program whose reader went away
CLOSED = 128 + getattr(signal, "SIGPIPE", 13)  # Windows has no such signal
MISTAKE = 2


@contextmanager
def one_sentence() -> Iterator[None]:
    """End with one sentence where something is the user's to fix, calmly where nobody reads any more (`| head`)."""
    _write_any_text()
    try:
        try:
            with naming_packages():
                yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
        raise SystemExit(CLOSED) from None
    except UserError as error:
        _complain(str(error))
    except MemoryError:
        _complain("There is not enough memory for this; give less at a time, or use a machine with more.")
    except OSError as error:
        _drop(sys.stdout)
        what = f"'{os.fsdecode(error.filename)}'" if isinstance(error.filename, str | bytes) else "The output"
        _complain(f"{what} cannot be read or written ({error.strerror or error}).")


def _complain(sentence: str) -> None:
    with suppress(OSError):
        messages.print(f"Error: {one_line(sentence)}", style="red", soft_wrap=True)
    raise SystemExit(MISTAKE) from None


def _write_any_text() -> None:
    """Let no character stop the output where the terminal's encoding lacks it."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _drop(stream: object) -> None:
    """Give up what could not be written, so that Python does not try again when it ends."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[attr-defined]
        os.close(nowhere)


def show_warnings() -> None:
    """From now on, print what the library warns of as one sentence each; warnings of others stay as they are."""
    plain = warnings.showwarning

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, PluginWarning):
            _warn(str(message))
        else:
            plain(message, category, *where, **more)

    warnings.showwarning = show
    log = logging.getLogger("genderscope")
    log.handlers = [handler for handler in log.handlers if not isinstance(handler, _Handler)]
    log.addHandler(_Handler())
    log.setLevel(logging.INFO)


class _Handler(logging.Handler):
    """Prints what the library logs, each sentence once."""

    def __init__(self) -> None:
        super().__init__()
        self._printed: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        text = record.getMessage()
        if text not in self._printed:
            self._printed.add(text)
            _warn(text, "Warning: " if record.levelno > logging.INFO else "")


def _warn(text: str, begins: str = "Warning: ") -> None:
    with suppress(OSError):
        messages.print(f"{begins}{one_line(text)}", style="yellow" if begins else None, soft_wrap=True)
