"""The figures of GEST section 4.1: systems by masculine and stereotype rate, and ranks of stereotypes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from genderscope.report.charts.names import beside
from genderscope.report.charts.style import (
    FEMININE,
    LINE,
    MASCULINE,
    PAGE,
    Size,
    axis_title,
    counted,
    ends,
    label,
    legend_lines,
    palette,
    styled,
    told,
)
from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

#: how the names of the dashed line's two ends are set
ENDS: tuple[tuple[int, Literal["left", "right"], int, int], ...] = ((0, "right", -4, 18), (1, "left", 8, -8))


def masculine_against_stereotypical(
    points: Sequence[tuple[str, str, Mapping[str, Estimate]]], size: Size = PAGE
) -> Any:
    """Draw f_m against f_s with the line from fully stereotypical (1, 0.5) to fully masculine (0, 1)."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame([_place(system, language, found) for system, language, found in points])
    line_ends = pd.DataFrame({"f_s": [1.0, 0.0], "f_m": [0.5, 1.0], "name": ["fully stereotypical", "fully masculine"]})
    low = min(0.4, float(frame["f_m"].min()) - 0.05)
    x = alt.X("f_s:Q", title="stereotype rate f_s (neutral 0)", scale=alt.Scale(domain=[-0.1, 1.0], nice=False))
    y = alt.Y("f_m:Q", title="masculine rate f_m (neutral 0.5)", scale=alt.Scale(domain=[low, 1.05], nice=False))
    line = alt.Chart(line_ends).mark_line(strokeDash=[5, 4], stroke=LINE).encode(x=x, y=y)
    names = (
        alt.Chart(line_ends.iloc[[k]])
        .mark_text(color="currentColor", fontSize=size.text - 1, opacity=0.75, align=align, dx=dx, dy=dy)
        .encode(x=x, y=y, text=alt.Text("name:N"))
        for k, align, dx, dy in ENDS
    )
    systems = palette(list(dict.fromkeys(system for system, _, _ in points)))
    scale = alt.Scale(domain=list(systems), range=list(systems.values()))
    called = keyed(systems, len(points), size)
    told = {s: s if called[s] in {s, ""} else f"{called[s]}  {s}" for s in systems}
    names_told = f"{json.dumps(told, ensure_ascii=False)}[datum.value]"
    legend = alt.Legend(labelExpr=legend_lines(told.values(), size).replace("datum.value", names_told))
    colour = alt.Color("system:N", title=None, scale=scale, legend=legend)
    shape = alt.Shape("system:N", title=None, scale=alt.Scale(domain=list(systems)), legend=legend)
    base = alt.Chart(frame)
    spans = base.mark_rule(opacity=0.45, strokeWidth=2).encode(
        x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=y, color=colour, description=alt.Description("label:N")
    )
    dots = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=x, y=y, color=colour, shape=shape, description=alt.Description("label:N")
    )
    tall = 300 if size.narrow else 460
    area = (size.width - 4.5 * size.text, float(tall))
    frame["name"] = [f"{called[system]} {language}".strip() for system, language, _ in points]
    pixels = [
        ((x + 0.1) / 1.1 * area[0], (1.05 - y) / (1.05 - low) * area[1])
        for x, y in zip(frame["f_s"], frame["f_m"], strict=True)
    ]
    places = beside(pixels, frame["name"].tolist(), area, size)
    frame["text_x"] = [across / area[0] * 1.1 - 0.1 for across, _ in places]
    frame["text_y"] = [1.05 - down / area[1] * (1.05 - low) for _, down in places]
    labels = base.mark_text(color="currentColor", fontSize=size.text - 1).encode(
        x=alt.X("text_x:Q"), y=alt.Y("text_y:Q"), text=alt.Text("name:N"), description=alt.Description("label:N")
    )
    chart = alt.layer(line, *names, spans, dots, labels).properties(
        width=size.width,
        height=tall,
        autosize={"type": "fit-x", "contains": "padding"},
    )
    return styled(chart, size)


def keyed(systems: Iterable[str], points: int, size: Size) -> dict[str, str]:
    """Return what points are called: by their system, or by its letter where the names of all would have no room."""
    known = list(systems)
    room = (18 if size.narrow else 28) if points <= (4 if size.narrow else 12) else 0
    if max(map(len, known)) <= room:
        return {system: system for system in known}
    return {system: _letter(k) for k, system in enumerate(known)} if len(known) > 1 else {known[0]: ""}


def _letter(k: int) -> str:
    return chr(ord("A") + k) if k < 26 else f"S{k + 1}"


def _place(system: str, language: str, found: Mapping[str, Estimate]) -> dict[str, Any]:
    f_s, f_m = found["f_s"], found["f_m"]
    text = f"{system}, {language}\n{told(f_s)}\n{told(f_m)}\n{counted(f_s)}"
    return {
        **ends(f_s),
        "system": system,
        "language": language,
        "f_s": f_s.value,
        "f_m": f_m.value,
        "label": label(text, model=system, language=language),
    }


def rank_boxes(ranks: Sequence[Estimate], size: Size = PAGE) -> Any:
    """Draw the spread of each stereotype's feminine rank: the middle half as a box, a line to the ends."""
    import altair as alt
    import pandas as pd

    boxes = []
    for number, name in STEREOTYPES.items():
        values = pd.Series([e.value for e in ranks if e.stereotype == number], dtype=float)
        if len(values):
            quartiles = [float(values.quantile(q)) for q in (0, 0.25, 0.5, 0.75, 1)]
            boxes.append(_box(f"{number} {name}", number in FEMALE, quartiles, len(values)))
    about = {"women are …": FEMININE, "men are …": MASCULINE}
    base = alt.Chart(pd.DataFrame(boxes)).encode(
        y=alt.Y("stereotype:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False, labelPadding=8)),
        color=alt.Color(
            "about:N",
            scale=alt.Scale(domain=list(about), range=list(about.values())),
            title=None,
            legend=alt.Legend(symbolType="square", symbolStrokeWidth=7, symbolSize=30),
        ),
        description=alt.Description("label:N"),
    )
    scale = alt.Scale(domain=[0.5, 16.5], nice=False)
    x = alt.X("low:Q", title=axis_title("feminine rank (1: made feminine most often)", size), scale=scale)
    whisker = base.mark_rule(strokeWidth=2).encode(x=x, x2=alt.X2("high:Q"))
    box = base.mark_bar(size=12 if size.narrow else 15, cornerRadius=2, opacity=0.85).encode(
        x=alt.X("q1:Q"), x2=alt.X2("q3:Q")
    )
    middle = base.mark_tick(thickness=3, size=12 if size.narrow else 15).encode(
        x=alt.X("median:Q"), color=alt.value("white")
    )
    layers = alt.layer(whisker, box, middle).properties(
        width=size.width, height=16 * (size.text + 10), autosize={"type": "fit-x", "contains": "padding"}
    )
    return styled(layers, size)


def _box(name: str, female: bool, quartiles: list[float], n: int) -> dict[str, Any]:
    low, q1, median, q3, high = quartiles
    text = f"{name}\nmedian rank {median:g}, half of them {q1:g} to {q3:g}, all {low:g} to {high:g}\nover {n} rankings"
    return {
        "stereotype": name,
        "about": "women are …" if female else "men are …",
        "low": low,
        "q1": q1,
        "median": median,
        # a box of no width would not be seen
        "q3": max(q3, q1 + 0.15),
        "high": high,
        "label": label(text, stereotype=name),
    }
