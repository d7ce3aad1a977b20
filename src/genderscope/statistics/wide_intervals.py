"""Errors that generalise to other groups (stereotypes, occupations) and other templates or languages.

The means by group and column form a two-way table. With groups and columns as random effects, the variance of the
table's mean is that of the row means plus that of the column means, minus the interaction, which both include
(random-effects analysis of variance). Columns that resemble each other, such as templates with the same two words or
languages of one family, form a cluster, and clusters are the units. The degrees of freedom are those of Bell and
McCaffrey (2002, "Bias reduction in standard errors for linear regression with multi-stage samples") for clusters of
unequal size, and Satterthwaite's for the sum.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from genderscope.statistics.cluster_variance import correction
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.student_intervals import Error

Array = npt.NDArray[np.float64]

#: minimum numbers of groups per side and of column clusters for estimating their variance
FEWEST_GROUPS = 4
FEWEST_CLUSTERS = 3
#: below this number of units, a remark warns that the interval is based on few units
FEW_UNITS = 6
NO_NEUTRAL = "a share of the wide interval's variance has neither an interval nor a neutral point"


@dataclass(frozen=True)
class Scope:
    """Error with groups and columns as random effects, its variance components, and a remark on limitations."""

    error: Error | None
    #: source of variance (sentences, stereotypes, templates) -> its share
    shares: Mapping[str, float] = field(default_factory=dict)
    remark: str | None = None
    #: the random factors, such as `stereotypes+languages`; None if there is no error
    over: str | None = None


@dataclass(frozen=True)
class Columns:
    """Name and clustering of a table's columns. Dependent ones share a label in `clusters`; `unit` names a cluster."""

    name: str
    clusters: Sequence[str] | None = None
    unit: str | None = None

    def weights(self, count: int) -> tuple[Array, Array]:
        """Return the averaging matrix [columns, clusters] and the weights of the clusters."""
        labels = range(count) if self.clusters is None else self.clusters
        _, codes = np.unique(np.asarray(labels), return_inverse=True)
        members = np.eye(int(codes.max()) + 1)[codes]
        sizes = members.sum(axis=0)
        return members / sizes, sizes / count

    def counted(self, count: int) -> str:
        """Return a count of clusters with its noun."""
        return _counted(count, self.unit or self.name)

    def too_few(self, count: int) -> str:
        """Return a remark that there are too few clusters."""
        return f"with only {self.counted(count)}, the results cannot be generalised to other {self.name}s"


@dataclass(frozen=True)
class Component:
    """Part of a wide variance: deviations whose squares add up to it, and its degrees of freedom."""

    deviations: Array
    freedom: float

    @property
    def variance(self) -> float:
        """The variance."""
        return float((self.deviations**2).sum())


