"""Combined probability of a template's two words at the blank: mean and median."""

import numpy as np
import numpy.typing as npt

from genderscope.statistics.estimate import Estimate
from genderscope.statistics.long_tailed import FEWEST_FOR_MEAN, FEWEST_FOR_MEDIAN, mean_interval, median_interval

Array = npt.NDArray[np.float64]

BOOTSTRAP_T = "bootstrap-t on the logit scale"
ORDER = "order statistics"
NO_NEUTRAL = "the probability of the two words says nothing about bias"


def mass_estimates(values: Array, template: int | None, seed: int) -> list[Estimate]:
    """Return the mean and the median, because a few questions may dominate the mean.

    The list is empty if there are no values.
    """
    if not len(values):
        return []
    generator = np.random.default_rng([seed, 98, template or 0])
    ends = mean_interval(values, generator)
    long_tail = f"no interval with fewer than {FEWEST_FOR_MEAN} values, too few to estimate the tail"
    few = f"no interval with fewer than {FEWEST_FOR_MEDIAN} values"
    return [
        _estimate("mass", float(values.mean()), ends, len(values), BOOTSTRAP_T, template, long_tail),
        _estimate("mass_median", float(np.median(values)), median_interval(values), len(values), ORDER, template, few),
    ]


def _estimate(
    name: str, value: float, ends: tuple[float, float] | None, n: int, method: str, template: int | None, why: str
) -> Estimate:
    remark = NO_NEUTRAL if ends else f"{why}; {NO_NEUTRAL}"
    blank = Estimate(name=name, n=n, unread=0, neutral=None, method=method, remark=remark)
    return blank.within(value, ends).at(template=template)
