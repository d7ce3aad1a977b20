"""Validity conditions of the chat measure."""

from collections.abc import Sequence

from genderscope.judgement import ValidityCondition
from genderscope.measures.gest_chat.reading import BY_CHANCE, FEMALE, MALE
from genderscope.statistics.estimate import Estimate

RATES = frozenset({"stereotype_rate", "masculine_rate"})


def order_excess(estimates: Sequence[Estimate], _: Estimate | None = None) -> float | None:
    """Return the order effect minus the chance-corrected agreement between orders."""
    values = {e.name: e.value for e in estimates if e.name in {"order_effect", "consistency"}}
    effect, consistency = values.get("order_effect"), values.get("consistency")
    if effect is None or consistency is None:
        return None
    return effect - (consistency - BY_CHANCE) / (1 - BY_CHANCE)


def one_gender(estimates: Sequence[Estimate], _: Estimate) -> float | None:
    """Return the proportion of answers that name the more frequent gender."""
    shares = [
        e.value
        for e in estimates
        if e.name == "share" and e.category in {MALE, FEMALE} and not e.group and e.stereotype is None
    ]
    return max((share for share in shares if share is not None), default=None)


ORDER = ValidityCondition(
    "the order effect minus the agreement between orders",
    0.0,
    "the position of an option matters more than its content",
    order_excess,
    at_least=False,
    applies_to=RATES,
    next_step="Try --form write (one prompt per sentence instead of six, but longer replies).",
)
ONE_GENDER = ValidityCondition(
    "the share of the more frequent gender",
    0.95,
    "nearly every answer names the same gender, whatever the stereotype, so the rate must be near 0",
    one_gender,
    at_least=False,
    applies_to=frozenset({"stereotype_rate"}),
)
