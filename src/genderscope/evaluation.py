"""From a measure's name and a model to a result: the one code path behind both the command line and the Python API."""

import hashlib
import json
import platform
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from genderscope.engine import EngineSettings, Reader, ask_with, asked_and_read
from genderscope.errors import UserError, naming_packages
from genderscope.measures import (
    AnyMeasure,
    Options,
    frame_of,
    margins_of,
    measure_plugins,
    measure_type,
    parse_options,
    schema_of,
)
from genderscope.models import Model, Remote, Settings, remote_of
from genderscope.opening import loaded_model, opened_model
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

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedTokenizerBase

#: takes the number of questions and returns a callback for the number answered so far
ProgressFactory = Callable[[int], Callable[[int], None]]
OptionTokens = dict[str, set[tuple[int, ...]]]


class UnableError(UserError):
    """A kind of model does not answer what a measure asks."""


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
    opened = loaded_model(model, tokenizer, device, dtype) if lent else opened_model(model, settings, where)
    bound = bind(kind, chosen, opened)
    config = config_of(bound, chosen, opened, batch_size, command)
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
        # If all answers were already in the journal, the weights were never loaded; its size is reported anyway.
        described |= {"parameters": size} if (size := opened.parameter_count()) else {}
        # Nor is it known how the questions were asked; the run that asked them recorded it.
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
    """Return a finished run; if the margin changed, with the wording for that margin on the same numbers."""
    if result.config.get("margins", margins) == margins:
        return result
    run.record(margins=margins)
    config = {**result.config, "margins": margins}
    anew = replace(result, summary=bound.summary(result.as_estimates()), config=config)
    run.save(anew, write_report, schema_of(bound.row_type))
    return anew


def bind(kind: type[AnyMeasure], options: Options, model: Model) -> AnyMeasure:
    """Make a measure ready to be put to a model."""
    require_able(kind, model)
    return kind(options, model)


def require_able(kind: type[AnyMeasure], model: Model) -> None:
    """Refuse a kind of model that does not answer what the measure asks, in one sentence."""
    if missing := model.take_on(kind.asks):
        wanted = " and ".join(sorted(ABILITY[q] for q in missing))
        raise UnableError(
            f"'{model.name}' is a {model.kind} model, which does not {wanted}; '{kind.id}' needs one that does."
        )


def _ask_all(
    measure: AnyMeasure,
    model: Model,
    run: RunFolder,
    batch_size: int | None,
    progress: ProgressFactory | None,
    where: EngineSettings,
) -> dict[str, Any]:
    """Get every question answered; return the description of the model as loaded."""
    done = progress(sum(len(measure.ask(sample)) for sample in measure.samples)) if progress else lambda _: None
    questions = chain.from_iterable(map(measure.ask, measure.samples))
    with model.in_use():
        return ask_with(where, model, questions, run.journal, batch_size, done)


def _unwrapped(notes: Counter[str]) -> list[str]:
    """Report how many replies contained more than the translation."""
    if not notes:
        return []
    told = ", ".join(f"{what} {count:,}" for what, count in notes.most_common())
    return [f"{notes.total():,} replies contained more than the translation, which was extracted: {told}."]


def _read_rows(measure: AnyMeasure, read: Reader) -> tuple[pd.DataFrame, OptionTokens, Counter[str]]:
    """Read every sample's answers; return the rows, the token ids of each option, and what was cut from replies."""
    tokens: OptionTokens = defaultdict(set)
    notes: Counter[str] = Counter()
    return frame_of(_rows(measure, read, tokens, notes), measure.row_type), tokens, notes


#: Answers are read back in chunks of this many samples.
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


def config_of(
    measure: AnyMeasure, options: Options, model: Model, batch_size: int | None, command: str | None
) -> dict[str, Any]:
    """Return what run.json holds before anything is asked."""
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
        # Decides the wording but no number, so it is not part of the configuration.
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
