"""The WMT24 speaker-listener dialogue suite."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.measures.dialogue.measure import rows_of
    from genderscope.measures.dialogue.rates import DialogueRates
    from genderscope.measures.dialogue.regressions import REGRESSIONS, fitted, regressed
    from genderscope.measures.dialogue.row import DialogueRow
    from genderscope.measures.dialogue.tables import TABLES, WORDS, Compared

__all__ = [
    "REGRESSIONS",
    "TABLES",
    "WORDS",
    "Compared",
    "DialogueRates",
    "DialogueRow",
    "fitted",
    "regressed",
    "rows_of",
]

__getattr__ = door(
    __name__,
    {
        "Compared": "tables",
        "DialogueRates": "rates",
        "DialogueRow": "row",
        "REGRESSIONS": "regressions",
        "TABLES": "tables",
        "WORDS": "tables",
        "fitted": "regressions",
        "regressed": "regressions",
        "rows_of": "measure",
    },
)
