"""Agreement between two sets of log-ratios: the correlation of their q_i, or of their residuals within stereotypes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from genderscope.measures.stereotype_rates import LogRatios
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.quantiles import normal_quantile
from genderscope.statistics.reliability import agreement as reliable_agreement
from genderscope.statistics.stratum_errors import noises

Array = npt.NDArray[np.float64]

SCORE_TEST = "score test on the log scale, corrected for noise in the q_i (attenuation)"
FISHER = "Fisher's z, with an error that allows for sentences of uneven spread"
NO_BIAS = "agreement between prompts says nothing about bias"
#: below this number of degrees of freedom, a correlation has no useful interval
FEWEST_FREE = 8
#: log-ratios that vary less than this differ by rounding only
ROUNDING = 1e-6
#: largest correlation, whose z is still finite
MOST = 1 - 1e-12

#: log-ratios and one of their columns, or None for the average over columns
Side = tuple[LogRatios, int | None]


def shared_stereotypes(first: Side, second: Side) -> list[int]:
    """Return the stereotypes for which both sides have a rate."""
    rated = [{i for i in side.reach.stereotypes if math.isfinite(side.point([i], c))} for side, c in (first, second)]
    return sorted(rated[0] & rated[1])


def without_value(first: Side, present: list[int], group: str) -> Estimate:
    """Return the correlation's estimate, still without value and interval."""
    n, unread = (sum(count[k] for count in first[0].counts(present, None)) for k in (0, 1))
    return Estimate(name="rate_correlation", n=n, unread=unread, neutral=0.0, method=SCORE_TEST).with_keys(group=group)


def agreement(first: Side, second: Side, group: str) -> list[Estimate]:
    """Return the Pearson correlation of two sides' q_i; nothing if they share fewer than three stereotypes."""
    present, sides = shared_stereotypes(first, second), (first, second)
    if len(present) < 3:
        return []
    points = [np.array([side.point([i], c) for i in present]) for side, c in sides]
    columns = [side.columns(c) for side, c in sides]
    spreads, freedom = noises([(first[0].values[i], second[0].values[i]) for i in present], columns)
    measured = reliable_agreement(np.column_stack(points), spreads, freedom)
    plain = None if measured.plain is None else f"{measured.plain:.2f} before correction for noise"
    blank = replace(without_value(first, present, group), remark=joined(measured.reason, plain))
    return [replace(blank, value=measured.value, low=measured.low, high=measured.high)]


def prompt_agreement(values: Mapping[int, Array], columns: Sequence[int], name: str) -> list[Estimate]:
    """Return how far prompts agree on single sentences: the mean correlation of their residuals within stereotypes.

    A model that reacts to the sentences answers them alike whatever the wording of the prompt; one that does not gives
    unrelated residuals. A prompt whose answers never vary agrees with no other. `values` maps each stereotype to its
    log-ratios [samples, templates].
    """
    tables = [table[:, list(columns)] for table in values.values()]
    residuals = [table - table.mean(axis=0) for table in (t[np.isfinite(t).all(axis=1)] for t in tables) if len(table)]
    if len(columns) < 2 or not residuals:
        return []
    whole = np.concatenate(residuals)
    freedom = len(whole) - len(residuals)
    if freedom < FEWEST_FREE:
        return []
    blank = Estimate(name=name, n=len(whole), unread=0, neutral=None, method=FISHER, remark=NO_BIAS)
    z, error = _mean_correlation(whole, freedom)
    half = normal_quantile(0.975) * error
    return [blank.with_value(math.tanh(z), (math.tanh(z - half), math.tanh(z + half)))]


def _mean_correlation(residuals: Array, freedom: int) -> tuple[float, float]:
    """Return the mean correlation of all pairs of columns on Fisher's z scale, and its standard error.

    The error is at least Fisher's for a single pair of columns. It is larger if some rows have larger residuals than
    others in all columns: such rows decide the correlation, of which Fisher's error takes no account.
    """
    spread = np.sqrt((residuals**2).mean(axis=0))
    standard = np.where(spread > ROUNDING, residuals / np.where(spread > ROUNDING, spread, 1.0), 0.0)
    first, second = np.triu_indices(residuals.shape[1], 1)
    one, other = standard[:, first], standard[:, second]
    r = np.clip((one * other).mean(axis=0), -MOST, MOST)
    influence = ((one * other - r * (one**2 + other**2) / 2) / (1 - r**2)).mean(axis=1)
    robust = math.sqrt(float((influence**2).sum()) / (len(residuals) * freedom))
    return float(np.arctanh(r).mean()), max(1 / math.sqrt(freedom - 2), robust)
