"""Budgets: the number of samples per measure, and the resulting widening of intervals."""

from genderscope.auditing.workload import characters_of
from genderscope.measures import AnyMeasure
from genderscope.samples import subsampling

#: maximum number of stratified samples per measure (or per language); None: all
BUDGETS: dict[str, int | None] = {"quick": 160, "standard": 800, "full": None}
CHARACTERS = {"quick": 32_000}  # maximum number of characters that a model reads and generates per measure
FEWEST = 48  # minimum number of samples: three per GEST stereotype
PROBED = 32  # number of samples used to estimate the characters per sample


def limit_of(budget: str, whole: AnyMeasure) -> int | None:
    """Return a budget's maximum number of samples, reduced if samples are long; None: all."""
    most, characters = BUDGETS[budget], CHARACTERS.get(budget)
    if most is None or characters is None or not whole.samples:
        return most
    some = subsampling.evenly(whole.samples, PROBED)
    per_sample = sum(characters_of(question) for sample in some for question in whole.ask(sample)) / len(some)
    return max(min(most, FEWEST), min(most, int(characters / max(1.0, per_sample))))


def widening(samples: int, whole: int) -> float:
    """Return how many times wider intervals are than with all samples, by the square-root law."""
    return (whole / samples) ** 0.5 if samples else 1.0
