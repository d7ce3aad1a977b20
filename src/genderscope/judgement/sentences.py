"""Sentences about the size, direction and certainty of one result, and about its controls.

A measure declares how its values are worded (`Phrase`); everything else is derived from the judgement. Controls are
texts with a known answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from genderscope.core.languages import language_name
from genderscope.judgement.conditions import FailedCondition
from genderscope.judgement.estimate_judgement import HALF, TWICE, Judgement
from genderscope.judgement.notation import (
    decimals,
    format_bounds,
    format_number,
    format_range,
    format_value,
    with_interval,
)
from genderscope.judgement.verdicts import Margin, Verdict
from genderscope.statistics.estimate import Estimate

#: verdict -> its label in a table cell
SHORT: dict[Verdict, str] = {
    Verdict.NOT_MEANINGFUL: "cannot be judged",
    Verdict.INCONCLUSIVE: "inconclusive",
    Verdict.NO_EFFECT: "below threshold",
    Verdict.EFFECT: "effect",
    Verdict.LARGE_EFFECT: "beyond threshold",
}
OPPOSITE = "opposite"
#: for a value that violates a gate's limit, but not significantly, so that the gate passes
NOT_BEYOND_LIMIT = "not significantly beyond the limit"


@dataclass(frozen=True)
class Phrase:
    """The wording of a value; `{}` is its size (unsigned for a difference) and `{percent}` its percentage."""

    above: str
    #: empty if `above` applies on both sides of the neutral point, as for a ratio or a proportion
    below: str = ""
    equal: str = ""
    #: the estimate's symbol in brackets; None for its name
    symbol: str | None = None
    #: the unit that n counts; empty for samples
    unit: str = ""
    #: the estimate's label in a list of verdicts, used instead of a sentence of its own
    topic: str = ""
    #: what the topics of such a list are
    kind_of_topic: str = "cause"

    def about(self, e: Estimate) -> str:
        """Format an estimate's value as a clause, which says so if the interval leaves the direction open."""
        if not self.below:
            text = self.above.format(format_value(e), percent=f"{e.value or 0.0:.0%}")
            return text + (_open_direction(e) if e.neutral == 1 else "")
        distance = (e.value or 0.0) - (e.neutral or 0.0)
        size = format_number(abs(distance), decimals(e))
        if size == "0":
            return self.equal
        return (self.above if distance > 0 else self.below).format(size) + _open_direction(e)


def _open_direction(e: Estimate) -> str:
    """Return a clause for an interval that includes the neutral point, so that the sign of the effect is open."""
    if e.neutral is None or e.low is None or e.high is None or not e.low <= e.neutral <= e.high:
        return ""
    return f", but the interval includes {e.neutral:g}"


def short_verdict(j: Judgement) -> str:
    """Return the verdict's label for a table cell."""
    return f"{SHORT[j.verdict]}, {OPPOSITE}" if j.is_opposite else SHORT[j.verdict]


def size_sentence(e: Estimate, phrase: Phrase | None, where: str = "", more: str = "") -> str:
    """Return a sentence on the size of a value, with interval, neutral point and n; `more` precedes the full stop."""
    if e.value is None:
        return f"{where}Too few answers could be read to estimate {e.name}{_because(e)}."
    text = f"{e.name} is {format_value(e)}" if phrase is None else phrase.about(e)
    symbol, unit = (None, "") if phrase is None else (phrase.symbol, f" {phrase.unit}" if phrase.unit else "")
    return f"{where}{text} ({with_interval(e, symbol, unit)}){more}."


def verdict_sentences(j: Judgement, parts: Sequence[Judgement] = (), what: str = "", brief: bool = False) -> str:
    """Return sentences on the verdict, its scope, and its sensitivity to the threshold.

    If `brief`, omit the sensitivity. `parts` are judgements of the same estimate for each template, language or subset
    of the data; `what` is the plural noun for them.
    """
    if j.failures:
        return f"Cannot be judged: {'; '.join(map(str, j.failures))}."
    if j.estimate.value is None:
        return f"Inconclusive: there is no value{_because(j.estimate)}."
    if j.estimate.low is None:
        why = j.estimate.remark or ""
        reason = why if why.startswith("no interval") else f"there is no interval{_because(j.estimate)}"
        return f"Inconclusive: {reason}."
    return " ".join(filter(None, (_verdict(j, parts, what), _unread(j), "" if brief else _sensitivity(j))))


def verdict_in_one_sentence(j: Judgement, where: str = "") -> str:
    """Return the verdict alone; if conditions are not met, only what the main failure shows."""
    if j.main_failure is not None:
        return verdict_at(where, f"Cannot be judged: {j.main_failure.finding}.")
    return verdict_at(where, verdict_sentences(j, brief=True))


def verdict_at(where: str, sentences: str) -> str:
    """Put the language or subset before a verdict: "Spanish: an effect beyond the threshold of 0.05."."""
    text = sentences.removeprefix("Verdict: ") if where else sentences
    return f"{where}{text[:1].lower()}{text[1:]}" if where else text


def list_verdicts(topics: Sequence[tuple[Phrase, Judgement]]) -> str:
    """Return one sentence that lists the verdicts of several estimates, grouped by verdict."""
    by_verdict: dict[str, list[str]] = {}
    for phrase, j in sorted(topics, key=lambda pair: list(Verdict).index(pair[1].verdict), reverse=True):
        e = j.estimate
        size = "" if e.low is None else f" ({format_value(e)}, {format_bounds(e, e.low, e.high)})"
        by_verdict.setdefault(short_verdict(j), []).append(f"{phrase.topic}{size}")
    groups = [f"{word}: {', '.join(named)}" for word, named in by_verdict.items()]
    return f"Verdicts by {topics[0][0].kind_of_topic}{_corrected(topics[0][1])}: {'; '.join(groups)}."


