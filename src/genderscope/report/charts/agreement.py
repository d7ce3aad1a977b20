"""Figures over models: two measures against each other, and the stereotypes' rates between runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.report.charts.style import FEMININE, LINE, MASCULINE, PAGE, Size, label, styled
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
    across = alt.X("x:Q", title=x, scale=alt.Scale(zero=False, padding=24))
    up = alt.Y("y:Q", title=y, scale=alt.Scale(zero=False, padding=24))
    base = alt.Chart(frame).encode(x=across, y=up)
    line = base.transform_regression("x", "y").mark_line(strokeDash=[5, 4], stroke=LINE)
    dots = base.mark_point(filled=True, size=90, color=FEMININE, opacity=1).encode(description="label:N")
    names = base.mark_text(dx=8, align="left", fontSize=size.text - 2, color="currentColor").encode(
        text="model:N", description="label:N"
    )
    return styled(
        alt.layer(line, dots, names).properties(width=size.width - 70, height=300 if size.narrow else 420), size
    )


def rate_correlations(results: Sequence[tuple[str, Result]], rate: str, size: Size = PAGE) -> Any:
    """Draw the Pearson correlation of the stereotypes' rates between every two named runs; None where there is none."""
    import altair as alt
    import pandas as pd

    columns = {}
    for name, result in results:
        rates = result.estimates[(result.estimates["name"] == rate) & (result.estimates["template"].isna())]
        columns[name] = rates.set_index("stereotype")["value"]
    table = pd.DataFrame(columns).corr(min_periods=3)
    cells = [
        {"a": str(a), "b": str(b), "r": float(r), "label": label(f"{a}\n{b}\nr = {r:.3f}")}
        for a, row in table.iterrows()
        for b, r in row.dropna().items()
    ]
    if not cells:
        return None
    order = list(columns)
    base = alt.Chart(pd.DataFrame(cells)).encode(
        x=alt.X("a:N", sort=order, title=None, axis=alt.Axis(labelAngle=-35)), y=alt.Y("b:N", sort=order, title=None)
    )
    scale = alt.Scale(domain=[-1, 0, 1], range=[MASCULINE, "#f4f1f7", FEMININE], interpolate="rgb")
    boxes = base.mark_rect().encode(color=alt.Color("r:Q", scale=scale, title="r"), description="label:N")
    ink = {"condition": {"test": "abs(datum.r) > 0.65", "value": "white"}, "value": "#1c1c22"}
    numbers = base.mark_text(fontSize=size.text - 1).encode(text=alt.Text("r:Q", format=".2f"), color=ink)
    step = max(30, min(90, (size.width - 200) // len(order)))
    chart = alt.layer(boxes, numbers).properties(width=alt.Step(step), height=alt.Step(36))
    return styled(chart, size)
