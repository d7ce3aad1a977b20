"""The masculine proportion of all readings together, for runs in which too little was read for the other rates."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from genderscope.core.languages import language_name
from genderscope.measures.gest_mt.readings import Readings
from genderscope.measures.gest_mt.shares import BINOMIAL, CLUSTERED, EXACT, TOO_FEW
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.proportions import FEW, effective, interval, plain_interval
from genderscope.statistics.strata import Stratum
from genderscope.statistics.student_intervals import FEWEST

Array = npt.NDArray[np.float64]

POOLED = "masculine_rate_pooled"
#: maximum number of stereotypes named in a remark
MOST_NAMED = 5


def pooled_rate(readings: Readings, language: str | None) -> Estimate:
    """Return the masculine count divided by the number of readings; across languages, sentences are the units."""
    values = _values(readings, sorted(readings.values), language)
    present = np.isfinite(values)
    n, masculine = int(present.sum()), int(np.nansum(values))
    blank = Estimate(name=POOLED, n=n, unread=values.size - n, neutral=0.5, method=EXACT).with_keys(language=language)
    if not n:
        return replace(blank, remark="no translation shows a gender")
    units = _units(readings, present)
    remark = joined(_counts(readings, language), TOO_FEW if units.max() + 1 < FEWEST else None)
    found = replace(blank, value=masculine / n, remark=remark)
    if units.max() + 1 < FEWEST:
        return found
    if units.max() + 1 == n:
        low, high = plain_interval(masculine, n)
        return replace(found, low=low, high=high, method=BINOMIAL if n >= FEW else EXACT)
    low, high = _clustered(values, present, units)
    return replace(found, low=low, high=high, method=CLUSTERED)


def pooled_stratum(readings: Readings, language: str | None) -> Stratum:
    """Return all readings as one stratum, in which every reading has the same weight."""
    stereotypes = sorted(readings.values)
    values = _values(readings, stereotypes, language)
    counts = np.isfinite(values).sum(axis=0)
    codes = None
    if readings.recurring is not None:
        codes = np.concatenate([readings.recurring[i] for i in stereotypes])
    return Stratum(0, 1.0, values, counts / max(1, counts.sum()), sentences=codes)


def why_no_rate(readings: Readings, language: str | None) -> str:
    """Explain why a rate that needs every stereotype has no value."""
    for name, group in (("female", FEMALE), ("male", MALE)):
        if not any(i in readings.values for i in group):
            return f"there is no {name}-stereotyped sentence"
    if language is None:
        return readings.remark or "no language was read for every stereotype"
    missing = [str(i) for i in sorted(readings.values) if not readings.present(i, language).any()]
    which = f"stereotype {missing[0]}" if len(missing) == 1 else f"stereotypes {', '.join(missing)}"
    if len(missing) > MOST_NAMED:
        which = f"{len(missing)} of {len(readings.values)} stereotypes"
    return f"no {language_name(language)} translation of {which} shows a gender"


def _values(readings: Readings, stereotypes: list[int], language: str | None) -> Array:
    """Return the readings of some stereotypes [samples, languages], in one language or in all of them."""
    columns = [readings.column(each) for each in (readings.languages if language is None else [language])]
    return np.vstack([readings.values[i][:, columns] for i in stereotypes])


def _units(readings: Readings, present: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the unit of each reading: its sentence, numbered from 0."""
    if readings.recurring is None:
        codes = np.arange(len(present))
    else:
        codes = np.concatenate([readings.recurring[i] for i in sorted(readings.values)])
    of_readings = np.broadcast_to(codes[:, None], present.shape)[present]
    return np.unique(of_readings, return_inverse=True)[1].astype(np.int64)


def _clustered(values: Array, present: npt.NDArray[np.bool_], units: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Return the interval for a proportion of readings that share sentences."""
    read = values[present]
    value, count = float(read.mean()), int(units.max()) + 1
    influences = np.bincount(units, weights=(read - value) / len(read))
    variance = float((influences**2).sum()) * count / (count - 1)
    return interval(effective(value, variance, len(read), count))


def _counts(readings: Readings, language: str | None) -> str:
    """Return the counts behind the proportion, for all sentences and for each side of the stereotypes."""
    parts = []
    for name, group in (("female", FEMALE), ("male", MALE)):
        if stereotypes := [i for i in group if i in readings.values]:
            values = _values(readings, stereotypes, language)
            if n := int(np.isfinite(values).sum()):
                parts.append((name, int(np.nansum(values)), n))
    sides = " and ".join(f"{masculine} of {n} in {name}-stereotyped" for name, masculine, n in parts)
    masculine, n = sum(count for _, count, _ in parts), sum(n for _, _, n in parts)
    return f"pooled over stereotypes: {masculine} of {n} readings are masculine, {sides} sentences"
