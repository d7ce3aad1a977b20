"""The tables of the WMT24 paper's Appendix B, which `tables.toml` declares: their rows, conditions and weighting.

Every table counts only masculine and feminine readings of adjectives that are not themselves stereotyped. The numbers
are means over cells, so that no kind of adjective, sentiment, role or template style outweighs another.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

Weighting = Literal["cells", "styles", "pooled"]


@dataclass(frozen=True, slots=True)
class Compared:
    """A table: the rows of a subset, split into conditions by the values of a column."""

    tables: str
    subset: str
    part: str
    determined: bool
    by: str
    published: Weighting
    #: condition, a value of the column and a suffix of the estimate's name -> its label, and its template styles
    conditions: Mapping[str, Mapping[str, Any]]

    def label(self, condition: str) -> str:
        """Return the words for a condition."""
        return str(self.conditions[condition]["label"])

    def styles(self, condition: str) -> list[list[int]]:
        """Return the templates of each style; styles have equal weight."""
        styles: list[list[int]] = self.conditions[condition]["styles"]
        return styles

    @property
    def outcome(self) -> Literal["male", "correct"]:
        """What is counted: masculine readings or, if the gender is determined, correct ones."""
        return "correct" if self.determined else "male"

    @property
    def difference(self) -> str:
        """The name of the difference between two conditions."""
        return "accuracy_difference" if self.determined else "cue_effect"

    @property
    def compared_conditions(self) -> tuple[str, str]:
        """The two conditions whose difference is reported, first minus second."""
        kept = [name for name in self.conditions if name not in {"none", "one"}]
        return kept[0], kept[1]


_FILE = files("genderscope.measures.dialogue").joinpath("tables.toml")
TABLES = tuple(Compared(**table) for table in tomllib.loads(_FILE.read_text(encoding="utf-8"))["table"])

#: gender of a cue -> suffix of its rate's name
_CUES = {"M": "male_cue", "F": "female_cue", "none": "no_cue"}
_RATE, _ACCURACY = "masculine_rate_", "accuracy_"


def rate_name(condition: str) -> str:
    """Return the name of the masculine rate in a condition."""
    return _RATE + _CUES[condition]


def accuracy_name(condition: str) -> str:
    """Return the name of the accuracy in a condition."""
    return _ACCURACY + condition


def condition_of(name: str) -> str:
    """Return the condition that a rate or accuracy is about; empty for a rate across all conditions."""
    by_suffix = {suffix: condition for condition, suffix in _CUES.items()}
    return by_suffix.get(name.removeprefix(_RATE), name.removeprefix(_ACCURACY) if name.startswith(_ACCURACY) else "")


def gendered(rows: pd.DataFrame, as_published: bool) -> pd.Series[bool]:
    """Return a mask of the rows with a masculine or feminine reading.

    As published, polite plurals and nouns used instead of an adjective are excluded, which matches the published tables
    best.
    """
    shown = rows["gender"].isin(["masculine", "feminine"])
    if not as_published:
        return shown
    adjective = ~rows["noun"].astype(bool) if "noun" in rows else True  # runs of version 0.1.0 lack the column
    return shown & ~rows["plural"].astype(bool) & adjective


def table_of(subset: str) -> Compared:
    """Return the table for this subset."""
    return next(table for table in TABLES if table.subset == subset)
