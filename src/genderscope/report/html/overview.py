"""The overview table of a page with several runs: one row per leading estimate, grouped by comparable runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from genderscope.report.charts.forest import Axis
from genderscope.report.html.inline_plots import strip
from genderscope.report.html.run_groups import RunGroup
from genderscope.report.views.plain_view import View, numbers
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class OverviewLine:
    """A run's leading estimate, with its plot on the group's axis."""

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
    """The overview rows of one group of comparable runs."""

    differences: str
    lines: Sequence[OverviewLine]


def overview(group: RunGroup, view: View, ids: Mapping[str, str]) -> Overview:
    """Build the overview of a group of comparable runs, with a shared axis per estimate."""
    leading = [(name, result, e) for name, result in group.runs for e in _leading(view, result)]
    axes = {e.name: Axis.around([k for _, _, k in leading if k.name == e.name]) for _, _, e in leading}
    return Overview(
        group.differences,
        [
            OverviewLine(
                name,
                ids[name],
                f"{e.label} {view.where(e)}".strip(),
                numbers(e),
                strip(e, axes[e.name]),
                f"{result.coverage:.1%}",
                len(result.cautions),
            )
            for name, result, e in leading
        ],
    )


def _leading(view: View, result: Result) -> list[Estimate]:
    """Return all headline estimates that have the same name as the first, such as one per language or group."""
    headline = view.headline(result)
    return [e for e in headline if e.name == headline[0].name]
