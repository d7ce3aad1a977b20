"""`power`: the sample size a study needs, given a pilot run or the spread in released data."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from genderscope.comparison.comparability import refuse_incomparable
from genderscope.comparison.row_pairing import pair
from genderscope.core.errors import UserError
from genderscope.judgement import Margin, label, leading
from genderscope.measures import AnyMeasure, Spread, check_size, measure_type, options_of
from genderscope.runs import Result
from genderscope.statistics.paired_comparison import Resampled, contrast
from genderscope.statistics.power import KNOWN, POWERS, Precision, samples_needed, samples_to_exclude, smallest_effect


@dataclass(frozen=True)
class PowerAnalysis:
    """Power analysis of a measure. Effects and margin are on the estimate's own scale; for ratios, they are factors."""

    measure: str
    estimate: str
    ratio: bool
    effect: Margin
    margin: Margin
    spread: Spread
    #: power -> samples needed to detect the effect, and to rule out an effect as large as the margin
    needed: dict[float, tuple[int, int]]
    #: samples -> power -> smallest detectable effect
    shown: dict[int, dict[float, float]]
    #: power -> 95 % interval for the sample size needed, given the pilot's uncertainty; empty without a pilot
    between: dict[float, tuple[int, int]] = field(default_factory=dict)


def plan(
    measure: str,
    effect: float | None = None,
    *,
    pilot: Sequence[Result] = (),
    samples: Sequence[int] = (),
    margin: float | None = None,
) -> PowerAnalysis:
    """Plan a study of a measure's leading estimate.

    Args:
        measure: Name of the measure.
        effect: Effect to detect, on the scale of the estimate; defaults to the margin.
        pilot: Runs that the spread is estimated from; two runs give a plan for their difference on the same samples.
        samples: Sample sizes for which to compute the smallest detectable effect.
        margin: Smallest effect of interest; defaults to the measure's own.
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
    spread = _from_pilot(kind, pilot) if pilot else kind.spread
    if spread is None:
        raise UserError(f"The typical spread of '{measure}' is unknown; give a pilot run with --pilot.")
    precision = Precision(spread.size, spread.freedom or KNOWN, spread.strata)
    for number in samples:
        if number < precision.fewest:
            raise UserError(
                f"Option --samples is {number}; with fewer than {precision.fewest} samples, {lead} has no reliable "
                "interval."
            )
    counts = {*(samples or (100, 1000)), spread.samples, *((spread.full,) if spread.full else ())}
    counts = {n for n in counts if n >= precision.fewest}
    needed = {
        power: (
            samples_needed(wanted.distance, precision, power),
            samples_to_exclude(smallest.distance, precision, power),
        )
        for power in POWERS
    }
    shown = {
        n: {power: _shown(smallest_effect(n, precision, power), default_margin) for power in POWERS}
        for n in sorted(counts)
    }
    between = {power: _between(wanted.distance, precision, power) for power in POWERS} if spread.freedom else {}
    return PowerAnalysis(measure, lead, default_margin.factor, wanted, smallest, spread, needed, shown, between)


def _between(effect: float, precision: Precision, power: float) -> tuple[int, int]:
    """Return the sample sizes needed at the lower and upper ends of the spread's interval."""
    low, high = (
        samples_needed(effect, replace(precision, spread=end, freedom=KNOWN), power) for end in precision.bounds()
    )
    return low, high


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


def _shown(distance: float, margin: Margin) -> float:
    return math.exp(distance) if margin.factor else distance


def _from_pilot(kind: type[AnyMeasure], pilot: Sequence[Result]) -> Spread:
    """Return the spread of a run's leading estimate, or of the difference between two runs on their shared rows."""
    if len(pilot) > 2:
        raise UserError(f"There are {len(pilot)} pilot runs; give one, or two to plan for the difference between them.")
    for run in pilot:
        if run.measure != kind.id:
            raise UserError(f"The pilot '{run.folder}' is a run of '{run.measure}', not of '{kind.id}'.")
        if not len(run.rows) or not run.rows["unread"].isna().any():
            raise UserError(f"The pilot '{run.folder}' has no usable rows, so its variance is unknown.")
    options = options_of(pilot[0])
    if len(pilot) == 1:
        drawn = _leading(kind, list(kind.resampled(pilot[0].rows, options)))
        error, source = drawn.influence.error, "the pilot run"
    else:
        refuse_incomparable(pilot[0], pilot[1], ("the first pilot", "the second"), allow_versions=True)
        rows = pair(pilot[0], pilot[1], options)
        sides = [{label(r.estimate): r for r in kind.resampled(side, options)} for side in (rows.first, rows.second)]
        drawn = _leading(kind, list(sides[1].values()))
        error = contrast(sides[0][label(drawn.estimate)], drawn).error
        source = "the difference between two pilot runs on the same samples"
    size = 0.0 if error is None else math.sqrt(error.variance * drawn.estimate.n)
    if not size > 0:
        raise UserError("The pilot's samples do not vary, so the spread is unknown; give a pilot with more samples.")
    strata = 1 if kind.spread is None else kind.spread.strata
    return Spread(size, source, drawn.estimate.n, None, strata, None if error is None else error.freedom)


def _leading(kind: type[AnyMeasure], drawn: Sequence[Resampled]) -> Resampled:
    lead_estimate = leading([r.estimate for r in drawn], kind.headline)
    lead = next((r for r in drawn if r.estimate is lead_estimate), None)
    if lead is None or lead.influence.error is None or lead.estimate.value is None:
        raise UserError(f"The pilot is too small to estimate {kind.headline[0]} with an interval; use more samples.")
    return lead
