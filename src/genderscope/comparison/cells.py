"""What a scorecard consists of: models in rows, comparable runs of a measure in columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from genderscope.errors import UserError, unknown
from genderscope.judgement import Judgement, Margin, short_verdict
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.comparison.difference import Difference


@dataclass(frozen=True)
class Column:
    """What the cells of a column have in common."""

    #: no two columns have the same: gest, gest-mt[sk] f_m, gest (2)
    id: str
    #: which of the columns with the same measure, language and estimate it is, from 1
    number: int
    measure: str
    title: str
    language: str | None
    data: str
    #: options that are not the default, what the models were asked with, checksum and version
    options: str
    #: the estimate, as a gate would write it
    estimate: str
    neutral: float | None
    #: the smallest effect of interest; None where there is none, or where the runs were given different ones
    margin: Margin | None
    #: what the ranks go by: this estimate, or several of which none may be read alone
    criteria: tuple[str, ...]
    #: how many runs are ranked in it
    runs: int
    #: why these runs do not share a column with others of the measure; None where there are no others
    apart: str | None


@dataclass(frozen=True)
class Cell:
    """What one run found in one column."""

    run: str
    result: Result
    #: None where the run could not tell
    estimate: Estimate | None
    #: the share of the run's questions that were read, in the language of the column where it has one
    coverage: float
    margin: Margin | None
    #: None where the run has no such estimate
    judgement: Judgement | None
    #: 1 + how many runs of the column are surely nearer to neutral; None where nothing was compared
    rank: int | None
    #: whether another run has the same rank: no difference between them could be told
    tied: bool
    #: the best and the worst rank that the run may have, at 95 % for all of the column together
    ranks: tuple[int, int] | None
    #: how the run differs from the baseline's; None where there is no baseline, or for the reason given
    difference: "Difference | None" = None
    no_difference: str | None = None

    @property
    def word(self) -> str:
        """The verdict in one or two words."""
        return "not read" if self.judgement is None else short_verdict(self.judgement)


@dataclass(frozen=True)
class Row:
    """One model, with its cells by the id of the column."""

    label: str
    model: str
    cells: Mapping[str, Cell]
    #: the file or the service that it is, where it has no weights of its own
    place: str | None = None

    def called(self, name: str) -> bool:
        """Whether a name, or a model string such as hf:org/model, means this row."""
        return not {name, name.partition(":")[2]}.isdisjoint({self.model, self.place} - {None, ""})


@dataclass(frozen=True)
class Scorecard:
    """Models × measures. `others` are folders that are on no column, with the reason."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    others: Mapping[str, str]
    #: the label of the row that the others are held against
    baseline: str | None = None
    cautions: tuple[str, ...] = ()
    #: one sentence about unfinished and damaged runs
    skipped: str | None = None

    def cells(self, column: Column) -> Iterator[tuple[Row, Cell]]:
        """Yield the cells of a column with their rows, ranked ones first and in their order."""
        there = [(row, row.cells[column.id]) for row in self.rows if column.id in row.cells]
        return iter(sorted(there, key=lambda each: (each[1].rank is None, each[1].rank or 0)))

    def row(self, model: str) -> Row:
        """Return the row of a model, by its label or its name."""
        found = [row for row in self.rows if row.label == model] or [row for row in self.rows if row.called(model)]
        if not found:
            raise unknown("model", model, [row.label for row in self.rows])
        if len(found) > 1:
            told = ", ".join(f"'{row.label}'" for row in found)
            raise UserError(f"'{model}' matches several models of the scorecard; give one of {told}.")
        return found[0]

    def results(self) -> list[Result]:
        """Return the runs that are on the card, each once."""
        found = {cell.run: cell.result for row in self.rows for cell in row.cells.values()}
        return list(found.values())

    def replaced(self, cells: Mapping[tuple[str, str], Cell], **more: Any) -> "Scorecard":
        """Return the card with other cells, by the label of their row and the id of their column."""
        rows = [
            replace(row, cells={name: cells.get((row.label, name), cell) for name, cell in row.cells.items()})
            for row in self.rows
        ]
        return replace(self, rows=tuple(rows), **more)
