"""Estimates of the dialogue measure, computed from rows of adjectives and their genders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.measures.dialogue.cells import GENDERS, KINDS, SENTIMENTS, Array, BootstrappedRate, rates
from genderscope.measures.dialogue.regressions import regressions
from genderscope.measures.dialogue.tables import TABLES, Compared, accuracy_name, gendered, rate_name, table_of
from genderscope.measures.dialogue.units import DIFFERENCE, SHARE, TOO_FEW, plain
from genderscope.statistics.bootstrap import RESAMPLES, interval
from genderscope.statistics.declared_rates import complement_of
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import agresti_coull
from genderscope.statistics.student_intervals import few_units
from genderscope.statistics.unread import spanned

BOOTSTRAP = "bootstrap of sources, expanded percentile"
BINOMIAL = "Agresti-Coull over sources"
LONE_SPEAKER = "stereo_adverb"
NO_NEUTRAL = {
    "acc": "an accuracy has no neutral point; 1 means always right",
    "neutral": "the frequency of neutral renderings says nothing about bias",
    "located": "the number of adjectives found says nothing about bias",
}


class DialogueRates:
    """The estimates for all languages; `as_published` uses the weighting inferred from the paper's tables."""

    def __init__(self, rows: pd.DataFrame, seed: int, as_published: bool) -> None:
        self.rows = rows
        self.seed = seed
        self.as_published = as_published

    def estimates(self) -> list[Estimate]:
        """Return, for each language, the tables' estimates, the shares of neutral renderings and the regressions."""
        estimates: list[Estimate] = []
        for language, rows in self.rows.groupby("language", sort=True):
            for table in TABLES:
                estimates += self.table(rows, table, str(language))
            for table in TABLES:
                estimates += self.neutral(rows, table, str(language))
            estimates += [self._share("located", rows, rows["unread"].isna(), str(language))]
            estimates += regressions(rows, str(language), self.as_published)
        return estimates

    def table(self, rows: pd.DataFrame, table: Compared, language: str) -> Iterator[Estimate]:
        """Yield one table's estimates: proportions or accuracies by condition, and their difference."""
        by_condition = self.rates(rows, table)
        if by_condition is None:
            return
        if table.outcome == "male":
            shown = {"masculine_rate": by_condition["all"]} if table.subset == LONE_SPEAKER else {}
            shown |= {rate_name(name): by_condition[name] for name in table.conditions}
            for name, rate in shown.items():
                male = _estimate(name, rate, 0.5, language, table)
                yield male
                yield _mirrored(male)
        else:
            for name in table.conditions:
                yield _estimate(accuracy_name(name), by_condition[name], None, language, table)
        yield _difference(table, by_condition, language)

    def resampled(self) -> Iterator[Resampled]:
        """Yield the headline estimates: the male proportion for a lone speaker, and each table's difference."""
        for language, rows in self.rows.groupby("language", sort=True):
            for table in TABLES:
                by_condition = self.rates(rows, table)
                if by_condition is None:
                    continue
                if table.subset == LONE_SPEAKER:
                    rate = by_condition["all"]
                    shown = _estimate("masculine_rate", rate, 0.5, str(language), table)
                    yield self._drawn(shown, rate, None)
                plus, minus = (by_condition[name] for name in table.compared_conditions)
                yield self._drawn(_difference(table, by_condition, str(language)), plus, minus)

    def _drawn(self, estimate: Estimate, rate: BootstrappedRate, other: BootstrappedRate | None) -> Resampled:
        """Return a proportion or difference with each reading's influence on it (as published, with replicates)."""
        value = rate.value - (other.value if other else 0.0)
        if rate.crossed is not None:
            influence = rate.crossed
            if other is not None and other.crossed is not None:
                influence = influence.plus(other.crossed, -1.0)
            imagined = 1 / max(1, len(influence.influences) * influence.sources)
            return Resampled(estimate, value, given_influence=replace(influence, imagined=imagined))
        if other is None:
            return Resampled(estimate, value, rate.replicates, rate.sizes)
        return Resampled(estimate, value, rate.replicates - other.replicates, [*rate.sizes, *other.sizes])

    def rates(
        self, rows: pd.DataFrame, table: Compared, resamples: int = RESAMPLES
    ) -> dict[str, BootstrappedRate] | None:
        """Return the rate for each condition, or None if the suite has no rows for this table."""
        counted_rows = counted(rows, table, self.as_published)
        if counted_rows.empty:
            return None
        weighting = table.published if self.as_published else "cells"
        resamples = resamples if self.as_published else 0
        return rates(counted_rows, table, weighting, not self.as_published, self.seed, resamples)

    def neutral(self, rows: pd.DataFrame, table: Compared, language: str) -> Iterator[Estimate]:
        """Yield the proportion of neutral renderings for each condition, overall and by strategy."""
        table_rows = of_table(rows, table)
        for name in table.conditions:
            group = table_rows[table_rows[table.by] == name]
            if group.empty:
                continue
            yield self._share("neutral", group, group["gender"] == "neutral", language, table.subset, name)
            for strategy in sorted(group["strategy"].dropna().unique()):
                hit = group["strategy"] == strategy
                yield self._share("neutral", group, hit, language, table.subset, name, strategy)

    def _share(
        self,
        name: str,
        rows: pd.DataFrame,
        hit: pd.Series[bool],
        language: str,
        subset: str | None = None,
        group: str | None = None,
        category: str | None = None,
    ) -> Estimate:
        """Return a proportion of instances; as published, its interval is based on the number of sources."""
        share, method = float(hit.mean()), SHARE
        if self.as_published:
            sources, method = int(rows["source"].nunique()), BINOMIAL
            _, least, most = agresti_coull(round(share * sources), sources)
            bounds: tuple[float, float] | None = (min(least, share), max(most, share))
        else:
            bounds = plain(hit, rows).bounds
        remark = joined(None if bounds else TOO_FEW, NO_NEUTRAL[name])
        blank = Estimate(name=name, n=len(rows), unread=0, neutral=None, method=method, remark=remark)
        return blank.with_value(share, bounds).with_keys(
            language=language, subset=subset, group=group, category=category
        )


