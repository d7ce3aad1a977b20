"""`power`: the sample size that a study needs for its verdict, given a pilot run or the spread in released data."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from genderscope.comparison.pilot_spread import PilotSpread, spread_of
from genderscope.core.errors import UserError
from genderscope.judgement import Margin
from genderscope.measures import Spread, check_size, measure_type
from genderscope.runs import Result
from genderscope.statistics.power import (
    KNOWN,
    POWERS,
    UNLIMITED,
    Precision,
    Units,
    factor_needed,
    power_to_detect,
    samples_needed,
    samples_to_exclude,
    smallest_effect,
)

#: what an interval generalises to: other units of the benchmark, as the verdict does, or only other items like these
Over = Literal["benchmark", "items"]
GIVEN = "option --between"
#: quantiles of the 95 % interval for what a pilot leaves possible
ENDS = (0.025, 0.975)


@dataclass(frozen=True)
class PowerAnalysis:
    """Power analysis of a measure. Effects and margin are on the estimate's own scale; for ratios, they are factors."""

    measure: str
    estimate: str
    ratio: bool
    over: Over
    effect: Margin
    margin: Margin
    #: variability of samples, and of the units that the interval generalises to
    spread: Spread
    #: power -> samples needed to detect the effect, and to rule out an effect as large as the margin; None if no number
    #: of samples suffices with these units
    needed: dict[float, tuple[int | None, int | None]]
    #: the power to detect the effect with unlimited samples; 1 if there are no units
    limit: float
    #: samples -> the power to detect the effect
    attained: dict[int, float]
    #: samples -> power -> smallest detectable effect; None stands for unlimited samples
    shown: dict[int | None, dict[float, float]]
    #: power -> how many units of each kind would be needed if no number of samples suffices; None if far too many
    more_units: dict[float, dict[str, int] | None] = field(default_factory=dict)
    #: number of samples of each unit that `more_units` assumes
    samples_by_unit: int | None = None
    #: power -> 95 % interval for the sample size needed, given the pilot's uncertainty; empty without a pilot
    needed_range: dict[float, tuple[int | None, int | None]] = field(default_factory=dict)


def plan(
    measure: str,
    effect: float | None = None,
    *,
    pilot: Sequence[Result] = (),
    samples: Sequence[int] = (),
    margin: float | None = None,
    between: float | None = None,
    over: Over = "benchmark",
) -> PowerAnalysis:
    """Plan a study of a measure's leading estimate.

    Args:
        measure: Name of the measure.
        effect: Effect to detect, on the scale of the estimate; defaults to the margin.
        pilot: Runs that the spread is estimated from; two runs give a plan for their difference on the same samples.
        samples: Sample sizes for which to compute the smallest detectable effect.
        margin: Smallest effect of interest; defaults to the measure's own.
        between: Standard deviation between units, such as stereotypes; defaults to that of the pilot or of released
            data.
        over: What the interval generalises to: "benchmark" for other stereotypes, templates or occupations, as the
            verdict does, or "items" for other samples of the same ones.
    """
    kind = measure_type(measure)
    lead = kind.headline[0]
    default_margin = kind.margins.get(lead)
    if default_margin is None:
        raise UserError(f"Measure '{measure}' has no smallest effect of interest, so no sample size can be planned.")
    smallest = default_margin if margin is None else _of_kind(margin, lead, default_margin, "Option --margin")
    wanted = (
        smallest
        if effect is None
        else _of_kind(_sided(effect, default_margin), lead, default_margin, "Option --effect", effect)
    )
    if pilot:
        shown = spread_of(kind, pilot)
    elif kind.spread is None:
        raise UserError(f"The typical spread of '{measure}' is unknown; give a pilot run with --pilot.")
    else:
        shown = PilotSpread(kind.spread, tuple(Units(b.counts, b.sd) for b in kind.spread.between))
    shown = _given(_scoped(shown, over), between, measure)
    spread = shown.spread
    precision = _precision(shown)
    for number in samples:
        if number < precision.fewest:
            raise UserError(
                f"Option --samples is {number}; with fewer than {precision.fewest} samples, {lead} has no reliable "
                "interval."
            )
    counts = {*(samples or (100, 1000)), spread.samples, *((spread.full,) if spread.full else ())}
    sizes = sorted(n for n in counts if n >= precision.fewest)
    needed = {
        power: (
            samples_needed(wanted.distance, precision, power),
            samples_to_exclude(smallest.distance, precision, power),
        )
        for power in POWERS
    }
    effects: dict[int | None, dict[float, float]] = {n: _effects(n, precision, default_margin) for n in sizes}
    if any(kind.sd > 0 for kind in precision.units):
        effects[None] = _effects(UNLIMITED, precision, default_margin)
    ends = [precision.at(place) for place in ENDS] if spread.freedom else []
    reference = spread.full or spread.samples
    return PowerAnalysis(
        measure,
        lead,
        default_margin.factor,
        over,
        wanted,
        smallest,
        spread,
        needed,
        limit=power_to_detect(wanted.distance, UNLIMITED, precision),
        attained={n: power_to_detect(wanted.distance, n, precision) for n in sizes},
        shown=effects,
        more_units={
            power: _more_units(wanted.distance, reference, shown, power)
            for power, (number, _) in needed.items()
            if number is None
        },
        samples_by_unit=_samples_by_unit(reference, spread),
        needed_range={
            power: (samples_needed(wanted.distance, low, power), samples_needed(wanted.distance, high, power))
            for power in POWERS
            for low, high in [ends]
        }
        if ends
        else {},
    )


