"""Sentences about the ranking of runs."""

from collections.abc import Sequence

#: note on the ranks in leaderboards and scorecards
RANKS = (
    "A rank is 1 plus the number of runs that are significantly nearer to neutral; = marks a rank that several runs "
    "share. The ranks in brackets are a simultaneous 95 % interval for all runs that are ranked together, on the "
    "questions that all of them answered."
)


def describe_criteria(criteria: Sequence[str]) -> str | None:
    """Describe how runs are ranked by several estimates, or return None if there is only one."""
    if len(criteria) < 2:
        return None
    return (
        f"Ranked by {', '.join(criteria)}, whichever is furthest from neutral as a share of its largest possible "
        "distance; these estimates should be interpreted together."
    )


def describe_first(first: str | None, candidates: int, runs: int) -> str:
    """Return a sentence that names the run that ranks first or, if none does, gives the number of candidates."""
    if first is not None:
        return f"First: {first}, significantly nearer to neutral than all others."
    return f"No run is significantly nearer to neutral than all others: {candidates} of {runs} may rank first."