def of_table(rows: pd.DataFrame, table: Compared) -> pd.DataFrame:
    """Return all rows of a table, whether parsed or not."""
    in_table = (rows["subset"] == table.part) & (rows["determined"] == table.determined)
    return rows[in_table & rows[table.by].isin(list(table.conditions))]


def counted(rows: pd.DataFrame, table: Compared, as_published: bool) -> pd.DataFrame:
    """Return the rows that count towards a table, with their outcome."""
    selected = of_table(rows, table)
    if not (as_published and table.published == "pooled"):
        balanced = selected["kind"].isin(KINDS) & selected["sentiment"].isin(SENTIMENTS)
        selected = selected[balanced & (selected["adjective_stereotype"] == "neither")]
    return selected.assign(outcome=outcome(selected, table, as_published))


def resampled(rows: pd.DataFrame, options: Any) -> Iterator[Resampled]:
    """Yield the headline estimates."""
    return DialogueRates(rows, options.seed, options.as_published).resampled()


def outcomes(rows: pd.DataFrame, estimate: Estimate, options: Any) -> Outcomes:
    """Return 0 or 1 for each adjective that counts towards a headline estimate, swapped in the subtracted condition."""
    table = table_of(str(estimate.subset))
    selected = counted(rows[rows["language"] == estimate.language], table, options.as_published)
    if estimate.name == "masculine_rate":
        return Outcomes(selected["source"], selected["outcome"], reach=1)
    plus, minus = table.compared_conditions
    selected = selected[selected[table.by].isin([plus, minus])]
    turned = selected["outcome"].where(selected[table.by] == plus, 1 - selected["outcome"])
    return Outcomes(selected["source"], turned, reach=2)


