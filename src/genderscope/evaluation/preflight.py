"""Checks made before opening a model, which takes seconds: folder, model, device, data, options, plotting libraries."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from genderscope.core.errors import UserError
from genderscope.evaluation.model_opening import spec_of
from genderscope.evaluation.request import RUNS, RunRequest, read_finished
from genderscope.evaluation.run_settings import RunSettings
from genderscope.models import KnownModel, Model, NotKnownError, SpecOpening, any_model, known_model, needs_torch
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
