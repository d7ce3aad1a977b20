"""Local worker processes, each with its own copy of the model and, if available, its own GPU."""

from multiprocessing.connection import Connection, wait
from typing import Any

from genderscope.engine.engine_settings import gpu_of
from genderscope.engine.sharding import Done, Lost
from genderscope.engine.worker import Task, Worker
from genderscope.models import Opening
from genderscope.util.child_process import Child, environment_of, tasks_from


class ProcessCrew:
    """Worker processes on this machine, sharing the GPUs in `visible`."""

    def __init__(self, opening: Opening, size: int, visible: list[str]) -> None:
        self.size = size
        self._opening = opening
        self._visible = visible
        self._processes: dict[int, Child] = {}

    def hire(self, worker: int) -> None:
        if worker in self._processes:
            return
        environment = environment_of(self.size)
        if (gpu := gpu_of(worker, self._opening.settings.device, self._visible)) is not None:
            environment["CUDA_VISIBLE_DEVICES"] = gpu
        child = self._processes[worker] = Child(__name__, "work", environment)
        child.send((self._opening, child.name))

    def give(self, worker: int, task: Task) -> None:
        self._processes[worker].send(task)

    def report(self) -> Done | Lost:
        pipes = {each.pipe: worker for worker, each in self._processes.items()}
        pipe: Any = wait(list(pipes))[0]
        worker = pipes[pipe]
        try:
            return Done(worker, pipe.recv())
        except (EOFError, OSError):
            return Lost(worker, self._processes.pop(worker).end())

    def dismiss(self) -> None:
        for each in self._processes.values():
            each.pipe.close()
        for worker in list(self._processes):
            self._processes.pop(worker).end()


def work(descriptor: int) -> None:
    """Run as a worker process: perform tasks from the pipe until it closes."""
    pipe: Connection[Any, Any] = Connection(descriptor)
    worker = Worker(*pipe.recv())
    tasks = tasks_from(pipe)
    while True:
        pipe.send(worker.do(tasks.get()))
