"""`pool`: one estimate from runs with several seeds or prompts; its interval includes the variance between runs.

The mean over k runs has two sources of error: the sample of sentences (W, from each sentence's influence on the mean)
and the choice of seeds or prompts (S² / k, from the variance of the runs' values). The interval uses Student's t with
standard error √(W + S² / k) and Satterthwaite's degrees of freedom, to which each stratum contributes separately, on
the logit scale of the possible values if these are bounded (shares and differences between shares). If
the runs share too few questions, W is the mean of the runs' variances, as in Rubin's rules; this is an upper bound.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from genderscope.comparison.comparability import refuse_incomparable, required_settings
from genderscope.comparison.row_pairing import shared_by_all
from genderscope.core.errors import UserError
from genderscope.judgement import Judgement, Verdict, judge, label, leading, size_sentence, verdict_sentences
from genderscope.measures import AnyMeasure, judge_estimate, judged_by, measure_type, options_of
from genderscope.runs import Result, Run, loaded
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.student_intervals import Error, bounded_interval, total

#: Options that may differ between pooled runs.
POOLED_OVER = frozenset({"seed", "templates"})
METHOD = "mean of {} runs, variance within and between runs"


@dataclass(frozen=True)
class PooledEstimate:
    """Estimate pooled over several runs.

    `between` is the standard deviation of the runs' values, on the log scale for ratios; `share` is the fraction of the
    pooled value's variance that is due to the choice of runs.
    """

    estimate: Estimate
    values: tuple[float, ...]
    between: float
    share: float


@dataclass(frozen=True)
class Pooled:
    """Several runs pooled into one result."""

    measure: str
    runs: tuple[Result, ...]
    estimates: tuple[PooledEstimate, ...]
    #: number of questions that all runs answered; None if they share too few and are treated as independent
    shared: int | None

    @property
    def lead(self) -> PooledEstimate | None:
        """The pooled leading estimate, or None."""
        lead_estimate = leading([p.estimate for p in self.estimates], measure_type(self.measure).headline)
        return next((p for p in self.estimates if p.estimate is lead_estimate), None)

    @property
    def summary(self) -> str:
        """The leading estimate in words."""
        if self.lead is None or self.lead.estimate.value is None:
            return "The runs share no estimate that can be pooled."
        e, kind, options = self.lead.estimate, measure_type(self.measure), judged_by(self.runs[0])
        size = size_sentence(e, kind.phrase(e, options), f"Across {len(self.runs)} runs: ")
        between = f"{self.lead.share:.0%} of the variance is between runs."
        return f"{size} {between} {verdict_sentences(self.judgement)}"

    @property
    def judgement(self) -> Judgement:
        """The judgement of the leading estimate; a validity condition fails if it fails in any of the runs."""
        assert self.lead is not None
        e, kind = self.lead.estimate, measure_type(self.measure)
        failures = [failure for run in self.runs for failure in judge_estimate(run, e).failures]
        margin, none = kind.margin(e, judged_by(self.runs[0])), Verdict.NOT_MEANINGFUL
        return Judgement(e, margin, none, none, none, none, tuple(failures[:1])) if failures else judge(e, margin)

    def to_json(self) -> str:
        """Return the pooled result as JSON."""
        content = {
            "measure": self.measure,
            "summary": self.summary,
            "runs": [{"model": r.config["model"]["name"], "signature": r.signature} for r in self.runs],
            "shared": self.shared,
            "estimates": [
                p.estimate.flat() | {"values": p.values, "between": p.between, "share_between": p.share}
                for p in self.estimates
            ],
        }
        return json.dumps(content, ensure_ascii=False, indent=1)


def pool(*runs: Run) -> Pooled:
    """Pool finished runs of one measure on the same data that differ in seed, prompt or checkpoint.

    Args:
        runs: Folders or Results.
    """
    if len(runs) < 2:
        raise UserError("Pooling needs at least two runs.")
    results = loaded(runs)
    for k, result in enumerate(results[1:], 2):
        refuse_incomparable(
            results[0], _as(results[0], result), ("run 1", f"run {k}"), allow_versions=False, verb="pooled"
        )
    kind = measure_type(results[0].measure)
    if not kind.row_key:
        raise UserError(f"Runs of '{kind.id}' cannot be pooled: the measure does not define how its rows are paired.")
    options = options_of(results[0])
    kept, rows = shared_by_all(results, options)
    shared = len(rows[0]) if len(kept) == len(results) else None
    sides = rows if shared is not None else [result.rows for result in results]
    drawn = [_drawn(kind, side, options) for side in sides]
    names = [name for name in drawn[0] if all(name in by_name for by_name in drawn)]
    bounds = {name: _bounds(kind, drawn[0][name].estimate, options) for name in names}
    pooled = [_pooled([by_name[name] for by_name in drawn], shared is not None, bounds[name]) for name in names]
    return Pooled(kind.id, tuple(results), tuple(p for p in pooled if p is not None), shared)


def _as(first: Result, other: Result) -> Result:
    """Return the other run with the first run's `POOLED_OVER` options, so that only other mismatches are reported."""
    wanted = required_settings(first)
    configuration = {**other.config["configuration"], **{k: wanted[k] for k in POOLED_OVER if k in wanted}}
    return other.configured({**other.config, "configuration": configuration})


