"""Caveats about unread answers: whether parsing seems to depend on gender, and whether that would change a verdict."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from genderscope.judgement import Margin, format_range, judge
from genderscope.samples.gest import FEMALE, MALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.statistics.unread import Yields

#: with a smaller share of read rows, a caveat names the most frequent reason
LOW_COVERAGE = 0.95
SIGNIFICANT = 0.05
#: a bias of half the interval's half-width reduces the interval's coverage to 83 %
NOTICEABLE = 0.5
#: smaller ranges are rounding error
SMALLEST_RANGE = 1e-6
#: maximum number of ranges that a caveat lists
LISTED = 3


def unread_cautions(
    headline: Sequence[Estimate],
    margin_of: Callable[[Estimate], Margin | None],
    yields: "Yields | None" = None,
    outcome: str = "gender",
) -> Iterator[str]:
    """Yield a sentence if unread answers may matter: if the range is wide, a verdict would change, or yields differ.

    Args:
        headline: The estimates that the verdicts are based on.
        margin_of: Returns the smallest effect of interest for an estimate.
        yields: The proportions of male and female cases that were parsed; None to skip the comparison.
        outcome: The property that unread answers may depend on.
    """
    with_range = [e for e in headline if _has_range(e)]
    changed = [e for e in with_range if changes_verdict(e, margin_of(e))]
    differ = yields is not None and yields.p < SIGNIFICANT
    listed = changed or [e for e in with_range if is_noticeable(e)] or with_range[: int(differ)]
    start = "If"
    if yields is not None and differ:
        start = (
            f"{yields.female:.0%} of the feminine cases and {yields.male:.0%} of the masculine ones were read "
            f"(p = {yields.p:.2g}), so reading may depend on gender"
        )
        if not listed:
            yield f"{start}."
        start += ": if"
    if not listed:
        return
    ranges = [f"{_named(e)} could lie anywhere from {_bounds(e)}" for e in listed[:LISTED]]
    more = [f"{len(listed) - LISTED} more estimates could change too"] if len(listed) > LISTED else []
    then = "would change the verdict" if changed else "the intervals do not account for"
    yield f"{start} one {outcome} went unread twice as often as the other, {', '.join(ranges + more)}, which {then}."


def _has_range(e: Estimate) -> bool:
    """Return whether unread answers could shift an estimate; if all readings are alike, they cannot."""
    if e.value is None or e.unread_low is None or e.unread_high is None:
        return False
    return e.unread_high - e.unread_low > SMALLEST_RANGE


def is_noticeable(e: Estimate) -> bool:
    """Return whether the range due to unread answers is wide relative to the interval."""
    if e.low is None or e.high is None or e.unread_low is None or e.unread_high is None:
        return False
    return e.unread_high - e.unread_low > NOTICEABLE * (e.high - e.low)


def changes_verdict(e: Estimate, margin: Margin | None) -> bool:
    """Return whether unread answers could change the verdict."""
    judgement = judge(e, margin)
    return judgement.if_unread_alike not in {None, judgement.verdict}


def _named(e: Estimate) -> str:
    return f"{e.name} ({e.scope})" if e.scope else e.name


def _bounds(e: Estimate) -> str:
    places = 3 if max(abs(e.unread_low or 0.0), abs(e.unread_high or 0.0)) < 0.1 else 2
    return format_range(e.unread_low, e.unread_high, places)


def coverage_caution(rows: "pd.DataFrame", what: str, done: str = "scored") -> list[str]:
    """Return a caveat with the most frequent reason if many rows are unread."""
    unread = rows["unread"].dropna()
    if len(unread) <= (1 - LOW_COVERAGE) * len(rows):
        return []
    most = unread.value_counts().index[0]
    return [f"{len(unread):,} of {len(rows):,} {what} could not be {done}; most often because: {most}."]


def missing_stereotypes(rows: "pd.DataFrame") -> list[str]:
    """Return a caveat if the data lack samples for some stereotypes."""
    missing = sorted(set(STEREOTYPES) - set(rows["stereotype"]))
    return [f"The data has no samples for these stereotypes: {', '.join(map(str, missing))}."] if missing else []


def stereotype_yields(rows: "pd.DataFrame") -> "Yields | None":
    """Compare how often answers about male and female stereotypes were parsed; return None unless both are present."""
    from genderscope.statistics.unread import compare_yields

    shares = rows["unread"].isna().astype("float64").groupby(rows["stereotype"]).mean()
    male, female = (shares[shares.index.isin(group)].to_numpy() for group in (MALE, FEMALE))
    return compare_yields(male, female) if len(male) and len(female) else None
