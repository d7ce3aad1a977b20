"""Studies planned from a pilot: how often the planned study finds the effect, on average over pilots."""

from collections.abc import Iterator

import numpy as np
from benchmarks.simulated import Checked, Situation

from genderscope.statistics.power import Precision, samples_needed
from genderscope.statistics.student_intervals import Error, p_of_mean


def planned(pilot: int, strata: int, effect: float, power: float = 0.95):
    """A pilot's spread, the study planned from it, and whether its test finds the effect, counted like coverage."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        freedom = pilot - strata
        spread = float(np.sqrt(generator.chisquare(freedom) / freedom))
        n = samples_needed(effect, Precision(spread, freedom, strata), power)
        variance = generator.chisquare(n - strata) / (n - strata) / n
        p = p_of_mean(effect + generator.normal(0, 1 / np.sqrt(n)), Error(float(variance), n - strata))
        found = p is not None and p < 0.05
        yield Checked(f"finds the effect (promised {power:.0%})", 1.0, float(found), float(found))

    return draw


def situations() -> Iterator[Situation]:
    """Pilots of 32, 64 and 256 samples of 16 strata, and one of a single stratum."""
    for pilot, strata in ((32, 16), (64, 16), (256, 16), (16, 1)):
        for effect in (0.1, 0.3):
            name = f"pilot of {pilot}, {strata} strata, effect {effect:g}"
            yield Situation("power", name, planned(pilot, strata, effect), 2)