@dataclass(frozen=True)
class Components:
    """Parts of a wide variance: those of the groups of each side, of the columns, and of the sides' interactions.

    Deviations are linear in the tables of means, so those of a difference are the differences of the deviations.
    """

    groups: tuple[Component, ...]
    columns: Component | None = None
    interactions: tuple[Component, ...] = ()

    def all(self) -> tuple[Component, ...]:
        """Return all parts, in the order in which `wide_error` takes their variances."""
        return (*self.groups, *(() if self.columns is None else (self.columns,)), *self.interactions)

    def wide_error(self, variances: Sequence[Any], narrow: Any) -> tuple[Any, Any, Any]:
        """Return variance, degrees of freedom and added variance of the columns, given the variances of all parts.

        Variances, and the narrow one that the wide one is never below, are numbers or arrays of equal shape.
        """
        freedoms = [part.freedom for part in self.all()]
        count = len(self.groups)
        variance, spread = _satterthwaite(variances[:count], freedoms[:count])
        added: Any = np.zeros_like(variance)
        if self.columns is not None:
            both, spread_of_both = _satterthwaite(variances[count + 1 :], freedoms[count + 1 :])
            of_columns, spread_of_columns = _satterthwaite(variances[count : count + 1], freedoms[count : count + 1])
            adds = of_columns > both
            added = np.where(adds, of_columns - both, 0.0)
            variance, spread = variance + added, spread + np.where(adds, spread_of_columns + spread_of_both, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            freedom = np.where(spread > 0, variance**2 / spread, min(freedoms))
        return np.maximum(variance, narrow), freedom, added


def _satterthwaite(variances: Sequence[Any], freedoms: Sequence[float]) -> tuple[Any, Any]:
    """Return the sum of independent variances, and that of their squares over the degrees of freedom."""
    squares = (variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    return sum(variances, np.float64(0.0)), sum(squares, np.float64(0.0))


def components(sides: Sequence[Array], columns: Columns | None) -> Components:
    """Return the parts of the wide variance of the difference between the sides' means, or of a single side's mean.

    A side is a table of means [groups, columns]. If there are too few clusters of columns, these are treated as fixed;
    if there is a single group, it is.
    """
    groups = tuple(_of_groups(side) for side in sides) if len(sides[0]) > 1 else ()
    if columns is None:
        return Components(groups)
    members, weights = columns.weights(sides[0].shape[1])
    if len(weights) < FEWEST_CLUSTERS:
        return Components(groups)
    by_cluster = [side @ members for side in sides]
    means = by_cluster[0].mean(axis=0) - (by_cluster[1].mean(axis=0) if len(sides) > 1 else 0.0)
    factor, freedom = correction(weights)
    of_columns = Component(weights * (means - weights @ means) * math.sqrt(factor), freedom)
    return Components(groups, of_columns, tuple(_interaction(side, weights) for side in by_cluster) if groups else ())


def _of_groups(side: Array) -> Component:
    rows, count = side.mean(axis=1), len(side)
    return Component((rows - rows.mean()) / math.sqrt(count * (count - 1)), count - 1)


def _interaction(side: Array, weights: Array) -> Component:
    groups, rows = len(side), side @ weights
    left = side - rows[:, None] - side.mean(axis=0) + rows.mean()
    factor, freedom = correction(weights)
    deviations = weights * left * math.sqrt(factor / (groups * (groups - 1)))
    return Component(deviations.ravel(), (groups - 1) * freedom)


def wide_scope(sides: Sequence[Array], narrow: Error | None, group: str, columns: Columns | None = None) -> Scope:
    """Return the wider error of the difference between the sides' means, or of the mean of a single side.

    A side is a table of means [groups, columns]; `narrow` is the error over sentences only. `group` names the rows.
    Without `columns`, the columns are treated as fixed.
    """
    if narrow is None or any(not np.isfinite(side).all() for side in sides):
        return Scope(None, {}, f"not every {group} has enough samples to generalise to other {group}s")
    fewest = min(len(side) for side in sides)
    if fewest < FEWEST_GROUPS:
        return Scope(None, {}, f"{fewest} {group}s per side are too few to generalise to other {group}s")
    parts = components(sides, columns)
    over, remark = f"{group}s", _few(_counted(fewest, group), fewest, f"{group}s")
    if columns is not None:
        weights = columns.weights(sides[0].shape[1])[1]
        if parts.columns is None:
            remark = joined(
                f"the wide interval generalises only to other {group}s: {columns.too_few(len(weights))}", remark
            )
        else:
            over, remark = f"{over}+{columns.name}s", joined(remark, _few_columns(columns, weights))
    error, by_column = _error(parts, narrow)
    return Scope(error, _shares(error.variance, narrow.variance, by_column, group, columns), remark, over)


def column_scope(values: Array, narrow: Error | None, columns: Columns) -> Scope:
    """Return the error of a single row's mean, generalised to other columns."""
    weights = columns.weights(len(values))[1]
    if narrow is None or len(weights) < FEWEST_CLUSTERS:
        return Scope(None, {}, columns.too_few(len(weights)))
    error, _ = _error(components([values[None]], columns), narrow)
    return Scope(error, {}, _few_columns(columns, weights), f"{columns.name}s")


def _error(parts: Components, narrow: Error) -> tuple[Error, float]:
    """Return the wide error, and the variance that the columns add."""
    numbers = parts.wide_error([np.float64(part.variance) for part in parts.all()], narrow.variance)
    variance, freedom, added = map(float, numbers)
    return Error(variance, freedom), added


def variance_shares(scope: Scope, n: int) -> list[Estimate]:
    """Return the variance components of the wide interval as estimates."""
    blank = Estimate(
        name="variance_share", n=n, unread=0, neutral=None, method="variance components", remark=NO_NEUTRAL
    )
    return [replace(blank, value=share).with_keys(category=source) for source, share in scope.shares.items()]


def _few_columns(columns: Columns, weights: Array) -> str | None:
    """Return a remark if the effective number of clusters is small."""
    return _few(columns.counted(len(weights)), 1 / float((weights**2).sum()), f"{columns.name}s")


def _few(counted: str, units: float, others: str) -> str | None:
    return f"the generalisation to other {others} rests on only {counted}" if units < FEW_UNITS - 1e-9 else None


def _counted(count: int, unit: str) -> str:
    plural = f"{unit[:-1]}ies" if unit.endswith("y") else f"{unit}s"
    return f"{count} {unit if count == 1 else plural}"


def _shares(whole: float, sentences: float, by_column: float, group: str, columns: Columns | None) -> dict[str, float]:
    """Return the variance components as shares; the group-column interaction counts towards the groups."""
    if not whole > 0 or not math.isfinite(whole):
        return {}
    of_columns = min(1.0, by_column / whole)
    of_sentences = min(1.0 - of_columns, sentences / whole)
    shares = {"sentences": of_sentences, f"{group}s": max(0.0, 1.0 - of_columns - of_sentences)}
    return shares | ({f"{columns.name}s": of_columns} if columns is not None and by_column else {})
