"""Published values that an estimate may be compared with, and where it lies among them."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from genderscope.core.errors import UserError
from genderscope.judgement import SHORT, VALUE_FAILS, Verdict, format_number
from genderscope.measures import MEASURES, judge_estimate, judge_result, measure_plugins, measure_type
from genderscope.reference.values import (
    ReferenceSet,
    ReferenceValue,
    collected_values,
    published_values,
    reference_sets,
)
from genderscope.runs import Result, recorded_model
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.proportions import agresti_coull
from genderscope.statistics.quantiles import normal_quantile

WITH_PAPERS_PROMPTS = " with the paper's prompts"
#: a reason that a run with other data or settings would not remove
NOT_COVERED = "no value was published for the same estimate and part of the data"


@dataclass(frozen=True)
class KnownValues:
    """The published values that an estimate may be compared with; if there are none, `reason` says why."""

    published: tuple[ReferenceValue, ...]
    #: the set that the values belong to
    set: ReferenceSet | None = None
    reason: str = ""
    #: whether another run of the same model, with the set's data and settings, could be compared
    has_remedy: bool = False
    #: whether they belong to another form of the estimate, so that they must not share an axis with its value
    is_other_form: bool = False

    @property
    def ticks(self) -> list[tuple[str, float]]:
        """Names and values of the published models, in ascending order; empty if they belong to another form."""
        if self.is_other_form:
            return []
        return sorted(((v.model, v.value) for v in self.published), key=lambda tick: tick[1])


def published_form(result: Result, estimate: Estimate) -> tuple[Result, Estimate]:
    """Return the form of an estimate in which values were published, and the run with the settings of that form."""
    published = measure_type(result.measure).published_form(estimate, result.as_estimates())
    if published is None:
        return result, estimate
    form, settings = published
    return result.configured({**result.config, "settings": {**result.config.get("settings", {}), **settings}}), form


def known_values(result: Result, estimate: Estimate) -> KnownValues:
    """Return the published values that an estimate may be compared with, in the form of `published_form`."""
    name, own = estimate.name, estimate
    result, estimate = published_form(result, estimate)
    is_other = estimate is not own
    sets = [reference_set for reference_set in reference_sets().values() if reference_set.measure == result.measure]
    if not sets:
        return KnownValues((), None, f"Genderscope has no published values for {result.measure}")
    reason, has_remedy = "", False
    for reference_set in sets:
        why, is_fixable = _data_differ(result, reference_set), True
        if not why:
            candidates = [v for v in published_values() if v.set == reference_set.name and v.estimate == name]
            candidates = [v for v in candidates if v.keys == _keys(result, estimate)]
            same = tuple(v for v in candidates if not _differing(result, v))
            if same and not judge_estimate(result, estimate).is_meaningful:
                return KnownValues((), reference_set, VALUE_FAILS + WITH_PAPERS_PROMPTS * is_other)
            if same:
                return KnownValues(same, reference_set, is_other_form=is_other)
            why, is_fixable = _settings_differ(result, candidates) if candidates else NOT_COVERED, bool(candidates)
        if not reason:
            reason, has_remedy = why, is_fixable
    return KnownValues((), sets[0], reason, has_remedy)


def _keys(result: Result, estimate: Estimate) -> dict[str, str]:
    """Return an estimate's keys as text, with the language of a run in a single language."""
    keys = {key: str(value) for key, value in estimate.keys.items()}
    language = _setting(result, "language")
    return keys if "language" in keys or not language else {**keys, "language": language}


def comparable_run(result: Result, reference_set: ReferenceSet) -> str:
    """Return the command that runs the same model in a way that is comparable with a set."""
    language = str(_setting(result, "to") or _setting(result, "lang") or "LANGUAGE").split("+")[0]
    model = recorded_model(result.config)
    return reference_set.comparable_run.replace("MODEL", shlex.quote(model) if model else "MODEL").replace(
        "LANGUAGE", language
    )


def _data_differ(result: Result, reference_set: ReferenceSet) -> str:
    name = str(result.config["data"]["name"])
    whole, _, limit = name.partition(":")
    if not any(fnmatchcase(whole, pattern) for pattern in reference_set.data):
        return f"they were measured on {reference_set.data_words}, not on {name}"
    return "they were measured on all of the data, not on a sample" if limit else ""


def _settings_differ(result: Result, values: list[ReferenceValue]) -> str:
    """Describe the first setting in which the run differs from the most similar published values."""
    fewest = min(len(_differing(result, value)) for value in values)
    nearest = [value for value in values if len(_differing(result, value)) == fewest]
    key = _differing(result, nearest[0])[0]
    theirs = " or ".join(dict.fromkeys(value.settings[key] or "the default" for value in nearest))
    return f"they were measured with '{key}' set to {theirs}, not {_setting(result, key) or 'the default'}"


def _differing(result: Result, value: ReferenceValue) -> list[str]:
    return [key for key, theirs in value.settings.items() if theirs != _setting(result, key)]


def _setting(result: Result, key: str) -> str:
    """Return a run's setting as text; "" if it is not set."""
    settings: dict[str, Any] = result.config.get("settings", {})
    value = settings.get(key, result.config["configuration"].get(key))
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))
    return "" if value is None else str(value)


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
    #: values that are listed but not counted, because they have no interval and none can be computed
    uncounted: int = 0
    #: sample size of values whose intervals were computed from it; None if none were
    computed_from: int | None = None


