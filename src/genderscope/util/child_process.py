"""Worker processes: fresh interpreters that communicate through a pipe and exit when the pipe closes.

No worker outlives its parent, however the parent dies, and scripts need no `if __name__ == "__main__"` guard.
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
    """A process that calls one function, with the file descriptor of its end of the pipe as the argument."""

    def __init__(self, module: str, function: str, environment: dict[str, str]) -> None:
        if os.name == "nt":
            raise OSError("On Windows, a process does not inherit open pipes.")
        self.pipe, theirs = Pipe()
        #: the child's stderr, which explains an unexpected exit
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `end`
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {module} import {function}; {function}({theirs.fileno()})"],
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            start_new_session=True,  # only the parent handles Ctrl-C
        )
        theirs.close()

    @property
    def name(self) -> str:
        """The process's name in messages."""
        return f"process {self._process.pid}"

    def send(self, message: Any) -> None:
        """Send a message; if the process has exited, the next receive from the pipe reports it."""
        with suppress(OSError):
            self.pipe.send(message)

    def end(self) -> str:
        """Close the pipe, wait for the process to exit (killing it after a timeout), and describe how it exited."""
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
            return f"{self.name} was killed by {signal.Signals(-code).name}"
        return f"{self.name} exited with code {code}: {lines[-1] if lines else 'no reason given'}"


def tasks_from(pipe: "Connection[Any, Any]") -> "SimpleQueue[Any]":
    """Return a queue of received messages, filled by a thread, so that the child exits when the pipe closes."""
    tasks: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, tasks), daemon=True).start()
    return tasks


def _receive(pipe: "Connection[Any, Any]", tasks: "SimpleQueue[Any]") -> None:
    try:
        while True:
            tasks.put(pipe.recv())
    except BaseException as error:  # the parent has exited, or sent a message that cannot be unpickled
        os._exit(0 if isinstance(error, EOFError | OSError) else 1)


def cores() -> int:
    """Return the number of CPU cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def environment_of(sharers: int) -> dict[str, str]:
    """Return the environment for one of `sharers` child processes: import paths and a share of the cores."""
    threads = max(1, cores() // sharers)
    if os.environ.get("OMP_NUM_THREADS", "").isdecimal():
        threads = min(threads, int(os.environ["OMP_NUM_THREADS"]))
    packages = os.pathsep.join(path for path in sys.path if path)
    return {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": packages}
