"""From a measure's name and a model to a result: the one road that the command line and the Python API both take."""

import hashlib
import json
import os
import platform
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import ValidationError

from genderscope.engine import EngineSettings, Reader, ask_with, asked_and_read
from genderscope.errors import UserError, did_you_mean, naming_packages, option_name
from genderscope.measures import (
    AnyMeasure,
    Options,
    check_margin,
    frame_of,
    margins_of,
    measure_plugins,
    measure_type,
    schema_of,
)
from genderscope.models import Model, Remote, Settings, SpecOpening, remote_of
from genderscope.plugins import installed
from genderscope.questions import (
    ABILITY,
    Answer,
    Choice,
    ChoiceAnswer,
    Question,
    TranslationAnswer,
    question_key,
)
from genderscope.report import write_report
from genderscope.runs import Result, RunFolder, estimates_to_frame, read_config, signature
from genderscope.version import __version__

#: told how many questions there are, returns what is to be called with every number of questions done
ProgressFactory = Callable[[int], Callable[[int], None]]
OptionTokens = dict[str, set[tuple[int, ...]]]


@naming_packages()
def evaluate(  # noqa: PLR0913 - each is the caller's choice
    measure: str,
    model: str | Model,
    *,
    out: str | Path | None = None,
    device: str = "auto",
    dtype: str = "float32",
    batch_size: int | None = None,
    beams: int = 4,
    engine: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    gpus_per_worker: float | None = None,
    allow_pickle: bool = False,
    rehash: bool = False,
    remote: Remote | None = None,
    progress: ProgressFactory | None = None,
    command: str | None = None,
    started: Callable[[Path], None] = lambda _: None,
    **options: Any,
) -> Result:
    """Measure a model and return the Result; the run is kept in a folder and can be resumed by the same call.

    Args:
        measure: Name of the measure, built in or a plugin's.
        model: A model string such as `hf:gpt2`, or a Model of your own.
        out: Folder of the run; without it one below `runs/` named after measure, model and options.
        device: `cpu`, `cuda`, `cuda:1`, …; `auto` takes a GPU where there is one.
        dtype: Precision of the weights; it is part of the signature.
        batch_size: Questions per batch; None fits them to the device.
        beams: Beams of a translation model.
        engine: `local`, `processes` or `ray`: where the questions are answered. It changes no number.
        workers: How many workers of that engine.
        address: Address of a Ray cluster.
        gpus_per_worker: GPUs, or a fraction of one, for each Ray worker.
        allow_pickle: Load weights that are stored as a pickle, which can run any code.
        rehash: Hash the model's files even where their checksums are remembered.
        progress: Makes a progress bar.
        command: The command to name in messages about resuming.
        started: Called with the folder when the run begins.
        remote: What is chosen for models behind HTTP. Its fields may also be given by name, `timeout=30` for
            `remote=Remote(timeout=30)`, since no measure can have an option of such a name.
        options: The measure's own options (see its card).
    """
    kind = measure_type(measure)
    behind_http = remote_of({name: options.pop(name) for name in Remote.model_fields if name in options}, remote)
    chosen = parse_options(kind, options)
    if batch_size is not None and (not isinstance(batch_size, int) or batch_size < 1):
        raise UserError(f"The batch size is {batch_size}; it must be 1 or more, or auto.")
    where = EngineSettings(engine, workers, address, gpus_per_worker)
    settings = Settings(device, dtype, beams, behind_http, allow_pickle, rehash)
    opened = model if isinstance(model, Model) else _open(_spec(model), settings, where)
    if missing := opened.take_on(kind.asks):
        wanted = " and ".join(sorted(ABILITY[q] for q in missing))
        raise UserError(
            f"'{opened.name}' is a {opened.kind} model, which does not {wanted}; '{measure}' needs one that does."
        )
    bound = kind(chosen, opened)
    config = _config(bound, chosen, opened, batch_size, command)
    folder = Path(out) if out is not None else Path("runs") / _folder_name(measure, config)
    with RunFolder(folder, config) as run:
        started(folder)
        if run.orphaned:
            run.adopt(question_key(opened.fingerprint, q) for sample in bound.samples for q in bound.ask(sample))
        if (done := run.finished(write_report)) is not None:
            return said_anew(done, bound, run, config["margins"])
        described: dict[str, Any] = {}
        rows, tokens, notes = asked_and_read(
            lambda: described.update(_ask_all(bound, opened, run, batch_size, progress, where)),
            lambda: chain.from_iterable(map(bound.ask, bound.samples)),
            opened.fingerprint,
            run.journal,
            lambda answers: _read_rows(bound, answers),
        )
        # A run whose answers were all there already never loaded the weights, yet its model's size is wanted.
        described |= {"parameters": size} if (size := opened.parameter_count()) else {}
        # Nor does it know which way the questions were asked, but the run that asked them wrote it down.
        recorded = read_config(folder)["model"]
        described = {key: recorded[key] for key in ("method", "not_exact") if key in recorded} | described
        reached = bound.reached(rows)
        signed = "|".join([config["signature"], *(f"{key}_read:{part}" for key, part in reached.items())])
        option_tokens = {o: sorted(map(list, ids)) for o, ids in tokens.items()}
        run.record(model=described, option_tokens=option_tokens, reached=reached, signature=signed)
        estimates = bound.estimates(rows)
        result = Result(
            measure,
            estimates_to_frame(estimates),
            rows,
            signed,
            bound.summary(estimates),
            (*opened.cautions(), *_unwrapped(notes), *bound.cautions(rows, estimates)),
            read_config(folder),
            folder,
        )
        run.save(result, write_report, schema_of(kind.row_type))
    return result


