"""Agreement between two sets of readings, as the correlation of their q_i."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from genderscope.measures.gest.errors import SCORE_TEST, noises
from genderscope.measures.gest.log_ratios import LogRatios
from genderscope.statistics.bootstrap import NORMAL, normal_interval
from genderscope.statistics.correlation import pearson
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.quantiles import normal_quantile
from genderscope.statistics.reliability import agreement as reliable_agreement

Array = npt.NDArray[np.float64]

FISHER = "Fisher's z, with an error that allows for sentences of uneven spread"
NO_BIAS = "agreement between prompts says nothing about bias"
#: below this number of degrees of freedom, a correlation has no useful interval
FEWEST_FREE = 8
#: log-ratios that vary less than this differ by rounding only
ROUNDING = 1e-6
#: largest correlation, whose z is still finite
MOST = 1 - 1e-12

#: log-ratios and one of their templates, or None for the average over templates
Side = tuple[LogRatios, int | None]


def agreement(first: Side, second: Side, group: str) -> Estimate | None:
    """Return the Pearson correlation of two sides' q_i, or None if they share fewer than three stereotypes."""
    sides = (first, second)
    known = [{i for i in read.reach.stereotypes if math.isfinite(read.point([i], c))} for read, c in sides]
    present = sorted(known[0] & known[1])
    if len(present) < 3:
        return None
    counts = first[0].counts(present, None)
    n, unread = (sum(count[k] for count in counts) for k in (0, 1))
    blank = Estimate(name="rate_correlation", n=n, unread=unread, neutral=0.0, method=SCORE_TEST).at(group=group)
    if first[0].as_published:
        return _as_published(sides, present, blank)
    points = [np.array([read.point([i], c) for i in present]) for read, c in sides]
    columns = [read.columns(c) for read, c in sides]
    spreads, freedom = noises([(first[0].values[i], second[0].values[i]) for i in present], columns)
    found = reliable_agreement(np.column_stack(points), spreads, freedom)
    plain = None if found.plain is None else f"{found.plain:.2f} before correction for noise"
    return replace(blank, value=found.value, low=found.low, high=found.high, remark=joined(found.reason, plain))


def _as_published(sides: tuple[Side, Side], present: list[int], blank: Estimate) -> Estimate:
    """Return the paper's version: the correlation of rates on the published scale, with a normal bootstrap interval."""
    shown = np.exp if sides[0][0].ratio else np.array
    points = [shown(np.array([read.point([i], c) for i in present]))[:, None] for read, c in sides]
    drawn = [shown(np.array([read.replicates([i], c) for i in present])) for read, c in sides]
    r = float(pearson(*points)[0])
    return blank.within(r if math.isfinite(r) else None, normal_interval(pearson(*drawn)), method=NORMAL)


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
    return [blank.within(math.tanh(z), (math.tanh(z - half), math.tanh(z + half)))]


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
