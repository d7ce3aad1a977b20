"""Processes on this machine: a pool for any function, and workers with a copy of the model each and, if any, a GPU."""

from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from genderscope.engine.engine_settings import gpu_of
from genderscope.engine.sharding import Done, Lost
from genderscope.engine.worker import Task, Worker
from genderscope.models import Opening
from genderscope.util.child_process import Child, environment_of, tasks_from


class Exited(NamedTuple):
    """A process of a pool has exited; `reason` describes how."""

    reason: str


class ProcessPool:
    """Numbered processes that exchange messages with this one; none of them outlives it."""

    def __init__(self) -> None:
        self._processes: dict[int, Child] = {}

    def __contains__(self, number: int) -> bool:
        return number in self._processes

    def start(self, number: int, module: str, environment: dict[str, str]) -> Child:
        """Start a process that calls the function `work` of a module."""
        child = self._processes[number] = Child(module, "work", environment)
        return child

    def send(self, number: int, message: Any) -> None:
        """Send a message to a process."""
        self._processes[number].send(message)

    def receive(self) -> tuple[int, Any]:
        """Wait for the next message, or the exit, of any process; return it with the process's number."""
        pipes = {child.pipe: number for number, child in self._processes.items()}
        pipe: Any = wait(list(pipes))[0]
        try:
            return pipes[pipe], pipe.recv()
        except (EOFError, OSError):
            return pipes[pipe], self.end(pipes[pipe])

    def end(self, number: int) -> Exited:
        """End a process by closing its pipe."""
        return Exited(self._processes.pop(number).end())

    def end_all(self) -> None:
        """End all processes, closing every pipe before waiting for the first process."""
        for child in self._processes.values():
            child.pipe.close()
        for number in list(self._processes):
            self.end(number)


class ProcessWorkers:
    """Worker processes on this machine, sharing the GPUs in `visible`."""

    def __init__(self, opening: Opening, size: int, visible: list[str]) -> None:
        self.size = size
        self._opening = opening
        self._visible = visible
        self._pool = ProcessPool()

    def start(self, worker: int) -> None:
        if worker in self._pool:
            return
        environment = environment_of(self.size)
        if (gpu := gpu_of(worker, self._opening.settings.device, self._visible)) is not None:
            environment["CUDA_VISIBLE_DEVICES"] = gpu
        child = self._pool.start(worker, __name__, environment)
        child.send((self._opening, child.name))

    def send(self, worker: int, task: Task) -> None:
        self._pool.send(worker, task)

    def next_event(self) -> Done | Lost:
        worker, message = self._pool.receive()
        return Lost(worker, message.reason) if isinstance(message, Exited) else Done(worker, message)

    def stop(self) -> None:
        self._pool.end_all()


def work(descriptor: int) -> None:
    """Run as a worker process: perform tasks from the pipe until it closes."""
    pipe: Connection[Any, Any] = Connection(descriptor)
    worker = Worker(*pipe.recv())
    tasks = tasks_from(pipe)
    while True:
        pipe.send(worker.do(tasks.get()))
