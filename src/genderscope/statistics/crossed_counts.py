"""Counts over two crossed factors: identity terms within groups, and patterns shared by all terms."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cells:
    """Counts for the terms of one group: hits [terms, patterns, outcomes] out of counts [terms, patterns]."""

    hits: Array
    counts: Array

    def shares(self) -> Array:
        """Return the share of hits per outcome."""
        shares: Array = self.hits.sum(axis=(0, 1)) / self.counts.sum()
        return shares
