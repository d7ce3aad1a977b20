"""The HTML report: one file that opens from disk and asks nothing of the network."""

from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from genderscope.report.figures import forest, svg
from genderscope.report.terminal import interval, number
from genderscope.runs.result import Result
from genderscope.samples.gest import FEMALE, STEREOTYPES


def write_report(result: Result, target: Path) -> None:
    """Write the report of one result."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(number=number, interval=interval)
    template = environment.from_string(
        files("genderscope.report").joinpath("report.html.j2").read_text(encoding="utf-8")
    )
    estimates = result.as_estimates()
    page = template.render(
        result=result,
        figure=Markup(svg(forest(estimates))),  # drawn from numbers and our own labels only
        overall=[e for e in estimates if e.template is None and e.name not in {"q_i", "rank"} and e.value is not None],
        stereotypes=[e for e in estimates if e.template is None and e.name == "q_i"],
        ranks={e.stereotype: e.value for e in estimates if e.template is None and e.name == "rank"},
        by_template=[e for e in estimates if e.template is not None and e.name != "rank" and e.value is not None],
        names=STEREOTYPES,
        female=FEMALE,
        reasons=result.rows["unread"].value_counts().items(),
    )
    target.write_text(page, encoding="utf-8")
