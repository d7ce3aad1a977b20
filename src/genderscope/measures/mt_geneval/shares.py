"""Units of segments: the English segment or, in contextual segments, the profession.

The same English segment in several languages is one unit.
"""

import re
from functools import cache
from importlib.resources import files

import pandas as pd

from genderscope.samples.mt_geneval import CONTEXTUAL

#: subset -> the kind of its units
UNITS = {CONTEXTUAL: "professions"}
SEGMENTS = "segments"


@cache
def professions() -> tuple[str, ...]:
    """Return the known English professions, one of which occurs in 99 % of the released contextual segments."""
    return tuple((files(__package__) / "professions.csv").read_text(encoding="utf-8").split()[1:])


@cache
def _finder() -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(professions())})s?\b", re.IGNORECASE)


def profession_in(source: str) -> str | None:
    """Return the last profession in a text, since context precedes the judged sentence and modifiers precede a noun."""
    names = _finder().findall(source)
    return names[-1].lower() if names else None


def units_of(rows: pd.DataFrame) -> "pd.Series[str]":
    """Return each row's unit: the profession in a contextual segment, if known, otherwise the segment."""
    contextual = rows["subset"] == CONTEXTUAL
    named = rows.loc[contextual, "source"].map(profession_in)
    return rows["item"].where(~contextual | named.reindex(rows.index).isna(), named.reindex(rows.index))
