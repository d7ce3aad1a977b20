"""Run requests as given by the caller, runs prepared for a model, and finished runs, which need no model."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.evaluation.run_config import bind, config_of, folder_name
from genderscope.evaluation.run_settings import RunSettings
from genderscope.measures import AnyMeasure, Options, schema_of
from genderscope.models import Model
from genderscope.runs import Report, Result, RunFolder

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedTokenizerBase


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
