"""Runs that are finished: shown again without opening the model, which may not even be there any more."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.configuration import bind, config_of, folder_name, refuse_for_any
from genderscope.engine import EngineSettings
from genderscope.errors import UserError
from genderscope.measures import AnyMeasure, Options, schema_of
from genderscope.models import KnownModel, Model, NotKnownError, Settings, known_model, needs_torch
from genderscope.opening import require_there
from genderscope.runs import Result, RunFolder, is_finished

if TYPE_CHECKING:
    from torch.nn import Module


def finished_or_possible(
    kind: type[AnyMeasure],
    options: Options,
    model: "str | Model | Module",
    settings: Settings,
    where: EngineSettings,
    batch_size: int | None,
    out: str | Path | None,
    started: Callable[[Path], None],
    fresh: bool,
) -> Result | None:
    """Return the result of a finished run, even if its model or device is unavailable; else refuse what is.

    With `fresh` there is none: everything is asked again.
    """
    mistake: UserError | None = None
    try:
        require_there(model, settings, where)
    except UserError as error:
        mistake = error
    try:
        done = _finished_before(kind, options, model, settings, batch_size, out, started, fresh)
    except UserError as error:
        raise mistake or error from None
    if done is None and mistake is not None:
        raise mistake
    return done


def _finished_before(
    kind: type[AnyMeasure],
    options: Options,
    model: "str | Model | Module",
    settings: Settings,
    batch_size: int | None,
    out: str | Path | None,
    started: Callable[[Path], None],
    fresh: bool,
) -> Result | None:
    """Return the result of a run that is finished and intact, without opening the model; None where it is not."""
    if isinstance(model, str | os.PathLike):
        known = known_model(os.fsdecode(model), settings)
        if known is None:
            if needs_torch(os.fsdecode(model)):
                refuse_for_any(kind, options, os.fsdecode(model), settings)
            return None
    elif isinstance(model, KnownModel):
        known = model
    else:
        return None
    try:
        bound = bind(kind, options, known)
        config = config_of(bound, options, known, batch_size, None)
    except NotKnownError:
        return None
    folder = Path(out) if out is not None else Path("runs") / folder_name(kind.id, config)
    return finished_in(folder, bound, config, started) if is_finished(folder) and not fresh else None


def finished_in(
    folder: Path, bound: AnyMeasure, config: dict[str, Any], started: Callable[[Path], None] = lambda _: None
) -> Result | None:
    """Return the result of this very run in a folder that seems to hold it; None where something has to be mended."""
    with RunFolder(folder, config) as run:
        started(folder)
        done = None if run.orphaned else run.finished(write_report)
        return None if done is None else said_anew(done, bound, run, config["margins"])


def said_anew(result: Result, bound: AnyMeasure, run: RunFolder, margins: dict[str, Any]) -> Result:
    """Return a finished run; if the margin changed, with the wording for that margin on the same numbers."""
    if result.config.get("margins", margins) == margins:
        return result
    run.record(margins=margins)
    config = {**result.config, "margins": margins}
    anew = replace(result, summary=bound.summary(result.as_estimates()), config=config)
    run.save(anew, write_report, schema_of(bound.row_type))
    return anew


def write_report(result: Result, target: Path) -> None:
    """Write the page of a result; what draws is imported when there is something to draw."""
    from genderscope.report import write_report as drawn

    drawn(result, target)
