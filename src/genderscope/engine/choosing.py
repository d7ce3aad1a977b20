"""From the choice of an engine to answers in the journal."""

import os
from collections.abc import Iterable
from typing import Any

from genderscope.engine.local import Progress, ask
from genderscope.engine.settings import EngineSettings, chosen, visible_gpus
from genderscope.errors import UserError
from genderscope.models import Model, Opening
from genderscope.questions import Question
from genderscope.runs import Journal


def ask_with(
    settings: EngineSettings,
    model: Model,
    questions: Iterable[Question],
    journal: Journal,
    batch_size: int | None = None,
    progress: Progress = lambda _: None,
) -> dict[str, Any]:
    """Have all questions answered by the chosen engine; return the description of the model, as loaded if it was."""
    gpus = _gpus(model)
    device = model.opening.settings.device if model.opening else "auto"
    settings = chosen(settings, device, gpus, model.scales and model.opening is not None)
    if settings.engine == "local":
        method = ask(model, questions, journal, batch_size, progress)
        return {**model.describe(), **method.described()}
    from genderscope.engine.sharding import ask_crew

    opening = _opening(model)
    if settings.engine == "processes":
        from genderscope.engine.processes import ProcessCrew

        visible = visible_gpus(gpus, os.environ.get("CUDA_VISIBLE_DEVICES"))
        crew = ProcessCrew(opening, settings.workers or 1, visible)
        return ask_crew(crew, model, questions, journal, batch_size, progress)
    from genderscope.engine.ray import RayCrew, cluster

    with cluster(settings.address, settings.workers) as patience:
        return ask_crew(RayCrew(opening, settings, patience), model, questions, journal, batch_size, progress)


def _opening(model: Model) -> Opening:
    """Return how workers open the model; refuse a model that they cannot open or that gains nothing from them."""
    if model.opening is None:
        raise UserError(
            f"'{model.name}' was not opened from a model string, so workers cannot open it; "
            "give the string, or use the engine 'local'."
        )
    if not model.scales:
        raise UserError(
            f"'{model.name}' is a {model.kind} model, which is no faster with several workers; use --engine local."
        )
    return model.opening


def _gpus(model: Model) -> int:
    """Count the GPUs visible to this process; a model that does not scale needs none, and torch may be missing."""
    if not model.scales:
        return 0
    try:
        import torch
    except ModuleNotFoundError:
        return 0
    return torch.cuda.device_count()
