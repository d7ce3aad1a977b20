"""The tables of the WMT24 paper's Appendix B: their rows, conditions and weighting.

Every table counts only masculine and feminine readings of adjectives that are not themselves stereotyped. The numbers
are means over cells, so that no kind of adjective, sentiment, role or template style outweighs another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

Groups = tuple[tuple[int, ...], ...]
Weighting = Literal["cells", "styles", "pooled"]


@dataclass(frozen=True, slots=True)
class Compared:
    """A table: the rows of a subset, split into conditions by the values of a column."""

    #: table numbers in the paper, for Spanish, Czech and Icelandic
    tables: str
    subset: str
    part: str
    determined: bool
    by: str
    #: condition, a value of the column and a suffix of the estimate's name -> template styles with equal weight
    styles: Mapping[str, Groups]
    #: weighting of the published numbers, as far as it can be inferred
    published: Weighting

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions that the table compares."""
        return tuple(self.styles)

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


TABLES = (
    Compared(
        tables="6-8",
        subset="stereo_adverb",
        part="stereo_manner",
        determined=False,
        by="stereotype",
        styles=dict.fromkeys(("M", "F", "none"), ((1, 2),)),
        published="cells",
    ),
    Compared(
        tables="12-14",
        subset="stereo_character_ambiguous",
        part="stereo_character",
        determined=False,
        by="stereotype",
        styles=dict.fromkeys(("M", "F"), ((3,), (4,))),
        published="styles",
    ),
    Compared(
        tables="18-20",
        subset="stereo_character_determined",
        part="stereo_character",
        determined=True,
        by="agreement",
        styles=dict.fromkeys(("pro", "anti"), ((3,), (4,))),
        published="pooled",
    ),
    Compared(
        tables="21-23",
        subset="structure_ambiguous",
        part="structure",
        determined=False,
        by="other_gender",
        styles=dict.fromkeys(("M", "F"), ((5,), (8, 9))),
        published="styles",
    ),
    Compared(
        tables="24-26",
        subset="structure_determined",
        part="structure",
        determined=True,
        by="equality",
        styles={"one": ((5,), (8, 9)), **dict.fromkeys(("same", "opposite"), ((6,), (7,)))},
        published="styles",
    ),
)

#: labels of the conditions
WORDS = {
    ("stereo_adverb", "M"): "male adverb",
    ("stereo_adverb", "F"): "female adverb",
    ("stereo_adverb", "none"): "no adverb",
    ("stereo_character_ambiguous", "M"): "male character",
    ("stereo_character_ambiguous", "F"): "female character",
    ("stereo_character_determined", "pro"): "in line with the stereotype",
    ("stereo_character_determined", "anti"): "against the stereotype",
    ("structure_ambiguous", "M"): "next to a man",
    ("structure_ambiguous", "F"): "next to a woman",
    ("structure_determined", "one"): "one known gender",
    ("structure_determined", "same"): "two of the same gender",
    ("structure_determined", "opposite"): "two of opposite genders",
}

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
