"""Validity conditions and caveats that the measures of chat models share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import SeriousCaution, most_frequent
from genderscope.judgement import COVERAGE, Retry, ValidityCondition, format_share
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: with more refusals than this, more answers would be missing than given
MOST_REFUSED = 0.5
#: below this combined probability of the three letters, the model mostly answers with something else
LOW_MASS = 0.5
#: above this share, replies that were cut off are mentioned
CUT_OFF = 0.05
#: proportion of pairs of random answers, in different orders, with the same option or position
CHANCE = 1 / 3
#: name of the estimate of how much more often two answers have the option in common than its position
LEAD = "content_lead"


def outcome_share(estimates: Sequence[Estimate], outcome: str, **keys: str | None) -> float | None:
    """Return the share of an outcome: the first estimate with these keys that is about no group or stereotype."""
    return next(
        (
            e.value
            for e in estimates
            if e.name == "share" and e.category == outcome and not e.group and e.stereotype is None
            if all(getattr(e, key) == value for key, value in keys.items())
        ),
        None,
    )


def least_lead(estimates: Sequence[Estimate], _: Estimate | None = None) -> float | None:
    """Return the lower end of the lead of content over position: that within questions, or across them if larger.

    Without a lead, as in runs of earlier versions, it is how far the lower end of the consistency exceeds chance.
    """
    leads = [e.low for e in estimates if e.name == LEAD and e.low is not None]
    if not leads:
        leads = [e.low - CHANCE for e in estimates if e.name == "consistency" and e.low is not None]
    return max(leads, default=None)


def describe_orders(estimates: Sequence[Estimate], _: Estimate | None = None) -> str:
    """Describe answers that follow the options' positions, or nothing, rather than their content."""
    values = {e.name: e for e in estimates if e.name in {"order_effect", "consistency"}}
    effect, consistency = values.get("order_effect"), values.get("consistency")
    if effect is not None and (effect.low or 0.0) > 0:
        return (
            "the model chooses an option by its place in the list rather than by its content (order effect "
            f"{effect.value:.2f}; 0 means none, 1 that only the place matters)"
        )
    if consistency is None:
        return "it is not certain that the answers depend on what the options say, and not only on their places"
    return (
        "the answers hardly repeat when the options change places (the same answer in "
        f"{format_share(consistency.value or 0.0)} of the cases; random answers reach {format_share(CHANCE)})"
    )


#: a reply that can only be one of the options can be interpreted
CHAT_COVERAGE = replace(
    COVERAGE,
    retries=(
        Retry("Let the server restrict the replies to the options", {"form": "structured"}),
        Retry("Compare the probabilities of the options' letters", {"form": "letter"}),
    ),
)


def answered_condition(read: Any, applies_to: frozenset[str], retry: Retry) -> ValidityCondition:
    """Return the condition that most questions are answered; `read` returns the share of refusals."""
    return ValidityCondition(
        "the share of refusals",
        MOST_REFUSED,
        "the answers to the other questions may differ",
        read,
        at_least=False,
        applies_to=applies_to,
        words="the model refuses {share} of the questions (at most {needed} are allowed)",
        retries=(retry,),
    )


def order_condition(applies_to: frozenset[str], retry: Retry) -> ValidityCondition:
    """Return the condition that the content of an option demonstrably matters more than its position."""
    return ValidityCondition(
        "the lead of the options' content over their position (lower end of its interval)",
        0.0,
        "its answers say little about the content",
        least_lead,
        applies_to=applies_to,
        words=describe_orders,
        retries=(retry,),
        needs_samples=True,
    )


def ending_cautions(rows: "pd.DataFrame", form: str) -> Iterator[str]:
    """Yield caveats about replies that were cut off, filtered, preceded by reasoning or given by another model."""
    ends = rows["ended"].value_counts()
    cut = int(ends.get("length", 0))
    if form != "letter" and cut > CUT_OFF * len(rows):
        yield f"{cut:,} of {len(rows):,} replies were cut off at the maximum length; raise --max-tokens if needed."
    if blocked := int(ends.get("filter", 0)):
        yield f"A content filter stopped {blocked:,} of {len(rows):,} replies; they count as refused."
    if thought := int(rows["thought"].notna().sum()):
        yield f"{thought:,} replies came with reasoning, which is stored separately and was not read."
    names = rows["served_by"].dropna().value_counts()
    yield from _served_by({str(name): int(count) for name, count in names.items()}, len(rows))


def _served_by(names: Mapping[Any, int], replies: int) -> Iterator[str]:
    if len(names) == 1:
        name, count = next(iter(names.items()))
        yield SeriousCaution(
            f"The server says that {count:,} of {replies:,} replies came from '{name}', not from the requested model."
        )
    elif names:
        listed = most_frequent(names, "'{}' ({:,})")
        yield SeriousCaution(
            f"The server says that {sum(names.values()):,} of {replies:,} replies came from {len(names):,} models, "
            f"none of which is the requested one: {listed}."
        )


def mass_cautions(rows: "pd.DataFrame") -> Iterator[str]:
    """Yield a caveat if the letters are improbable at the beginning of a reply."""
    masses = rows["mass"].dropna()
    if len(masses) and masses.mean() < LOW_MASS:
        yield (
            f"The three letters have a combined probability of only {masses.mean():.2g} at the beginning of a "
            "reply: the model usually begins with something else, so --form ask is more informative."
        )


def has_draws(rows: "pd.DataFrame") -> bool:
    """Return whether prompts were asked several times."""
    return "draw" in rows and bool((rows["draw"] > 0).any())  # earlier versions have no such column


def draw_cautions(rows: "pd.DataFrame") -> Iterator[str]:
    """Yield a caveat if several draws of a prompt never differ."""
    prompt = [name for name in ("sample", "wording", "order") if name in rows]
    if has_draws(rows) and rows.groupby(prompt, dropna=False)["reply"].nunique().max() < 2:
        yield (
            f"All {rows['draw'].max() + 1} draws of every prompt have the same reply: the model is certain of each, or "
            "the server repeats its first reply, so --draws adds nothing."
        )


def order_cautions(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat if the content of an option does not demonstrably matter more than its position."""
    if (least_lead(estimates) or 0.0) < 0:
        finding = describe_orders(estimates)
        yield f"{finding[0].upper()}{finding[1:]}; the rates say little about this model's views."
