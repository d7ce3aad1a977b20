"""Figures of agreement: two measures over models, and the stereotypes' rates between runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.report.figures import styled
from genderscope.runs.result import Result


def models_scatter(points: Mapping[str, tuple[float, float]], x: str, y: str) -> Any:
    """Draw a point a model with its name, and the regression line (the paper's Figure 8)."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame([{"model": model, "x": a, "y": b} for model, (a, b) in points.items()])
    across = alt.X("x:Q", title=x, scale=alt.Scale(zero=False, padding=24))
    up = alt.Y("y:Q", title=y, scale=alt.Scale(zero=False, padding=24))
    base = alt.Chart(frame).encode(x=across, y=up)
    line = base.transform_regression("x", "y").mark_line(strokeDash=[4, 3], stroke="#888")
    dots = base.mark_point(filled=True, size=70, color="#8a5fbf", opacity=1)
    names = base.mark_text(dx=8, align="left", fontSize=11, color="currentColor").encode(text="model:N")
    return styled(alt.layer(line, dots, names).properties(width=560, height=380))


def rate_correlations(results: Sequence[Result], rate: str = "q_i") -> Any:
    """Draw the Pearson correlation of the stereotypes' rates between every two runs; None where there is nothing."""
    import altair as alt
    import pandas as pd

    columns = {}
    for result in results:
        language = result.config["configuration"].get("lang")
        name = " ".join(str(part) for part in (result.config["model"]["name"], language) if part)
        while name in columns:
            name += "′"
        rates = result.estimates[(result.estimates["name"] == rate) & (result.estimates["template"].isna())]
        columns[name] = rates.set_index("stereotype")["value"]
    table = pd.DataFrame(columns).corr(min_periods=3)
    cells = [{"a": str(a), "b": str(b), "r": float(r)} for a, row in table.iterrows() for b, r in row.dropna().items()]
    if not cells:
        return None
    order = list(columns)
    base = alt.Chart(pd.DataFrame(cells)).encode(
        x=alt.X("a:N", sort=order, title=None), y=alt.Y("b:N", sort=order, title=None)
    )
    scale = alt.Scale(domain=[-1, 0, 1], range=["#c8641b", "#f4f1f7", "#8a5fbf"])
    boxes = base.mark_rect().encode(color=alt.Color("r:Q", scale=scale, title="r"))
    numbers = base.mark_text(fontSize=12, color="#1c1c22").encode(text=alt.Text("r:Q", format=".2f"))
    return styled(alt.layer(boxes, numbers).properties(width=alt.Step(70), height=alt.Step(36)))
