"""Judgements of a run, based on its options and thresholds."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.judgement import CONTROLS, FailedEstimate, Judgement, Lead, Margin, judge, judge_as
from genderscope.measures.registry import measure_type
from genderscope.measures.threshold_checks import margins_of
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.runs import Result


def judge_result(result: "Result") -> list[tuple[Lead, Judgement]]:
    """Judge the leading estimates of a run."""
    kind, options, estimates = measure_type(result.measure), judged_by(result), result.as_estimates()
    return [(lead, judge_as(kind, lead.estimate, estimates, options)) for lead in kind.leads(estimates, options)]


def symbols_of(measure: str) -> Mapping[str, str]:
    """Return the papers' symbols of a measure's estimates; none if the measure is unknown, as a removed plugin is."""
    try:
        return measure_type(measure).symbols
    except UserError:
        return {}


def judge_estimate(result: "Result", estimate: Estimate) -> Judgement:
    """Judge one estimate of a run."""
    kind = measure_type(result.measure)
    if estimate.name in CONTROLS:  # what conditions rest on cannot fail them
        return judge(estimate, kind.margin(estimate, judged_by(result)))
    return judge_as(kind, estimate, result.as_estimates(), judged_by(result))


def mark_failures(result: "Result") -> "Result":
    """Return the result with estimates that fail a validity condition as `FailedEstimate`.

    Estimates without a neutral point describe the outputs, and those of controls are what a condition rests on, so both
    can be interpreted whatever the conditions say.
    """
    kind, options, estimates = measure_type(result.measure), judged_by(result), result.as_estimates()
    overall = [e for e in estimates if e.stereotype is None]  # conditions are about these; there are far fewer
    marked: list[Estimate] = []
    for e in estimates:
        is_judged = e.neutral is not None and e.value is not None and e.name not in CONTROLS
        failures = (c.failure(overall, e, kind.margin(e, options)) for c in kind.conditions) if is_judged else ()
        failure = next(filter(None, failures), None)
        marked.append(e if failure is None else FailedEstimate(**_fields(e), failure=failure.finding))
    return result.estimated(marked)


def _fields(e: Estimate) -> dict[str, Any]:
    return {field.name: getattr(e, field.name) for field in fields(e)}


def options_of(result: "Result") -> Any:
    """Return a run's options, parsed with its measure's option types."""
    kind = measure_type(result.measure).options_type
    options = {k: v for k, v in result.config["configuration"].items() if k in kind.model_fields}
    return kind(**options)


def judged_by(result: "Result") -> Any:
    """Return a run's options, including the user-defined threshold that it was judged by, if any."""
    kind, options = measure_type(result.measure), options_of(result)
    lead = next(iter(kind.headline), "")
    used = result.config.get("margins", {}).get(lead)
    if used is not None and used != margins_of(kind, options).get(lead):
        return options.model_copy(update={"margin": used})
    return options


def margin_of(result: "Result", estimate: Estimate) -> Margin | None:
    """Return the threshold that an estimate of a run was judged by."""
    return measure_type(result.measure).margin(estimate, judged_by(result))
