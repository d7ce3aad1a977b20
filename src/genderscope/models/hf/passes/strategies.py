"""The ways to run texts through a language model: how they are laid out, and where its logits are cut.

The model's own way is one text alone, without padding, with all logits. Every other way is a shortcut.
"""

from typing import NamedTuple

#: shared prefixes are computed once, all texts of a pass are packed into rows
PREFIX_TREE = "prefix tree"
#: texts are concatenated in one row and do not see each other
PACKED_ROW = "one row"
#: short texts are packed into rows of one width and do not see each other
PACKED_ROWS = "segments of rows"
#: only texts of the same length are batched, so there is no padding
EQUAL_LENGTHS = "equal lengths"
ALONE = "one text at a time"

#: logits are cut after the last attention, after the body, or not at all
EARLIEST, NEEDED, ALL = "soonest", "needed", "all"


class Strategy(NamedTuple):
    """How texts are laid out, where the logits are cut, and whether a cache is kept while texts grow.

    It is kept in the tree (`cache`), or dealt out to rows of their own (`rows`). With `both`, one pass gives the logits
    of a few tokens at all positions and the normalisers at some.
    """

    layout: str
    logits: str
    cache: bool = False
    rows: bool = False
    both: bool = False

    @property
    def mixes(self) -> bool:
        """Whether texts of different lengths are processed together."""
        return self.layout in (PREFIX_TREE, PACKED_ROW, PACKED_ROWS)

    def __str__(self) -> str:
        kept = ", kept while texts grow" if self.cache else ", then rows that grow" if self.rows else ""
        return f"{self.layout}, {'all' if self.logits == ALL else 'needed'} logits{kept}"


#: the model as its authors run it
REFERENCE = Strategy(ALONE, ALL)
