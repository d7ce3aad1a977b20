"""The HTML report: one file that opens from disk and asks nothing of the network."""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from genderscope.report.figures import svg
from genderscope.report.views import view_of
from genderscope.report.views.base import Figure
from genderscope.runs.result import Result


def write_report(result: Result, target: Path) -> None:
    """Write the report of one result."""
    write_reports([result], target)


def write_reports(results: Sequence[Result], target: Path) -> None:
    """Write one page for one or many results; runs of a measure that compares systems begin with the comparison."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    source = files("genderscope.report").joinpath("report.html.j2").read_text(encoding="utf-8")
    page = environment.from_string(source).render(
        compared=_drawn(_comparisons(results)) if len(results) > 1 else [],
        sections=[_section(result) for result in results],
    )
    target.write_text(page, encoding="utf-8")


def _section(result: Result) -> dict[str, Any]:
    view = view_of(result.measure)
    return {
        "result": result,
        "figures": _drawn(view.figures(result)),
        "tables": list(view.tables(result)),
        "reasons": list(result.rows["unread"].value_counts().items()),
        "methods": sorted(set(result.estimates["method"])),
    }


def _comparisons(results: Sequence[Result]) -> Iterable[Figure]:
    for measure in dict.fromkeys(result.measure for result in results):
        yield from view_of(measure).compare([result for result in results if result.measure == measure])


def _drawn(figures: Iterable[Figure]) -> list[tuple[Figure, Markup]]:
    # The drawing program escapes the texts of a chart itself.
    return [(figure, Markup(svg(figure.chart))) for figure in figures]
