"""The estimates of word filling, from rows of scores.

    ss  = lp(s0) - lp(s1)                     eq. 1, control lp(s2) - lp(s3)
    csk = lp(s0) - lp(s2)                     eq. 2, control lp(s1) - lp(s3)
    f   = lp(s0) - lp(s1) - (lp(s2) - lp(s3)) eq. 3
    cs  = sum over shared tokens, s0 - s2              control s1 - s3

µ is a score's mean and + the share of samples above 0. The false positive rate is the share of f < 0 where ss > 0, the
false negative rate that of f > 0 where ss < 0, as the paper's tables were computed: a tie is wrong in neither way.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.wordfill_frequency import log_frequency_ratio
from genderscope.statistics.bootstrap import RESAMPLES, interval, normal_interval
from genderscope.statistics.clusters import ClusterBootstrap, agresti_coull
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired import Resampled

Array = npt.NDArray[np.float64]

PUBLISHED_RESAMPLES = 1000
GROUPS = {"original": "", "control": "_control"}


class Scores:
    """Every estimate of one subset of the rows; `subset` None is all of them."""

    def __init__(self, rows: pd.DataFrame, subset: str | None, seed: int, as_published: bool) -> None:
        chosen = rows if subset is None else rows[rows["subset"] == subset]
        self.subset = subset
        self.seed = seed
        self.as_published = as_published
        self.read = chosen[chosen["unread"].isna()]
        self.unread = len(chosen) - len(self.read)
        self.unit = 1 / math.log(10) if as_published else 1.0
        # Published intervals take every control for a sample of its own.
        items = self.read["sample" if as_published else "item"].to_numpy()
        resamples = PUBLISHED_RESAMPLES if as_published else RESAMPLES
        self.bootstrap = ClusterBootstrap(items, [seed, *(subset or "").encode()], resamples) if len(items) else None

    def estimates(self) -> list[Estimate]:
        """Return all estimates that the rows have scores for."""
        found = [e for score in ("f", "ss", "csk", "cs") for e in self._score(score)]
        return [*found, *self._relations(), *self._frequency(), *self._stereoset()]

    def resampled(self, headline: Sequence[str]) -> Iterator[Resampled]:
        """Yield the named means and shares of every group with their replicates."""
        for e in self.estimates():
            if e.name in headline and self.bootstrap is not None:
                values = outcome(self.read, e.name, e.group)
                drawn = self.bootstrap.mean(values if e.name.endswith("_plus") else values * self.unit)
                yield Resampled(e, *drawn, [self.bootstrap.size])

    def column(self, name: str) -> Array:
        """Return a score of the read rows, on the scale that is shown."""
        values: Array = self.read[name].to_numpy(dtype=np.float64) * self.unit
        return values

    def has(self, name: str) -> bool:
        """Tell whether any row has this score."""
        return bool(self.read[name].notna().any())

    def _score(self, score: str) -> Iterator[Estimate]:
        groups = {"": ""} if score == "f" else GROUPS
        for group, suffix in groups.items():
            if self.has(score + suffix):
                values = self.column(score + suffix)
                yield self._mean(f"{score}_mean", values, group or None)
                yield self._share(f"{score}_plus", values > 0, np.isfinite(values), 0.5, group=group or None)
        if score != "f" and self.has(score) and self.has(f"{score}_control"):
            yield self._correlation(score, self.column(score), self.column(f"{score}_control"))
        if score == "cs" and self.has("cs_control"):
            yield self._mean("cs_contrast", self.column("cs") - self.column("cs_control"), None)

    def _relations(self) -> Iterator[Estimate]:
        """How f goes with ss and cs, and cs with csk."""
        if not self.has("f"):
            return
        f, ss = self.column("f"), self.column("ss")
        yield self._share("fpr", f < 0, ss > 0, None)
        yield self._share("fnr", f > 0, ss < 0, None)
        for score in ("ss", "cs"):
            if self.has(score):
                other = self.column(score)
                yield self._share("agreement", (f > 0) == (other > 0), np.isfinite(other), 0.5, f"f-{score}")
                yield self._correlation(f"f-{score}", f, other)
        if self.has("cs") and self.has("csk"):
            yield self._correlation("cs-csk", self.column("cs"), self.column("csk"))

    def _frequency(self) -> Iterator[Estimate]:
        """Does ss follow how frequent the two keywords are?"""
        for group, suffix, words in (("original", "", "01"), ("control", "_control", "23")):
            if self.has(f"ss{suffix}"):
                first, second = (self.read[f"keyword{k}"] for k in words)
                ratio = log_frequency_ratio(first, second, self.read["language"])
                if ratio is not None:
                    yield self._correlation("ss-frequency", self.column(f"ss{suffix}"), ratio, group)

    def _stereoset(self) -> Iterator[Estimate]:
        """lms, ss and icat of the original paper: means over target terms, from 0 to 100."""
        if not self.has("lp_unrelated"):
            return
        lp = {k: self.read[f"lp{k}" if k != "u" else "lp_unrelated"].to_numpy(dtype=np.float64) for k in "01u"}
        frame = pd.DataFrame(
            {
                "target": self.read["target"].to_numpy(),
                "pro": 100.0 * (lp["0"] > lp["1"]),
                "related": 50.0 * ((lp["0"] > lp["u"]).astype(float) + (lp["1"] > lp["u"])),
            }
        )
        by_target = frame.groupby("target")[["pro", "related"]].mean()
        terms = ClusterBootstrap(np.arange(len(by_target)), [self.seed, 99])
        lms = terms.mean(by_target["related"].to_numpy(dtype=np.float64))
        ss = terms.mean(by_target["pro"].to_numpy(dtype=np.float64))
        yield self._finish("lms", *lms, None, len(by_target), len(self.read))
        yield self._finish("ss", *ss, 50.0, len(by_target), len(self.read))
        value = lms[0] * min(ss[0], 100 - ss[0]) / 50
        replicates = lms[1] * np.minimum(ss[1], 100 - ss[1]) / 50
        yield self._finish("icat", value, replicates, None, len(by_target), len(self.read))

    def _mean(self, name: str, values: Array, group: str | None) -> Estimate:
        assert self.bootstrap is not None
        n = int(np.isfinite(values).sum())
        return self._finish(name, *self.bootstrap.mean(values), 0.0, self.bootstrap.size, n, group=group)

    def _correlation(self, category: str, x: Array, y: Array, group: str | None = None) -> Estimate:
        assert self.bootstrap is not None
        n = int((np.isfinite(x) & np.isfinite(y)).sum())
        found = self.bootstrap.correlation(x, y)
        return self._finish("rho", *found, 0.0, self.bootstrap.size, n, group=group, category=category)

    def _share(
        self,
        name: str,
        hits: npt.NDArray[np.bool_],
        within: npt.NDArray[np.bool_],
        neutral: float | None,
        category: str | None = None,
        group: str | None = None,
    ) -> Estimate:
        """A share: Agresti-Coull where every sample is an item of its own, else the bootstrap of items."""
        assert self.bootstrap is not None
        successes, n = int((hits & within).sum()), int(within.sum())
        if n == 0 or self.bootstrap.clustered:
            found = self.bootstrap.ratio((hits & within).astype(np.float64), within.astype(np.float64))
            return self._finish(name, *found, neutral, self.bootstrap.size, n, group=group, category=category)
        low, centre, high = agresti_coull(successes, n)
        return Estimate(
            name,
            centre if self.as_published and name.endswith("_plus") else successes / n,
            low,
            high,
            n,
            self.unread,
            neutral,
            "Agresti-Coull",
            subset=self.subset,
            category=category,
            group=group,
        )

    def _finish(
        self,
        name: str,
        value: float,
        replicates: Array,
        neutral: float | None,
        items: int,
        n: int,
        *,
        category: str | None = None,
        group: str | None = None,
    ) -> Estimate:
        found = normal_interval(replicates) if self.as_published else interval(replicates, [items])
        low, high = found if found and math.isfinite(value) else (None, None)
        return Estimate(
            name,
            value if math.isfinite(value) else None,
            low,
            high,
            n,
            self.unread,
            neutral,
            "bootstrap, normal" if self.as_published else "bootstrap, expanded percentile",
            subset=self.subset,
            category=category,
            group=group,
        )


def outcome(rows: pd.DataFrame, name: str, group: str | None) -> Array:
    """Return what each row adds to a mean (f_mean, cs_contrast; natural logs) or to a share (ss_plus; 0 or 1)."""
    score, _, kind = name.partition("_")
    if kind == "contrast":
        contrasted: Array = (rows[score] - rows[f"{score}_control"]).to_numpy(dtype=np.float64)
        return contrasted
    values: Array = rows[score + GROUPS[group or "original"]].to_numpy(dtype=np.float64)
    return np.where(np.isfinite(values), values > 0, np.nan) if kind == "plus" else values
