"""Loading of finished runs from their folders without opening the model, which may be unavailable."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from genderscope.evaluation.request import PreparedRun
from genderscope.measures import schema_of
from genderscope.runs import Report, Result, RunFolder


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