def _scoped(shown: PilotSpread, over: Over) -> PilotSpread:
    """Leave out units that the interval does not generalise to."""
    if over == "benchmark" or not shown.spread.wide:
        return shown
    return PilotSpread(replace(shown.spread, between=()))


def _given(shown: PilotSpread, between: float | None, measure: str) -> PilotSpread:
    """Replace the standard deviation between units by the given one."""
    if between is None:
        return shown
    if not (math.isfinite(between) and between >= 0):
        raise UserError(f"Option --between is {between:g}; a standard deviation must be 0 or larger.")
    if not shown.units:
        raise UserError(
            f"Option --between does not apply: this interval of '{measure}' does not generalise to further units."
        )
    kinds = tuple(replace(kind, sd=between, source=GIVEN) for kind in shown.spread.between)
    units = tuple(replace(kind, sd=between, observed=None, freedom=KNOWN) for kind in shown.units)
    return PilotSpread(replace(shown.spread, between=kinds), units)


def _precision(shown: PilotSpread) -> Precision:
    spread = shown.spread
    return Precision(
        spread.size,
        spread.freedom or KNOWN,
        spread.samples if spread.freedom else None,
        spread.strata,
        shown.units,
        spread.crossed,
        spread.wide,
    )


def _effects(samples: int, precision: Precision, margin: Margin) -> dict[float, float]:
    distances = {power: smallest_effect(samples, precision, power) for power in POWERS}
    return {power: math.exp(distance) if margin.factor else distance for power, distance in distances.items()}


def _more_units(effect: float, samples: int, shown: PilotSpread, power: float) -> dict[str, int] | None:
    """Return how many units of each kind detect an effect, each with as many samples as now."""
    factor = factor_needed(effect, samples, _precision(shown), power)
    if factor is None:
        return None
    return {kind.noun: math.ceil(factor * sum(kind.counts)) for kind in shown.spread.between}


def _samples_by_unit(samples: int, spread: Spread) -> int | None:
    return max(1, round(samples / spread.between[0].count)) if len(spread.between) == 1 else None


def _sided(effect: float, margin: Margin) -> float:
    """Mirror an effect below neutral, which needs the same sample size: 0.9 becomes 1/0.9, -0.1 becomes 0.1."""
    if margin.factor:
        return 1 / effect if 0 < effect < 1 else effect
    return abs(effect)


def _of_kind(size: float, lead: str, margin: Margin, what: str, given: float | None = None) -> Margin:
    if given is not None and margin.factor and given <= 0:
        raise UserError(f"{what} is {given:g}, but {lead} is a ratio and must be positive; give a factor such as 1.1.")
    if given is not None and size == (1 if margin.factor else 0):
        none = 1 if margin.factor else 0
        raise UserError(f"{what} is {none}, which for {lead} means no effect; give a value such as {margin.size:g}.")
    check_size(size, lead, margin, None, what)
    return Margin(size, margin.factor, margin.most)
