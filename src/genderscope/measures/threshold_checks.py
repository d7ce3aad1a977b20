"""Validation of the thresholds (smallest effects of interest) that a run is judged by."""

import math
from typing import Any

from genderscope.core.errors import UserError
from genderscope.judgement import Margin
from genderscope.measures.base import AnyMeasure, Options


def check_margin(kind: type[AnyMeasure], options: Options) -> None:
    """Raise a UserError if the margin is impossible for the leading estimate."""
    given = options.margin
    if given is None:
        return
    lead = kind.headline[0]
    declared = kind.margins.get(lead)
    if declared is None:
        if not given > 0 or not math.isfinite(given):
            raise UserError(f"Option --margin is {given:g}; give a number above 0.")
        return
    check_size(given, lead, declared, options, "Option --margin")


def check_size(given: float, lead: str, margin: Margin, options: Any, what: str) -> None:
    """Raise a UserError unless a threshold is a factor above 1 (for ratios) or a possible distance from neutral."""
    factor = margin.factor and getattr(options, "scale", "ratio") == "ratio"
    if factor and not (math.isfinite(given) and given > 1):
        raise UserError(f"{what} is {given:g}, but {lead} is a ratio: give a factor above 1, such as {margin.size:g}.")
    example = f"{margin.distance:.2g}"
    if not factor and not (math.isfinite(given) and given > 0):
        raise UserError(f"{what} is {given:g}; give a distance from neutral above 0 for {lead}, such as {example}.")
    if not factor and margin.most is not None and given >= margin.most:
        raise UserError(
            f"{what} is {given:g}, but {lead} lies at most {margin.most:g} from neutral: "
            f"give a smaller value, such as {example}."
        )


def margins_of(kind: type[AnyMeasure], options: Any) -> dict[str, float]:
    """Return a run's thresholds for run.json; a user-defined margin applies to the leading estimate."""
    sizes = {name: margin.size for name, margin in kind.margins.items()}
    return sizes if options.margin is None else sizes | {kind.headline[0]: options.margin}