def said_anew(result: Result, bound: AnyMeasure, run: RunFolder, margins: dict[str, Any]) -> Result:
    """Return a finished run; where another margin is asked for, with what is then said of the same numbers."""
    if result.config.get("margins", margins) == margins:
        return result
    run.record(margins=margins)
    config = {**result.config, "margins": margins}
    anew = replace(result, summary=bound.summary(result.as_estimates()), config=config)
    run.save(anew, write_report, schema_of(bound.row_type))
    return anew


def parse_options(kind: type[AnyMeasure], options: dict[str, Any]) -> Options:
    """Check the options of a measure and fill in its defaults."""
    known = kind.options_type.model_fields
    for name in options:
        if name not in known:
            raise UserError(
                f"Measure '{kind.id}' has no option '{name}'; it has {', '.join(known)}.{did_you_mean(name, known)}"
            )
    try:
        chosen = kind.options_type(**options)
        check_margin(kind, chosen)
    except ValidationError as error:
        first = error.errors()[0]
        name = option_name(str(first["loc"][0]))
        raise UserError(f"Option {name} is {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}.") from None
    if reason := chosen.ineffective():
        raise UserError(reason)
    return chosen


def _spec(model: object) -> str:
    """Take a path for the string it is; what is neither is named with what to give instead."""
    if isinstance(model, str | os.PathLike):
        return os.fsdecode(model)
    raise UserError(
        f"The model is an object of the class {type(model).__module__}.{type(model).__qualname__}, which cannot be "
        "asked; give a model string such as 'hf:FOLDER' (transformers writes one with save_pretrained) or an opened "
        "genderscope.models.base.Model."
    )


def _open(spec: str, settings: Settings, where: EngineSettings) -> Model:
    """Open the model; a driver of a cluster never loads it, so the device need not be on this machine."""
    if not where.on_ray:
        return SpecOpening(spec, settings).open()
    model = SpecOpening(spec, replace(settings, device="auto")).open()
    if model.opening is not None:
        model.opening = replace(model.opening, settings=settings)
    return model


