"""The summary and cautions of a word-filling result."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from genderscope.measures.effects import Margin
from genderscope.measures.findings import by_how_much, conclusion, in_how_many, shown, too_little, with_interval
from genderscope.measures.wordfill.frequency import MISSING, installed
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

LOW_COVERAGE = 0.95
FEW = 50


def find(
    estimates: Sequence[Estimate], name: str, group: str | None = None, category: str | None = None
) -> Estimate | None:
    """Return the first estimate of this name: the one over all subsets if there are several."""
    return next((e for e in estimates if (e.name, e.group, e.category) == (name, group, category)), None)


def summary(estimates: Sequence[Estimate], margin: Callable[[Estimate], Margin | None], unit: str = "") -> str:
    """Say what f shows, or the contrast with the control pairs; without controls, what cannot be concluded.

    `unit` is the unit of means, if they are not natural logarithms.
    """
    for name, what in (("f_mean", "f"), ("cs_contrast", "cs minus cs of the control pairs")):
        headline = find(estimates, name)
        if headline is not None:
            return _contrast(estimates, headline, f"{what}{unit}", margin(headline))
    mean, plus = (
        next((e for s in ("ss", "cs") if (e := find(estimates, f"{s}_{kind}", "original"))), None)
        for kind in ("mean", "plus")
    )
    if mean is None or plus is None or mean.value is None or plus.value is None:
        return "There are too few readable samples for a value."
    return (
        f"{mean.name} is {shown(mean)}{unit} ({with_interval(mean)}) and {plus.name} {shown(plus)} "
        f"({with_interval(plus)}), but without a control group a preference for stereotypes cannot be distinguished "
        "from a preference for words."
    )


def _contrast(estimates: Sequence[Estimate], headline: Estimate, what: str, margin: Margin | None) -> str:
    if headline.value is None or headline.low is None:
        return too_little(headline, "samples")
    score = "ss" if headline.name == "f_mean" else "cs"
    shares = [find(estimates, f"{score}_plus", group) for group in ("original", "control")]
    beside = [f"{e.value:.0%} for the {e.group}" for e in shares if e is not None and e.value is not None]
    against = f"; {score}_plus is {' and '.join(beside)} group" if len(beside) == 2 else ""
    by = by_how_much(
        headline, "by {} more for the group than", "by {} less for the group than", "for the group as much as"
    )
    subsets = [e for e in estimates if e.name == headline.name and e.subset is not None and e.group is None]
    holds = in_how_many(headline, subsets, margin, "parts of the data") if headline.subset is None else ""
    size = f"The stereotype is preferred {by} for its control group (mean {what}: {with_interval(headline)}){against}."
    return f"{size} {conclusion(headline, margin, holds=holds, wide='over other targets')}"


def cautions(rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
    """Return what a reader should be careful about."""
    found = []
    unread = rows["unread"].value_counts()
    if unread.sum() > (1 - LOW_COVERAGE) * len(rows):
        found.append(
            f"{unread.sum()} of {len(rows)} samples could not be scored, most often because: {unread.index[0]}."
        )
    moved = int(rows["order_dependent"].sum())
    if moved:
        found.append(
            f"In {moved} of {len(rows)} samples the published alignment of shared tokens depends on which sentence "
            "comes first; the default alignment does not."
        )
    for score in ("ss", "cs"):
        control = find(estimates, f"{score}_plus", "control")
        original = find(estimates, f"{score}_plus", "original")
        if original is not None and control is None:
            found.append(
                f"This set has no control group: {score}_plus alone shows which words the model prefers, not whether "
                "it prefers them because of the group."
            )
        elif control is not None and control.low is not None and control.low > 0.5:
            found.append(
                f"{score} is mostly above 0 for the control group too ({control.value:.0%}), so {score} of the "
                "original group is not evidence of a stereotype; read the contrast."
            )
    if (rows["unread"].isna()).sum() < FEW:
        found.append(f"Fewer than {FEW} samples were scored: intervals are wide.")
    if rows["ss"].notna().any() and not installed():
        found.append(MISSING)
    return found
