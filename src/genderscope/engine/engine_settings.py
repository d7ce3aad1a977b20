"""Engine settings: where questions are answered, and which GPUs the workers use."""

import os
import socket
import sys
from dataclasses import dataclass, replace

from genderscope.core.errors import UserError, require_known

ENGINES = ("auto", "local", "processes", "ray")


#: on Windows, child processes do not inherit open pipes
WINDOWS = os.name == "nt"
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class EngineSettings:
    """Where questions are answered. These settings do not affect results and are not part of a run's configuration."""

    engine: str = "auto"
    workers: int | None = None  # number of copies of the model; None lets the engine decide
    #: address of a Ray cluster
    address: str | None = None
    gpus_per_worker: float | None = None

    def __post_init__(self) -> None:
        require_known("engine", self.engine, ENGINES)
        if self.workers is not None and self.workers < 1:
            raise UserError(f"Option --workers is {self.workers}; give 1 or more.")
        if self.engine == "local" and (self.workers or 1) > 1:
            raise UserError(f"The local engine has one worker, not {self.workers}; use --engine processes or ray.")
        if self.gpus_per_worker is not None and self.gpus_per_worker < 0:
            raise UserError(f"A worker cannot have {self.gpus_per_worker:g} GPUs; give 0 or more.")
        if (self.gpus_per_worker or 0) > 1 and self.gpus_per_worker != int(self.gpus_per_worker or 0):
            raise UserError(
                f"A worker cannot have {self.gpus_per_worker:g} GPUs; give a whole number, or a fraction below 1."
            )
        if self.engine in {"local", "processes"}:
            for name, value in (("--address", self.address), ("--gpus-per-worker", self.gpus_per_worker)):
                if value is not None:
                    raise UserError(f"Option {name} is for Ray; use it with --engine ray.")

    @property
    def on_ray(self) -> bool:
        """Whether the user requested Ray, by name or through a Ray-only option."""
        return self.engine == "ray" or self.address is not None or self.gpus_per_worker is not None

    def require_cluster(self) -> None:
        """Raise if the cluster's address is unreachable, before Ray is imported."""
        # If the caller has imported Ray, it may already be connected; that connection is used.
        if self.address is not None and "ray" not in sys.modules:
            require_reachable(self.address)


def require_reachable(address: str) -> None:
    """Raise at once if nothing listens at an address; Ray itself would retry for minutes."""
    if ":" not in address and address not in {"auto", "local"}:
        raise UserError(f"The Ray cluster at '{address}' cannot be used: Invalid address format: {address}")
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        raise UserError(
            f"There is no Ray cluster at '{address}' ({error.strerror or error}); "
            "'ray start --head' prints the address when it starts one."
        ) from None


def choose_engine(settings: EngineSettings, device: str, gpus: int, scales: bool) -> EngineSettings:
    """Resolve the engine, given the number of visible GPUs and whether the model benefits from several copies.

    The default is this process, unless the user specifies a cluster or several workers, or there are several GPUs and
    no device is specified; in that case each GPU gets its own process.
    """
    if settings.engine == "auto":
        settings = replace(settings, engine=_engine(settings, device, gpus if scales else 0))
    if settings.engine == "processes" and WINDOWS:
        raise UserError("The engine 'processes' does not work on Windows; use --engine local, without --workers.")
    if settings.engine == "processes" and settings.workers is None:
        return replace(settings, workers=max(1, gpus) if device in {"auto", "cuda"} else 1)
    return settings


def _engine(settings: EngineSettings, device: str, gpus: int) -> str:
    if settings.on_ray:
        return "ray"
    several_gpus = device == "auto" and gpus > 1 and settings.workers is None and not WINDOWS
    return "processes" if several_gpus or (settings.workers or 1) > 1 else "local"


def gpu_of(worker: int, device: str, visible: list[str]) -> str | None:
    """Return the one GPU that a worker may use, assigning GPUs in turn; None unless the device is `auto` or `cuda`."""
    return visible[worker % len(visible)] if visible and device in {"auto", "cuda"} else None


def gpus_for_job(job: int, of: int, device: str, visible: list[str]) -> str | None:
    """Return the GPUs visible to one of several concurrent jobs, which may share a GPU; None if all stay visible."""
    if not visible or device not in {"auto", "cuda", "map"}:
        return None
    return ",".join(visible[job::of]) or visible[job % len(visible)]


def visible_gpus(count: int, named: str | None) -> list[str]:
    """Return the names of the GPUs visible to this process, given their count and the value of CUDA_VISIBLE_DEVICES."""
    names = [name.strip() for name in named.split(",")] if named else list(map(str, range(count)))
    return names[:count]