def _corrected(j: Judgement) -> str:
    """Return a clause on verdicts that are corrected together, and are thus stricter than a 95 % interval suggests."""
    return f", corrected for {j.family} verdicts" if j.family > 1 else ""


def _verdict(j: Judgement, parts: Sequence[Judgement], what: str) -> str:
    e = j.estimate
    alike = _alike(j, parts, what)
    if e.wide_low is None or e.wide_high is None:
        return f"Verdict: {_words(j.verdict, j)}{_corrected(j)}{alike}."
    within = f"(95 % interval {format_bounds(e, e.wide_low, e.wide_high)})"
    over = f"when generalising to other {e.wide_units} {within}"
    these = f"for these {e.wide_units} alone, {_words(j.narrow, j, threshold=False)}"
    same = j.narrow is j.verdict
    return f"Verdict: {_words(j.verdict, j)}{_corrected(j)} {over}{alike}{'' if same else f'; {these}'}."


def _words(verdict: Verdict, j: Judgement, threshold: bool = True) -> str:
    of = f" of {j.margin}" if j.margin is not None and threshold else ""
    against = f" in the {OPPOSITE} direction" if verdict.is_effect and _is_below(j.estimate) else ""
    if verdict is Verdict.INCONCLUSIVE:
        return f"inconclusive at the threshold{of}" if of else "inconclusive"
    if verdict is Verdict.NO_EFFECT:
        return f"no effect beyond the threshold{of}"
    if j.margin is None:
        return f"an effect{against} (no threshold is set)"
    return f"an effect{against}{', perhaps below' if verdict is Verdict.EFFECT else ' beyond'} the threshold{of}"


def _alike(j: Judgement, parts: Sequence[Judgement], what: str) -> str:
    """Return a phrase that counts the parts with the same verdict on the same side of the neutral point."""
    bounded = [part for part in parts if part.estimate.low is not None]
    if len(bounded) < 2 or j.verdict is Verdict.INCONCLUSIVE:
        return ""
    same = [p for p in bounded if p.verdict is j.verdict and p.is_opposite == j.is_opposite]
    return f", as in {len(same)} of {len(bounded)} {what}" if same else ""


def _unread(j: Judgement) -> str:
    if j.if_unread_alike in {None, j.verdict}:
        return ""
    e = j.estimate
    reach = format_range(e.unread_low, e.unread_high, decimals(e))
    return (
        "Unread answers could change the verdict: if they are up to twice as frequent for one gender as for the other, "
        f"the value may be anywhere from {reach}; if they resemble the answers that were read, the verdict is "
        f"{SHORT[j.if_unread_alike or j.verdict]}."
    )


def _sensitivity(j: Judgement) -> str:
    if j.margin is None:
        return ""
    half, twice = (f"{j.margin.times(scale).size:.3g}" for scale in (HALF, TWICE))
    if j.at_half is j.verdict is j.at_twice:
        return f"With a threshold of {half} or {twice}, the verdict would be the same."
    at_half, at_twice = (
        "the same" if verdict is j.verdict else _words(verdict, j, threshold=False)
        for verdict in (j.at_half, j.at_twice)
    )
    return f"With a threshold of {half}, the verdict would be {at_half}; with {twice}, {at_twice}."


def _is_below(e: Estimate) -> bool:
    return e.value is not None and e.neutral is not None and e.value < e.neutral


def _because(e: Estimate) -> str:
    return f" ({e.remark.rstrip('.')})" if e.remark else ""


#: legend of the mark for rows that differ significantly from neutral
MARK_NOTE = "* significant after correction for all stereotypes in the table (Holm)"


def significance_mark(e: Estimate) -> str:
    """Return "*" if an estimate differs significantly from neutral after correction for multiple comparisons."""
    return "*" if e.p_adjusted is not None and e.p_adjusted < 0.05 else ""


def explain_failures(subject: str, failures: Sequence[FailedCondition]) -> str | None:
    """Return the reason why a value cannot be judged, or None if all conditions are met."""
    return f"{subject} says nothing, because {'; '.join(map(str, failures))}" if failures else None


#: why a run is not placed among published values
VALUE_FAILS = "this run's value cannot be judged"


def describe_failed_values(reasons: Sequence[str], values: int) -> str:
    """Return the note on a figure's values that cannot be judged: how many of its values, and why."""
    why = "; ".join(dict.fromkeys(reasons))
    return f"Hollow or pale: cannot be judged ({len(reasons)} of {values} values), because {why}." if reasons else ""


def describe_left_out(left_out: int, runs: int) -> str:
    """Return the note on runs that a figure leaves out because their rates cannot be judged."""
    return f" {left_out} of {runs} runs are left out because their rates cannot be judged." if left_out else ""


def margin_words(margin: Margin | None) -> str:
    """Format a threshold for a table heading."""
    return "no threshold" if margin is None else f"threshold {margin}"


def explain_short_verdicts() -> str:
    """Explain the verdict labels in table cells in one sentence."""
    words = "; ".join(f"'{SHORT[v]}': {v}" for v in Verdict if SHORT[v] != v)
    return f"Verdicts compare the interval with the threshold, the smallest effect of interest ({words})."


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
