"""Scatter plots with identity line, regression line and 95 % confidence band, and histograms."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from genderscope.report.charts.style import (
    FEMININE,
    LINE,
    MASCULINE,
    PAGE,
    Size,
    Spec,
    across,
    end,
    field,
    label,
    layered,
    marks,
    neutral_line,
    styled,
)
from genderscope.statistics.quantiles import student_quantile

#: maximum number of dots; more would only enlarge the file
DOTS = 1000


def scatter(
    x: "pd.Series[float]",
    y: "pd.Series[float]",
    labels: Sequence[str],
    x_title: str,
    y_title: str,
    size: Size = PAGE,
) -> Spec:
    """Draw y against x with tooltips; both axes have the same domain."""
    points = pd.DataFrame({"x": x.to_numpy(float), "y": y.to_numpy(float), "label": list(labels)})
    low, high = float(points[["x", "y"]].min().min()), float(points[["x", "y"]].max().max())
    if low == high:
        low, high = low - 1, high + 1
    scale = {"domain": [low, high], "nice": False, "zero": False}
    shown = points.iloc[:: max(1, -(-len(points) // DOTS))]
    axes = {"x": field("x:Q", scale=scale, title=x_title), "y": field("y:Q", scale=scale, title=y_title)}
    line_ends = [{"x": low, "y": low}, {"x": high, "y": high}]
    layers = [marks("line", axes, line_ends, strokeDash=[5, 4], color=LINE)]
    band = regression_band(points, low, high)
    if band is not None:
        between = {"x": axes["x"], "y": field("low:Q", scale=scale), "y2": end("high")}
        layers += [
            marks("area", between, band.to_dict("records"), opacity=0.25, color=MASCULINE, clip=True),
            marks("line", axes, band.to_dict("records"), color=MASCULINE, clip=True),
        ]
    dots = {**axes, "description": field("label:N")}
    layers.append(marks("circle", dots, shown.to_dict("records"), size=36, opacity=0.5, color=FEMININE))
    side = size.width - 70 if size.narrow else 480
    return styled(layered(layers, width=side, height=side), size)


def regression_band(points: pd.DataFrame, low: float, high: float) -> pd.DataFrame | None:
    """Return the least-squares line and its 95 % confidence band; None if it is undefined."""
    x, y = points["x"].to_numpy(dtype=np.float64), points["y"].to_numpy(dtype=np.float64)
    n = len(x)
    spread = float(((x - x.mean()) ** 2).sum())
    if n < 3 or spread == 0:
        return None
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    intercept = float(y.mean() - slope * x.mean())
    error = float(np.sqrt(((y - intercept - slope * x) ** 2).sum() / (n - 2)))
    at = np.linspace(low, high, 60)
    half = student_quantile(0.975, n - 2) * error * np.sqrt(1 / n + (at - x.mean()) ** 2 / spread)
    line = intercept + slope * at
    return pd.DataFrame({"x": at, "y": line, "low": line - half, "high": line + half})


def histogram(values: "pd.Series[float]", title: str, size: Size = PAGE) -> Spec:
    """Draw a histogram with a line at 0."""
    counts, edges = np.histogram(values.to_numpy(float), bins=30)
    frame = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "n": counts})
    frame["label"] = [label(f"{row.low:.2f} to {row.high:.2f}\n{row.n:,} samples") for row in frame.itertuples()]
    encoding = {
        "x": field("low:Q", bin="binned", title=title, scale={"nice": False, "zero": False}),
        "x2": end("high"),
        "y": field("n:Q", title="samples"),
        "description": field("label:N"),
    }
    layers = [marks("bar", encoding, frame.to_dict("records"), color=FEMININE), neutral_line("x", 0.0)]
    return styled(layered(layers, **across(size.width, 220 if size.narrow else 320)), size)
