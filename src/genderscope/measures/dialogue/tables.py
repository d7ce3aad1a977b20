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
    outcome: Literal["male", "correct"]
    by: str
    #: suffix of the estimate's name -> value of the column
    conditions: Mapping[str, str]
    #: condition -> template styles with equal weight
    styles: Mapping[str, Groups]
    #: weighting of the published numbers, as far as it can be inferred
    published: Weighting
    difference: str

    @property
    def ends(self) -> tuple[str, str]:
        """The two conditions whose difference is reported, first minus second."""
        kept = [name for name in self.conditions if name not in {"none", "one"}]
        return kept[0], kept[1]


def _same(groups: Groups, *names: str) -> dict[str, Groups]:
    return dict.fromkeys(names, groups)


TABLES = (
    Compared(
        tables="6-8",
        subset="stereo_adverb",
        part="stereo_manner",
        determined=False,
        outcome="male",
        by="stereotype",
        conditions={"M": "M", "F": "F", "none": "none"},
        styles=_same(((1, 2),), "M", "F", "none"),
        published="cells",
        difference="cue_effect",
    ),
    Compared(
        tables="12-14",
        subset="stereo_character_ambiguous",
        part="stereo_character",
        determined=False,
        outcome="male",
        by="stereotype",
        conditions={"M": "M", "F": "F"},
        styles=_same(((3,), (4,)), "M", "F"),
        published="styles",
        difference="cue_effect",
    ),
    Compared(
        tables="18-20",
        subset="stereo_character_determined",
        part="stereo_character",
        determined=True,
        outcome="correct",
        by="agreement",
        conditions={"pro": "pro", "anti": "anti"},
        styles=_same(((3,), (4,)), "pro", "anti"),
        published="pooled",
        difference="accuracy_difference",
    ),
    Compared(
        tables="21-23",
        subset="structure_ambiguous",
        part="structure",
        determined=False,
        outcome="male",
        by="other_gender",
        conditions={"M": "M", "F": "F"},
        styles=_same(((5,), (8, 9)), "M", "F"),
        published="styles",
        difference="cue_effect",
    ),
    Compared(
        tables="24-26",
        subset="structure_determined",
        part="structure",
        determined=True,
        outcome="correct",
        by="equality",
        conditions={"one": "one", "same": "same", "opposite": "opposite"},
        styles={"one": ((5,), (8, 9)), **_same(((6,), (7,)), "same", "opposite")},
        published="styles",
        difference="accuracy_difference",
    ),
)

#: labels of the conditions
WORDS = {
    ("stereo_adverb", "M"): "male adverb",
    ("stereo_adverb", "F"): "female adverb",
    ("stereo_adverb", "none"): "no adverb",
    ("stereo_character_ambiguous", "M"): "male character",
    ("stereo_character_ambiguous", "F"): "female character",
    ("stereo_character_determined", "pro"): "as the stereotype",
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