def _drawn(kind: type[AnyMeasure], rows: Any, options: Any) -> Mapping[str, Resampled]:
    return {label(r.estimate): r for r in kind.resampled(rows, options) if r.estimate.value is not None}


def _bounds(kind: type[AnyMeasure], e: Estimate, options: Any) -> tuple[float, float] | None:
    """Return the smallest and largest possible value, given the largest distance from neutral; None if unknown."""
    margin = kind.margin(e, options)
    if e.neutral is None or margin is None or margin.most is None or margin.factor:
        return None
    return e.neutral - margin.most, e.neutral + margin.most


def _pooled(
    drawn: Sequence[Resampled], together: bool, bounds: tuple[float, float] | None = None
) -> PooledEstimate | None:
    within = _within(drawn, together)
    if within is None:
        return None
    k = len(drawn)
    values = np.array([run.value for run in drawn])
    between = Error(float(values.var(ddof=1)) / k, k - 1)
    whole = total([within, between])
    half = whole.half_width() if whole.variance else 0.0
    ratio = drawn[0].estimate.neutral == 1
    mean = float(values.mean())
    interval = (mean - half, mean + half) if bounds is None else bounded_interval(mean, half, bounds)
    middle, low, high = (math.exp(v) if ratio else v for v in (mean, *interval))
    # A single run's wide interval and its bounds for unread answers do not apply to the mean of several runs.
    estimate = replace(
        drawn[0].estimate,
        value=middle,
        low=low,
        high=high,
        method=METHOD.format(k),
        p=None,
        p_adjusted=None,
        wide_low=None,
        wide_high=None,
        wide_over=None,
        wide_freedom=None,
        freedom=whole.freedom if whole.variance else None,
        unread_low=None,
        unread_high=None,
        skewness=None,
    )
    share = between.variance / whole.variance if whole.variance else 0.0
    shown_values = tuple(math.exp(v) if ratio else float(v) for v in values)
    return PooledEstimate(estimate, shown_values, float(values.std(ddof=1)), share)


def _within(drawn: Sequence[Resampled], together: bool) -> Error | None:
    """Return the sampling error of the mean over sentences; None if there are too few sentences."""
    influences = [run.influence for run in drawn]
    if together:
        error = reduce(lambda one, other: one.plus(other, 1.0), influences).error
        return None if error is None else error.scaled(1 / len(drawn))
    errors = [error for influence in influences if (error := influence.error) is not None]
    if len(errors) < len(drawn):
        return None
    whole = total(errors)
    return Error(whole.variance / len(drawn), whole.freedom)
