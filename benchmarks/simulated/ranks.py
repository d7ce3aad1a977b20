"""Ranks of sixteen stereotypes: all intervals at once, for values that are nearly equal, apart, or of unequal error."""

from collections.abc import Iterator

import numpy as np
from benchmarks.simulated import Checked, Situation

from genderscope.statistics.ranks import rank_intervals
from genderscope.statistics.simultaneous import holm
from genderscope.statistics.student_intervals import Error, p_of_mean

COUNT = 16


def ranks(n: int, gap: float, unequal: float):
    """Values `gap` apart, each the mean of n samples whose standard deviations differ by a factor of `unequal`."""
    truth = np.arange(COUNT) * gap
    spread = np.geomspace(1, unequal, COUNT)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        values = truth[:, None] + generator.permutation(spread)[:, None] * generator.normal(size=(COUNT, n))
        means, variances = values.mean(axis=1), values.var(axis=1, ddof=1) / n
        errors = [Error(float(v), n - 1) for v in variances]
        ends = rank_intervals(list(means), errors)
        inside = [low <= k + 1 <= high for k, (low, high) in enumerate(ends)]
        yield Checked("first rank", 1.0, *ends[0])
        yield Checked("all ranks at once", 1.0, float(all(inside)), float(all(inside)))
        corrected = holm([p_of_mean(float(m - t), e) for m, t, e in zip(means, truth, errors, strict=True)])
        yield Checked("any corrected p", 0.0, 0.0, 0.0, p=min(p for p in corrected if p is not None))

    return draw


def situations() -> Iterator[Situation]:
    """Sixteen values."""
    for n in (5, 16, 200):
        for gap, unequal in ((1e-6, 1.0), (1e-6, 4.0), (0.1, 1.0)):
            name = f"16 values {gap:g} apart, errors up to {unequal:g} times, n {n}"
            yield Situation("ranks", name, ranks(n, gap, unequal), 1, "whole numbers")
