"""Figures over models: two measures against each other, and the stereotypes' rates between runs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.report.charts.names import beside
from genderscope.report.charts.style import FEMININE, LINE, MASCULINE, PAGE, Size, in_lines, label, styled
from genderscope.runs import Result


def models_scatter(points: Mapping[str, tuple[float, float]], x: str, y: str, size: Size = PAGE) -> Any:
    """Draw a point a model with its name, and the regression line (the paper's Figure 8)."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame(
        [
            {"model": model, "x": a, "y": b, "label": label(f"{model}\n{x} = {a:.3f}\n{y} = {b:.3f}", model=model)}
            for model, (a, b) in points.items()
        ]
    )
    area = (size.width - 70, 300 if size.narrow else 420)
    low, high = _domain(frame["x"]), _domain(frame["y"])
    pixels = [
        ((a - low[0]) / (low[1] - low[0]) * area[0], (high[1] - b) / (high[1] - high[0]) * area[1])
        for a, b in zip(frame["x"], frame["y"], strict=True)
    ]
    places = beside(pixels, frame["model"].tolist(), area, size)
    frame["text_x"] = [low[0] + at / area[0] * (low[1] - low[0]) for at, _ in places]
    frame["text_y"] = [high[1] - at / area[1] * (high[1] - high[0]) for _, at in places]
    across = alt.X("x:Q", title=x, scale=alt.Scale(zero=False, nice=False, domain=low))
    up = alt.Y("y:Q", title=y, scale=alt.Scale(zero=False, nice=False, domain=high))
    base = alt.Chart(frame).encode(x=across, y=up)
    line = base.transform_regression("x", "y").mark_line(strokeDash=[5, 4], stroke=LINE)
    dots = base.mark_point(filled=True, size=90, color=FEMININE, opacity=1).encode(
        description=alt.Description("label:N")
    )
    names = (
        alt.Chart(frame)
        .mark_text(fontSize=size.text - 2, color="currentColor")
        .encode(
            x=alt.X("text_x:Q"), y=alt.Y("text_y:Q"), text=alt.Text("model:N"), description=alt.Description("label:N")
        )
    )
    return styled(alt.layer(line, dots, names).properties(width=area[0], height=area[1]), size)


def _domain(values: Any) -> list[float]:
    """Return the ends of an axis with room for dots and names."""
    low, high = float(values.min()), float(values.max())
    room = 0.12 * (high - low) or 0.1 * abs(high) or 1.0
    return [low - room, high + room]


def rate_correlations(results: Sequence[tuple[str, Result]], rate: str, size: Size = PAGE) -> Any:
    """Draw the Pearson correlation of the stereotypes' rates between every two named runs; None where there is none."""
    import altair as alt
    import pandas as pd

    columns = {}
    for k, (name, result) in enumerate(results, 1):
        rates = result.estimates[(result.estimates["name"] == rate) & (result.estimates["template"].isna())]
        columns[f"{k} {name}"] = rates.set_index("stereotype")["value"]
    table = pd.DataFrame(columns).corr(min_periods=3)
    cells = [
        {"a": str(a), "b": str(b), "r": float(r), "label": label(f"{a}\n{b}\nr = {r:.3f}")}
        for a, row in table.iterrows()
        for b, r in row.dropna().items()
    ]
    if not cells:
        return None
    order = list(columns)
    lines = [in_lines(name, size) for name in order]
    # Across stand the numbers alone: names would have to be turned, or cut.
    across = alt.Axis(labelExpr="split(datum.value, ' ')[0]", labelAngle=0, orient="top")
    down = alt.Axis(labelExpr=f"{json.dumps(lines)}[indexof({json.dumps(order)}, datum.value)]")
    base = alt.Chart(pd.DataFrame(cells)).encode(
        x=alt.X("a:N", sort=order, title=None, axis=across), y=alt.Y("b:N", sort=order, title=None, axis=down)
    )
    scale = alt.Scale(domain=[-1, 0, 1], range=[MASCULINE, "#f4f1f7", FEMININE], interpolate="rgb")
    boxes = base.mark_rect().encode(
        color=alt.Color("r:Q", scale=scale, title="r"), description=alt.Description("label:N")
    )
    ink = {"condition": {"test": "abs(datum.r) > 0.65", "value": "white"}, "value": "#1c1c22"}
    layers = [boxes, base.mark_text(fontSize=size.text - 1).encode(text=alt.Text("r:Q", format=".2f"), color=ink)]
    names = 0.6 * size.text * max(len(line) for name in lines for line in name) + 30
    step = max(12, min(90, int(size.width - names) // len(order)))
    tall = max(36, max(map(len, lines)) * (size.text + 4) + 8)
    # Where a number has no room, the colour and what a reader gets who points at it must do.
    chart = alt.layer(*layers[: 2 if step >= 2.6 * size.text else 1]).properties(
        width=alt.Step(step), height=alt.Step(tall)
    )
    return styled(chart, size)
