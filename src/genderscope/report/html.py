"""The HTML report: one file that opens from disk and asks nothing of the network."""

from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from genderscope.report.figures import svg
from genderscope.report.views import view_of
from genderscope.runs.result import Result


def write_report(result: Result, target: Path) -> None:
    """Write the report of one result."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    source = files("genderscope.report").joinpath("report.html.j2").read_text(encoding="utf-8")
    view = view_of(result.measure)
    page = environment.from_string(source).render(
        result=result,
        # The drawing program escapes the texts of a chart itself.
        figures=[(figure, Markup(svg(figure.chart))) for figure in view.figures(result)],
        tables=list(view.tables(result)),
        reasons=list(result.rows["unread"].value_counts().items()),
        methods=sorted(set(result.estimates["method"])),
    )
    target.write_text(page, encoding="utf-8")
