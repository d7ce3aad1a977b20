"""Ready-made conditions for a purpose, chosen from what a measure declares: its thresholds and validity conditions."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from genderscope.comparison.conditions import RunChecks
from genderscope.comparison.gate_readings import explain_needless
from genderscope.comparison.gates import Gate
from genderscope.judgement import Judgement, Verdict, explain_failures, format_value, label, with_interval
from genderscope.measures import explain_unusable, judge_estimate, judge_result, measure_type
from genderscope.runs import Result, oldest_answer, other_models, when_given
from genderscope.statistics.estimate import Estimate
from genderscope.util import clock

MAX_AGE, REQUIRE_FRESH, REQUIRE_MODEL = "--max-age", "--require-fresh", "--require-model"
#: how old fresh answers may be if they were given to an earlier command
FRESH = timedelta(hours=24)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def age_in_words(age: timedelta) -> str:
    """Write an age in days or, if it is short or no whole number of days, in hours."""
    if age >= 2 * _DAY and age % _DAY == timedelta(0):
        return f"{age // _DAY:,} days"
    return f"{age // _HOUR:,} hour{'' if age == _HOUR else 's'}"


def check_age(result: Result, most: timedelta) -> Gate:
    """Check that all answers of a run were given within this time."""
    return _since(result, clock.now() - most, MAX_AGE, f"more than {age_in_words(most)} ago")


def check_fresh(result: Result, started: datetime | None = None) -> Gate:
    """Check that a command that began at `started` asked all questions; if None, that they were asked in 24 hours."""
    if started is None:
        return _since(result, clock.now() - FRESH, REQUIRE_FRESH, f"more than {age_in_words(FRESH)} ago")
    return _since(result, started, REQUIRE_FRESH, "before this command began")


def _since(result: Result, moment: datetime, option: str, too_old: str) -> Gate:
    given, oldest = when_given(result.config), oldest_answer(result.config)
    if oldest is None:
        why = f"{given}; measure again with --fresh"
    elif oldest < moment:
        why = f"{given}, {too_old}; measure again with --fresh"
    else:
        return Gate(option, (), (given,))
    return Gate(option, (), (given,), unjudged=(why,))


def check_model(result: Result) -> Gate:
    """Check that the server named no other model than the requested one."""
    if (others := other_models(result)) is not None:
        return Gate(REQUIRE_MODEL, (), (others,), infrastructure=(others,))
    return Gate(REQUIRE_MODEL, (), (f"no answer names a model other than '{result.config['model']['name']}'",))


#: how old the answers for a release may be unless the user sets another age
RELEASE_AGE = timedelta(days=30)

#: takes a run and the maximum age of its answers
Check = Callable[[Result, timedelta], Iterator[Gate]]


def _model(result: Result, _: timedelta) -> Iterator[Gate]:
    yield replace(check_model(result), condition="identity of the model")


def _age(result: Result, most: timedelta) -> Iterator[Gate]:
    yield replace(check_age(result, most), condition="age of the answers")


def _validity(result: Result, _: timedelta) -> Iterator[Gate]:
    """Yield one gate per validity condition that applies to one of the leading estimates."""
    estimates = result.as_estimates()
    for condition in measure_type(result.measure).conditions:
        applies = [e for e in _leading(result) if not condition.applies_to or e.name in condition.applies_to]
        values = {e: value for e in applies if (value := condition.read(estimates, e)) is not None}
        failures = [failure for e in values if (failure := condition.failure(estimates, e)) is not None]
        if not values:
            continue
        worst = failures[0].value if failures else next(iter(values.values()))
        limit = f"{'at least' if condition.at_least else 'at most'} {condition.limit:.3g}"
        stated = f"{worst:.2g}, required: {limit}"
        unjudged = (explain_unusable(result, failures[0]),) if failures else ()
        yield Gate(condition.name, (), (stated,), unjudged=unjudged, protects_against=condition.reason)


def _bias(result: Result, _: timedelta) -> Iterator[Gate]:
    """Yield one gate per leading estimate, with the verdict that all other commands report."""
    for e in _leading(result):
        judged = judge_estimate(result, e)
        name = f"bias in {label(e)}"
        said = f"{judged.verdict}: {_size(e, judged)}"
        if not_meaningful := explain_failures(label(e), judged.failures):
            yield Gate(name, (), (), unjudged=(not_meaningful,))
        elif e.is_needless:
            yield Gate(name, (), (explain_needless(e),))
        elif e.value is None or e.low is None:
            yield Gate(name, (), (), unjudged=(f"it has no {'value' if e.value is None else 'interval'}: {e.remark}",))
        elif judged.verdict is Verdict.LARGE_EFFECT:
            yield Gate(name, (said,), (said,))
        else:
            yield Gate(name, (), (said,))


def _size(e: Estimate, judged: Judgement) -> str:
    threshold = "" if judged.margin is None else f", threshold {judged.margin}"
    return f"{format_value(e)} ({with_interval(e)}{threshold})"


def _leading(result: Result) -> list[Estimate]:
    """Return the leading estimates and those to be interpreted with them, of each the ones with the fewest keys."""
    leads = [lead.estimate for lead, _ in judge_result(result)]
    for name in measure_type(result.measure).ranked_with:
        named = [e for e in result.as_estimates() if e.name == name and name not in {lead.name for lead in leads}]
        fewest = min((e.number_of_keys for e in named), default=0)
        leads += [e for e in named if e.number_of_keys == fewest]
    return leads


#: purpose -> its conditions, with what each protects against; a validity condition gives its own reason
CONDITIONS: dict[str, tuple[tuple[str, Check], ...]] = {
    "release": (
        ("the server answers with another model than the one that is released", _model),
        ("the answers describe an earlier version of the model", _age),
        ("", _validity),
        ("the model is more biased than the measure tolerates", _bias),
    )
}


def _check_for(purpose: str, result: Result, max_age: timedelta | None) -> list[Gate]:
    """Check the ready-made conditions for a purpose on a run."""
    return [
        replace(gate, protects_against=gate.protects_against or against)
        for against, check in CONDITIONS[purpose]
        for gate in check(result, max_age or RELEASE_AGE)
    ]


def check_run(checks: RunChecks, result: Result, started: datetime | None = None) -> list[Gate]:
    """Check a run; `started` is the time at which the command began that made or reused it, if there was one."""
    gates = [check_fresh(result, started)] if checks.require_fresh else []
    if checks.purpose is not None:
        return [*gates, *_check_for(checks.purpose, result, checks.max_age)]
    gates += [] if checks.max_age is None else [check_age(result, checks.max_age)]
    return [*gates, *([check_model(result)] if checks.require_model else [])]
