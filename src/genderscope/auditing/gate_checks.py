"""Checks a recipe's gates for all models; a gate on a measure without a result cannot be judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from genderscope.auditing.plan_execution import Outcome
from genderscope.comparison import Condition, Gate, RunChecks, check, check_run, compare, count_families
from genderscope.core.errors import Reason, UserError
from genderscope.core.exit_codes import ExitCode
from genderscope.judgement import BENCHMARK


@dataclass(frozen=True)
class GateOutcome:
    """Outcome of one gate for one model."""

    model: str
    measure: str
    gate: Gate


def check_gates(
    gates: Mapping[str, Sequence[Condition]],
    outcomes: Mapping[str, Outcome],
    baseline: str | None,
    min_coverage: float,
    allow_unjudged: bool = False,
    over: str = BENCHMARK,
) -> list[GateOutcome]:
    """Check every gate for every model that supports the gate's measure; differences are relative to the baseline.

    All conditions of the audit are corrected together.
    """
    wanted: dict[tuple[str, str], list[Condition]] = {}
    for measure, conditions in gates.items():
        able = [name for name, outcome in outcomes.items() if measure not in outcome.plan.unable]
        for name in able or outcomes:
            wanted[measure, name] = [c for c in conditions if not c.compares or name != baseline]
    families = max(1, sum(map(count_families, wanted.values())))
    check_with = partial(
        check, least_coverage=min_coverage, allow_unjudged=allow_unjudged, over=over, families=families
    )
    first = outcomes.get(baseline or "")
    return [
        GateOutcome(name, measure, gate)
        for (measure, name), own in wanted.items()
        for gate in _gates(measure, own, outcomes[name], first, check_with)
    ]


def check_runs(
    checks: RunChecks, outcomes: Mapping[str, Outcome], baseline: str | None, started: datetime
) -> list[GateOutcome]:
    """Check every run as a whole, except those of the baseline, which may be older than the candidates."""
    return [
        GateOutcome(name, measure, gate)
        for name, outcome in outcomes.items()
        if name != baseline
        for measure, result in outcome.results.items()
        for gate in check_run(checks, result, started)
    ]


def _gates(
    measure: str,
    conditions: Sequence[Condition],
    outcome: Outcome,
    first: Outcome | None,
    check_with: Callable[..., list[Gate]],
) -> list[Gate]:
    if measure not in outcome.results:
        return [_without_run(condition, measure, outcome) for condition in conditions]
    result = outcome.results[measure]
    if not any(condition.compares for condition in conditions):
        return check_with(conditions, result)
    if first is None or measure not in first.results:
        own = [condition for condition in conditions if not condition.compares]
        missing = "the baseline has no run of this measure"
        compared = [c for c in conditions if c.compares]
        return check_with(own, result) + [_unjudged(c, missing) for c in compared]
    try:
        comparison = compare(first.results[measure], result)
    except UserError as error:
        return [_unjudged(condition, str(error)) for condition in conditions]
    return check_with(conditions, result, comparison)


def _without_run(condition: Condition, measure: str, outcome: Outcome) -> Gate:
    reason = outcome.failed.get(measure) or outcome.plan.left_out.get(measure) or "it was not run"
    is_infrastructure = isinstance(reason, Reason) and reason.exit_code is ExitCode.INFRASTRUCTURE
    reason = f"there is no run of {measure}: {reason.rstrip('.')}"
    if is_infrastructure:
        return Gate(condition.text, (), (reason,), infrastructure=(reason,))
    return _unjudged(condition, reason)


def _unjudged(condition: Condition, reason: str) -> Gate:
    return Gate(condition.text, (), (reason,), unjudged=(reason,))
