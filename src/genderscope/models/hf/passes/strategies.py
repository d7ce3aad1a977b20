"""Strategies: how texts share a forward pass, and where the logits are cut.

The reference is one text alone, without padding, with all logits. All other strategies must reproduce its numbers.
"""

from typing import NamedTuple

#: shared prefixes are computed once; a token attends to its ancestors only
PREFIX_TREE = "prefix tree"
#: texts are concatenated in one row; attention stays within each
PACKED_ROW = "one row"
#: short texts are packed into rows of equal width; attention stays within each
PACKED_ROWS = "segments of rows"
#: only texts of equal length share a batch, so nothing is padded
EQUAL_LENGTHS = "equal lengths"
ALONE = "one text at a time"

#: logits are cut after the last attention, after the body, or not at all
EARLIEST, NEEDED, ALL = "soonest", "needed", "all"


class Strategy(NamedTuple):
    """A layout, the point where logits are cut, and how continuations are cached.

    Keys and values are cached in the tree (`cache`) or in one row per text (`rows`). With `both`, one pass returns the
    logits of a few tokens at all positions and the normalisers at some.
    """

    layout: str
    logits: str
    cache: bool = False
    rows: bool = False
    both: bool = False

    @property
    def mixes(self) -> bool:
        """Whether texts of different lengths share a pass."""
        return self.layout in (PREFIX_TREE, PACKED_ROW, PACKED_ROWS)

    def __str__(self) -> str:
        kept = ", kept while texts grow" if self.cache else ", then rows that grow" if self.rows else ""
        return f"{self.layout}, {'all' if self.logits == ALL else 'needed'} logits{kept}"


#: as the model's authors run it
REFERENCE = Strategy(ALONE, ALL)
