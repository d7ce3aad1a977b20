"""Budgets: the number of samples per measure, the work that they cause, and the resulting widening of intervals."""

from collections.abc import Mapping, Sequence
from itertools import chain
from math import ceil

from genderscope.auditing.effort import total_effort
from genderscope.measures import AnyMeasure

#: maximum number of stratified samples per measure (or per language); None means no maximum
BUDGETS: dict[str, int | None] = {"quick": 160, "standard": 800, "full": None}
#: Maximum effort per measure, in tokens read, unless `FEWEST` samples need more. SmolLM2 takes about a minute of CPU
#: time for it, and at most ten minutes for all measures together.
EFFORT = {"quick": 80_000}
FEWEST = 48  # minimum number of samples: three per GEST stereotype


def affordable_limit(budget: str, limited: AnyMeasure, masked: bool = False) -> int | None:
    """Return a budget's limit, reduced if the samples that the measure keeps within it cause too much work.

    A limit may count samples per language or per probe, so that the whole set that it keeps is weighed. The work for
    controls does not depend on the limit.
    """
    most, allowed = BUDGETS[budget], EFFORT.get(budget)
    if most is None or allowed is None or not limited.samples:
        return most
    effort = total_effort(chain.from_iterable(map(limited.ask, limited.samples)), masked).tokens
    controls = total_effort(chain.from_iterable(limited.ask(case.sample) for case in limited.controls), masked).tokens
    fewest = ceil(most * min(1.0, FEWEST / len(limited.samples)))
    return max(fewest, min(most, int(most * max(0.0, allowed - controls) / max(1.0, effort))))


def widening(samples: Sequence[object], whole: Sequence[object], units: Mapping[str, float]) -> float:
    """Return the factor by which intervals are wider than with all samples.

    The variance of an estimate is that between units divided by their number, plus the rest divided by the number of
    samples. A limited set has fewer samples, but often nearly all units. `units` are those of the measure.
    """
    return (_variance(samples, units) / _variance(whole, units)) ** 0.5 if samples and whole else 1.0


def _variance(samples: Sequence[object], units: Mapping[str, float]) -> float:
    counts = {name: len({getattr(sample, name) for sample in samples}) for name in units}
    between = sum(share / counts[name] for name, share in units.items())
    return between + (1 - sum(units.values())) / len(samples)
