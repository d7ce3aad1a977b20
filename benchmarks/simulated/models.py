"""Correlations over models: few points, and a correlation that is known."""

from collections.abc import Iterator

import numpy as np
from benchmarks.simulated import Checked, Situation

from genderscope.statistics.correlation import correlate


def correlations(n: int, rho: float):
    rank = 6 / np.pi * np.arcsin(rho / 2)  # Spearman's rho of a bivariate normal distribution

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        x = generator.normal(size=n)
        y = rho * x + np.sqrt(1 - rho**2) * generator.normal(size=n)
        for kind, truth in (("Pearson", rho), ("Spearman", rank)):
            found = correlate(list(x), list(y), kind)
            null = found.p if rho == 0 else None
            yield Checked(f"{kind}, Fisher", truth, *(found.fisher or (None, None)), p=null)
            ends = getattr(found, "bootstrap", None)
            if ends is not None:
                yield Checked(f"{kind}, bootstrap", truth, *ends)

    return draw


def situations() -> Iterator[Situation]:
    """Correlations over 3 to 20 models."""
    for n in (3, 4, 5, 8, 11, 20):
        for rho in (0.0, 0.8):
            yield Situation(
                "validity", f"{n} models, true r {rho:g}", correlations(n, rho), 1, "n < 12" if n < 12 else ""
            )
