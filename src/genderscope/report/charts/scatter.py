"""A scatter plot with the identity line, the regression line and its 95 % band."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from genderscope.report.charts.style import FEMININE, LINE, MASCULINE, PAGE, Size, label, styled

#: so many dots are drawn; more would only make the file larger
DOTS = 1000


def scatter(
    x: "pd.Series[float]",
    y: "pd.Series[float]",
    labels: Sequence[str],
    x_title: str,
    y_title: str,
    size: Size = PAGE,
) -> Any:
    """Draw y against x on equal axes; every dot with its label."""
    import altair as alt

    points = pd.DataFrame({"x": x.to_numpy(float), "y": y.to_numpy(float), "label": list(labels)})
    low, high = float(points[["x", "y"]].min().min()), float(points[["x", "y"]].max().max())
    if low == high:
        low, high = low - 1, high + 1
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    shown = points.iloc[:: max(1, -(-len(points) // DOTS))]
    axis_x, axis_y = (alt.X("x:Q", scale=scale, title=x_title), alt.Y("y:Q", scale=scale, title=y_title))
    ends = pd.DataFrame({"x": [low, high], "y": [low, high]})
    identity = alt.Chart(ends).mark_line(strokeDash=[5, 4], color=LINE).encode(x=axis_x, y=axis_y)
    dots = alt.Chart(shown).mark_circle(size=36, opacity=0.5, color=FEMININE)
    layers = [identity]
    band = regression_band(points, low, high)
    if band is not None:
        area = alt.Chart(band).mark_area(opacity=0.25, color=MASCULINE, clip=True)
        line = alt.Chart(band).mark_line(color=MASCULINE, clip=True)
        layers += [
            area.encode(x=axis_x, y=alt.Y("low:Q", scale=scale), y2=alt.Y2("high:Q")),
            line.encode(x=axis_x, y=axis_y),
        ]
    layers.append(dots.encode(x=axis_x, y=axis_y, description=alt.Description("label:N")))
    side = size.width - 70 if size.narrow else 480
    return styled(alt.layer(*layers).properties(width=side, height=side), size)


def regression_band(points: pd.DataFrame, low: float, high: float) -> pd.DataFrame | None:
    """Return the least-squares line over the range of x with the 95 % interval of its mean."""
    x, y = points["x"].to_numpy(dtype=np.float64), points["y"].to_numpy(dtype=np.float64)
    n = len(x)
    spread = float(((x - x.mean()) ** 2).sum())
    if n < 3 or spread == 0:
        return None
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    intercept = float(y.mean() - slope * x.mean())
    error = float(np.sqrt(((y - intercept - slope * x) ** 2).sum() / (n - 2)))
    at = np.linspace(low, high, 60)
    half = stats.t.ppf(0.975, n - 2) * error * np.sqrt(1 / n + (at - x.mean()) ** 2 / spread)
    line = intercept + slope * at
    return pd.DataFrame({"x": at, "y": line, "low": line - half, "high": line + half})


def histogram(values: "pd.Series[float]", title: str, size: Size = PAGE) -> Any:
    """Draw how many values lie where, around 0."""
    import altair as alt

    counts, edges = np.histogram(values.to_numpy(float), bins=30)
    frame = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "n": counts})
    frame["label"] = [label(f"{row.low:.2f} to {row.high:.2f}\n{row.n:,} samples") for row in frame.itertuples()]
    bars = (
        alt.Chart(frame)
        .mark_bar(color=FEMININE)
        .encode(
            x=alt.X("low:Q", bin="binned", title=title, scale=alt.Scale(nice=False, zero=False)),
            x2=alt.X2("high:Q"),
            y=alt.Y("n:Q", title="samples"),
            description=alt.Description("label:N"),
        )
    )
    zero = alt.Chart(pd.DataFrame({"at": [0.0]})).mark_rule(strokeDash=[5, 4], stroke="currentColor", opacity=0.7)
    chart = alt.layer(bars, zero.encode(x=alt.X("at:Q"))).properties(
        width=size.width, height=220 if size.narrow else 320, autosize={"type": "fit-x", "contains": "padding"}
    )
    return styled(chart, size)
