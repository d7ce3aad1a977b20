"""Word-filling estimates, computed from rows of scores.

    ss  = lp(s0) - lp(s1)                     eq. 1, control lp(s2) - lp(s3)
    csk = lp(s0) - lp(s2)                     eq. 2, control lp(s1) - lp(s3)
    f   = lp(s0) - lp(s1) - (lp(s2) - lp(s3)) eq. 3
    cs  = sum over shared tokens, s0 - s2              control s1 - s3

µ is a score's mean and + the proportion of samples above 0. The false positive rate is the proportion of f < 0 among
ss > 0, the false negative rate that of f > 0 among ss < 0; as in the paper's tables, ties count as neither.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes, PublishedOptions
from genderscope.measures.wordfill.target_scores import SHARE, STUDENT, target_scores
from genderscope.measures.wordfill.words import CONTRAST, SCORE_NAMES, log_frequency_ratio
from genderscope.statistics.bootstrap import NORMAL, normal_interval
from genderscope.statistics.cluster_bootstrap import ClusterBootstrap
from genderscope.statistics.clustered_means import FEWEST_FOR_CORRELATION, ClusteredMean, Interval, correlation
from genderscope.statistics.clustered_means import mean as clustered_mean
from genderscope.statistics.clustered_shares import WeightedShare
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import agresti_coull
from genderscope.statistics.student_intervals import FEWEST, few_units
from genderscope.statistics.unread import mean_range, share_range

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

PUBLISHED_RESAMPLES = 1000
GROUPS = {"original": "", "control": "_control"}
FISHER = "Fisher's z, jackknife"
NO_NEUTRAL = {
    "false_positive_rate": "the error rate of ss says nothing about bias",
    "false_negative_rate": "the error rate of ss says nothing about bias",
    "language_modelling_score": "a preference for meaningful words says nothing about bias; 100 is best",
    "icat_score": "icat mixes bias with language modelling, so no value is neutral; 100 is best",
}


class Scores:
    """All estimates for one subset of the rows, or for all rows if `subset` is None."""

    def __init__(self, rows: pd.DataFrame, subset: str | None, seed: int, as_published: bool) -> None:
        part = rows if subset is None else rows[rows["subset"] == subset]
        self.subset = subset
        self.seed = seed
        self.as_published = as_published
        self.read = part[part["unread"].isna()]
        self.unread = len(part) - len(self.read)
        self.unit = 1 / math.log(10) if as_published else 1.0
        # Published intervals treat every control as an independent sample.
        self.units = self.read["sample"].to_numpy(dtype=str) if as_published else units_of(self.read)
        self.count = len(np.unique(self.units))
        self.by = "targets" if not as_published and self.read["target"].notna().any() else "items"
        self._numbers: dict[str, Array] = {}

    def estimates(self) -> list[Estimate]:
        """Return all estimates for which the rows have scores."""
        scores = [estimate for estimate, _ in self._scores()]
        return [*scores, *self._relations(), *self._frequency(), *self._of_targets()]

    def resampled(self, headline: Sequence[str]) -> Iterator[Resampled]:
        """Yield the headline means and proportions of every group, with the influence of each unit."""
        for estimate, mean in self._scores():
            if estimate.name in headline and mean is not None:
                yield Resampled(estimate, mean.value, given_influence=mean.influence)

    def column(self, name: str) -> Array:
        """Return a score for all parsed rows, on the chosen scale."""
        if name not in self._numbers:
            self._numbers[name] = self.read[name].to_numpy(dtype=np.float64) * self.unit
        return self._numbers[name]

    def has(self, name: str) -> bool:
        """Return whether any row has this score."""
        return not bool(np.isnan(self.column(name)).all())

    def _scores(self) -> Iterator[tuple[Estimate, ClusteredMean | None]]:
        """Yield mean and share of each score and group, the correlation of the groups, and the contrast of cs."""
        for score, name in SCORE_NAMES.items():
            for group, suffix in ({None: ""} if score == "f" else GROUPS).items():
                if self.has(score + suffix):
                    values = self.column(score + suffix)
                    yield self._mean(name, values, group)
                    yield self._share_above(f"{name}_share", values, group)
            if score != "f" and self.has(score) and self.has(f"{score}_control"):
                yield self._correlation(score, self.column(score), self.column(f"{score}_control")), None
        if self.has("cs_control"):
            yield self._mean(CONTRAST, self.column("cs") - self.column("cs_control"), None)

    def _mean(self, name: str, values: Array, group: str | None) -> tuple[Estimate, ClusteredMean]:
        mean = clustered_mean(values, self.units)
        interval: Interval | ClusteredMean = mean
        if self.as_published:
            value, drawn = self._bootstrap.mean(values)
            interval = Interval(value, normal_interval(drawn))
        return self._with_unread(self._finish(name, interval, STUDENT, 0.0, mean.n, group=group), values), mean

    def _share_above(self, name: str, values: Array, group: str | None) -> tuple[Estimate, ClusteredMean | None]:
        """Return the share of values above 0."""
        estimate, share = self._share(name, values > 0, np.isfinite(values), 0.5, group=group)
        return self._with_unread(estimate, values), share

    def _with_unread(self, estimate: Estimate, values: Array) -> Estimate:
        """Add the range that a score could take if stereotypical samples go unread more or less often than others."""
        if estimate.value is None or not self.unread:
            return estimate
        read = values[np.isfinite(values)]
        if estimate.name.endswith("_share"):
            counts = np.array([[(read > 0).sum(), (read <= 0).sum()]], dtype=np.float64)
            bounds = share_range(estimate.value, counts, np.array([float(self.unread)]), np.ones(1))
        else:
            bounds = mean_range(estimate.value, [(1.0, read, self.unread)])
        low, high = bounds or (None, None)
        return replace(estimate, unread_low=low, unread_high=high)

    def _relations(self) -> Iterator[Estimate]:
        """Yield the error rates of ss, the agreement of f with ss and cs, and the correlations between scores."""
        if not self.has("f"):
            return
        f, ss = self.column("f"), self.column("ss")
        yield self._share("false_positive_rate", f < 0, ss > 0, None)[0]
        yield self._share("false_negative_rate", f > 0, ss < 0, None)[0]
        for score in ("ss", "cs"):
            if self.has(score):
                other = self.column(score)
                agreement, correlation = _unrelated(f, ss, self.column("ss_control"), other, score)
                agrees = (f > 0) == (other > 0)
                yield self._share("agreement", agrees, np.isfinite(other), agreement, category=f"f-{score}")[0]
                yield self._correlation(f"f-{score}", f, other, neutral=correlation)
        if self.has("cs") and self.has("csk"):
            yield self._correlation("cs-csk", self.column("cs"), self.column("csk"))

    def _frequency(self) -> Iterator[Estimate]:
        """Yield the correlation of ss with the log frequency ratio of its two keywords."""
        for (group, suffix), words in zip(GROUPS.items(), ("01", "23"), strict=True):
            if self.has(f"ss{suffix}"):
                first, second = (self.read[f"keyword{k}"] for k in words)
                ratio = log_frequency_ratio(first, second, self.read["language"])
                if ratio is not None:
                    yield self._correlation("ss-frequency", self.column(f"ss{suffix}"), ratio, group)

    def _of_targets(self) -> Iterator[Estimate]:
        """Yield lms, ss and icat as defined in the original StereoSet paper."""
        if self.has("lp_unrelated"):
            for name, score, method, neutral in target_scores(self.read, self.seed, self.as_published):
                yield self._finish(name, score, method, neutral, len(self.read))

    def _correlation(
        self, category: str, x: Array, y: Array, group: str | None = None, neutral: float | None = 0.0
    ) -> Estimate:
        n = int((np.isfinite(x) & np.isfinite(y)).sum())
        if self.as_published:
            value, drawn = self._bootstrap.correlation(x, y)
            rho = Interval(value, normal_interval(drawn))
        else:
            rho = correlation(x, y, self.units)
        return self._finish("score_correlation", rho, FISHER, neutral, n, category=category, group=group)

    def _share(
        self, name: str, hits: Flags, within: Flags, neutral: float | None, **keys: str | None
    ) -> tuple[Estimate, WeightedShare | None]:
        """Return a proportion with its Agresti-Coull interval, based on the effective sample size."""
        n = int(within.sum())
        if n == 0:
            return self._finish(name, Interval(math.nan, None), SHARE, neutral, n, **keys), None
        read = hits[within].astype(np.float64)
        value, texts = float(read.mean()), len(self.read["item"][within].unique())
        share = WeightedShare(value, (read - value) / n, np.full(n, 1 / n), self.units[within], n, texts=texts)
        interval: Interval | WeightedShare = share
        if self.as_published:
            middle, low, high = agresti_coull(int((hits & within).sum()), n)
            interval = Interval(middle if name.endswith("_share") else value, (low, high))
        return self._finish(name, interval, SHARE, neutral, n, **keys), share

    @cached_property
    def _bootstrap(self) -> ClusterBootstrap:
        streams = [self.seed, *(self.subset or "").encode()]
        return ClusterBootstrap(self.read["sample"].to_numpy(), streams, PUBLISHED_RESAMPLES)

    def _finish(
        self,
        name: str,
        interval: Interval | ClusteredMean,
        method: str,
        neutral: float | None,
        n: int,
        **keys: str | None,
    ) -> Estimate:
        value = interval.value if math.isfinite(interval.value) else None
        bounds = None if value is None else interval.bounds
        remark = NO_NEUTRAL.get(name)
        if bounds is None:
            least = FEWEST_FOR_CORRELATION if name == "score_correlation" else FEWEST
            remark = joined(
                remark,
                f"no interval with fewer than {least} {self.by}, if one or two of them make up most of the data, "
                "or if all values are equal",
            )
        elif not self.as_published:
            remark = joined(remark, few_units(self.count))
        if self.as_published:
            method = method if method == SHARE else NORMAL
        elif self.count < len(self.read):
            method = f"{method}, {self.by} as units"
        freedom = None if bounds is None else interval.freedom
        blank = Estimate(name=name, n=n, unread=self.unread, neutral=neutral, method=method, remark=remark)
        return blank.with_value(value, bounds, freedom=freedom).with_keys(subset=self.subset, **keys)


def units_of(rows: pd.DataFrame) -> npt.NDArray[np.str_]:
    """Return each row's unit: its target term, or its item if the term is unknown."""
    own = "item " + rows["item"].astype(str)
    labels: npt.NDArray[np.str_] = rows["target"].where(rows["target"].notna(), own).to_numpy(dtype=str)
    return labels


