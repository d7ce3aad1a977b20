"""Strategies: how texts share a forward pass, and which logits are computed."""

from typing import NamedTuple

#: shared prefixes are computed once; each token attends only to its ancestors
PREFIX_TREE = "prefix tree"
#: texts are concatenated in one row; attention stays within each text
PACKED_ROW = "one row"
#: short texts are packed into rows of equal width; attention stays within each text
PACKED_ROWS = "segments of rows"
#: only texts of equal length share a batch, so nothing is padded
EQUAL_LENGTHS = "equal lengths"
ALONE = "one text at a time"

#: logits are narrowed after the last attention, after the body, or not at all
EARLIEST, NEEDED, ALL = "soonest", "needed", "all"


class Strategy(NamedTuple):
    """A layout, the point at which logits are narrowed, and the caching of continuations.

    Keys and values are cached in the tree (`cache`) or in one row per text (`rows`). With `both`, one pass returns the
    logits of a few tokens for all texts and the normalisers for some.
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
        kept = ", prefix cache" if self.cache else ", row cache" if self.rows else ""
        return f"{self.layout}, {'all' if self.logits == ALL else 'needed'} logits{kept}"


#: one text alone, without padding, as the model's authors run it; every other strategy must reproduce it
REFERENCE = Strategy(ALONE, ALL)
