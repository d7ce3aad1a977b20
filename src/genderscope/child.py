"""A process that works for this one: a fresh interpreter that talks through a pipe and ends when the pipe closes.

However this process dies, none is left behind, and scripts need no `if __name__ == "__main__"`.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

_SECONDS_TO_END = 10


class Child:
    """A process that calls a function of the package with the descriptor of its end of the pipe."""

    def __init__(self, module: str, function: str, environment: dict[str, str]) -> None:
        if os.name == "nt":
            raise OSError("On Windows a process inherits no open pipe.")
        self.pipe, theirs = Pipe()
        #: its stderr: the reason, if it exited by itself
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process has ended
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {module} import {function}; {function}({theirs.fileno()})"],
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            start_new_session=True,  # Ctrl-C is the parent's to handle
        )
        theirs.close()

    @property
    def name(self) -> str:
        """What the process is called in messages."""
        return f"process {self._process.pid}"

    def send(self, message: Any) -> None:
        """Send something; if the process is gone, the next `receive` says so."""
        with suppress(OSError):
            self.pipe.send(message)

    def kill(self) -> None:
        """Let the process end at once, whatever it does."""
        self._process.kill()

    def end(self) -> str:
        """Close the pipe, wait for the process to end, and say how it ended."""
        self.pipe.close()
        try:
            code = self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        with self._complaints as file:
            file.seek(0)
            lines = file.read().decode(errors="replace").strip().splitlines()
        if code < 0:
            return f"{self.name} was ended by {signal.Signals(-code).name}"
        return f"{self.name} ended with code {code}: {lines[-1] if lines else 'no reason given'}"


def tasks_from(pipe: "Connection[Any, Any]") -> "SimpleQueue[Any]":
    """Return what comes through the pipe of this child, which ends when nothing more can come.

    It is read in a thread: the parent never waits for a busy child, and a child is not left behind.
    """
    tasks: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, tasks), daemon=True).start()
    return tasks


def _receive(pipe: "Connection[Any, Any]", tasks: "SimpleQueue[Any]") -> None:
    try:
        while True:
            tasks.put(pipe.recv())
    except BaseException as error:  # the parent is gone, or sent what cannot be read, and finds out
        os._exit(0 if isinstance(error, EOFError | OSError) else 1)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def environment_of(sharers: int) -> dict[str, str]:
    """Return the environment of a process: this one's package paths, and its share of the cores."""
    threads = max(1, cores() // sharers)
    if os.environ.get("OMP_NUM_THREADS", "").isdecimal():
        threads = min(threads, int(os.environ["OMP_NUM_THREADS"]))
    packages = os.pathsep.join(path for path in sys.path if path)
    return {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": packages}
