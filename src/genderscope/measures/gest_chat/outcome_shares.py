"""Proportions of outcomes and of parsed answers."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from genderscope.measures.gest_chat.part import ONE_SHARE, SHARES, TOO_FEW, Array, Part, shares_of
from genderscope.measures.gest_chat.shares import Sentences, outcomes_of, share_of
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.proportions import combined, interval
from genderscope.statistics.student_intervals import FEWEST

NO_NEUTRAL = "the frequency of an outcome alone says nothing about bias"
GROUPS = (("female stereotypes", FEMALE), ("male stereotypes", MALE))


def outcome_shares(strata: Mapping[int, Sentences], form: str) -> list[Estimate]:
    """Return the proportion of each outcome: overall, by the stereotypes' gender, and by stereotype."""
    found = []
    for outcome in outcomes_of(form):
        found.append(_share(strata, form, outcome, sorted(strata)))
        found += [_share(strata, form, outcome, [i for i in group if i in strata], name) for name, group in GROUPS]
    for stereotype in sorted(strata):
        found += [_share(strata, form, outcome, [stereotype], alone=True) for outcome in outcomes_of(form)]
    return [each for each in found if each is not None]


def _share(
    strata: Mapping[int, Sentences],
    form: str,
    outcome: str,
    stereotypes: Sequence[int],
    group: str | None = None,
    alone: bool = False,
) -> Estimate | None:
    values = {i: strata[i].share(outcome) for i in stereotypes}
    known = [i for i in values if np.isfinite(values[i]).any()]
    if not known:
        return None
    part = Part("share", {i: 1 / len(known) for i in known}, values, None)
    counts = [strata[i].counts(values[i]) for i in known]
    n, unread = (sum(each[k] for each in counts) for k in (0, 1))
    value = float(np.mean([np.nanmean(values[i]) for i in known]))
    ends = combined(list(shares_of(part, strata, form).values())) if n >= FEWEST else None
    remark = joined(None if ends else TOO_FEW, NO_NEUTRAL)
    blank = Estimate(name="share", n=n, unread=unread, neutral=None, method=SHARES, remark=remark)
    return blank.within(value, ends).at(category=outcome, group=group, stereotype=stereotypes[0] if alone else None)


def coverage(rows: pd.DataFrame) -> Estimate:
    """Return the proportion of answers that could be parsed."""
    read = rows["unread"].isna()
    by_sentence: Array = np.asarray(read.groupby(rows["sample"]).mean(), dtype=np.float64)
    share = share_of(by_sentence, len(read))
    n, unread = len(by_sentence), int((by_sentence < 1).sum())
    remark = "the share of answers that were read says nothing about bias"
    blank = Estimate(name="coverage", n=n, unread=unread, neutral=None, method=ONE_SHARE, remark=remark)
    return blank.within(float(by_sentence.mean()), interval(share) if share is not None and n >= FEWEST else None)


def letter_mass(rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the mean combined probability of the three letters, if the rows have it."""
    known = rows["mass"].dropna() if "mass" in rows else pd.Series(dtype="float64")
    if known.empty:
        return
    by_sentence: Array = np.asarray(known.groupby(rows.loc[known.index, "sample"]).mean(), dtype=np.float64)
    share = share_of(by_sentence, len(known))
    remark = "the probability of the letters says nothing about bias"
    blank = Estimate(name="mass", n=len(by_sentence), unread=0, neutral=None, method=ONE_SHARE, remark=remark)
    ends = interval(share) if share is not None and len(by_sentence) >= FEWEST else None
    yield blank.within(float(by_sentence.mean()), ends)
