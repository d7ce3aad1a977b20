"""The error of an estimate over other groups (stereotypes, occupations) and templates too.

The means by group and template are a two-way table. With both as random effects, the variance of the table's mean is
that of the row means plus that of the column means, minus what both count: the interaction (random-effects analysis of
variance). Its degrees of freedom are Satterthwaite's.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from genderscope.statistics.student import Error, total

Array = npt.NDArray[np.float64]

#: with fewer groups per side, or fewer templates, the variance over others cannot be estimated
FEWEST_GROUPS = 4
FEWEST_COLUMNS = 3


@dataclass(frozen=True)
class Scope:
    """The error with groups and templates as random, its variance components, and what could not be included."""

    error: Error | None
    #: sentences, stereotypes, templates -> share of the variance
    shares: Mapping[str, float] = field(default_factory=dict)
    remark: str | None = None


def wide_scope(sides: Sequence[Array], narrow: Error | None, group: str, column: str) -> Scope:
    """Return the wider error of the difference of the sides' means, or of the mean of one side.

    A side is a table of means [groups, templates]; `narrow` is the error over sentences only. `group` and `column` name
    the rows and columns of the tables.
    """
    if narrow is None or any(not np.isfinite(side).all() for side in sides):
        return Scope(None, {}, f"not every {group} has enough samples for an interval over other {group}s")
    fewest = min(len(side) for side in sides)
    if fewest < FEWEST_GROUPS:
        return Scope(None, {}, f"{fewest} {group}s per side are too few to generalise to other {group}s")
    rows = total(Error(float(side.mean(axis=1).var(ddof=1)) / len(side), len(side) - 1) for side in sides)
    columns = sides[0].shape[1]
    error, remark, by_column = rows, None, 0.0
    if columns < FEWEST_COLUMNS:
        told = f"one {column} tells" if columns == 1 else f"{columns} {column}s tell"
        remark = f"the wide interval is over other {group}s only: {told} nothing about others"
    else:
        of_columns, both = _columns(sides), total(_interplay(side) for side in sides)
        if of_columns.variance > both.variance:
            by_column = of_columns.variance - both.variance
            variance = rows.variance + by_column
            parts = (rows, of_columns, both)
            error = Error(variance, variance**2 / sum(p.variance**2 / p.freedom for p in parts if p.variance > 0))
    if error.variance < narrow.variance:
        error = Error(narrow.variance, error.freedom)
    return Scope(error, _shares(error.variance, narrow.variance, by_column, group, column), remark)


def _columns(sides: Sequence[Array]) -> Error:
    """The error of the mean over columns: how much the estimate varies between columns."""
    by_column = sides[0].mean(axis=0) - (sides[1].mean(axis=0) if len(sides) > 1 else 0.0)
    return Error(float(by_column.var(ddof=1)) / len(by_column), len(by_column) - 1)


def _interplay(side: Array) -> Error:
    groups, columns = side.shape
    left = side - side.mean(axis=1, keepdims=True) - side.mean(axis=0, keepdims=True) + side.mean()
    freedom = (groups - 1) * (columns - 1)
    return Error(float((left**2).sum()) / freedom / (groups * columns), freedom)


def _shares(whole: float, sentences: float, columns: float, group: str, column: str) -> dict[str, float]:
    """The variance components as shares; the interaction of groups and templates counts towards the groups."""
    if not whole > 0 or not math.isfinite(whole):
        return {}
    of_columns = min(1.0, columns / whole)
    of_sentences = min(1.0 - of_columns, sentences / whole)
    found = {"sentences": of_sentences, f"{group}s": max(0.0, 1.0 - of_columns - of_sentences)}
    return found | ({f"{column}s": of_columns} if columns else {})
