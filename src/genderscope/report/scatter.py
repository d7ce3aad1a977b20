"""A scatter plot with the identity line, the regression line and its 95 % band."""

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

#: so many dots are drawn; more would only make the file larger
DOTS = 1500
INK = "#8a5fbf"


def scatter(x: "pd.Series[float]", y: "pd.Series[float]", x_title: str, y_title: str) -> Any:
    """Draw y against x on equal axes."""
    import altair as alt

    points = pd.DataFrame({"x": x.to_numpy(float), "y": y.to_numpy(float)})
    low, high = float(points.min().min()), float(points.max().max())
    if low == high:
        low, high = low - 1, high + 1
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    shown = points.iloc[:: max(1, -(-len(points) // DOTS))]
    axis_x, axis_y = (alt.X("x:Q", scale=scale, title=x_title), alt.Y("y:Q", scale=scale, title=y_title))
    ends = pd.DataFrame({"x": [low, high], "y": [low, high]})
    identity = alt.Chart(ends).mark_line(strokeDash=[4, 3], color="#888").encode(x=axis_x, y=axis_y)
    dots = alt.Chart(shown).mark_circle(size=28, opacity=0.45, color=INK).encode(x=axis_x, y=axis_y)
    layers = [identity, dots]
    band = regression_band(points, low, high)
    if band is not None:
        area = alt.Chart(band).mark_area(opacity=0.25, color="#c8641b", clip=True)
        line = alt.Chart(band).mark_line(color="#c8641b", clip=True)
        layers += [area.encode(x=axis_x, y=alt.Y("low:Q", scale=scale), y2="high:Q"), line.encode(x=axis_x, y=axis_y)]
    return (
        alt.layer(*layers)
        .properties(width=420, height=420)
        .configure(background="transparent", font="system-ui, sans-serif")
        .configure_view(stroke=None)
        .configure_axis(labelColor="currentColor", titleColor="currentColor", domainColor="#888", gridColor="#8883")
    )


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
