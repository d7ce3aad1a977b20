"""Rendering of chart specifications in a child process, whose failure leaves results intact.

vl-convert runs a JavaScript engine that aborts its process if it cannot reserve address space (`ulimit -v`), so it is
never loaded in this process. The child is started once, before the first figure.
"""

import atexit
import base64
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, cast

from genderscope.core.errors import DrawingError
from genderscope.util.child_process import environment_of

#: timeout per figure in seconds
SECONDS = 60.0
#: a dead process is restarted once, since it may have been killed by accident
ATTEMPTS = 2

_PROGRAM = Path(__file__).with_name("drawing_worker.py")


class _DeadError(Exception):
    """The drawing process exited without a reply; the message gives the reason."""


class _DrawingProcess:
    """The child process that draws figures; it exits when its stdin closes, even if this process is killed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process unless it is running."""
        if self._process is not None and self._process.poll() is None:
            return
        self.end()
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment_of(1),
            cwd=_PROGRAM.anchor,  # do not keep the user's folder in use
            start_new_session=True,  # the parent handles Ctrl-C
        )

    def prepare(self) -> None:
        """Start the process early; any failure is reported when the first figure is drawn."""
        with self._lock, suppress(OSError):
            self.start()

    def request(self, content: dict[str, Any]) -> str:
        """Send a request and return the reply, restarting the process once if it died."""
        line = json.dumps(content).encode() + b"\n"
        with self._lock:
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    reply = self._reply(line)
                except _DeadError as error:
                    if attempt == ATTEMPTS:
                        raise DrawingError(str(error)) from None
                    continue
                if "failure" in reply:
                    raise DrawingError(reply["failure"])
                if "error" in reply:
                    raise DrawingError(reply["error"], only_this=True)
                return reply["drawn"]
        raise AssertionError("unreachable")

    def _reply(self, line: bytes) -> dict[str, str]:
        try:
            self.start()
        except OSError as error:
            raise DrawingError(f"the drawing process could not be started ({error.strerror})") from None
        assert self._process is not None
        process, hung = self._process, threading.Event()
        assert process.stdin is not None
        assert process.stdout is not None

        def give_up() -> None:
            hung.set()
            process.kill()

        limit = threading.Timer(SECONDS, give_up)
        try:
            limit.start()
            process.stdin.write(line)
            process.stdin.flush()
            return cast(dict[str, str], json.loads(process.stdout.readline()))
        except (OSError, ValueError):
            pass
        except RuntimeError as error:  # no thread could be started
            raise DrawingError(str(error)) from None
        finally:
            limit.cancel()
        self.end()
        if hung.is_set():
            raise DrawingError(f"the drawing process did not respond within {SECONDS:g} s")
        raise _DeadError(_how_it_ended(process.returncode))

    def end(self) -> None:
        """Kill the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError, ValueError):  # unread input
                process.communicate()
            process.wait()

    def forget(self) -> None:
        """After a fork, leave the drawing process to the parent."""
        self._lock = threading.Lock()
        _inherited.append(self._process)
        self._process = None


#: references that keep a forked process from waiting for its parent's drawing process or closing its pipes
_inherited: list[Any] = []
_process = _DrawingProcess()
atexit.register(_process.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_process.forget)


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"the drawing process exited with code {code}"
    ended = f"the drawing process was killed by {signal.Signals(-code).name}"
    if limit := _address_space():
        ended += f"; it needs more address space than the limit of {limit / 1e9:.3g} GB (ulimit -v)"
    return ended


def _address_space() -> int | None:
    """Return this process's address space limit; None if unlimited."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def ready_to_draw() -> None:
    """Start the drawing process early, since its engine takes half a second to start."""
    _process.prepare()


def draw(specification: dict[str, Any]) -> str:
    """Draw a specification as SVG; raise DrawingError on failure."""
    return _process.request({"kind": "svg", "specification": specification})


def convert(svg: str, kind: Literal["pdf", "png"]) -> bytes:
    """Convert an SVG to PDF, or to PNG at 300 dpi; raise DrawingError on failure."""
    return base64.b64decode(_process.request({"kind": kind, "svg": svg}))
