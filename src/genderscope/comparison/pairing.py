"""The rows that two runs both answered, laid side by side."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from genderscope.errors import UserError
from genderscope.measures import measure_type
from genderscope.runs import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Share:
    """What became of one run's rows."""

    asked: int
    answered: int
    shared: int

    @property
    def unanswered(self) -> int:
        """Rows without an outcome in this run itself."""
        return self.asked - self.answered

    @property
    def unmatched(self) -> int:
        """Rows with an outcome here and none in the other run."""
        return self.answered - self.shared


@dataclass(frozen=True)
class Paired:
    """The shared rows of two runs, in the same order, and what became of the others."""

    first: "pd.DataFrame"
    second: "pd.DataFrame"
    shares: tuple[Share, Share]

    @property
    def coverage(self) -> float:
        """The share of rows that both answered, of all that the longer run was asked."""
        return len(self.first) / max(share.asked for share in self.shares)


def pair(first: Result, second: Result, options: Any) -> Paired:
    """Pair the rows of two runs by their keys; rows that only one run answered are left out."""
    answered = [_answered(result, options) for result in (first, second)]
    # Sorted by key, so that neither the order of the rows nor that of the runs changes the draws.
    shared = answered[0].index.intersection(answered[1].index).sort_values()
    if len(shared) == 0:
        raise UserError(
            f"The runs of '{first.measure}' have no question that both answered "
            f"({len(answered[0])} and {len(answered[1])} answered), so there is nothing to compare."
        )
    sides = [side.loc[shared].reset_index() for side in answered]
    shares = [Share(len(r.rows), len(side), len(shared)) for r, side in zip((first, second), answered, strict=True)]
    return Paired(sides[0], sides[1], (shares[0], shares[1]))


def shared_by_all(results: Sequence[Result], options: Any) -> "tuple[list[int], list[pd.DataFrame]]":
    """Return which runs share enough, and the rows that all of those answered, in the same order.

    A run is left out if including it would cost more than half of the rows that the others share.
    """
    answered = {}
    for k, result in enumerate(results):
        with suppress(UserError):  # rows without unique keys cannot be shared
            answered[k] = _answered(result, options)
    most = max((len(side) for side in answered.values()), default=0)
    while len(answered) > 1:
        sides = list(answered.values())
        shared = sides[0].index
        for side in sides[1:]:
            if not shared.equals(side.index):  # many runs answer the same rows in the same order
                shared = shared.intersection(side.index)
        if 2 * len(shared) >= most:
            ordered, order = shared.sort_values(return_indexer=True)
            rows = [side.take(order) if side.index.equals(shared) else side.loc[ordered] for side in sides]
            return list(answered), [side.reset_index() for side in rows]
        del answered[min(answered, key=lambda k: len(answered[k]))]
    return [], []


def _answered(result: Result, options: Any) -> "pd.DataFrame":
    """Return the rows with an outcome, indexed by their keys."""
    kind = measure_type(result.measure)
    rows = result.rows[kind.answered(result.rows, options)].set_index(list(kind.row_key))
    if rows.index.has_duplicates:
        raise UserError(
            f"The rows of '{result.folder}' do not have unique {' and '.join(kind.row_key)}; repeat the run."
        )
    return rows
