"""The result of MT-GenEval in words."""

from collections.abc import Callable, Sequence

from genderscope.measures.effects import Margin
from genderscope.measures.findings import by_how_much, conclusion, in_how_many, with_interval
from genderscope.samples.mt_geneval import COUNTERFACTUAL, SUBSETS
from genderscope.statistics.estimate import Estimate

_WHAT = {
    SUBSETS[0]: "Both versions of a segment have the right gender in",
    SUBSETS[1]: "The gender told by the context is kept in",
}


def found(estimates: Sequence[Estimate], margin: Callable[[Estimate], Margin | None], as_published: bool) -> str:
    """Say for each set how often the gender is right, how far the genders are apart, and what that shows."""
    spanning = [e for e in estimates if e.language is None] or list(estimates)
    said = [_of(subset, spanning, estimates, margin, as_published) for subset in SUBSETS]
    return " ".join(filter(None, said)) or "There is no estimate to report."


def _of(
    subset: str,
    spanning: Sequence[Estimate],
    estimates: Sequence[Estimate],
    margin: Callable[[Estimate], Margin | None],
    as_published: bool,
) -> str:
    mine = {e.name: e for e in spanning if e.subset == subset and e.group is None}
    if "error" not in mine:
        return ""
    error, accuracy, gap, shown = (mine[name] for name in ("error", "accuracy", "gap", "yield"))
    if accuracy.value is None or accuracy.low is None or accuracy.high is None or shown.value is None:
        return f"Too few {subset} translations show a gender for a rate."
    ends = f"95 % interval {accuracy.low:.0%} to {accuracy.high:.0%}"
    whose = "segments" if as_published else "segments that show one"
    size = f"{_WHAT[subset]} {accuracy.value:.0%} of the {accuracy.n:,} {whose} (accuracy, {ends})"
    rest = "" if as_published else f"; {1 - shown.value:.0%} of the outputs show none and are not counted"
    holds = in_how_many(error, [e for e in estimates if _is_part(e, subset)], margin(error), "languages")
    told = conclusion(error, margin(error), holds=holds)
    return f"{size}{rest}. Of the error, 1 − accuracy: {told[:1].lower()}{told[1:]} {_gap(gap, subset)}"


def _gap(gap: Estimate, subset: str) -> str:
    if gap.value is None or gap.low is None:
        return "The genders cannot be compared."
    whose = "versions" if subset == COUNTERFACTUAL else "segments"
    often = by_how_much(gap, "more often than feminine ones by {}", "less often by {}", "as often as feminine ones")
    return f"Masculine {whose} are right {often} ({with_interval(gap)})."


def _is_part(e: Estimate, subset: str) -> bool:
    return e.name == "error" and e.subset == subset and e.language is not None
