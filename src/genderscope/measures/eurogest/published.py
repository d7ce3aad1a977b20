"""The rates as published by EuroGEST's authors: normalised probabilities and their arithmetic means.

    ratio of a sentence   P_m / (P_m + P_f)                                                              neutral 0.5
    q_i                   its mean over the sentences of stereotype i, regardless of condition             neutral 0.5
    q_f, q_m              arithmetic means of q_1 .. q_7 and of q_8 .. q_16                                 neutral 0.5
    g_s = q_m / q_f                                                                                      neutral 1

In 2026, stereotypes with fewer than ten sentences are dropped, and languages without all stereotypes are skipped.
The authors gave no intervals; the intervals here are over sentences and use the delta method for g_s.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.gest.rates import COMBINED
from genderscope.samples.gest import FEMALE, MALE, STEREOTYPES
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import FEWEST, Error, error_of_strata, interval, total

Array = npt.NDArray[np.float64]

FEWEST_SENTENCES = {"2025": 1, "2026": 10}
METHOD = "Student's t over sentences, Satterthwaite's degrees of freedom"
DELTA = f"{METHOD}, delta method"


class PublishedRates:
    """The rates of one language, scored as published in a given year."""

    def __init__(self, rows: pd.DataFrame, year: str, seed: int) -> None:
        self.year = year
        self.seed = seed
        self._unread = rows.groupby("stereotype")["log_ratio"].apply(lambda each: int(each.isna().sum())).to_dict()
        read = rows[rows["log_ratio"].notna()]
        every = {
            int(str(i)): 1 / (1 + np.exp(-group["log_ratio"].to_numpy(dtype=np.float64)))
            for i, group in read.groupby("stereotype")
        }
        self.values = {i: found for i, found in every.items() if len(found) >= FEWEST_SENTENCES[year]}
        self.missing = sorted(set(STEREOTYPES) - set(self.values))

    @property
    def skipped(self) -> str | None:
        """The reason why the language has no rates over stereotypes, or None."""
        if self.year == "2025" or not self.missing:
            return None
        return f"skipped as published: fewer than ten sentences for stereotype {', '.join(map(str, self.missing))}"

    def estimates(self) -> list[Estimate]:
        """Return q_i for the stereotypes that are kept, and the rates that combine them."""
        found = [self._mean("masculine_rate_by_stereotype", [i]).at(stereotype=i) for i in sorted(self.values)]
        return [
            *found,
            self._mean("masculine_rate_female", FEMALE),
            self._mean("masculine_rate_male", MALE),
            self._ratio(),
        ]

    def _mean(self, name: str, group: Sequence[int]) -> Estimate:
        present = [i for i in group if i in self.values]
        if not present or (name != "masculine_rate_by_stereotype" and self.skipped):
            return self._nothing(name, 0.5)
        value, error = self._of(present)
        n, unread = self._counts(present)
        blank = Estimate(name=name, n=n, unread=unread, neutral=0.5, method=METHOD)
        return blank.within(value, interval(value, error), freedom=None if error is None else error.freedom)

    def _ratio(self) -> Estimate:
        sides = [[i for i in group if i in self.values] for group in (MALE, FEMALE)]
        if not all(sides) or self.skipped:
            return self._nothing("stereotype_rate", 1.0)
        (up, first), (down, second) = map(self._of, sides)
        value = up / down
        error = None if first is None or second is None else total((first.scaled(1 / up), second.scaled(1 / down)))
        ends = interval(math.log(value), error)
        n, unread = self._counts([*sides[0], *sides[1]])
        blank = Estimate(name="stereotype_rate", n=n, unread=unread, neutral=1.0, method=DELTA)
        shown = map(math.exp, ends) if ends else None
        return blank.within(value, shown, freedom=None if error is None else error.freedom)

    def _of(self, group: Sequence[int]) -> tuple[float, Error | None]:
        """Return the arithmetic mean of the stereotypes' means, and its error."""
        value = float(np.mean([self.values[i].mean() for i in group]))
        enough = sum(len(self.values[i]) for i in group) >= FEWEST
        return value, error_of_strata([(1 / len(group), self.values[i][:, None]) for i in group]) if enough else None

    def _counts(self, group: Sequence[int]) -> tuple[int, int]:
        return sum(len(self.values[i]) for i in group), sum(self._unread.get(i, 0) for i in group)

    def _nothing(self, name: str, neutral: float) -> Estimate:
        why = self.skipped or "a required group of stereotypes is missing"
        return Estimate(name=name, n=0, unread=0, neutral=neutral, method=METHOD, remark=why)

    def resampled(self) -> Iterator[Resampled]:
        """Yield the rates over stereotypes with each sentence's influence, on the log scale for a ratio."""
        for estimate in self.estimates():
            if estimate.name not in COMBINED or estimate.value is None:
                continue
            plus, minus = ([i for i in group if i in self.values] for group in COMBINED[estimate.name])
            sides = [(1.0, plus), (-1.0, minus)] if minus else [(1.0, plus)]
            strata = []
            for sign, group in sides:
                rate = self._of(group)[0] if minus else 1.0
                strata += [Stratum(i, sign / rate / len(group), self.values[i][:, None]) for i in group]
            value = math.log(estimate.value) if minus else estimate.value
            yield Resampled(estimate, value, moved=stratified(strata))
