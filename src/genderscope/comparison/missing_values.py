"""Sentences on why an estimate has no value in a run, and what to do."""

from genderscope.comparison.conditions import Condition
from genderscope.judgement import explain_failures
from genderscope.measures import judge_estimate
from genderscope.runs import Result
from genderscope.statistics.estimate import NOTHING_TO_RATE, Estimate


def explain_missing(condition: Condition, result: Result, name: str | None = None) -> str:
    """Say why the estimate that a condition is about has no value in a run, and what to do.

    Args:
        condition: The condition, which gives the estimate's name.
        result: The run.
        name: The run's name in a comparison; None if there is only one run.
    """
    run = "this run" if name is None else name
    wanted = condition.called(condition.name)
    named = [e for e in result.as_estimates() if e.is_called(condition.name)]
    overall = min(named, key=lambda e: e.spans, default=None)
    return f"{wanted} has no value in {run}: {_why(result, overall)}{_what_to_do(result)}"


def explain_needless(e: Estimate) -> str:
    """Say why an estimate without a value needs no limit."""
    nothing = (e.remark or "").partition(";")[0].removeprefix(NOTHING_TO_RATE)
    return f"{nothing}, so there is no {e.name.replace('_', ' ')} to limit"


def _why(result: Result, overall: Estimate | None) -> str:
    counts = result.counts
    if not counts.read:
        return f"none of its {counts.rows:,} answers could be interpreted"
    if overall is None:
        return f"its {counts.read:,} answers that could be interpreted do not allow this estimate"
    failures = judge_estimate(result, overall).failures
    return explain_failures("the estimate", failures) or overall.remark or "there are too few answers"


def _what_to_do(result: Result) -> str:
    return "" if result.folder is None else f"; look at the replies with 'genderscope show {result.folder} --full'"
