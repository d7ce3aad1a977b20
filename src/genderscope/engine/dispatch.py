"""Chooses the engine for a model and answers questions on it."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Question
from genderscope.engine.engine_settings import EngineSettings, choose_engine, visible_gpus
from genderscope.engine.local_engine import Progress, ask
from genderscope.models import Model, Opening
from genderscope.runs import Journal

if TYPE_CHECKING:
    from genderscope.engine.sharding import Workers


def ask_with(
    settings: EngineSettings,
    model: Model,
    questions: Iterable[Question],
    journal: Journal,
    batch_size: int | None = None,
    progress: Progress = lambda _: None,
) -> dict[str, Any]:
    """Answer all questions on the chosen engine, then return the model's description."""
    settings, gpus = resolve_settings(settings, model)
    if settings.engine == "local":
        method = ask(model, questions, journal, batch_size, progress)
        return {**model.describe(), **method.described()}
    from genderscope.engine.sharding import ask_workers

    with workers_kept():
        workers = kept_workers(settings, model, gpus)
        return ask_workers(workers, model, questions, journal, batch_size, progress, keep=True)


def resolve_settings(settings: EngineSettings, model: Model) -> tuple[EngineSettings, int]:
    """Return the resolved settings for a model, and the number of GPUs visible to this process."""
    gpus = _gpus(model)
    device = model.opening.settings.device if model.opening else "auto"
    return choose_engine(settings, device, gpus, model.scales and model.opening is not None), gpus


def kept_workers(settings: EngineSettings, model: Model, gpus: int) -> "Workers":
    """Return the workers that `workers_kept` keeps alive for a model; call only inside that block."""
    kept = _KEPT.get()
    assert kept is not None
    return kept.workers(_opening(model), settings, gpus)


@contextmanager
def _workers(opening: Opening, settings: EngineSettings, gpus: int) -> "Iterator[Workers]":
    """Yield workers that have not been started; for Ray, connect to the cluster first."""
    if settings.engine == "processes":
        from genderscope.engine.process_engine import ProcessWorkers

        visible = visible_gpus(gpus, os.environ.get("CUDA_VISIBLE_DEVICES"))
        yield ProcessWorkers(opening, settings.workers or 1, visible)
        return
    from genderscope.engine.ray_engine import RayWorkers, cluster

    with cluster(settings.address, settings.workers) as patience:
        yield RayWorkers(opening, settings, patience)


class _Kept:
    """Workers that stay alive until a block ends, keyed by model and settings."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._workers: dict[tuple[Opening, EngineSettings], Workers] = {}

    def workers(self, opening: Opening, settings: EngineSettings, gpus: int) -> "Workers":
        """Return the workers for a model, creating it on the first call."""
        if (opening, settings) not in self._workers:
            workers = self._stack.enter_context(_workers(opening, settings, gpus))
            self._stack.callback(workers.stop)
            self._workers[opening, settings] = workers
        return self._workers[opening, settings]


_KEPT: ContextVar[_Kept | None] = ContextVar("kept workers", default=None)


@contextmanager
def one_cluster(settings: EngineSettings, processes: int) -> Iterator[EngineSettings]:
    """Yield settings that let several processes share one Ray cluster, starting a local one if no address is given."""
    if not settings.on_ray:
        yield settings
        return
    settings = replace(settings, engine="ray", workers=settings.workers or 1)
    if settings.address or os.environ.get("RAY_ADDRESS"):
        yield settings
        return
    from genderscope.engine.ray_engine import address_here, cluster

    with cluster(None, processes * (settings.workers or 1)):
        yield replace(settings, address=address_here())


@contextmanager
def workers_kept() -> Iterator[None]:
    """Keep workers alive inside this block, so that each loads its model only once."""
    if _KEPT.get() is not None:
        yield
        return
    with ExitStack() as stack:
        token = _KEPT.set(_Kept(stack))
        try:
            yield
        finally:
            _KEPT.reset(token)


def gpus_here(models: Iterable[Model]) -> list[str]:
    """Return the names of the visible GPUs; empty if none of the models can use them."""
    return visible_gpus(max(map(_gpus, models), default=0), os.environ.get("CUDA_VISIBLE_DEVICES"))


def _opening(model: Model) -> Opening:
    """Return the `Opening` that workers use to open the model; raise if there is none or the model does not scale."""
    if model.opening is None:
        raise UserError(
            f"'{model.name}' was not opened from a model string, so workers cannot open it; "
            "pass a model string, or use the engine 'local'."
        )
    if not model.scales:
        raise UserError(
            f"'{model.name}' is a {model.kind} model, which is no faster with several workers; use --engine local."
        )
    return model.opening


def _gpus(model: Model) -> int:
    """Count the GPUs visible to this process; 0 if the model does not scale or torch is missing."""
    if not model.scales:
        return 0
    try:
        import torch
    except ModuleNotFoundError:
        return 0
    return torch.cuda.device_count()
