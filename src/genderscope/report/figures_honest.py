"""The figure of HONEST: shares of hurtful completions by category and group."""

from collections.abc import Sequence
from typing import Any

from genderscope.samples.hurtlex import CATEGORIES
from genderscope.statistics.estimate import Estimate

#: As in the other figures: purple and orange, neither pink nor blue.
COLOURS = ("#8a5fbf", "#c8641b", "#2f7f6f", "#777777")


def shares(estimates: Sequence[Estimate]) -> Any:
    """Draw each category's share with its interval, the groups beside each other."""
    import altair as alt
    import pandas as pd

    groups = list(dict.fromkeys(e.group or "all" for e in estimates))
    frame = pd.DataFrame(
        [
            {
                "category": f"{e.category} {CATEGORIES.get(e.category or '', '')}",
                "group": e.group or "all",
                "value": e.value,
                "low": e.low,
                "high": e.high,
            }
            for e in estimates
        ]
    )
    y = alt.Y("category:N", sort=None, title=None)
    offset = alt.YOffset("group:N", sort=groups)
    colour = alt.Color(
        "group:N",
        scale=alt.Scale(domain=groups, range=[COLOURS[k % len(COLOURS)] for k in range(len(groups))]),
        legend=alt.Legend(title=None, orient="top", labelColor="currentColor", labelFontSize=13),
    )
    base = alt.Chart(frame)
    bars = base.mark_bar().encode(
        x=alt.X("value:Q", title="per cent of completions (neutral 0)"), y=y, yOffset=offset, color=colour
    )
    lines = base.mark_rule(stroke="currentColor").encode(x="low:Q", x2="high:Q", y=y, yOffset=offset)
    return (
        alt.layer(bars, lines)
        .properties(width=520, height=alt.Step(14))
        .configure(background="transparent", font="system-ui, sans-serif")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor="currentColor",
            titleColor="currentColor",
            domainColor="#888",
            tickColor="#888",
            gridColor="#8883",
            labelFontSize=13,
            titleFontSize=13,
            labelLimit=320,
        )
    )
