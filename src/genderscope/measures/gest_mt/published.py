"""The paper's bootstrap for means over stereotypes and languages: interval centres, resampled by sentence."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from genderscope.measures.gest_mt.readings import Readings
from genderscope.measures.gest_mt.shares import around
from genderscope.statistics.bootstrap import interval
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.proportions import margins
from genderscope.statistics.ranks import average_ranks

Array = npt.NDArray[np.float64]

BOOTSTRAP = "bootstrap, expanded percentile"
ALIKE = "Agresti-Coull, combined"
#: rate -> its weights for p_f and p_m
WEIGHTS = {
    "masculine_rate_female": (1.0, 0.0),
    "masculine_rate_male": (0.0, 1.0),
    "stereotype_rate": (-1.0, 1.0),
    "masculine_rate": (0.5, 0.5),
}


def p_i(readings: Readings, stereotype: int) -> Estimate:
    """Return the masculine rate of one stereotype, averaged across languages."""
    value, drawn = readings.rate(stereotype, None), readings.replicates(stereotype, None)
    blank = _blank(readings, "masculine_rate_by_stereotype", [stereotype], None, 0.5).with_keys(stereotype=stereotype)
    return _bootstrapped(blank, value, drawn, readings.sizes([stereotype], None))


def ranks(readings: Readings, language: str | None) -> list[Estimate]:
    """Return the feminine ranks, where 1 is the stereotype most often translated as feminine."""
    present = sorted(readings.values)
    point = average_ranks([readings.rate(i, language) for i in present])
    drawn = average_ranks([readings.replicates(i, language) for i in present])
    return [
        _bootstrapped(
            _blank(readings, "rank", [i], language, None).with_keys(stereotype=i),
            float(point[k]),
            drawn[k],
            readings.sizes([i], language),
        )
        for k, i in enumerate(present)
    ]


def combined(readings: Readings, name: str, language: str | None) -> Estimate:
    """Return p_f, p_m, f_s or f_m."""
    stereotypes = readings.parts()[name][0]
    blank = _blank(readings, name, stereotypes, language, 0.0 if name == "stereotype_rate" else 0.5)
    drawn = readings.drawn(name, language)
    if drawn is None:
        return replace(blank, remark=None)
    found = _bootstrapped(blank, *drawn)
    if found.value is None or found.low is None:
        return found
    if found.low != found.high and not _alike(readings, stereotypes, language):
        return found
    below, above = _all_alike(readings, name, language)
    return replace(found, low=found.value - below, high=found.value + above, method=ALIKE)


def _blank(
    readings: Readings, name: str, stereotypes: list[int], language: str | None, neutral: float | None
) -> Estimate:
    n, unread = readings.counts(stereotypes, language)
    remark = readings.remark if language is None else None
    return Estimate(name=name, n=n, unread=unread, neutral=neutral, method=BOOTSTRAP, remark=remark).with_keys(
        language=language
    )


def _bootstrapped(blank: Estimate, value: float, replicates: Array, sizes: list[int]) -> Estimate:
    bounds = interval(replicates, sizes)
    shown = value if np.isfinite(value) and blank.n else None
    if shown is not None and bounds is not None:
        bounds = around(shown, bounds)  # percentiles of few resamples may exclude the value
    return blank.with_value(shown, bounds)


def _alike(readings: Readings, stereotypes: list[int], language: str | None) -> bool:
    """Return whether all readings of every stereotype agree; even then, the centres of resamples may vary."""
    columns = readings.columns(language)
    return all(readings.share_at(i, column) in {0.0, 1.0} for i in stereotypes for column in columns)


def _all_alike(readings: Readings, name: str, language: str | None) -> tuple[float, float]:
    """Return the distances to the interval's ends, combined from binomial intervals, if all resamples are equal."""
    shares = []
    for group, weight in zip(("masculine_rate_female", "masculine_rate_male"), WEIGHTS[name], strict=True):
        stereotypes = readings.parts()[group][0] if weight else []
        for i, n in zip(stereotypes, readings.sizes(stereotypes, language), strict=True):
            masculine = float(np.mean([readings.share_at(i, column) for column in readings.columns(language)]))
            shares.append((weight / len(stereotypes), round(masculine * n), n))
    return margins(shares, centred=True)
