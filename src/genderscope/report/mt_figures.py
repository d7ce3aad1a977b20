"""The figures of GEST section 4.1: systems by masculine and stereotype rate, and ranks of stereotypes."""

from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.report.figures import styled
from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate


def masculine_against_stereotypical(points: Sequence[tuple[str, str | None, Mapping[str, Estimate]]]) -> Any:
    """Draw f_m against f_s with the line from fully stereotypical (1, 0.5) to fully masculine (0, 1)."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame(
        [
            {
                "system": system,
                "language": language,
                "f_s": found["f_s"].value,
                "f_m": found["f_m"].value,
                "low": found["f_s"].low,
                "high": found["f_s"].high,
            }
            for system, language, found in points
        ]
    )
    ends = pd.DataFrame({"f_s": [1.0, 0.0], "f_m": [0.5, 1.0], "name": ["fully stereotypical", "fully masculine"]})
    x = alt.X("f_s:Q", title="stereotype rate f_s (neutral 0)", scale=alt.Scale(domain=[-0.1, 1.0]))
    y = alt.Y("f_m:Q", title="masculine rate f_m (neutral 0.5)", scale=alt.Scale(domain=[0.4, 1.0]))
    line = alt.Chart(ends).mark_line(strokeDash=[4, 3], stroke="#888").encode(x=x, y=y)
    names = alt.Chart(ends).mark_text(dy=-8, color="#888", fontSize=11).encode(x=x, y=y, text="name:N")
    colour = alt.Color("system:N", scale=alt.Scale(scheme="dark2"))
    spans = alt.Chart(frame).mark_rule(opacity=0.5).encode(x="low:Q", x2="high:Q", y=y, color=colour)
    dots = (
        alt.Chart(frame)
        .mark_point(filled=True, size=70, opacity=1)
        .encode(x=x, y=y, color=colour, shape=alt.Shape("system:N", legend=None))
    )
    labels = alt.Chart(frame).mark_text(dx=10, align="left", color="currentColor").encode(x=x, y=y, text="language:N")
    return styled(alt.layer(line, names, spans, dots, labels).properties(width=560, height=380))


def rank_boxes(ranks: Sequence[Estimate]) -> Any:
    """Draw the spread of each stereotype's feminine rank over systems and languages."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame(
        [
            {
                "stereotype": f"{e.stereotype} {STEREOTYPES[e.stereotype or 0]}",
                "about": "women are …" if e.stereotype in FEMALE else "men are …",
                "rank": e.value,
            }
            for e in sorted(ranks, key=lambda e: e.stereotype or 0)
        ]
    )
    chart = (
        alt.Chart(frame)
        .mark_boxplot(extent="min-max", size=14)
        .encode(
            x=alt.X("rank:Q", title="feminine rank", scale=alt.Scale(domain=[1, 16])),
            y=alt.Y("stereotype:N", sort=None, title=None),
            color=alt.Color("about:N", scale=alt.Scale(range=["#c8641b", "#8a5fbf"]), title=None),
        )
        .properties(width=560, height=alt.Step(22))
    )
    return styled(chart)
