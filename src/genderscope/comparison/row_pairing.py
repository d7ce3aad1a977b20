"""Pairing of rows across runs, for the questions that all of them answered."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from genderscope.core.errors import NotJudgedError, UserError
from genderscope.measures import measure_type
from genderscope.runs import Result

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

#: key column that numbers the replies to the same prompt
DRAW = "draw"


@dataclass(frozen=True)
class RowCounts:
    """Numbers of asked, answered and shared rows in one run."""

    asked: int
    answered: int
    shared: int

    @property
    def unanswered(self) -> int:
        """Number of rows without an outcome in this run."""
        return self.asked - self.answered

    @property
    def unmatched(self) -> int:
        """Number of rows with an outcome in this run but not in the other."""
        return self.answered - self.shared


@dataclass(frozen=True)
class Paired:
    """Shared rows of two runs, in the same order, with counts of asked and answered rows."""

    first: "pd.DataFrame"
    second: "pd.DataFrame"
    shares: tuple[RowCounts, RowCounts]
    #: stereotypes of which no row is shared
    uncovered: tuple[int, ...] = ()

    @property
    def coverage(self) -> float:
        """Number of shared rows divided by the number of rows in the larger run."""
        return len(self.first) / max(share.asked for share in self.shares)


def pair(first: Result, second: Result, options: Any) -> Paired:
    """Pair the rows of two runs by key, dropping rows that only one run answered."""
    rows = comparable_rows((first, second))
    answered = [_answered(result, own, options) for result, own in zip((first, second), rows, strict=True)]
    # Sort by key so that the draws depend on neither the order of rows nor the order of runs.
    shared = answered[0].index.intersection(answered[1].index).sort_values()
    if len(shared) == 0 and not measure_type(first.measure).compares_by_criteria(options):
        fewer = min((first, second), key=lambda run: run.counts.read)
        see = "" if fewer.folder is None else f" Look at the replies: genderscope show {fewer.folder} --full."
        raise NotJudgedError(
            f"No question was answered in both runs of '{first.measure}' ({len(answered[0])} and "
            f"{len(answered[1])} questions were answered), so there is nothing to compare.{see}"
        )
    sides = [side.loc[shared].reset_index() for side in answered]
    shares = [RowCounts(len(own), len(side), len(shared)) for own, side in zip(rows, answered, strict=True)]
    return Paired(sides[0], sides[1], (shares[0], shares[1]), _uncovered(first.rows, sides[0]))


def comparable_rows(results: Sequence[Result]) -> "list[pd.DataFrame]":
    """Return the rows of runs of one measure, limited to the draws that every run has."""
    rows = [result.rows for result in results]
    if not results or DRAW not in measure_type(results[0].measure).row_key:
        return rows
    rows = [table if DRAW in table else table.assign(**{DRAW: 0}) for table in rows]  # earlier versions drew once
    last = min((table[DRAW].max() for table in rows if len(table)), default=0)
    return [table if (within := table[DRAW] <= last).all() else table[within] for table in rows]


def _uncovered(asked: "pd.DataFrame", shared: "pd.DataFrame") -> tuple[int, ...]:
    """Return the numbers of the stereotypes without shared rows; none if the column holds labels, not strata."""
    if "stereotype" not in shared or shared["stereotype"].dtype.kind != "i":
        return ()
    return tuple(sorted({*asked["stereotype"].unique()} - {*shared["stereotype"].unique()}))


def uncovered_stereotypes(run: Result, paired: Paired, names: tuple[str, str]) -> list[str]:
    """Return a caution if some stereotypes have no shared rows, so that rates are means over the others."""
    if not paired.uncovered or measure_type(run.measure).pooled:  # readings are then pooled, for a stated reason
        return []
    asked = run.rows["stereotype"].nunique()
    return [
        f"Only {asked - len(paired.uncovered)} of {asked} stereotypes have questions that both {names[0]} and "
        f"{names[1]} answered; the rates compared here are means over these stereotypes."
    ]


def shared_by_all(results: Sequence[Result], options: Any) -> "tuple[list[int], list[pd.DataFrame]]":
    """Return the indices of runs that share enough rows, and for each of them the shared rows in the same order.

    Runs with the fewest answers are dropped until at least half of the rows that the largest run answered are shared.
    """
    answered = {}
    for k, (result, own) in enumerate(zip(results, comparable_rows(results), strict=True)):
        with suppress(UserError):  # rows without unique keys cannot be paired
            answered[k] = _answered(result, own, options)
    most = max((len(side) for side in answered.values()), default=0)
    while len(answered) > 1:
        sides = list(answered.values())
        shared = sides[0].index
        for side in sides[1:]:
            if not shared.equals(side.index):  # fast path: most runs answer the same rows in the same order
                shared = shared.intersection(side.index)
        if 2 * len(shared) >= most:
            ordered, order = shared.sort_values(return_indexer=True)
            rows = [side.take(order) if side.index.equals(shared) else side.loc[ordered] for side in sides]
            return list(answered), [side.reset_index() for side in rows]
        del answered[min(answered, key=lambda k: len(answered[k]))]
    return [], []


def analyse_shared(
    results: Sequence[Result], options: Any, analyse: "Callable[[pd.DataFrame], T]"
) -> tuple[list[int], list[T]]:
    """Return the indices of runs that share enough rows, and the analysis of each one's shared rows.

    If all runs answered the same rows, as most do, only one run's rows are in memory at a time.
    """
    same = _analyse_same(results, options, analyse)
    if same is not None:
        return list(range(len(results))), same
    kept, rows = shared_by_all(results, options)
    return kept, [analyse(side) for side in rows]


def _analyse_same(results: Sequence[Result], options: Any, analyse: "Callable[[pd.DataFrame], T]") -> list[T] | None:
    """Analyse the runs one by one; return None if they did not answer the same rows in the same order."""
    if DRAW in measure_type(results[0].measure).row_key:  # how many draws are used depends on all runs
        return None
    import numpy as np
    import pandas as pd

    kind = measure_type(results[0].measure)
    key = list(kind.row_key)
    analysed: list[T] = []
    keys: pd.DataFrame | None = None
    order = np.empty(0, dtype=np.intp)
    for result in results:
        rows = result.load_rows()
        answered = rows[kind.answered(rows, options)]
        own_keys = answered[key].reset_index(drop=True)
        if keys is None:
            keys = own_keys
            _, order = pd.MultiIndex.from_frame(own_keys).sort_values(return_indexer=True)
            if own_keys.duplicated().any():  # rows without unique keys cannot be paired
                return None
        elif not keys.equals(own_keys):
            return None
        analysed.append(analyse(answered.take(order).reset_index(drop=True)))
    return analysed


def _answered(result: Result, rows: "pd.DataFrame", options: Any) -> "pd.DataFrame":
    """Return the rows with an outcome, indexed by key."""
    kind = measure_type(result.measure)
    return with_unique_keys(rows[kind.answered(rows, options)].set_index(list(kind.row_key)), result)


def has_unique_keys(result: Result) -> bool:
    """Return whether no two rows of a run have the same key."""
    return not result.rows.duplicated(list(measure_type(result.measure).row_key)).any()


def with_unique_keys(rows: "pd.DataFrame", result: Result) -> "pd.DataFrame":
    """Return rows that are indexed by key; raise a UserError if several have the same key."""
    if rows.index.has_duplicates:
        key = " and ".join(measure_type(result.measure).row_key)
        raise UserError(f"Several rows of '{result.folder}' have the same {key}; repeat the run.")
    return rows