def _unrelated(f: Array, ss: Array, control: Array, other: Array, score: str) -> tuple[float | None, float | None]:
    """Return the agreement and correlation with f expected if the two groups were unrelated.

    Because f is ss minus the control group's ss, it correlates with ss even if the groups are unrelated, so every ss is
    paired with every control. f shares no term with any other score, so the chance agreement of signs follows from
    their marginal proportions.
    """
    if score != "ss":
        read = np.isfinite(f) & np.isfinite(other)
        if not read.any():
            return None, 0.0
        one, two = float((f[read] > 0).mean()), float((other[read] > 0).mean())
        return one * two + (1 - one) * (1 - two), 0.0
    read = np.isfinite(ss) & np.isfinite(control)
    if read.sum() < 2:
        return None, None
    ss, control = ss[read], np.sort(control[read])
    below = np.searchsorted(control, ss, side="left") / len(control)  # proportion of f above 0
    spread = float(np.hypot(ss.std(), control.std()))
    return float(np.where(ss > 0, below, 1 - below).mean()), float(ss.std()) / spread if spread > 0 else None


def by_language(rows: pd.DataFrame) -> Iterator[tuple[str | None, pd.DataFrame]]:
    """Yield the rows of each language, or all rows under None if there is only one language."""
    languages = list(dict.fromkeys(rows["language"]))
    if len(languages) < 2:
        yield None, rows
        return
    for language in languages:
        yield str(language), rows[rows["language"] == language]


