"""`genderscope card`: the card of a measure."""

from genderscope.cli.options import MeasureName
from genderscope.util.safe_text import terminal_safe


def card_command(measure: MeasureName) -> None:
    """Print the card of a measure: its questions, formulas, interpretation and caveats."""
    from genderscope.measures import card_of

    print(terminal_safe(card_of(measure)))
