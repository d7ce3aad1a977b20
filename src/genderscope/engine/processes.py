"""Several processes on this machine, each with its own copy of the model and, if there are GPUs, one GPU.

The processes are fresh interpreters, so scripts need no `if __name__ == "__main__"`. They exit when the pipe to the
driver closes: however the driver dies, no process is left behind.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import IO, Any

from genderscope.engine.settings import cores, gpu_of
from genderscope.engine.sharding import Done, Lost
from genderscope.engine.worker import Task, Worker
from genderscope.models import Opening

_START = "from genderscope.engine.processes import work; work({})"
_SECONDS_TO_END = 10


@dataclass(frozen=True)
class _Process:
    process: "subprocess.Popen[bytes]"
    pipe: "Connection[Any, Any]"
    #: its stderr: the reason, if it exited by itself
    complaints: IO[bytes]


class ProcessCrew:
    """Worker processes on this machine; `visible` names the GPUs they share."""

    def __init__(self, opening: Opening, size: int, visible: list[str]) -> None:
        self.size = size
        self._opening = opening
        self._visible = visible
        self._processes: dict[int, _Process] = {}

    def hire(self, worker: int) -> None:
        if worker in self._processes:
            return
        ours, theirs = Pipe()
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the worker has ended
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START.format(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=self._environment(worker),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            start_new_session=True,  # Ctrl-C is the driver's to handle
        )
        theirs.close()
        self._processes[worker] = _Process(process, ours, complaints)
        self._send(worker, (self._opening, f"process {process.pid}"))

    def _environment(self, worker: int) -> dict[str, str]:
        """Return the environment of a worker: the driver's package paths, its share of the cores, its GPU."""
        threads = max(1, cores() // self.size)
        if os.environ.get("OMP_NUM_THREADS", "").isdecimal():
            threads = min(threads, int(os.environ["OMP_NUM_THREADS"]))
        packages = os.pathsep.join(path for path in sys.path if path)
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": packages}
        gpu = gpu_of(worker, self._opening.settings.device, self._visible)
        return environment if gpu is None else {**environment, "CUDA_VISIBLE_DEVICES": gpu}

    def give(self, worker: int, task: Task) -> None:
        self._send(worker, task)

    def _send(self, worker: int, message: Any) -> None:
        with suppress(OSError):  # if it is gone, `report` says so next
            self._processes[worker].pipe.send(message)

    def report(self) -> Done | Lost:
        pipes = {each.pipe: worker for worker, each in self._processes.items()}
        pipe: Any = wait(list(pipes))[0]
        worker = pipes[pipe]
        try:
            return Done(worker, pipe.recv())
        except (EOFError, OSError):
            return Lost(worker, self._end(worker))

    def _end(self, worker: int) -> str:
        """Clean up after a worker and say how it ended."""
        gone = self._processes.pop(worker)
        gone.pipe.close()
        try:
            code = gone.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            gone.process.kill()
            code = gone.process.wait()
        with gone.complaints as file:
            file.seek(0)
            lines = file.read().decode(errors="replace").strip().splitlines()
        if code < 0:
            return f"process {gone.process.pid} was ended by {signal.Signals(-code).name}"
        return f"process {gone.process.pid} ended with code {code}: {lines[-1] if lines else 'no reason given'}"

    def dismiss(self) -> None:
        for each in self._processes.values():
            each.pipe.close()
        for worker in list(self._processes):
            self._end(worker)


def work(descriptor: int) -> None:
    """Run as a worker process: do the tasks from the pipe until it closes."""
    pipe: Connection[Any, Any] = Connection(descriptor)
    worker = Worker(*pipe.recv())
    tasks: SimpleQueue[Task] = SimpleQueue()
    # Read in a thread: the driver never waits for a busy worker, and a worker exits at once when the driver is gone.
    threading.Thread(target=_receive, args=(pipe, tasks), daemon=True).start()
    while True:
        pipe.send(worker.do(tasks.get()))


def _receive(pipe: "Connection[Any, Any]", tasks: "SimpleQueue[Task]") -> None:
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(0)
