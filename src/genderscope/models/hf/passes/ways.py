"""The ways to put texts through a language model: how they are laid out, and where its logits are cut.

The model's own way is one text alone, nothing filled up, all logits. Every other way is a short cut.
"""

from typing import NamedTuple

#: common beginnings are read once, all texts of a pass stand in rows
TREE = "prefix tree"
#: texts stand one after the other in one row and do not see each other
ROW = "one row"
#: only texts of the same length go through the model together, so nothing is filled up
EQUAL = "equal lengths"
ALONE = "one text at a time"

#: logits are computed behind the last attention, behind the body, or by the model itself
SOONEST, NEEDED, ALL = "soonest", "needed", "all"


class Way(NamedTuple):
    """How texts are laid out, where the logits are cut, and whether what was read is kept while texts grow.

    It is kept in the tree (`cache`), or dealt out to rows of their own (`rows`).
    """

    layout: str
    logits: str
    cache: bool = False
    rows: bool = False

    @property
    def mixes(self) -> bool:
        """Whether texts of different lengths go through the model together."""
        return self.layout in (TREE, ROW)

    def __str__(self) -> str:
        kept = ", kept while texts grow" if self.cache else ", then rows that grow" if self.rows else ""
        return f"{self.layout}, {'all' if self.logits == ALL else 'needed'} logits{kept}"


#: the model as its authors run it
OWN = Way(ALONE, ALL)
