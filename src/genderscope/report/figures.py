"""The figures, each one chart specification that is drawn as SVG without a network or a browser."""

from collections.abc import Sequence
from typing import Any

from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

#: Orange and purple: told apart by colour-blind readers, and neither pink nor blue.
COLOURS = {"women are …": "#8a5fbf", "men are …": "#c8641b"}


def forest(rates: Sequence[Estimate]) -> Any:
    """Draw each stereotype's rate with its interval, female and male set apart."""
    import altair as alt
    import pandas as pd

    name, neutral = rates[0].name, rates[0].neutral
    frame = pd.DataFrame(
        [
            {
                "stereotype": f"{e.stereotype} {STEREOTYPES[e.stereotype or 0]}",
                "about": "women are …" if e.stereotype in FEMALE else "men are …",
                "value": e.value,
                "low": e.low,
                "high": e.high,
                "n": e.n,
            }
            for e in rates
        ]
    )
    scale = (
        alt.Scale(type="log", nice=False, padding=12) if neutral == 1 else alt.Scale(nice=False, zero=False, padding=12)
    )
    order = alt.Y("stereotype:N", sort=None, title=None)
    colour = alt.Color("about:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())), legend=None)
    title = f"masculine rate {name} (neutral {neutral:g}; right is masculine)"
    base = alt.Chart(frame)
    zero = base.mark_rule(strokeDash=[4, 3], stroke="currentColor", opacity=0.6).encode(x=alt.datum(neutral))
    lines = base.mark_rule(strokeWidth=3).encode(
        x=alt.X("low:Q", scale=scale, title=title), x2="high:Q", y=order, color=colour
    )
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(x="value:Q", y=order, color=colour)
    layered = alt.layer(zero, lines, dots).properties(width=560, height=alt.Step(24))
    header = alt.Header(labelAngle=0, labelAlign="left", labelAnchor="start", labelOrient="top")
    faceted = layered.facet(row=alt.Row("about:N", sort=list(COLOURS), title=None, header=header))
    return styled(faceted.resolve_scale(y="independent"))


def styled(chart: Any) -> Any:
    """Give a chart the report's style: transparent, in the colour of the text around it."""
    return (
        chart.configure(
            background="transparent", font="sans-serif", padding={"left": 24, "right": 24, "top": 8, "bottom": 8}
        )
        .configure_view(stroke=None)
        .configure_axis(
            labelColor="currentColor",
            titleColor="currentColor",
            domainColor="#888",
            tickColor="#888",
            gridColor="#8883",
            labelFontSize=13,
            titleFontSize=13,
        )
        .configure_header(labelColor="currentColor", labelFontSize=14, labelFontWeight="bold")
        .configure_legend(labelColor="currentColor", titleColor="currentColor", labelFontSize=12)
    )


def svg(chart: Any) -> str:
    """Draw a chart as an SVG element."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return drawn
