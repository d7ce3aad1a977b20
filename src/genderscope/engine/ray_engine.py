"""Ray engine: workers are actors with one copy of the model each, and the driver keeps the journal."""

import logging
import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any

from genderscope.core.errors import UserError
from genderscope.engine.engine_settings import EngineSettings, require_reachable
from genderscope.engine.sharding import Done, Lost
from genderscope.engine.worker import Task, Worker
from genderscope.models import Opening
from genderscope.util.child_process import cores

# Ray reads these variables on import. They turn off usage statistics, keep messages about dead workers out of the
# results, and make Ray exit immediately on request.
for _name, _value in (
    ("RAY_USAGE_STATS_ENABLED", "0"),
    ("RAY_DEDUP_LOGS_SKIP_REGEX", "."),
    ("RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S", "0"),
):
    os.environ.setdefault(_name, _value)
try:
    ray: Any = import_module("ray")  # Ray is only partly typed
    from ray.exceptions import RayError
except ModuleNotFoundError:
    raise UserError(
        "The engine 'ray' needs the package 'ray'; install it with: pip install 'genderscope[ray]'"
    ) from None

_log = logging.getLogger(__name__)

#: Little data is in flight, so a local Ray instance need not reserve a third of the memory for it.
OBJECT_STORE = 512 * 2**20
PATIENCE = 120.0  # Seconds to wait for a large enough machine, since a cluster may autoscale
#: Seconds to wait before reporting that the cluster is busy, since even a placed worker takes a while to start.
SILENCE = 30.0
_LOOK_EVERY = 5.0


@contextmanager
def cluster(address: str | None, workers: int | None) -> Iterator[float]:
    """Connect to a cluster, or start Ray here; yield how many seconds to wait for a large enough machine."""
    if ray.is_initialized():
        yield PATIENCE
        return
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    if address == "local":
        cpus = max(workers or 1, cores())
        quiet |= {"include_dashboard": False, "num_cpus": cpus, "object_store_memory": OBJECT_STORE}
    else:
        require_reachable(address)
    before = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address, **quiet)
    except Exception as error:  # Ray raises all kinds of exceptions, even plain Exception
        what = (
            "Ray cannot be started on this machine"
            if address == "local"
            else f"The Ray cluster at '{address}' cannot be used"
        )
        raise UserError(f"{what}: {' '.join(str(error).split())[:300]}") from None
    try:
        with _interrupted_by_sigterm(before):
            yield 0.0 if address == "local" else PATIENCE
    finally:
        ray.shutdown()


def address_here() -> str:
    """Return the address of the cluster that this process is connected to."""
    return str(ray.get_runtime_context().gcs_address)


@contextmanager
def _interrupted_by_sigterm(before: Any) -> Iterator[None]:
    """Restore the SIGTERM behaviour that Ray's own handler replaces.

    Of all exceptions that a handler may raise, only KeyboardInterrupt passes through Ray's C++ code unchanged.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        if not told:
            raise
        if callable(before):
            before(signal.SIGTERM, None)
        raise SystemExit(128 + signal.SIGTERM) from None
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def default_workers(resources: dict[str, float], machines: int, gpus_per_worker: float) -> int:
    """Return the default number of workers: as many as the GPUs allow, or one per machine if workers need none."""
    if not gpus_per_worker:
        return max(1, machines)
    return max(1, int(resources.get("GPU", 0) / gpus_per_worker))


def default_gpus(resources: dict[str, float], device: str) -> float:
    """Return the GPUs per worker: 1 if the device option requires one, or is `auto` and the cluster has any; else 0."""
    wants = device.startswith("cuda") or (device == "auto" and resources.get("GPU", 0) > 0)
    return 1.0 if wants else 0.0


class RayWorkers:
    """Actors on the cluster that this process is connected to."""

    def __init__(self, opening: Opening, settings: EngineSettings, patience: float) -> None:
        resources = ray.cluster_resources()
        gpus = settings.gpus_per_worker
        self._gpus = default_gpus(resources, opening.settings.device) if gpus is None else gpus
        self.size = settings.workers or default_workers(resources, len(_machines()), self._gpus)
        self._opening = opening
        self._patience = patience
        self._actors: dict[int, Any] = {}
        #: each worker's pending results, in the order of its tasks
        self._owed: dict[int, deque[Any]] = {}
        self._placed: set[int] = set()
        self._waits_since = time.monotonic()
        self._told = False
        self._actor = ray.remote(num_cpus=1, num_gpus=self._gpus, scheduling_strategy="SPREAD")(_Actor)

    def start(self, worker: int) -> None:
        if worker in self._actors:
            return
        self._forget(worker)
        actor = self._actor.remote(self._opening)
        self._actors[worker] = actor
        self._owed[worker] = deque([actor.place.remote()])

    def send(self, worker: int, task: Task) -> None:
        self._owed[worker].append(self._actors[worker].do.remote(task))

    def next_event(self) -> Done | Lost:
        while True:
            first = {owed[0]: worker for worker, owed in self._owed.items() if owed}
            came, _ = ray.wait(list(first), num_returns=1, timeout=_LOOK_EVERY)
            if not came:
                self._be_patient()
                continue
            worker = first[came[0]]
            self._owed[worker].popleft()
            try:
                outcome = ray.get(came[0])
            except RayError as error:  # the actor or machine died or ran out of memory: reassign the worker's tasks
                self._forget(worker)
                return Lost(worker, _why(error))
            if outcome is not None:
                return Done(worker, outcome)
            self._placed.add(worker)

    def _forget(self, worker: int) -> None:
        if worker in self._actors:
            ray.kill(self._actors.pop(worker))
        if worker in self._placed:
            self._placed.remove(worker)
            self._waits_since = time.monotonic()
        self._owed[worker] = deque()

    def _be_patient(self) -> None:
        """Wait for a busy cluster, but raise if no machine is large enough for a worker."""
        if self._placed:
            return
        need = f"{self._gpus:g} GPU and 1 CPU" if self._gpus else "1 CPU"
        totals = [machine["Resources"] for machine in _machines()]
        fits = any(total.get("CPU", 0) >= 1 and total.get("GPU", 0) >= self._gpus for total in totals)
        waited = time.monotonic() - self._waits_since
        if not fits and waited > self._patience:
            have = "; ".join(f"{total.get('GPU', 0):g} GPU and {total.get('CPU', 0):g} CPU" for total in totals)
            raise UserError(f"No machine in the Ray cluster has the {need} that a worker needs; available: {have}.")
        if not self._told and waited > SILENCE:
            _log.warning("Waiting for free resources on the Ray cluster; a worker needs %s.", need)
            self._told = True

    def stop(self) -> None:
        for worker in list(self._actors):
            self._forget(worker)


class _Actor:
    """Ray actor that wraps a worker."""

    def __init__(self, opening: Opening) -> None:
        self._worker = Worker(opening, f"machine {socket.gethostname()}")

    def place(self) -> None:
        """Do nothing; the call returns once the actor has been placed."""

    def do(self, task: Task) -> Any:
        return self._worker.do(task)


def _machines() -> list[dict[str, Any]]:
    return [machine for machine in ray.nodes() if machine["Alive"]]


def _why(error: BaseException) -> str:
    """Extract the cause of a worker's death from the last line of Ray's report, omitting the advice."""
    last = str(error).strip().splitlines()[-1]
    return " ".join(last.split(" Some common causes")[0].split())[:300].rstrip(".")