def outcome(rows: pd.DataFrame, table: Compared, as_published: bool) -> pd.Series[float]:
    """Return 1 for masculine (or the correct gender), 0 otherwise, and NaN if no gender was found."""
    male = (rows["gender"] == "masculine").astype(float)
    value = male if table.outcome == "male" else (male == (rows["true_gender"] == GENDERS[0])).astype(float)
    return value.where(gendered(rows, as_published))


def _estimate(name: str, rate: BootstrappedRate, neutral: float | None, language: str, table: Compared) -> Estimate:
    bounds, method = _interval(rate)
    value = rate.value if np.isfinite(rate.value) else None
    error = None if rate.crossed is None else rate.crossed.error
    few = None if error is None else few_units(int(error.freedom) + 1)
    remark = joined(few if bounds else TOO_FEW, NO_NEUTRAL["acc"] if neutral is None else None)
    blank = Estimate(name=name, n=rate.n, unread=rate.others, neutral=neutral, method=method, remark=remark)
    least, most = (None, None) if value is None or rate.by_risk is None else spanned(value, rate.by_risk)
    freedom = None if error is None or bounds is None else error.freedom
    estimate = blank.with_value(value, bounds, unread_low=least, unread_high=most, freedom=freedom)
    return estimate.with_keys(language=language, subset=table.subset)


def _interval(rate: BootstrappedRate) -> tuple[tuple[float, float] | None, str]:
    """Return the interval and its method: binomial if all resamples agree (a bootstrap interval would have width 0)."""
    if rate.crossed is not None:
        return rate.crossed.bounds if rate.n else None, SHARE
    if rate.n and _constant(rate.replicates):
        return agresti_coull(round(rate.value * rate.sources), rate.sources)[1:], BINOMIAL
    return interval(rate.replicates, rate.sizes), BOOTSTRAP


def _constant(replicates: Array) -> bool:
    return len(replicates) > 0 and bool(np.ptp(replicates) < 1e-9)


def _difference(table: Compared, by_condition: dict[str, BootstrappedRate], language: str) -> Estimate:
    plus, minus = (by_condition[name] for name in table.compared_conditions)
    counts = (plus.n + minus.n, plus.others + minus.others)
    blank = Estimate(name=table.difference, n=counts[0], unread=counts[1], neutral=0.0, method=BOOTSTRAP).with_keys(
        language=language, subset=table.subset
    )
    value = plus.value - minus.value
    if not np.isfinite(value):
        return replace(blank, remark=TOO_FEW)
    if plus.by_risk is not None and minus.by_risk is not None:
        least, most = spanned(value, plus.by_risk - minus.by_risk)
        blank = replace(blank, unread_low=least, unread_high=most)
    if plus.crossed is not None and minus.crossed is not None:
        less = plus.crossed.less(minus.crossed)
        if less is None:
            return replace(blank, value=value, method=DIFFERENCE, remark=TOO_FEW)
        return blank.with_value(value, less[:2], method=DIFFERENCE, freedom=less[2])
    replicates = plus.replicates - minus.replicates
    bounds, method = interval(replicates, [*plus.sizes, *minus.sizes]), BOOTSTRAP
    if _constant(replicates):
        (one, _), (other, _) = _interval(plus), _interval(minus)
        if one and other:
            # Newcombe's combination of two intervals, because the bootstrap interval of a constant has width 0.
            below = float(np.hypot(plus.value - one[0], other[1] - minus.value))
            above = float(np.hypot(one[1] - plus.value, minus.value - other[0]))
            bounds, method = (value - below, value + above), f"{BINOMIAL}, combined"
    return blank.with_value(value, bounds, method=method)


def _mirrored(male: Estimate) -> Estimate:
    """Return the female proportion that complements a male one."""
    female = complement_of(male, male.name.replace("masculine", "feminine"), "")
    return replace(female, neutral=male.neutral, remark=male.remark)
