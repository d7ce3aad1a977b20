"""From a measure's name and a model to a result: the one code path behind both the command line and the Python API."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from genderscope.cautions import most_frequent, once_each
from genderscope.configuration import bind, config_of, folder_name
from genderscope.engine import EngineSettings, all_announced, ask_with, asked_and_read, is_announced
from genderscope.errors import UserError, naming_packages
from genderscope.finished import finished_or_possible, said_anew, write_report
from genderscope.garbage import only_new_garbage
from genderscope.measures import AnyMeasure, frame_of, measure_type, parse_options, schema_of
from genderscope.models import Model, Remote, ReplyModel, Settings, looked_up_once, remember, remote_of
from genderscope.opening import loaded_model, opened_model
from genderscope.prompts import keep_prompts
from genderscope.questions import LONGEST_TEXT, Reply, ReplyStart
from genderscope.reading import Asked, Rows
from genderscope.runs import (
    Result,
    RunFolder,
    asked_part,
    days_of,
    estimates_to_frame,
    holds_answers,
    in_words,
    keep_earlier,
    read_config,
    require_room,
)
from genderscope.written import question_key

if TYPE_CHECKING:
    import pandas as pd
    from torch.nn import Module
    from transformers import PreTrainedTokenizerBase

_log = logging.getLogger("genderscope")

#: takes the number of questions and returns a callback for the number answered so far
ProgressFactory = Callable[[int], Callable[[int], None]]


@naming_packages()
def evaluate(  # noqa: PLR0913 - each is the caller's choice
    measure: str,
    model: "str | Model | Module",
    *,
    tokenizer: "PreTrainedTokenizerBase | None" = None,
    out: str | Path | None = None,
    device: str = "auto",
    dtype: str | None = None,
    batch_size: int | None = None,
    beams: int = 4,
    engine: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    gpus_per_worker: float | None = None,
    allow_pickle: bool = False,
    rehash: bool = False,
    fresh: bool = False,
    report: bool = True,
    remote: Remote | None = None,
    progress: ProgressFactory | None = None,
    command: str | None = None,
    started: Callable[[Path], None] = lambda _: None,
    **options: Any,
) -> Result:
    """Measure a model and return the Result; the run is kept in a folder and the same call resumes it.

    Args:
        measure: Name of the measure, built in or a plugin's.
        model: A model string such as `hf:gpt2`, a loaded masked or causal model of transformers, or a Model of
            your own.
        tokenizer: The tokenizer of a loaded model, which is asked as it is and given back as it was.
        out: Folder of the run; by default one below `runs/`, named after measure, model and options.
        device: `cpu`, `cuda`, `cuda:1`, …; `auto` uses a GPU if there is one, and a loaded model where it is.
        dtype: Precision of the weights, part of the signature; None is float32, or that of a loaded model.
        batch_size: Questions per batch; None chooses a size that suits the device.
        beams: Beam size of a translation model.
        engine: `local`, `processes` or `ray`: where the questions are answered. The numbers are the same.
        workers: Number of workers of that engine.
        address: Address of a Ray cluster.
        gpus_per_worker: GPUs, or a fraction of one, for each Ray worker.
        allow_pickle: Load weights stored as a pickle, which can run arbitrary code.
        rehash: Hash the model's files even if their checksums are cached.
        fresh: Ask everything again. An earlier run in the folder is kept next to it, as `NAME.2026-11-14T0930`.
        report: Write report.html into the folder; without it nothing is drawn.
        progress: Creates a progress bar.
        command: The command to name in messages about resuming.
        started: Called with the folder when the run begins.
        remote: Options for models behind HTTP. Its fields can also be passed by name, `timeout=30` for
            `remote=Remote(timeout=30)`: no measure may have an option with one of these names.
        options: The measure's own options (see its card).
    """
    kind = measure_type(measure)
    behind_http = remote_of({name: options.pop(name) for name in Remote.model_fields if name in options}, remote)
    chosen = parse_options(kind, options)
    if batch_size is not None and (not isinstance(batch_size, int) or batch_size < 1):
        raise UserError(f"The batch size is {batch_size}; it must be 1 or more, or auto.")
    where = EngineSettings(engine, workers, address, gpus_per_worker)
    settings = Settings(device, dtype or "float32", beams, behind_http, allow_pickle, rehash)
    lent = tokenizer is not None
    page = write_report if report else None
    with looked_up_once():
        if lent or fresh:
            require_room(Path(out) if out is not None else Path("runs"))
        if not lent:
            done = finished_or_possible(kind, chosen, model, settings, where, batch_size, out, started, page, fresh)
            if done is not None:
                return done
        if report:
            _ready_to_draw()
        opened = loaded_model(model, tokenizer, device, dtype) if lent else opened_model(model, settings, where)
    bound = bind(kind, chosen, opened)
    config = config_of(bound, chosen, opened, batch_size, command)
    folder = Path(out) if out is not None else Path("runs") / folder_name(measure, config)
    renewed = _renewed(folder, config, opened, bound) if fresh else nullcontext()
    with renewed, RunFolder(folder, config) as run, only_new_garbage(), ExitStack() as at_the_end:
        if opened is not model and not lent:
            at_the_end.callback(opened.unload)
        started(folder)
        if run.orphaned:
            _set_date(opened, run)
            run.adopt(question_key(opened.fingerprint, q) for sample in bound.samples for q in bound.ask(sample))
        if (done := run.finished(page)) is not None:
            if not lent:
                remember(opened)  # the next time it need not be opened
            return said_anew(done, bound, run, config["margins"], page)
        _set_date(opened, run)
        described: dict[str, Any] = {}
        asked = Asked(bound)
        if kind.asks & {Reply, ReplyStart}:
            keep_prompts(asked.questions(), opened.fingerprint, run.journal, run.started)
        reading = Rows(bound, asked, opened.fingerprint, run.journal)
        rows = asked_and_read(
            lambda: described.update(_ask_all(asked, opened, run, batch_size, progress, where, reading)),
            asked.questions,
            opened.fingerprint,
            run.journal,
            lambda answers: frame_of(reading.all(answers), kind.row_type),
        )
        result = _result(bound, opened, run, rows, reading, described, config["signature"])
        run.save(result, page, schema_of(kind.row_type))
        if not lent:
            remember(opened)
    return result


def _result(
    measure: AnyMeasure,
    model: Model,
    run: RunFolder,
    rows: "pd.DataFrame",
    reading: Rows,
    described: dict[str, Any],
    signature: str,
) -> Result:
    """Compute the estimates, record how they were obtained in run.json, and return the result."""
    # If all answers were already in the journal, the weights were never loaded; its size is reported anyway.
    described |= {"parameters": size} if (size := model.parameter_count()) else {}
    # Nor is it known how the questions were asked; the run that asked them recorded it.
    recorded = read_config(run.path)["model"]
    described = {key: recorded[key] for key in ("method", "not_exact") if key in recorded} | described
    reached = measure.reached(rows)
    dates = _dates(model, run, read_config(run.path))
    signed = "|".join([signature, *(f"{key}_read:{part}" for key, part in reached.items()), *dates])
    option_tokens = {o: sorted(map(list, ids)) for o, ids in reading.tokens.items()}
    run.record(model=described, option_tokens=option_tokens, reached=reached, signature=signed)
    estimates = measure.estimates(rows)
    cautions = [
        *model.cautions(),
        *_on_several_days(model, run.path),
        *_around(reading),
        *measure.cautions(rows, estimates),
    ]
    return Result(
        measure.id,
        estimates_to_frame(estimates),
        rows,
        signed,
        measure.summary(estimates),
        once_each(cautions),
        read_config(run.path),
        run.path,
    )


@contextmanager
def _renewed(folder: Path, config: dict[str, Any], model: Model, measure: AnyMeasure) -> Iterator[None]:
    """Within: the folder is free for a new run.

    The earlier run is renamed, but not before the model is reachable and the user has agreed to its cost.
    """
    if not holds_answers(folder, config):
        yield
        return
    if model.may_change:
        model.load()
    told = model.announces and not is_announced()
    if told:
        model.announce([question for sample in measure.samples for question in measure.ask(sample)])
    _log.info("The earlier run is kept in '%s'.", keep_earlier(folder))
    with all_announced() if told else nullcontext():
        yield


def _set_date(model: Model, run: RunFolder) -> None:
    """Put the date of the run's start into prompts that contain a date."""
    if isinstance(model, ReplyModel):
        model.set_date(run.started)


