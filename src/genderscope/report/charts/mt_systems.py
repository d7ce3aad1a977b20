"""The figures in section 4.1 of the GEST paper: masculine and stereotype rates by system, and stereotype ranks."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from genderscope.report.charts.label_placement import add_labels
from genderscope.report.charts.style import (
    FEMININE,
    LINE,
    MASCULINE,
    PAGE,
    Size,
    Spec,
    across,
    axis_title,
    counted,
    dots,
    end,
    failure,
    field,
    interval_fields,
    label,
    layered,
    legend_lines,
    marks,
    palette,
    styled,
    told,
)
from genderscope.samples.gest import FEMALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

#: label layout at the two ends of the dashed line: index, alignment, dx, dy
ENDS: tuple[tuple[int, Literal["left", "right"], int, int], ...] = ((0, "right", -4, 18), (1, "left", 8, -8))


def masculine_against_stereotypical(
    points: Sequence[tuple[str, str, Mapping[str, Estimate]]], size: Size = PAGE
) -> Spec:
    """Draw f_m against f_s, with a line from fully stereotypical (1, 0.5) to fully masculine (0, 1)."""
    records = [_record(system, language, estimates) for system, language, estimates in points]
    low = min(0.4, min(record["f_m"] for record in records) - 0.05)
    axes = {
        "x": field("f_s:Q", title="stereotype rate f_s (neutral 0)", scale={"domain": [-0.1, 1.0], "nice": False}),
        "y": field("f_m:Q", title="masculine rate f_m (neutral 0.5)", scale={"domain": [low, 1.05], "nice": False}),
    }
    systems = palette(list(dict.fromkeys(system for system, _, _ in points)))
    called = short_labels(systems, len(points), size)
    labels = {s: s if called[s] in {s, ""} else f"{called[s]}  {s}" for s in systems}
    label_of = f"{json.dumps(labels, ensure_ascii=False)}[datum.value]"
    legend = {"labelExpr": legend_lines(labels.values(), size).replace("datum.value", label_of)}
    scale = {"domain": list(systems), "range": list(systems.values())}
    colour = field("system:N", title=None, scale=scale, legend=legend)
    shape = field("system:N", title=None, scale={"domain": list(systems)}, legend=legend)
    described = {"description": field("label:N")}
    tall = 300 if size.narrow else 460
    shown = [f"{called[system]} {language}".strip() for system, language, _ in points]
    domains = {"f_s": (-0.1, 1.0), "f_m": (low, 1.05)}
    add_labels(records, shown, domains, (size.width - 4.5 * size.text, float(tall)), size)
    span = {"x": field("low:Q"), "x2": end("high"), "y": axes["y"], "color": colour, **described}
    names = {"x": field("text_x:Q"), "y": field("text_y:Q"), "text": field("name:N"), **described}
    layers = [
        *_dashed_line(axes, size),
        *dots(span, {**axes, "color": colour, "shape": shape, **described}, records, 110, opacity=0.45, strokeWidth=2),
        marks("text", names, color="currentColor", fontSize=size.text - 1),
    ]
    return styled(layered(layers, records, **across(size.width, tall)), size)


def _dashed_line(axes: Spec, size: Size) -> list[Spec]:
    """Return the layers of the line from fully stereotypical to fully masculine, with its labels."""
    line_ends = [
        {"f_s": 1.0, "f_m": 0.5, "name": "fully stereotypical"},
        {"f_s": 0.0, "f_m": 1.0, "name": "fully masculine"},
    ]
    look = {"color": "currentColor", "fontSize": size.text - 1, "opacity": 0.75}
    names = [
        marks("text", {**axes, "text": field("name:N")}, [line_ends[k]], **look, align=align, dx=dx, dy=dy)
        for k, align, dx, dy in ENDS
    ]
    return [marks("line", axes, line_ends, strokeDash=[5, 4], stroke=LINE), *names]


def short_labels(systems: Iterable[str], points: int, size: Size) -> dict[str, str]:
    """Return a label for each system: its name, or a letter if the names do not fit."""
    names = list(systems)
    room = (18 if size.narrow else 28) if points <= (4 if size.narrow else 12) else 0
    if max(map(len, names)) <= room:
        return {system: system for system in names}
    return {system: _letter(k) for k, system in enumerate(names)} if len(names) > 1 else {names[0]: ""}


def _letter(k: int) -> str:
    return chr(ord("A") + k) if k < 26 else f"S{k + 1}"


def _record(system: str, language: str, estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    f_s, f_m = estimates["stereotype_rate"], estimates["masculine_rate"]
    text = f"{system}, {language}\n{told(f_s)}\n{told(f_m)}\n{counted(f_s)}"
    return {
        **interval_fields(f_s),
        **failure(f_s),
        "system": system,
        "language": language,
        "f_s": f_s.value,
        "f_m": f_m.value,
        "label": label(text, model=system, language=language),
    }


def rank_boxes(ranks: Sequence[Estimate], size: Size = PAGE) -> Spec:
    """Draw box plots of each stereotype's feminine rank."""
    import numpy as np

    boxes = []
    for number, name in STEREOTYPES.items():
        values = [e.value for e in ranks if e.stereotype == number and e.value is not None]
        if values:
            quartiles = np.percentile(values, (0, 25, 50, 75, 100)).tolist()
            boxes.append(_box(f"{number} {name}", number in FEMALE, quartiles, len(values)))
    about = {"women are …": FEMININE, "men are …": MASCULINE}
    base = {
        "y": field("stereotype:N", sort=None, title=None, axis={"ticks": False, "domain": False, "labelPadding": 8}),
        "color": field(
            "about:N",
            scale={"domain": list(about), "range": list(about.values())},
            title=None,
            legend={"symbolType": "square", "symbolStrokeWidth": 7, "symbolSize": 30},
        ),
        "description": field("label:N"),
    }
    scale = {"domain": [0.5, 16.5], "nice": False}
    x = field("low:Q", title=axis_title("feminine rank (1: most often feminine)", size), scale=scale)
    thick = 12 if size.narrow else 15
    box, middle = {"x": field("q1:Q"), "x2": end("q3")}, {"x": field("median:Q"), "color": {"value": "white"}}
    layers = [
        marks("rule", {**base, "x": x, "x2": end("high")}, strokeWidth=2),
        marks("bar", {**base, **box}, size=thick, cornerRadius=2, opacity=0.85),
        marks("tick", {**base, **middle}, thickness=3, size=thick),
    ]
    return styled(layered(layers, boxes, **across(size.width, 16 * (size.text + 10))), size)


def _box(name: str, female: bool, quartiles: list[float], n: int) -> dict[str, Any]:
    low, q1, median, q3, high = quartiles
    text = f"{name}\nmedian rank {median:g}, quartiles {q1:g} to {q3:g}, range {low:g} to {high:g}\nover {n} rankings"
    return {
        "stereotype": name,
        "about": "women are …" if female else "men are …",
        "low": low,
        "q1": q1,
        "median": median,
        # a zero-width box would be invisible
        "q3": max(q3, q1 + 0.15),
        "high": high,
        "label": label(text, stereotype=name),
    }
