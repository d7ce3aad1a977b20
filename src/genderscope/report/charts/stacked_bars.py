"""Stacked bars of outcome shares, one bar per row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.report.charts.style import PAGE, Size, counted, label, styled
from genderscope.report.charts.vega_lite import Spec, across, field, marks
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class Slice:
    """One segment of a bar: its row, outcome and share, and its filter keys."""

    row: str
    outcome: str
    estimate: Estimate
    keys: Mapping[str, object]

    def record(self, place: int) -> dict[str, Any]:
        """Return the segment's data record."""
        e = self.estimate
        ends = "" if e.low is None else f"\n95 % interval {e.low:.0%} to {e.high:.0%}"
        text = f"{self.row}: {self.outcome} {e.value:.0%}{ends}\n{counted(e)}"
        drawn = {"row": self.row, "outcome": self.outcome, "share": e.value, "place": place}
        return {**drawn, "label": label(text, **self.keys)}


def stacked(slices: Sequence[Slice], colours: Mapping[str, str], size: Size = PAGE) -> Spec:
    """Draw one bar per row, with segments in the order of the colours."""
    outcomes = [outcome for outcome in colours if any(part.outcome == outcome for part in slices)]
    rows = list(dict.fromkeys(part.row for part in slices))
    shown = [part.record(outcomes.index(part.outcome)) for part in slices if part.estimate.value]
    encoding = {
        "x": field(
            "share:Q",
            title="share of readable answers",
            scale={"domain": [0, 1.0001], "nice": False},
            axis={"format": "%", "tickCount": 4 if size.narrow else 8},
        ),
        "y": field(
            "row:N",
            title=None,
            scale={"domain": rows},
            axis={"ticks": False, "domain": False, "labelPadding": 8},
        ),
        "color": field(
            "outcome:N",
            title=None,
            scale={"domain": outcomes, "range": [colours[outcome] for outcome in outcomes]},
            legend={"symbolType": "square", "columns": 2 if size.narrow else 0},
        ),
        "order": field("place:Q"),
        "description": field("label:N"),
    }
    bars = marks("bar", encoding, shown, height={"band": 0.78})
    return styled({**bars, **across(size.width, (size.text + 12) * len(rows))}, size)
