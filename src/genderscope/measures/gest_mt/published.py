"""The paper's bootstrap for means over stereotypes and languages: interval centres, resampled by sentence."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from genderscope.measures.gest_mt.readings import BY_STEREOTYPE, StereotypeReadings
from genderscope.statistics.bootstrap import interval
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.proportions import margins
from genderscope.statistics.ranks import average_ranks
from genderscope.statistics.stratified_shares import around

Array = npt.NDArray[np.float64]

BOOTSTRAP = "bootstrap, expanded percentile"
ALIKE = "Agresti-Coull, combined"


def p_i(readings: StereotypeReadings, stereotype: int) -> Estimate:
    """Return the masculine rate of one stereotype, averaged across languages."""
    blank = _blank(readings, BY_STEREOTYPE, [stereotype], None, 0.5).with_keys(stereotype=stereotype)
    drawn = replicates(readings, stereotype, None)
    return _bootstrapped(blank, readings.rate(stereotype, None), drawn, readings.sizes([stereotype], None))


def ranks(readings: StereotypeReadings, language: str | None) -> list[Estimate]:
    """Return the feminine ranks, where 1 is the stereotype most often translated as feminine."""
    present = sorted(readings.values)
    point = average_ranks([readings.rate(i, language) for i in present])
    drawn = average_ranks([replicates(readings, i, language) for i in present])
    return [
        _bootstrapped(
            _blank(readings, "rank", [i], language, None).with_keys(stereotype=i),
            float(point[k]),
            drawn[k],
            readings.sizes([i], language),
        )
        for k, i in enumerate(present)
    ]


def combined(readings: StereotypeReadings, name: str, language: str | None) -> Estimate:
    """Return p_f, p_m, f_s or f_m."""
    sides = readings.sides(name)
    stereotypes = [i for _, group in sides for i in group]
    blank = _blank(readings, name, stereotypes, language, 0.0 if name == "stereotype_rate" else 0.5)
    if not all(group for _, group in sides):
        return replace(blank, remark=None)
    value = float(readings.combine(name, lambda i: np.array([readings.rate(i, language)]))[0])
    drawn = readings.combine(name, lambda i: replicates(readings, i, language))
    rate = _bootstrapped(blank, value, drawn, readings.sizes(stereotypes, language))
    if rate.value is None or rate.low is None:
        return rate
    shares = {i: readings.cells[i, language].language_shares for i in stereotypes}
    are_alike = all(np.isin(by_language, (0.0, 1.0)).all() for by_language in shares.values())
    if rate.low != rate.high and not are_alike:
        return rate
    # Even if all readings of every stereotype agree, the centres of resamples may vary.
    sizes = dict(zip(stereotypes, readings.sizes(stereotypes, language), strict=True))
    below, above = margins(
        [
            (weight / len(group), round(float(np.mean(shares[i])) * sizes[i]), sizes[i])
            for weight, group in reversed(sides)
            for i in group
        ],
        centred=True,
    )
    return replace(rate, low=rate.value - below, high=rate.value + above, method=ALIKE)


def replicates(readings: StereotypeReadings, stereotype: int, language: str | None) -> Array:
    """Return a stereotype's rate in every resample: the interval centre, averaged across languages."""
    columns = readings.columns([language] if language else readings.spanned)
    centres = readings.resampled_centres[stereotype][:, columns]
    return centres.mean(axis=1) if centres.shape[1] else np.full(len(centres), np.nan)


def _blank(
    readings: StereotypeReadings, name: str, stereotypes: list[int], language: str | None, neutral: float | None
) -> Estimate:
    n, unread = readings.counts(stereotypes, language)
    remark = readings.remark if language is None else None
    return Estimate(name=name, n=n, unread=unread, neutral=neutral, method=BOOTSTRAP, remark=remark).with_keys(
        language=language
    )


def _bootstrapped(blank: Estimate, value: float, drawn: Array, sizes: list[int]) -> Estimate:
    bounds = interval(drawn, sizes)
    shown = value if np.isfinite(value) and blank.n else None
    if shown is not None and bounds is not None:
        bounds = around(shown, bounds)  # percentiles of few resamples may exclude the value
    return blank.with_value(shown, bounds)
