"""Chooses the engine for a model and answers questions on it."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Question
from genderscope.engine.engine_settings import EngineSettings, chosen, visible_gpus
from genderscope.engine.local_engine import Progress, ask
from genderscope.models import Model, Opening
from genderscope.runs import Journal

if TYPE_CHECKING:
    from genderscope.engine.sharding import Crew


def ask_with(
    settings: EngineSettings,
    model: Model,
    questions: Iterable[Question],
    journal: Journal,
    batch_size: int | None = None,
    progress: Progress = lambda _: None,
) -> dict[str, Any]:
    """Answer all questions on the chosen engine, then return the model's description."""
    settings, gpus = settled(settings, model)
    if settings.engine == "local":
        method = ask(model, questions, journal, batch_size, progress)
        return {**model.describe(), **method.described()}
    from genderscope.engine.sharding import ask_crew

    with crews_kept():
        crew = kept_crew(settings, model, gpus)
        return ask_crew(crew, model, questions, journal, batch_size, progress, keep=True)


def settled(settings: EngineSettings, model: Model) -> tuple[EngineSettings, int]:
    """Return the resolved settings for a model, and the number of GPUs visible to this process."""
    gpus = _gpus(model)
    device = model.opening.settings.device if model.opening else "auto"
    return chosen(settings, device, gpus, model.scales and model.opening is not None), gpus


def kept_crew(settings: EngineSettings, model: Model, gpus: int) -> "Crew":
    """Return the crew that `crews_kept` keeps alive for a model; call only inside that block."""
    kept = _KEPT.get()
    assert kept is not None
    return kept.crew(_opening(model), settings, gpus)


@contextmanager
def _crew(opening: Opening, settings: EngineSettings, gpus: int) -> "Iterator[Crew]":
    """Yield a crew whose workers have not been started; for Ray, connect to the cluster first."""
    if settings.engine == "processes":
        from genderscope.engine.process_engine import ProcessCrew

        visible = visible_gpus(gpus, os.environ.get("CUDA_VISIBLE_DEVICES"))
        yield ProcessCrew(opening, settings.workers or 1, visible)
        return
    from genderscope.engine.ray_engine import RayCrew, cluster

    with cluster(settings.address, settings.workers) as patience:
        yield RayCrew(opening, settings, patience)


class _Kept:
    """Crews that stay alive until a block ends, keyed by model and settings."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._crews: dict[tuple[Opening, EngineSettings], Crew] = {}

    def crew(self, opening: Opening, settings: EngineSettings, gpus: int) -> "Crew":
        """Return the crew for a model, creating it on the first call."""
        if (opening, settings) not in self._crews:
            crew = self._stack.enter_context(_crew(opening, settings, gpus))
            self._stack.callback(crew.dismiss)
            self._crews[opening, settings] = crew
        return self._crews[opening, settings]


_KEPT: ContextVar[_Kept | None] = ContextVar("kept crews", default=None)


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
def crews_kept() -> Iterator[None]:
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
