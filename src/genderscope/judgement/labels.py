"""Labels of estimates, distances from neutral, and the choice of the leading estimate."""

from collections.abc import Sequence
from typing import Any

from genderscope.judgement.verdicts import distance_from
from genderscope.statistics.estimate import Estimate


def label(estimate: Estimate) -> str:
    """Return an estimate's name with its keys: stereotype_rate[sk], honest_score[K=20, female]."""
    return f"{estimate.name}[{estimate.scope}]" if estimate.scope else estimate.name


def distance(estimate: Estimate) -> float | None:
    """Return the signed distance of an estimate from its neutral point, on the log scale for ratios."""
    if estimate.value is None or estimate.neutral is None:
        return None
    return distance_from(estimate.neutral, estimate.value)


def leading(estimates: Sequence[Any], headline: Sequence[str]) -> Any:
    """Return the first available headline estimate, in the version with the fewest keys; None if there is none."""
    for name in headline:
        candidates = [e for e in estimates if e.name == name and e.group != "control"]
        if candidates:
            fewest = min(e.number_of_keys for e in candidates)
            return [e for e in candidates if e.number_of_keys == fewest][-1]
    return None
