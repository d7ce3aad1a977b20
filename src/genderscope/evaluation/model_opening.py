"""Opening of models given as a string, a path, a loaded transformers model, or a Model."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Translation
from genderscope.evaluation.run_settings import RunSettings
from genderscope.models import KnownModel, Model, Settings, SpecOpening, TranslationModel, hub_queried_once, known_model

if TYPE_CHECKING:
    from torch.nn import Module


def open_given_model(model: "str | Model | Module", settings: RunSettings, tokenizer: Any = None) -> Model:
    """Open a model string, a KnownModel or a loaded model with its tokenizer; return any other Model unchanged."""
    if tokenizer is not None:
        return _open_loaded(model, tokenizer, settings)
    if isinstance(model, KnownModel) and model.opening is not None:
        opened = _open(model.opening.spec, model.opening.settings, settings)
        opened.name = model.name
        return opened
    if isinstance(model, Model):
        if (settings.remote.max_requests, settings.remote.max_cost) != (None, None):
            raise UserError(f"'{model.name}' is already open, so no spending limit can be set; open it with the limit.")
        return model
    return _open(spec_of(model), settings.for_model, settings)


def open_translator(spec: str, settings: Settings) -> TranslationModel:
    """Open a translation model; raise UserError for any other model, without opening it if it was measured before."""
    with hub_queried_once():
        SpecOpening(spec, settings).require_there()
        recorded_model = known_model(spec, settings)
        if recorded_model is not None and recorded_model.unanswerable(frozenset({Translation})):
            raise _no_translator(recorded_model)
        model = SpecOpening(spec, settings).open()
    if Translation not in model.answers or not isinstance(model, TranslationModel):
        raise _no_translator(model)
    return model


def _no_translator(model: Model) -> UserError:
    return UserError(f"'{model.name}' is a {model.kind} model, which does not translate.")


def spec_of(model: object) -> str:
    """Return a model string or path as a string; raise UserError for any other object."""
    if isinstance(model, str | os.PathLike):
        return os.fsdecode(model)
    raise UserError(
        f"The model is an object of the class {type(model).__module__}.{type(model).__qualname__}, which cannot be "
        "measured; give a model string such as 'hf:FOLDER', a loaded transformers model together with its "
        "tokenizer=…, or an opened genderscope.models.Model."
    )


def _open_loaded(model: Any, tokenizer: Any, settings: RunSettings) -> Model:
    if isinstance(model, str | os.PathLike | Model):
        raise UserError(f"A tokenizer was given with the model {model!r}, which has its own; omit 'tokenizer'.")
    from genderscope.models import open_loaded  # imports torch

    return open_loaded(model, tokenizer, settings.device, settings.dtype)


def _open(spec: str, model_settings: Settings, settings: RunSettings) -> Model:
    """Open a model string; with Ray, this process never loads the model, so the device is not required here."""
    where = settings.for_engine
    if not where.on_ray:
        return SpecOpening(spec, model_settings).open()
    where.require_cluster()
    model = SpecOpening(spec, replace(model_settings, device="auto")).open()
    if model.opening is not None:
        model.opening = replace(model.opening, settings=model_settings)
    return model
