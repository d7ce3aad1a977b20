"""Whether a gate is about an estimate that there is: told from the cards, before anything is computed."""

import re

from genderscope.comparison import Condition
from genderscope.errors import UserError, did_you_mean
from genderscope.measures import MEASURES, card_of, measure_type

#: the share of questions that was read, which every run has
OF_EVERY_RUN = ("coverage",)


def check_estimate(condition: Condition, measure: str) -> None:
    """Refuse a name that looks like a misspelt headline and stands on no card.

    Cards refer to each other and a plugin may have none, so a name that is merely unknown is left to the run.
    """
    kind = measure_type(measure)
    leading = [*kind.headline, *kind.margins, *OF_EVERY_RUN]
    hint = did_you_mean(condition.name, leading)
    if condition.name in leading or not hint or any(_names(card, condition.name) for card in {*MEASURES, measure}):
        return
    raise UserError(
        f"The condition '{condition.text}' is about '{condition.name}', which '{measure}' does not estimate; it leads "
        f"with {', '.join(kind.headline)}.{hint}"
    )


def _names(measure: str, name: str) -> bool:
    """Tell whether the card of a measure has the name, as a word."""
    try:
        return re.search(rf"\b{re.escape(name)}\b", card_of(measure)) is not None
    except UserError:
        return False
