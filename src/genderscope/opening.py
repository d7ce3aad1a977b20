"""What a caller gives as the model, opened: a string, a path, a loaded model of transformers, or a Model."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from genderscope.engine import EngineSettings
from genderscope.errors import UserError
from genderscope.models import KnownModel, Model, Settings, SpecOpening, TranslationModel, known_model, looked_up_once
from genderscope.questions import Translation

if TYPE_CHECKING:
    from torch.nn import Module


def opened_model(model: "str | Model | Module", settings: Settings, where: EngineSettings) -> Model:
    """Open what a string names, or what a known model stands for; what is a model already stays as it is."""
    if isinstance(model, KnownModel) and model.opening is not None:
        found = _open(model.opening.spec, model.opening.settings, where)
        found.name = model.name
        return found
    if isinstance(model, Model):
        if (settings.remote.max_requests, settings.remote.max_cost) != (None, None):
            raise UserError(f"'{model.name}' is open already, so no limit can be set for it; open it with the limit.")
        return model
    return _open(_spec(model), settings, where)


def opened_translator(spec: str, settings: Settings) -> TranslationModel:
    """Open a model that translates; another kind is refused, and without opening it where it was measured before."""
    with looked_up_once():
        SpecOpening(spec, settings).require_there()
        known = known_model(spec, settings)
        if known is not None and known.take_on(frozenset({Translation})):
            raise _no_translator(known)
        model = SpecOpening(spec, settings).open()
    if Translation not in model.answers or not isinstance(model, TranslationModel):
        raise _no_translator(model)
    return model


def _no_translator(model: Model) -> UserError:
    return UserError(f"'{model.name}' is a {model.kind} model, which does not translate.")


def require_there(model: "str | Model | Module", settings: Settings, where: EngineSettings) -> None:
    """Refuse a model or a device that is not there, before anything large is imported to open it."""
    if isinstance(model, str | os.PathLike):
        SpecOpening(_spec(model), replace(settings, device="auto") if where.on_ray else settings).require_there()


def _spec(model: object) -> str:
    """Return the model string or path as a string; anything else is an error that says what to give instead."""
    if isinstance(model, str | os.PathLike):
        return os.fsdecode(model)
    raise UserError(
        f"The model is an object of the class {type(model).__module__}.{type(model).__qualname__}, which cannot be "
        "measured; give a model string such as 'hf:FOLDER', a loaded model of transformers together with its "
        "tokenizer=…, or an opened genderscope.models.Model."
    )


def loaded_model(model: Any, tokenizer: Any, device: str, dtype: str | None) -> Model:
    """Take a model that the caller has loaded."""
    if isinstance(model, str | os.PathLike | Model):
        raise UserError(f"A tokenizer was given with the model {model!r}, which has its own; leave tokenizer out.")
    from genderscope.models import open_loaded  # it brings torch

    return open_loaded(model, tokenizer, device, dtype)


def _open(spec: str, settings: Settings, where: EngineSettings) -> Model:
    """Open the model; the driver of a cluster never loads it, so this machine need not have the device."""
    if not where.on_ray:
        return SpecOpening(spec, settings).open()
    where.require_cluster()
    model = SpecOpening(spec, replace(settings, device="auto")).open()
    if model.opening is not None:
        model.opening = replace(model.opening, settings=settings)
    return model
