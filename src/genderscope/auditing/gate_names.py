"""Whether a gate is about an estimate that its measure has: known from its card, before anything is computed."""

import re

from genderscope.comparison import Condition
from genderscope.errors import UserError, did_you_mean
from genderscope.measures import card_of, measure_type

#: the share of questions that was read, which every run has
OF_EVERY_RUN = ("coverage",)


def check_estimate(condition: Condition, measure: str) -> None:
    """Refuse a name that neither the measure nor its card knows; a measure without a card cannot be asked."""
    kind = measure_type(measure)
    leading = [*kind.headline, *kind.margins, *OF_EVERY_RUN]
    if condition.name in leading:
        return
    try:
        card = card_of(measure)
    except UserError:
        return
    # Estimates of cards stand in code or as symbols: any word that is spelt so may be one.
    if condition.name not in set(re.findall(r"\w+", card)):
        raise UserError(
            f"The condition '{condition.text}' is about '{condition.name}', which the card of '{measure}' does not "
            f"know; it leads with {', '.join(kind.headline)}.{did_you_mean(condition.name, leading)}"
        )
