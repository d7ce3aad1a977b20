"""How many samples of a measure a budget takes, and how much wider that makes its intervals."""

from genderscope.auditing.workload import characters_of
from genderscope.measures import AnyMeasure
from genderscope.samples import subsampling

#: the most samples of a measure (in each language, where it takes them so), chosen by stratum; None: all there are
BUDGETS: dict[str, int | None] = {"quick": 160, "standard": 800, "full": None}
#: the most characters that all samples of a measure together make a model read and write
CHARACTERS = {"quick": 32_000}
#: never fewer samples than this: three for each stereotype of GEST
FEWEST = 48
#: samples by which the characters of one are estimated
LOOKED_AT = 32


def limit_of(budget: str, whole: AnyMeasure) -> int | None:
    """Return how many samples of a measure a budget takes; None: all. Where samples ask much, there are fewer."""
    most, characters = BUDGETS[budget], CHARACTERS.get(budget)
    if most is None or characters is None or not whole.samples:
        return most
    some = subsampling.evenly(whole.samples, LOOKED_AT)
    a_sample = sum(characters_of(question) for sample in some for question in whole.ask(sample)) / len(some)
    return max(min(most, FEWEST), min(most, int(characters / max(1.0, a_sample))))


def widening(samples: int, whole: int) -> float:
    """Return how many times as wide as with all samples an interval is: widths go with the root of the number."""
    return (whole / samples) ** 0.5 if samples else 1.0
