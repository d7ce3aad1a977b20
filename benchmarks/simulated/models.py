"""Correlations over models: few points, families of models that are alike, values with noise; r is known."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from benchmarks.simulated import Checked, Situation

from genderscope.statistics.correlation import corrected_for_noise, correlate, reliability

KINDS: tuple[Literal["Pearson", "Spearman"], ...] = ("Pearson", "Spearman")


def correlations(n: int, rho: float):
    rank = 6 / np.pi * np.arcsin(rho / 2)  # Spearman's rho of a bivariate normal distribution

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        x = generator.normal(size=n)
        y = rho * x + np.sqrt(1 - rho**2) * generator.normal(size=n)
        for kind, truth in zip(KINDS, (rho, rank), strict=True):
            found = correlate(list(x), list(y), kind)
            null = found.p if rho == 0 else None
            low, high = found.fisher or (None, None)
            yield Checked(f"{kind}, Fisher", truth, low, high, null)
            ends = getattr(found, "bootstrap", None)
            if ends is not None:
                yield Checked(f"{kind}, bootstrap", truth, *ends)

    return draw


def related(n: int, rho: float, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x = generator.normal(size=n)
    return x, rho * x + np.sqrt(1 - rho**2) * generator.normal(size=n)


def in_families(sizes: Sequence[int], alike: float, rho: float):
    """Families of these sizes; `alike` is their share of the variance."""
    codes = np.repeat(np.arange(len(sizes)), sizes)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        sides = zip(related(len(sizes), rho, generator), related(len(codes), rho, generator), strict=True)
        x, y = (np.sqrt(alike) * family[codes] + np.sqrt(1 - alike) * single for family, single in sides)
        for kind, truth in zip(KINDS, (rho, 6 / np.pi * np.arcsin(rho / 2)), strict=True):
            found = correlate(list(x), list(y), kind, [str(k) for k in codes])
            low, high = found.fisher or (None, None)
            yield Checked(kind, truth, low, high, found.p if rho == 0 else None)

    return draw


def noisy(n: int, rho: float, reliable: float):
    """Values with noise of known standard errors, which differ between models."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        errors = generator.uniform(0.7, 1.3, (2, n)) * np.sqrt(1 / reliable - 1)
        x, y = (side + e * generator.normal(size=n) for side, e in zip(related(n, rho, generator), errors, strict=True))
        plain = correlate(list(x), list(y), "Pearson")
        found = corrected_for_noise(plain, (reliability(x, errors[0]), reliability(y, errors[1])))
        yield Checked("Pearson, corrected", rho, *((found and found.fisher) or (None, None)))

    return draw


def situations() -> Iterator[Situation]:
    """Correlations over 3 to 20 models."""
    for n in (3, 4, 5, 8, 11, 20):
        for rho in (0.0, 0.8):
            yield Situation(
                "validity", f"{n} models, true r {rho:g}", correlations(n, rho), 1, "n < 12" if n < 12 else ""
            )
    for sizes in (
        (4, 4),
        (4, 4, 4),
        (3, 3, 3, 3),
        (2, 2, 2, 1, 1),
        (4, 3, 2, 2, 2, 1),
        (6, 3, 3, 2, 2, 1, 1, 1),
        (3,) * 12,
    ):
        few = "n < 12" if len(sizes) < 12 else ""
        for alike, rho in ((0.9, 0.0), (0.5, 0.0), (0.9, 0.8), (0.0, 0.0)):
            name = f"{sum(sizes)} models of {len(sizes)} families ({alike:g} alike), true r {rho:g}"
            yield Situation("validity", name, in_families(sizes, alike, rho), 1, few)
    for n in (8, 20):
        for rho in (0.0, 0.5, 0.9):
            name = f"{n} models, reliability 0.7, true r {rho:g}"
            yield Situation("validity", name, noisy(n, rho, 0.7), 1, "n < 12" if n < 12 else "")
