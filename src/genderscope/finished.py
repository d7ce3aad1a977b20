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
from genderscope.runs import Report, Result, RunFolder, is_finished, require_room

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
    page: Report | None,
    fresh: bool,
) -> Result | None:
    """Return the result of a finished run, even if its model or device is unavailable or its folder cannot be written.

    Otherwise refuse what is unavailable. With `fresh` there is no such result: everything is asked again.
    """
    mistake: UserError | None = None
    try:
        if not _may_be_shown(kind.id, out):
            require_room(Path(out) if out is not None else Path("runs"))
        require_there(model, settings, where)
    except UserError as error:
        mistake = error
    try:
        done = _finished_before(kind, options, model, settings, batch_size, out, started, page, fresh)
    except UserError as error:
        raise mistake or error from None
    if done is None and mistake is not None:
        raise mistake
    return done


def _may_be_shown(measure: str, out: str | Path | None) -> bool:
    """Return whether this may be a finished run, which needs no room: the folder itself refuses any other."""
    folders = Path("runs").glob(f"{measure}-*") if out is None else [Path(out)]
    return any(map(is_finished, folders))


def _finished_before(
    kind: type[AnyMeasure],
    options: Options,
    model: "str | Model | Module",
    settings: Settings,
    batch_size: int | None,
    out: str | Path | None,
    started: Callable[[Path], None],
    page: Report | None,
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
    return finished_in(folder, bound, config, started, page) if is_finished(folder) and not fresh else None


def write_report(result: Result, target: Path) -> str | None:
    """Write the page of a result and return why it lacks figures, if it does; imported when there is one to write."""
    from genderscope.report import write_report as drawn

    return drawn(result, target)


def finished_in(
    folder: Path,
    bound: AnyMeasure,
    config: dict[str, Any],
    started: Callable[[Path], None] = lambda _: None,
    page: Report | None = write_report,
) -> Result | None:
    """Return the result of this very run in a folder that seems to hold it; None where something has to be mended."""
    with RunFolder(folder, config) as run:
        started(folder)
        done = None if run.orphaned else run.finished(page)
        return None if done is None else said_anew(done, bound, run, config["margins"], page)


def said_anew(
    result: Result, bound: AnyMeasure, run: RunFolder, margins: dict[str, Any], page: Report | None
) -> Result:
    """Return a finished run; if the margin changed, with the wording for that margin on the same numbers."""
    if result.config.get("margins", margins) == margins:
        return result
    config = {**result.config, "margins": margins}
    anew = replace(result, summary=bound.summary(result.as_estimates()), config=config)
    if run.read_only is None:
        run.record(margins=margins)
        run.save(anew, page, schema_of(bound.row_type))
    return anew