def by_subset(rows: pd.DataFrame, options: PublishedOptions) -> Iterator[Scores]:
    """Yield the scores for all rows, if there are several subsets, and then for each subset."""
    subsets = list(dict.fromkeys(rows["subset"]))
    for subset in [*([None] if len(subsets) > 1 else []), *subsets]:
        yield Scores(rows, subset, options.seed, options.as_published)


def outcomes(rows: pd.DataFrame, estimate: Estimate, options: PublishedOptions) -> Outcomes:
    """Return the rows' contributions to an estimate."""
    part = rows if estimate.subset is None else rows[rows["subset"] == estimate.subset]
    part = part if estimate.language is None else part[part["language"] == estimate.language]
    values = pd.Series(outcome(part, estimate.name, estimate.group), index=part.index)
    items = part["sample" if options.as_published else "item"]
    return Outcomes(items, values, reach=1 if estimate.name.endswith("_share") else None)


def outcome(rows: pd.DataFrame, name: str, group: str | None) -> Array:
    """Return each row's contribution to a mean (of natural logs) or to a proportion (0 or 1)."""
    if name == CONTRAST:
        contrasted: Array = (rows["cs"] - rows["cs_control"]).to_numpy(dtype=np.float64)
        return contrasted
    score = next(score for score, mean_name in SCORE_NAMES.items() if mean_name == name.removesuffix("_share"))
    values: Array = rows[score + GROUPS[group or "original"]].to_numpy(dtype=np.float64)
    return np.where(np.isfinite(values), values > 0, np.nan) if name.endswith("_share") else values
