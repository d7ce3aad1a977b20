"""Skewed log-ratios of sixteen stereotypes without effect: intervals, asterisks and gates; normal ones as a control."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from benchmarks.simulated import Checked, Situation
from benchmarks.simulated.comparisons import alarm, result
from benchmarks.simulated.gest import frame

from genderscope.comparison import check, parse
from genderscope.measures.gest.rates import Rates
from genderscope.samples.gest import MALE

Drawn = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def gamma(shape: float) -> Drawn:
    """Gamma log-ratios around 0, with a variance of 1."""
    return lambda generator, size: (generator.gamma(shape, size=size) - shape) / math.sqrt(shape)


#: name -> how log-ratios with a mean of 0 are drawn
LOG_RATIOS: dict[str, Drawn] = {
    "normal": lambda generator, size: generator.normal(size=size),
    "gamma(4)": gamma(4.0),
    "exponential": gamma(1.0),
    "gamma(0.5)": gamma(0.5),
    "lognormal": lambda generator, size: generator.lognormal(size=size) - math.exp(0.5),
    "3 % decide": lambda generator, size: generator.normal(0, 0.5, size) + 3 * (generator.random(size) < 0.03) - 0.09,
    "Student's t(3)": lambda generator, size: generator.standard_t(3, size),
}
GATE = "distance(masculine_rate_by_stereotype).low > 0"


def stereotypes(n: int, name: str, opposite: bool = False):
    """q_i and g_s of n sentences per stereotype; female stereotypes may have the mirror image of male ones."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        drawn = {i: LOG_RATIOS[name](generator, (n, 1)) for i in range(1, 17)}
        rows = frame({i: values if i in MALE or not opposite else -values for i, values in drawn.items()})
        found = Rates(rows, 0, "ratio").estimates()
        stars = []
        for e in found:
            if e.name == "masculine_rate_by_stereotype" and e.template is None:
                yield Checked("q_i", 1.0, e.low, e.high)
                corrected = (e.low, e.high) if e.skewness else (None, None)
                yield Checked("q_i, if corrected for skewness", 1.0, *corrected)
                stars.append(e.p_adjusted is not None and e.p_adjusted < 0.05)
            elif e.name in {"stereotype_rate", "masculine_rate_male"} and e.template is None:
                yield Checked(e.symbol or e.name, 1.0, e.low, e.high)
        yield alarm("a stereotype has an asterisk", any(stars))
        (gate,) = check([parse(GATE)], result(found, rows))
        yield alarm(GATE, bool(gate.failures))

    return draw


def situations() -> Iterator[Situation]:
    """Every distribution and number of sentences."""
    for n in (16, 30, 60, 220):
        for name in LOG_RATIOS:
            yield Situation("skewed", f"{name} log-ratios, {n} sentences each", stereotypes(n, name), 0.3)
    for n in (30, 60):
        name = f"exponential log-ratios, mirrored for female stereotypes, {n} sentences each"
        yield Situation("skewed", name, stereotypes(n, "exponential", True), 0.3)