def _ask_all(
    measure: AnyMeasure,
    model: Model,
    run: RunFolder,
    batch_size: int | None,
    progress: ProgressFactory | None,
    where: EngineSettings,
) -> dict[str, Any]:
    """Have every question answered; return the model's description as it was loaded."""
    done = progress(sum(len(measure.ask(sample)) for sample in measure.samples)) if progress else lambda _: None
    questions = chain.from_iterable(map(measure.ask, measure.samples))
    return ask_with(where, model, questions, run.journal, batch_size, done)


def _unwrapped(notes: Counter[str]) -> list[str]:
    """Say from how many replies something was taken away around the translation."""
    if not notes:
        return []
    told = ", ".join(f"{what} {count:,}" for what, count in notes.most_common())
    return [f"{notes.total():,} replies held more than the translation, which was taken out of it: {told}."]


def _read_rows(measure: AnyMeasure, read: Reader) -> tuple[pd.DataFrame, OptionTokens, Counter[str]]:
    """Read every sample's answers: rows, which token ids stood for each option, what was taken off translations."""
    tokens: OptionTokens = defaultdict(set)
    notes: Counter[str] = Counter()
    return frame_of(_rows(measure, read, tokens, notes), measure.row_type), tokens, notes


#: Answers are read back in portions of so many samples.
_PORTION = 20_000


def _rows(measure: AnyMeasure, read: Reader, tokens: OptionTokens, notes: Counter[str]) -> Iterator[Any]:
    samples = iter(measure.samples)
    while portion := list(islice(samples, _PORTION)):
        asked = [measure.ask(sample) for sample in portion]
        found = read(chain.from_iterable(asked))
        for sample, questions in zip(portion, asked, strict=True):
            answers = list(islice(found, len(questions)))
            _note(questions, answers, tokens, notes)
            yield from measure.read(sample, answers)


def _note(questions: Sequence[Question], answers: Sequence[Answer], tokens: OptionTokens, notes: Counter[str]) -> None:
    for question, answer in zip(questions, answers, strict=True):
        if isinstance(question, Choice) and isinstance(answer, ChoiceAnswer):
            for option, ids in zip(question.options, answer.tokens, strict=False):
                tokens[option].add(ids)
        if isinstance(answer, TranslationAnswer) and answer.note is not None:
            notes[answer.note] += 1


def _config(
    measure: AnyMeasure, options: Options, model: Model, batch_size: int | None, command: str | None
) -> dict[str, Any]:
    described = model.describe()
    data = measure.data()
    configuration = {
        "measure": measure.id,
        "model": described["name"],
        "fingerprint": model.fingerprint,
        "data": data["name"],
        "data_sha256": data["sha256"],
        "batch_size": batch_size or "auto",
        **{k: list(v) if isinstance(v, tuple) else v for k, v in options.model_dump().items()},
    }
    settings = {**model.signature(), **measure.settings()}
    if plugin := measure_plugins().get(measure.id):
        settings["plugin"] = plugin.origin
    sign = signature(measure.id, data, described, settings, options.seed)
    call = f"genderscope.evaluate({measure.id!r}, model={model.name!r}, …)"
    return {
        "signature": sign,
        "command": command or call,
        "configuration": configuration,
        "settings": measure.settings(),
        "data": data,
        "model": described,
        "citation": measure.citation,
        # What the words go by; the numbers do not, so it is no part of the configuration.
        "margins": margins_of(type(measure), options),
        "versions": _versions(),
    }


def _versions() -> dict[str, str]:
    found = {"genderscope": __version__, "python": platform.python_version()}
    for package in ("torch", "transformers", "tokenizers", "numpy", "pandas", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found | installed()


def _folder_name(measure: str, config: dict[str, Any]) -> str:
    """Name the folder after the configuration: the same command finds the same run."""
    model = re.sub(r"[^A-Za-z0-9._-]+", "-", str(config["configuration"]["model"])).strip("-.") or "model"
    digest = hashlib.sha256(json.dumps(config["configuration"], sort_keys=True).encode()).hexdigest()[:8]
    return f"{measure}-{model[-60:]}-{digest}"
