"""The table that opens a page of several runs: a line for each leading number, comparable runs beside each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from genderscope.report.charts.forest import Axis
from genderscope.report.html.run_groups import Group
from genderscope.report.html.strip import strip
from genderscope.report.views.plain_view import View, numbers
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class Line:
    """A leading number of a run, drawn on the axis of its group."""

    name: str
    id: str
    what: str
    #: value, interval, neutral point, n and unread
    numbers: Sequence[str]
    strip: Markup
    coverage: str
    cautions: int


@dataclass(frozen=True)
class Overview:
    """The lines of comparable runs."""

    told: str
    lines: Sequence[Line]


def overview(group: Group, view: View, ids: Mapping[str, str]) -> Overview:
    """Lay the leading numbers of comparable runs out, all on one axis."""
    found = [(name, result, e) for name, result in group.runs for e in _leading(view, result)]
    axes = {e.name: Axis.around([k for _, _, k in found if k.name == e.name]) for _, _, e in found}
    return Overview(
        group.told,
        [
            Line(
                name,
                ids[name],
                f"{e.name} {view.where(e)}".strip(),
                numbers(e),
                strip(e, axes[e.name]),
                f"{result.coverage:.1%}",
                len(result.cautions),
            )
            for name, result, e in found
        ],
    )


def _leading(view: View, result: Result) -> list[Estimate]:
    """Return the first headline: for each language or group that it is given for."""
    headline = view.headline(result)
    return [e for e in headline if e.name == headline[0].name]