def position_of(estimate: Estimate, references: KnownValues) -> Position:
    """Compare an estimate with each published value; values that do not differ significantly count as close."""
    values = [_with_interval(estimate, value, references.set) for value in references.published]
    signs = [_sign(estimate, value) for value in values]
    pairs = zip(references.published, values, strict=True)
    sizes = [ours.n for theirs, ours in pairs if theirs.low is None and ours.low is not None]
    counts = signs.count(1), signs.count(-1), signs.count(0), signs.count(None)
    return Position(estimate, references, *counts, max((size for size in sizes if size), default=None))


def _with_interval(e: Estimate, v: ReferenceValue, reference_set: ReferenceSet | None) -> ReferenceValue:
    """Return a published share with an interval from its n if it has none; unchanged if that is not possible.

    Samples vary together, such as the templates with one identity term. The effective number per sample is taken from
    the run that it is compared with, which is about the same samples, and is at most 1.
    """
    whole = None if reference_set is None else reference_set.whole
    if v.low is not None or not v.n or whole is None or e.value is None or e.low is None or e.high is None:
        return v
    share, error = e.value / whole, (e.high - e.low) / whole / (2 * normal_quantile(0.975))
    independent = share * (1 - share) / (error**2 * e.n) if error > 0 and e.n else 1.0
    size = v.n * (min(1.0, independent) or 1.0)
    _, low, high = agresti_coull(v.value / whole * size, size)
    return replace(v, low=whole * low, high=whole * high)


def _sign(e: Estimate, v: ReferenceValue) -> int | None:
    """Return 1 if the estimate is significantly higher than a value, -1 if lower, else 0; None without intervals."""
    ours, theirs = _on_scale(e, e.value, e.low, e.high), _on_scale(e, v.value, v.low, v.high)
    if ours is None or theirs is None:
        return None
    difference, error = ours[0] - theirs[0], math.hypot(ours[1], theirs[1])
    return 0 if abs(difference) <= normal_quantile(0.975) * error else int(math.copysign(1, difference))


def _on_scale(e: Estimate, value: float | None, low: float | None, high: float | None) -> tuple[float, float] | None:
    """Return a value and its standard error, on the log scale if the estimate is a ratio; None if undefined."""
    ratio = e.neutral == 1
    if value is None or low is None or high is None or (ratio and min(value, low) <= 0):
        return None
    if ratio:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return value, (high - low) / (2 * normal_quantile(0.975))


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
    references = known_values(result, estimate)
    _, form = published_form(result, estimate)
    if references.published:
        first = _published(position_of(form, references), estimate.name, _asked(form, estimate))
    elif references.set is not None and not references.has_remedy:
        first = f"Not compared with published {references.set.models}: {references.reason}."
    elif references.set is not None:
        run = comparable_run(result, references.set)
        first = f"Published {references.set.models} are not comparable: {references.reason}. To compare: {run}"
    else:
        first = f"No reference values: {references.reason}."
    return [first, *_own(result, estimate)]


def _asked(form: Estimate, estimate: Estimate) -> str:
    """Return which prompts the comparison uses, if they are not those of the verdict."""
    return "" if form.name == estimate.name else f"{WITH_PAPERS_PROMPTS} ({_number(form.value or 0.0)})"


def _published(position: Position, name: str, asked: str = "") -> str:
    references, total = position.known, len(position.known.published)
    assert references.set is not None
    named = _landmarks(references.published, references.set.landmarks)
    counted = total - position.uncounted
    if total < ENOUGH_TO_COUNT:
        return f"Published {references.set.models}: {named}."
    if not counted:
        return f"Published {references.set.models} (listed but not counted, because there are no intervals): {named}."
    counts = {"higher than": position.higher, "lower than": position.lower, "too close to call with": position.close}
    (first, count), *rest = [(words, count) for words, count in counts.items() if count]
    more = "".join(f", {words} {count}" for words, count in rest)
    remarks = [f"generalising to {_generalised(position.estimate)}"]
    if position.computed_from:
        remarks.append(f"published values have intervals computed from n = {position.computed_from:,}")
    if position.uncounted:
        remarks.append(f"{position.uncounted} more have no interval and are not counted")
    brackets = "; ".join(remarks)
    return f"{name}{asked}: {first} {count} of {counted} published {references.set.models}{more} ({brackets}); {named}."


def _generalised(e: Estimate) -> str:
    """Return what the comparison generalises to: published intervals are narrow, so that the run's is, too."""
    return f"other samples with the same {e.wide_units}" if e.wide_over else "other samples of this kind"


def _landmarks(values: Sequence[ReferenceValue], landmarks: Sequence[str]) -> str:
    """List the landmark models with their values, or all models if there are few."""
    shown = [v for v in values if v.model in landmarks or len(values) < ENOUGH_TO_COUNT]
    if not shown:
        ordered = sorted(values, key=lambda value: value.value)
        shown = [ordered[0], ordered[-1]]
    return ", ".join(f"{v.model} {_number(v.value)}" for v in sorted(shown, key=lambda value: value.value))


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
    signs = {1: "higher", -1: "lower", 0: "not distinguishable", None: "not compared, because there is no interval"}
    return f"this run: {signs[_sign(e, v)] if is_meaningful else SHORT[Verdict.NOT_MEANINGFUL]}"


def _number(value: float) -> str:
    return format_number(value, 2)
