"""Sentences on controls: how many texts with a known answer the system got right."""

from collections.abc import Sequence

from genderscope.core.languages import language_name
from genderscope.statistics.estimate import Estimate

#: estimates of the controls: known answers that are right, and pairs with nothing to know in their arbitrary order
CONTROL, CONTROL_AUC, NOTHING_TO_KNOW = "control", "control_auc", "control_nothing_to_know"
CONTROLS = (CONTROL, CONTROL_AUC, NOTHING_TO_KNOW)
#: method of a share in which men and women have equal weights, so that it is not a count divided by a number
BALANCED = "Price-Bonett, men and women weighted equally"
#: share of answers to known controls that choose no gender, where a model may do so
CONTROL_NO_GENDER = "control_no_gender"
#: from this share, the line on the controls says so
_OFTEN = 0.5


def describe_control(e: Estimate, in_brackets: bool = False) -> str:
    """Return how often a control was right, and what chance would give: "right in 39 of 40 (chance: 20)".

    Inside brackets: "right in 39 of 40; chance: 20".
    """
    if in_brackets:
        return describe_control(e).replace(" (chance", "; chance").removesuffix(")")
    if e.value is None:
        return f"not answered in any of {e.n:,} cases"
    if e.method == BALANCED:
        return f"right in {e.value:.1%} of {e.n:,} (chance: {e.neutral or 0.0:.0%})"
    return f"right in {_count(e.value * e.n)} of {e.n:,} (chance: {_count((e.neutral or 0.0) * e.n)})"


def control_line(estimates: Sequence[Estimate]) -> str | None:
    """Return the line on the controls of a run, or None if it has none."""
    overall = {e.name: e for e in estimates if e.name in (CONTROL, NOTHING_TO_KNOW) and not e.keys}
    control, nothing = overall.get(CONTROL), overall.get(NOTHING_TO_KNOW)
    if control is None:
        return None
    line = f"Control: {describe_control(control)} where the answer is known"
    if nothing is not None and nothing.value is not None:
        line += f"; {_count(nothing.value * nothing.n)} of {nothing.n:,} where there is nothing to know"
        line += "" if _is_chance(nothing) else ", which is not chance"
    return f"{line}.{_without_gender(estimates)}{_silent(estimates)}"


def _without_gender(estimates: Sequence[Estimate]) -> str:
    """Say how often no gender was named, if that was frequent; such a model cannot be right or wrong."""
    estimate = next((e for e in estimates if e.name == CONTROL_NO_GENDER and (e.value or 0.0) >= _OFTEN), None)
    return (
        ""
        if estimate is None
        else f" No gender was named in {_count((estimate.value or 0.0) * estimate.n)} of {estimate.n:,}."
    )


def _silent(estimates: Sequence[Estimate]) -> str:
    """Name the languages whose own control is not better than chance."""
    named = [
        language_name(e.language)
        for e in estimates
        if e.name == CONTROL and e.language and e.template is None and not _is_above_chance(e)
    ]
    return f" Not better than chance: {', '.join(named)}." if named else ""


def _is_above_chance(e: Estimate) -> bool:
    return e.low is not None and e.neutral is not None and e.low > e.neutral


def _is_chance(e: Estimate) -> bool:
    return e.low is None or e.high is None or e.neutral is None or e.low <= e.neutral <= e.high


def _count(value: float) -> str:
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-6 else f"{value:,.1f}"
