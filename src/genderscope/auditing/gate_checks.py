"""Checks a recipe's gates for all models; a gate on a measure without a result does not pass."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from genderscope.auditing.plan_execution import Outcome
from genderscope.comparison import Condition, Gate, check, compare


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
) -> list[GateOutcome]:
    """Check every gate for every model that supports the gate's measure; differences are relative to the baseline."""
    checked: list[GateOutcome] = []
    check_with = partial(check, least_coverage=min_coverage, allow_unjudged=allow_unjudged)
    for measure, conditions in gates.items():
        able = [name for name, outcome in outcomes.items() if measure not in outcome.plan.unable]
        for name in able or outcomes:
            wanted = [c for c in conditions if not c.compares or name != baseline]
            checked += (
                GateOutcome(name, measure, gate)
                for gate in _gates(measure, wanted, outcomes[name], outcomes.get(baseline or ""), check_with)
            )
    return checked


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
        return check_with(own, result) + [Gate(c.text, (missing,), (missing,)) for c in compared]
    return check_with(conditions, result, compare(first.results[measure], result))


def _without_run(condition: Condition, measure: str, outcome: Outcome) -> Gate:
    reason = outcome.failed.get(measure) or outcome.plan.left_out.get(measure) or "it was not run"
    reason = f"there is no run of {measure}: {reason.rstrip('.')}"
    return Gate(condition.text, (reason,), (reason,))
