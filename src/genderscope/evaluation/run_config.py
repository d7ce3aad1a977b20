"""Runs as requested, bound to a model, and finished: their configuration, folder and stored result."""

import hashlib
import json
import platform
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.plugins import installed
from genderscope.core.questions import ABILITY, Reply, Translation
from genderscope.evaluation.run_settings import RunSettings
from genderscope.measures import AnyMeasure, Options, margins_of, measure_plugins, schema_of
from genderscope.models import (
    CONVERSATION,
    Chat,
    Model,
    ReplyModel,
    TranslationModel,
    TranslationPrompt,
    short_hash,
    without_secrets,
)
from genderscope.runs import ASKED, CHAT_OPTIONS, HASHED, STARTED, Report, Result, RunFolder, signature
from genderscope.util import clock
from genderscope.version import __version__, version_of

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedTokenizerBase


class UnableError(UserError):
    """The model cannot answer the measure's questions."""


def bind(kind: type[AnyMeasure], options: Options, model: Model) -> AnyMeasure:
    """Bind a measure to a model; raise UnableError if the model cannot answer its questions."""
    require_able(kind, model)
    return kind(options, model)


def require_able(kind: type[AnyMeasure], model: Model) -> None:
    """Raise UnableError if the model cannot answer the measure's questions."""
    if missing := model.unanswerable(kind.needs(model)):
        wanted = " and ".join(sorted(ABILITY[q] for q in missing))
        raise UnableError(
            f"'{model.name}' is a {model.kind} model, which does not {wanted}; '{kind.id}' needs one that does."
        )


def config_of(measure: AnyMeasure, options: Options, model: Model, settings: RunSettings) -> dict[str, Any]:
    """Return the initial content of run.json, before any question is asked."""
    described = model.describe()
    data = measure.data()
    configuration = {
        "measure": measure.id,
        "model": described["name"],
        "fingerprint": model.fingerprint,
        "data": data["name"],
        "data_sha256": data["sha256"],
        "batch_size": settings.batch_size or "auto",
        **{k: list(v) if isinstance(v, tuple) else v for k, v in options.model_dump().items()},
        **_chat_options(measure, model),
    }
    signed = {**model.signature(), **measure.settings()}
    if (prompt := _translation_prompt(measure, model)) is not None:
        configuration["prompt"] = prompt.digest
        signed |= prompt.signature()
    if settings.batch_size is not None:  # the batch size affects float32 rounding; auto depends on the device
        signed["batch"] = str(settings.batch_size)
    if plugin := measure_plugins().get(measure.id):
        signed["plugin"] = plugin.origin
    call = f"genderscope.evaluate({measure.id!r}, model={_opened_as(model)}, …)"
    return {
        "signature": signature(measure.id, data, described, signed, options.seed),
        "command": settings.command or call,
        "configuration": configuration,
        "settings": measure.settings(),
        "data": data,
        "model": described,
        "citation": measure.citation,
        # Margins affect the wording but no number, so they are not part of the configuration.
        "margins": margins_of(type(measure), options),
        "versions": current_versions(),
        # Dates are not part of it either, so that the same command finds the run on another day.
        STARTED: clock.now().isoformat(),
        ASKED: [],
    }


def _opened_as(model: Model) -> str:
    """Return the quoted string that opens the model again; the name of a model that the caller made."""
    spec = getattr(model.opening, "spec", None)
    if spec is None:
        return f"<{model.name}>"
    return repr(spec if without_secrets(spec) == spec else model.name)


def _chat_options(measure: AnyMeasure, model: Model) -> dict[str, Any]:
    """Return the chat options that are not defaults and affect the questions, so that they get another folder."""
    if not isinstance(model, ReplyModel) or not measure.asks & CONVERSATION:
        return {}
    usual = Chat()
    effective = CHAT_OPTIONS if Reply in measure.asks else ("system", "reasoning_effort")
    changed = {name: v for name in effective if (v := getattr(model.chat, name)) != getattr(usual, name)}
    return {name: short_hash(str(v), 8) if name in HASHED else v for name, v in changed.items()}


def _translation_prompt(measure: AnyMeasure, model: Model) -> TranslationPrompt | None:
    """Return the prompt with which a chat model is asked to translate, or None."""
    return model.translation if isinstance(model, TranslationModel) and Translation in measure.asks else None


def current_versions() -> dict[str, str]:
    """Return the versions of genderscope, Python and the packages that affect numbers."""
    own = {"genderscope": __version__, "python": platform.python_version()}
    packages = ("torch", "transformers", "tokenizers", "numpy", "pandas", "scipy")
    return own | {package: version for package in packages if (version := version_of(package))} | installed()


def folder_name(measure: str, config: dict[str, Any]) -> str:
    """Name the folder after the configuration, so that the same command finds the same run."""
    digest = hashlib.sha256(json.dumps(config["configuration"], sort_keys=True).encode()).hexdigest()[:8]
    return f"{measure}-{slug(str(config['configuration']['model']))}-{digest}"


def slug(name: str) -> str:
    """Convert a model's name to a folder name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-60:] or "model"


#: takes the number of questions and returns a callback that receives the number of new answers
ProgressFactory = Callable[[int], Callable[[int], None]]

RUNS = Path("runs")  # default parent folder of runs


@dataclass(frozen=True)
class RunRequest:
    """A measure with its options, the model as given by the caller, settings, and a folder."""

    kind: type[AnyMeasure]
    options: Options
    model: "str | Model | Module"
    tokenizer: "PreTrainedTokenizerBase | None"
    settings: RunSettings
    out: Path | None
    started: Callable[[Path], None]  # called with the folder when the run begins

    @property
    def is_loaded(self) -> bool:
        """Whether the model is an already loaded transformers model."""
        return self.tokenizer is not None

    def prepare(self, model: Model) -> "PreparedRun":
        """Bind the measure to the model and name the run's folder."""
        bound = bind(self.kind, self.options, model)
        config = config_of(bound, self.options, model, self.settings)
        return PreparedRun(bound, model, config, self.out or RUNS / folder_name(self.kind.id, config))


@dataclass(frozen=True)
class PreparedRun:
    """A measure bound to a model, with the run's configuration and folder."""

    measure: AnyMeasure
    model: Model
    config: dict[str, Any]
    folder: Path


def read_finished(
    run: PreparedRun, started: Callable[[Path], None] = lambda _: None, report: bool = True
) -> Result | None:
    """Return the result stored in a run's folder; None if the run is unfinished or needs rebuilding."""
    with RunFolder(run.folder, run.config) as folder:
        started(run.folder)
        return None if folder.orphaned else finished_in(folder, run, report)


def finished_in(folder: RunFolder, run: PreparedRun, report: bool) -> Result | None:
    """Return the finished result in an open folder, if any; rewrite its summary if the margins have changed."""
    page = page_writer(report)
    result = folder.finished(page)
    margins = run.config["margins"]
    if result is None or result.config.get("margins", margins) == margins:
        return result
    config = {**result.config, "margins": margins}
    reworded = replace(result, summary=run.measure.summary(result.as_estimates()), config=config)
    if folder.read_only is None:
        folder.record(margins=margins)
        folder.save(reworded, page, schema_of(run.measure.row_type))
    return reworded


def page_writer(report: bool) -> Report | None:
    """Return the function that writes report.html; None if no report is requested."""
    return _write_report if report else None


def _write_report(result: Result, target: Path) -> str | None:
    from genderscope.report import write_report  # imported only when needed

    return write_report(result, target)
