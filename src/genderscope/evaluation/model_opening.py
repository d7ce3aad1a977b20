"""Opening of models, and the checks before it, which take no time: folder, model, device, data, options, figures.

A model is given as a string, a path, a loaded transformers model, or a Model.
"""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Translation
from genderscope.evaluation.run_config import RUNS, RunRequest, read_finished
from genderscope.evaluation.run_settings import RunSettings
from genderscope.models import (
    KnownModel,
    Model,
    NotKnownError,
    Settings,
    SpecOpening,
    TranslationModel,
    any_model,
    hub_queried_once,
    known_model,
    needs_torch,
)
from genderscope.runs import Result, is_finished, require_room

if TYPE_CHECKING:
    from torch.nn import Module


def check_before_opening(request: RunRequest) -> Result | None:
    """Return a finished run's result, even if its model or device is unavailable; otherwise check the request."""
    if request.is_loaded:
        require_room(request.out or RUNS)
    elif (result := _finished_result(request)) is not None:
        return result
    if request.settings.report:
        from genderscope.report import ready_to_draw

        ready_to_draw()
    return None


def require_available(model: "str | Model | Module", settings: RunSettings) -> None:
    """Raise UserError for an unavailable model or device, before any large import."""
    if isinstance(model, str | os.PathLike):
        model_settings = settings.for_model
        # With Ray, this process never loads the model, so the device is not required here.
        SpecOpening(
            spec_of(model), replace(model_settings, device="auto") if settings.for_engine.on_ray else model_settings
        ).require_there()


def _finished_result(request: RunRequest) -> Result | None:
    """Return a finished run's result; raise folder, model and device errors only if the run is not finished."""
    problem: UserError | None = None
    try:
        # A finished run may be in a read-only folder.
        folders = RUNS.glob(f"{request.kind.id}-*") if request.out is None else [request.out]
        if request.settings.fresh or not any(map(is_finished, folders)):
            require_room(request.out or RUNS)
        require_available(request.model, request.settings)
    except UserError as error:
        problem = error
    try:
        result = _result_without_opening(request)
    except UserError as error:
        raise problem or error from None
    if result is None and problem is not None:
        raise problem
    return result


def _result_without_opening(request: RunRequest) -> Result | None:
    """Check data and options against stored information on the model; return the result if the run is finished."""
    model = request.model
    if isinstance(model, str | os.PathLike):
        spec, settings = os.fsdecode(model), request.settings.for_model
        recorded_model = known_model(spec, settings)
        if recorded_model is None and needs_torch(spec):
            _refuse_for_any_model(request, spec)
    else:
        recorded_model = model if isinstance(model, KnownModel) else None
    if recorded_model is None:
        return None
    try:
        run = request.prepare(recorded_model)
    except NotKnownError:
        return None
    if request.settings.fresh or not is_finished(run.folder):
        return None
    return read_finished(run, request.started, request.settings.report)


def _refuse_for_any_model(request: RunRequest, spec: str) -> None:
    """Raise for data and options that are invalid for both masked and causal models, hence for this model too."""
    errors: list[Exception] = []
    for sees_after in (True, False):
        try:
            request.kind(request.options, any_model(spec, request.settings.for_model, sees_after))
        except (UserError, ModuleNotFoundError) as error:
            errors.append(error)
        except Exception:  # the check needs the model itself, or a plugin fails; the run reports the error later
            return
        else:
            return
    if str(errors[0]) == str(errors[1]):
        raise errors[0]


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
