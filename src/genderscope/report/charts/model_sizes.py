"""GEST Figure 4: stereotype rate against number of parameters, one line per model family."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.report.charts.style import (
    PAGE,
    Size,
    Spec,
    across,
    counted,
    dots,
    end,
    failure,
    field,
    interval_fields,
    label,
    layered,
    log_ticks,
    marks,
    neutral_line,
    palette,
    solid_or_hollow,
    styled,
    told,
)
from genderscope.statistics.estimate import Estimate

#: model families, searched for in model names in this order: longer names before those they contain
FAMILIES = (
    *("xlm-roberta", "deberta", "roberta", "albert", "distilbert", "electra", "modernbert", "bert"),
    *("distilgpt2", "gpt-neox", "gpt-neo", "gpt-j", "gpt2", "pythia", "opt", "bloom", "falcon", "mpt"),
    *("tinyllama", "smollm2", "smollm", "llama", "mixtral", "mistral", "gemma", "qwen", "phi", "olmo", "yi"),
)
#: with more models than this, labels would overlap and are omitted
NAMED = 6


@dataclass(frozen=True)
class Sized:
    """A model with its family, size and estimate."""

    model: str
    family: str
    parameters: int
    estimate: Estimate


def family(model: Mapping[str, Any]) -> str:
    """Return a model's family, derived from its name or, failing that, its architecture."""
    name = str(model["name"]).rpartition("/")[2].lower()
    for family_name in FAMILIES:
        if re.search(rf"(?<![a-z]){re.escape(family_name)}(?![a-z])", name):
            return family_name
    architecture = re.match(r"(.+?)(?:For|LMHead|Model|$)", str(model.get("architecture") or ""))
    return architecture.group(1) if architecture and architecture.group(1) else name


def by_size(models: Sequence[Sized], title: str, size: Size = PAGE) -> Spec:
    """Draw each model's estimate and interval against its size, on a log axis."""
    smallest, largest = (most(model.parameters for model in models) for most in (min, max))
    families = palette(list(dict.fromkeys(m.family for m in models)))
    sizes = field(
        "parameters:Q",
        title="parameters",
        scale={"type": "log", "padding": 30, "nice": False},
        axis={
            "format": "~s",
            "labelExpr": "replace(datum.label, 'G', 'B')",
            "values": log_ticks(smallest / 3, largest * 3, 5),
        },
    )
    neutral = models[0].estimate.neutral
    kind = "log" if neutral == 1 else "linear"
    up = field("value:Q", title=title, scale={"type": kind, "zero": False, "padding": 16, "nice": False})
    colour = field("family:N", title=None, scale={"domain": list(families), "range": list(families.values())})
    shape = field("family:N", title=None, scale={"domain": list(families)})
    base = {"x": sizes, "color": colour, "description": field("label:N")}
    records = [_record(model) for model in models]
    # Values that are not meaningful are no part of a family's trend.
    trend, *_ = solid_or_hollow(
        marks("line", {**base, "y": up, "description": {"value": ""}}, opacity=0.5, strokeWidth=2), records
    )
    span = {**base, "y": field("low:Q"), "y2": end("high")}
    layers = [trend, *dots(span, {**base, "y": up, "shape": shape}, records, opacity=0.6, strokeWidth=2)]
    if neutral is not None:
        layers.insert(0, neutral_line("y", neutral))
    if not size.narrow and len(models) <= NAMED:
        # Labels in the right half are placed to the left of their points, to stay inside the chart.
        middle = math.sqrt(smallest * largest)
        named = {"x": sizes, "y": up, "text": field("short:N"), "description": field("label:N")}
        for align, dx, right in (("left", 10, False), ("right", -10, True)):
            half = [_record(model) for model in models if (model.parameters > middle) == right]
            look = {"dx": dx, "align": align, "color": "currentColor", "fontSize": size.text - 2}
            layers.append(marks("text", named, half, **look))
    return styled(layered(layers, records, **across(size.width, 260 if size.narrow else 400)), size)


def _record(model: Sized) -> dict[str, Any]:
    e = model.estimate
    text = f"{model.model}\n{model.parameters:,} parameters\n{told(e)}\n{counted(e)}"
    return {
        **interval_fields(e),
        **failure(e),
        "short": model.model.rpartition("/")[2],
        "family": model.family,
        "parameters": model.parameters,
        "label": label(text, model=model.model),
    }