def _dates(model: Model, run: RunFolder, config: dict[str, Any]) -> Iterator[str]:
    """Yield the dates in a signature: that in the prompts, and that of the answers of a model that may change."""
    if isinstance(model, ReplyModel) and model.prompts_are_dated:
        yield f"template_date:{run.started:%Y-%m-%d}"
    if model.may_change and (part := asked_part(config)) is not None:
        yield part


def _on_several_days(model: Model, folder: Path) -> list[str]:
    days = days_of(read_config(folder))
    if not model.may_change or len(days) < 2:
        return []
    return [f"The answers are from several days ({in_words(days)}), between which the model may have changed."]


def _ready_to_draw() -> None:
    from genderscope.report import ready_to_draw

    ready_to_draw()


def _ask_all(
    asked: Asked,
    model: Model,
    run: RunFolder,
    batch_size: int | None,
    progress: ProgressFactory | None,
    where: EngineSettings,
    reading: Rows,
) -> dict[str, Any]:
    """Get every question answered; return the description of the model as loaded."""
    done = progress(sum(map(len, asked))) if progress else lambda _: None
    with model.in_use():
        return ask_with(where, model, asked.questions(), run.journal, batch_size, _meanwhile(done, reading))


def _meanwhile(done: Callable[[int], None], reading: Rows) -> Callable[[int], None]:
    """Return `done`, which when it hears of answers has them read, and lets a thread import what the end needs.

    By then the model is loaded and has imported all of its own; while it computes, Python's lock is free.
    """
    begun: list[Thread] = []

    def heard(answered: int) -> None:
        if answered and not begun:
            begun.append(Thread(target=_import_for_the_end, name="imports"))
            begun[0].start()
        done(answered)
        reading.go_on()

    return heard


def _import_for_the_end() -> None:
    with suppress(Exception):  # whoever needs it imports it again, and says what is wrong
        import_module("pandas")
        import_module("pyarrow.parquet")
        getattr(import_module("genderscope.report"), "write_report")  # noqa: B009 - the door imports it now


def _around(reading: Rows) -> Iterator[str]:
    """Report how many replies were cut, and how many contained more than the translation."""
    if reading.cut:
        yield f"{reading.cut:,} answers had more than {LONGEST_TEXT:,} characters; only so many were kept and read."
    if reading.notes:
        told = most_frequent(reading.notes)
        yield f"{reading.notes.total():,} replies contained more than the translation, which was extracted: {told}."
