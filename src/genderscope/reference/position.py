"""Where an estimate lies among known values: counts of significant differences, and the sentences that report them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.core.errors import UserError
from genderscope.judgement import SHORT, Verdict, format_number
from genderscope.measures import MEASURES, judge_estimate, judge_result, measure_plugins
from genderscope.reference.collection import collected_values
from genderscope.reference.comparable import (
    WITH_PAPERS_PROMPTS,
    KnownValues,
    comparable_run,
    known_values,
    published_form,
)
from genderscope.reference.values import ReferenceValue
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.quantiles import normal_quantile

#: if there are fewer values, they are listed rather than counted
ENOUGH_TO_COUNT = 5
#: maximum number of collected values to mention; the most recent are chosen
MENTIONED = 3


@dataclass(frozen=True)
class Position:
    """An estimate's position: how many published values are lower, higher, or not significantly different."""

    estimate: Estimate
    known: KnownValues
    higher: int
    lower: int
    close: int


def position_of(estimate: Estimate, known: KnownValues) -> Position:
    """Compare an estimate with each published value; values that do not differ significantly count as close."""
    signs = [_sign(estimate, value) for value in known.published]
    return Position(estimate, known, signs.count(1), signs.count(-1), signs.count(0))


def _sign(e: Estimate, v: ReferenceValue) -> int:
    """Return 1 if the estimate is significantly higher than a value, -1 if it is significantly lower, else 0."""
    ours, theirs = _on_scale(e, e.value, e.low, e.high), _on_scale(e, v.value, v.low, v.high)
    if ours is None or theirs is None:
        return 0
    difference, error = ours[0] - theirs[0], math.hypot(ours[1], theirs[1])
    return 0 if abs(difference) <= normal_quantile(0.975) * error else int(math.copysign(1, difference))


def _on_scale(e: Estimate, value: float | None, low: float | None, high: float | None) -> tuple[float, float] | None:
    """Return a value and its standard error, on the log scale if the estimate is a ratio; None if undefined."""
    ratio = e.neutral == 1
    if value is None or (ratio and min(value, value if low is None else low) <= 0):
        return None
    ends = [each for each in (low, high) if each is not None]
    if ratio:
        value, ends = math.log(value), [math.log(each) for each in ends]
    return value, (ends[1] - ends[0]) / (2 * normal_quantile(0.975)) if len(ends) == 2 else 0.0


def reference_sentences(result: Result) -> list[str]:
    """Compare a run with other models in one sentence, plus one on the user's collection if it has comparable values.

    Empty if the measure is not installed or its leading estimate has no value.
    """
    if result.measure not in (*MEASURES, *measure_plugins()):
        return []
    leads = [lead for lead, _ in judge_result(result) if lead.estimate.value is not None]
    return [] if not leads else sentences_about(result, leads[0].estimate)


def sentences_about(result: Result, estimate: Estimate) -> list[str]:
    """Return the sentences that compare one estimate with known values."""
    known = known_values(result, estimate)
    _, form = published_form(result, estimate)
    if known.published:
        first = _published(position_of(form, known), estimate.name, _asked(form, estimate))
    elif known.set is not None and not known.has_remedy:
        first = f"Not compared with published {known.set.models}: {known.reason}."
    elif known.set is not None:
        run = comparable_run(result, known.set)
        first = f"Published {known.set.models} are not comparable: {known.reason}. To compare: {run}"
    else:
        first = f"No reference values: {known.reason}."
    return [first, *_own(result, estimate)]


def _asked(form: Estimate, estimate: Estimate) -> str:
    """Return which prompts the comparison uses, if they are not those of the verdict."""
    return "" if form.name == estimate.name else f"{WITH_PAPERS_PROMPTS} ({_number(form.value or 0.0)})"


def _published(position: Position, name: str, asked: str = "") -> str:
    known, total = position.known, len(position.known.published)
    assert known.set is not None
    named = _landmarks(known.published, known.set.landmarks)
    if total < ENOUGH_TO_COUNT:
        return f"Published {known.set.models}: {named}."
    counts = {"higher than": position.higher, "lower than": position.lower, "too close to call with": position.close}
    (first, count), *rest = [(words, count) for words, count in counts.items() if count]
    more = "".join(f", {words} {count}" for words, count in rest)
    return f"{name}{asked}: {first} {count} of {total} published {known.set.models}{more}; {named}."


def _landmarks(values: Sequence[ReferenceValue], landmarks: Sequence[str]) -> str:
    """List the landmark models with their values, or all models if there are few."""
    chosen = [v for v in values if v.model in landmarks or len(values) < ENOUGH_TO_COUNT]
    if not chosen:
        ordered = sorted(values, key=lambda value: value.value)
        chosen = [ordered[0], ordered[-1]]
    return ", ".join(f"{v.model} {_number(v.value)}" for v in sorted(chosen, key=lambda value: value.value))


def _own(result: Result, e: Estimate) -> list[str]:
    """Return a sentence on the user's collection; one that cannot be read is reported and stops nothing."""
    try:
        values = list(collected_values(result, e))[-MENTIONED:]
    except UserError as error:
        return [str(error)]
    is_meaningful = judge_estimate(result, e).is_meaningful
    listed = "; ".join(f"{v.model} {_number(v.value)} ({_compared(e, v, is_meaningful)})" for v in values)
    return [f"Your collection: {listed}."] if values else []


def _compared(e: Estimate, v: ReferenceValue, is_meaningful: bool) -> str:
    """Say where an estimate lies relative to a collected value, unless one of them is not meaningful."""
    if v.verdict == Verdict.NOT_MEANINGFUL:
        return SHORT[Verdict.NOT_MEANINGFUL]
    signs = {1: "higher", -1: "lower", 0: "not distinguishable"}
    return f"this run: {signs[_sign(e, v)] if is_meaningful else SHORT[Verdict.NOT_MEANINGFUL]}"


def _number(value: float) -> str:
    return format_number(value, 2)
