"""GEST Figure 4: the stereotype rate against the number of parameters, a line a family of models."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from genderscope.report.charts.style import PAGE, Size, counted, ends, label, log_ticks, palette, styled, told
from genderscope.statistics.estimate import Estimate

#: looked for in a model's name, in this order: a longer name before one that it holds
FAMILIES = (
    *("xlm-roberta", "deberta", "roberta", "albert", "distilbert", "electra", "modernbert", "bert"),
    *("distilgpt2", "gpt-neox", "gpt-neo", "gpt-j", "gpt2", "pythia", "opt", "bloom", "falcon", "mpt"),
    *("tinyllama", "smollm2", "smollm", "llama", "mixtral", "mistral", "gemma", "qwen", "phi", "olmo", "yi"),
)
#: so many models have their name beside them; the names of more would cover each other
NAMED = 6


@dataclass(frozen=True)
class Sized:
    """A model with its size and what was measured."""

    model: str
    family: str
    parameters: int
    estimate: Estimate


def family(model: Mapping[str, Any]) -> str:
    """Name the family of a model: by its name, else by its architecture."""
    name = str(model["name"]).rpartition("/")[2].lower()
    for known in FAMILIES:
        if re.search(rf"(?<![a-z]){re.escape(known)}(?![a-z])", name):
            return known
    architecture = re.match(r"(.+?)(?:For|LMHead|Model|$)", str(model.get("architecture") or ""))
    return architecture.group(1) if architecture and architecture.group(1) else name


def by_size(models: Sequence[Sized], title: str, size: Size = PAGE) -> Any:
    """Draw the estimate of each model, with its interval, against its size on a logarithmic axis."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame([_record(m) for m in models])
    families = palette(list(dict.fromkeys(m.family for m in models)))
    domain = alt.Scale(domain=list(families), range=list(families.values()))
    colour = alt.Color("family:N", title=None, scale=domain)
    sizes = alt.X(
        "parameters:Q",
        title="parameters",
        scale=alt.Scale(type="log", padding=30, nice=False),
        axis=alt.Axis(
            format="~s",
            labelExpr="replace(datum.label, 'G', 'B')",
            values=log_ticks(frame["parameters"].min() / 3, frame["parameters"].max() * 3, 5),
        ),
    )
    neutral = models[0].estimate.neutral
    kind: Literal["log", "linear"] = "log" if neutral == 1 else "linear"
    up = alt.Y("value:Q", title=title, scale=alt.Scale(type=kind, zero=False, padding=16, nice=False))
    base = alt.Chart(frame).encode(x=sizes, color=colour, description=alt.Description("label:N"))
    layers = [
        base.mark_line(opacity=0.5, strokeWidth=2).encode(y=up, description=alt.value("")),
        base.mark_rule(opacity=0.6, strokeWidth=2).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        base.mark_point(filled=True, size=120, opacity=1).encode(
            y=up, shape=alt.Shape("family:N", title=None, scale=alt.Scale(domain=list(families)))
        ),
    ]
    if neutral is not None:
        rule = alt.Chart(pd.DataFrame({"at": [neutral]})).mark_rule(
            strokeDash=[5, 4], stroke="currentColor", opacity=0.7
        )
        layers.insert(0, rule.encode(y=alt.Y("at:Q")))
    if not size.narrow and len(models) <= NAMED:
        # Names of models in the right half stand to the left, so that none leaves the chart.
        middle = math.sqrt(frame["parameters"].min() * frame["parameters"].max())
        sides: tuple[tuple[Literal["left", "right"], int, Any], ...] = (
            ("left", 10, frame["parameters"] <= middle),
            ("right", -10, frame["parameters"] > middle),
        )
        for align, dx, half in sides:
            part = alt.Chart(frame[half]).encode(
                x=sizes, y=up, text=alt.Text("short:N"), description=alt.Description("label:N")
            )
            layers.append(part.mark_text(dx=dx, align=align, color="currentColor", fontSize=size.text - 2))
    chart = alt.layer(*layers).properties(
        width=size.width, height=260 if size.narrow else 400, autosize={"type": "fit-x", "contains": "padding"}
    )
    return styled(chart, size)


def _record(model: Sized) -> dict[str, Any]:
    e = model.estimate
    text = f"{model.model}\n{model.parameters:,} parameters\n{told(e)}\n{counted(e)}"
    return {
        **ends(e),
        "short": model.model.rpartition("/")[2],
        "family": model.family,
        "parameters": model.parameters,
        "label": label(text, model=model.model),
    }
