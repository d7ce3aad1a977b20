"""The figures of the dialogue measure: shares and accuracies by condition, and the differences between conditions."""

from collections.abc import Sequence
from typing import Any

from genderscope.report.figures import styled
from genderscope.statistics.estimate import Estimate

#: male stereotype or man, female stereotype or woman, neither: as in the other reports, neither pink nor blue
COLOURS = {"M": "#c8641b", "F": "#8a5fbf", "other": "#5b7a8c"}


def conditions(points: Sequence[tuple[str, str, Estimate]], title: str, neutral: float | None) -> Any:
    """Draw estimates with their intervals, a line each; points are (facet, condition in words, estimate)."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame(
        [
            {
                "facet": facet,
                "condition": words,
                "value": e.value,
                "low": e.low,
                "high": e.high,
                "colour": {"_M": "M", "_F": "F"}.get(e.name[-2:], "other"),
            }
            for facet, words, e in points
        ]
    )
    facets = list(dict.fromkeys(facet for facet, _, _ in points))
    scale = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("condition:N", sort=None, title=None)
    colour = alt.Color("colour:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())), legend=None)
    base = alt.Chart(frame)
    layers = []
    if neutral is not None:
        layers.append(base.mark_rule(strokeDash=[4, 3], stroke="#888").encode(x=alt.datum(neutral)))
    x = alt.X("low:Q", scale=scale, title=title)
    layers.append(base.mark_rule(strokeWidth=3).encode(x=x, x2="high:Q", y=y, color=colour))
    layers.append(base.mark_point(filled=True, size=90, opacity=1).encode(x="value:Q", y=y, color=colour))
    header = alt.Header(labelAngle=0, labelAlign="left", labelAnchor="start", labelOrient="top")
    chart = alt.layer(*layers).properties(width=560, height=alt.Step(24))
    faceted = chart.facet(row=alt.Row("facet:N", sort=facets, title=None, header=header))
    return styled(faceted.resolve_scale(y="independent"))


def differences(points: Sequence[tuple[str, str, Estimate]]) -> Any:
    """Draw differences around 0; points are (system and language, what is compared, estimate)."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame(
        [
            {"system": system, "compared": words, "value": e.value, "low": e.low, "high": e.high}
            for system, words, e in points
        ]
    )
    order = list(dict.fromkeys(words for _, words, _ in points))
    systems = list(dict.fromkeys(system for system, _, _ in points))
    base = alt.Chart(frame)
    y = alt.Y("compared:N", sort=order, title=None, axis=alt.Axis(labelLimit=320))
    offset = alt.YOffset("system:N", sort=systems)
    colour = alt.Color(
        "system:N",
        sort=systems,
        title=None,
        scale=alt.Scale(scheme="dark2"),
        legend=alt.Legend() if systems[1:] else None,
    )
    zero = base.mark_rule(strokeDash=[4, 3], stroke="#888").encode(x=alt.datum(0))
    x = alt.X("low:Q", title="difference (neutral 0)", scale=alt.Scale(nice=False, padding=12))
    lines = base.mark_rule(strokeWidth=3).encode(x=x, x2="high:Q", y=y, yOffset=offset, color=colour)
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(x="value:Q", y=y, yOffset=offset, color=colour)
    step = 24 if len(systems) == 1 else 12 * len(systems) + 8
    return styled(alt.layer(zero, lines, dots).properties(width=560, height=step * len(order)))
