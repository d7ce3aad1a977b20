"""Figures across models: scatter plots of two measures, and correlations of rates between runs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.judgement import FailedEstimate
from genderscope.report.charts.label_placement import add_labels
from genderscope.report.charts.style import (
    CORRELATION,
    FEMININE,
    LINE,
    PAGE,
    Size,
    Spec,
    field,
    in_lines,
    label,
    layered,
    marks,
    styled,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


def models_scatter(points: Mapping[str, tuple[float, float]], x: str, y: str, size: Size = PAGE) -> Spec:
    """Draw one labelled point per model with the regression line (GEST Figure 8)."""
    records: list[dict[str, Any]] = [
        {"model": model, "x": a, "y": b, "label": label(f"{model}\n{x} = {a:.3f}\n{y} = {b:.3f}", model=model)}
        for model, (a, b) in points.items()
    ]
    area = (size.width - 70, 300 if size.narrow else 420)
    low, high = (_domain([record[axis] for record in records]) for axis in ("x", "y"))
    add_labels(records, list(points), {"x": low, "y": high}, area, size)
    axes = {
        "x": field("x:Q", title=x, scale={"zero": False, "nice": False, "domain": low}),
        "y": field("y:Q", title=y, scale={"zero": False, "nice": False, "domain": high}),
    }
    described = {"description": field("label:N")}
    names = {"x": field("text_x:Q"), "y": field("text_y:Q"), "text": field("name:N"), **described}
    layers = [
        {"transform": [{"on": "x", "regression": "y"}], **marks("line", axes, strokeDash=[5, 4], stroke=LINE)},
        marks("point", {**axes, **described}, filled=True, size=90, color=FEMININE, opacity=1),
        marks("text", names, fontSize=size.text - 2, color="currentColor"),
    ]
    return styled(layered(layers, records, width=area[0], height=area[1]), size)


def _domain(values: Sequence[float]) -> tuple[float, float]:
    """Return an axis domain with room for points and labels."""
    low, high = min(values), max(values)
    room = 0.12 * (high - low) or 0.1 * abs(high) or 1.0
    return low - room, high + room


def meaningful_rates(results: Sequence[tuple[str, Result]], rate: str) -> list[tuple[str, list[Estimate]]]:
    """Return the stereotypes' rates of each run that has any meaningful ones."""
    rates = [(name, [e for e in result.as_estimates() if e.name == rate]) for name, result in results]
    kept = [(name, [e for e in estimates if not isinstance(e, FailedEstimate)]) for name, estimates in rates]
    return [(name, estimates) for name, estimates in kept if estimates]


def rate_correlations(results: Sequence[tuple[str, Result]], rate: str, size: Size = PAGE) -> Spec | None:
    """Draw the Pearson correlations of stereotype rates between runs; return None if none can be computed."""
    import pandas as pd

    columns = {
        f"{k} {name}": {e.stereotype: e.value for e in rates if e.template is None}
        for k, (name, rates) in enumerate(meaningful_rates(results, rate), 1)
    }
    table = pd.DataFrame(columns, dtype="float64").corr(min_periods=3)
    cells = [
        {"a": str(a), "b": str(b), "r": float(r), "label": label(f"{a}\n{b}\nr = {r:.3f}")}
        for a, row in table.iterrows()
        for b, r in row.dropna().items()
    ]
    if not cells:
        return None
    order = list(columns)
    lines = [in_lines(name, size) for name in order]
    # The x axis shows only numbers, since names would have to be rotated or truncated.
    across = {"labelExpr": "split(datum.value, ' ')[0]", "labelAngle": 0, "orient": "top"}
    down = {"labelExpr": f"{json.dumps(lines)}[indexof({json.dumps(order)}, datum.value)]"}
    axes = {
        "x": field("a:N", sort=order, title=None, axis=across),
        "y": field("b:N", sort=order, title=None, axis=down),
    }
    ink = {"condition": {"test": "abs(datum.r) > 0.65", "value": "white"}, "value": "#1c1c22"}
    layers = [
        marks("rect", {**axes, "color": CORRELATION, "description": field("label:N")}),
        marks("text", {**axes, "text": field("r:Q", format=".2f"), "color": ink}, fontSize=size.text - 1),
    ]
    names = 0.6 * size.text * max(len(line) for name in lines for line in name) + 30
    step = max(12, min(90, int(size.width - names) // len(order)))
    tall = max(36, max(map(len, lines)) * (size.text + 4) + 8)
    # If the numbers do not fit, only colours and tooltips are shown.
    shown = layers[: 2 if step >= 2.6 * size.text else 1]
    return styled(layered(shown, cells, width={"step": step}, height={"step": tall}), size)
