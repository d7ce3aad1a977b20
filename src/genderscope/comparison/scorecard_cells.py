"""Building blocks of a scorecard: models as rows, comparable runs of a measure as columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from genderscope.core.errors import UserError, unknown
from genderscope.judgement import Answer, Difference, Judgement, Margin, short_verdict
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate


@dataclass(frozen=True)
class Column:
    """Properties shared by all cells of a scorecard column."""

    #: unique identifier: gest, gest-mt[sk] f_m, gest (2)
    id: str
    #: index, from 1, among the columns with the same measure, language and estimate
    number: int
    measure: str
    title: str
    language: str | None
    data: str
    #: non-default options, prompt settings, checksum and version
    options: str
    #: name of the estimate, in gate syntax
    estimate: str
    neutral: float | None
    #: the smallest effect of interest; None if there is none or if it differs between runs
    margin: Margin | None
    #: ranking criteria: this estimate, or several that must be interpreted together
    criteria: tuple[str, ...]
    #: number of runs in the ranking
    runs: int
    #: how these runs differ from those in other columns for the same measure and language; None if there are none
    apart: str | None
    #: whether runs are ranked by the measure's criteria, which no single column shows
    by_criteria: bool = False


@dataclass(frozen=True)
class Cell:
    """Result of one run in one column."""

    run: str
    result: Result
    #: None if the run has no such estimate
    estimate: Estimate | None
    #: share of the run's questions with a usable answer, restricted to the column's language if it has one
    coverage: float
    margin: Margin | None
    #: None if the estimate is missing or has no value
    judgement: Judgement | None
    #: 1 + the number of runs in the column that are significantly nearer to neutral; None if nothing was compared
    rank: int | None
    #: whether another run has the same rank
    tied: bool
    #: rank interval, at 95 % simultaneous confidence for the whole column
    ranks: tuple[int, int] | None
    #: how much further from neutral than the best other run in the column: value, low, high (Hsu)
    behind: tuple[float, float, float] | None = None
    #: what the ranks generalise over, in words, if over more than the questions
    ranked_over: str | None = None
    #: difference from the baseline; None without a baseline, or for the reason in `no_difference`
    difference: Difference | None = None
    no_difference: str | None = None

    @property
    def word(self) -> str:
        """The verdict in one or two words."""
        return "not read" if self.judgement is None else short_verdict(self.judgement)


@dataclass(frozen=True)
class Row:
    """One model, with its cells keyed by column id."""

    label: str
    model: str
    cells: Mapping[str, Cell]
    #: what identifies the system besides its name: weights checksum, file or service URL
    place: str | None = None

    def called(self, name: str) -> bool:
        """Return whether a name, or a model string such as hf:org/model, refers to this row."""
        return not {name, name.partition(":")[2]}.isdisjoint({self.model, self.place} - {None, ""})


@dataclass(frozen=True)
class Scorecard:
    """Table of models × measures. `others` gives the reason for each folder without a usable run."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    others: Mapping[str, str]
    #: label of the row that the other rows are compared with
    baseline: str | None = None
    cautions: tuple[str, ...] = ()
    #: sentence that lists unfinished and damaged runs
    skipped: str | None = None
    #: rankings by criteria: (measure with its language, which of two runs is better, for each pair)
    rankings: tuple[tuple[str, tuple[Answer, ...]], ...] = ()
    #: which of the baseline and another model is better: (measure with its language, answer)
    answers: tuple[tuple[str, Answer], ...] = ()

    def cells(self, column: Column) -> Iterator[tuple[Row, Cell]]:
        """Iterate over a column's rows and cells in order of rank, with unranked cells last."""
        there = [(row, row.cells[column.id]) for row in self.rows if column.id in row.cells]
        return iter(sorted(there, key=lambda entry: (entry[1].rank is None, entry[1].rank or 0)))

    def row(self, model: str) -> Row:
        """Return a model's row, given its label or name."""
        matches = [row for row in self.rows if row.label == model] or [row for row in self.rows if row.called(model)]
        if not matches:
            raise unknown("model", model, [row.label for row in self.rows])
        if len(matches) > 1:
            told = ", ".join(f"'{row.label}'" for row in matches)
            raise UserError(f"'{model}' matches several models in the scorecard; use one of {told}.")
        return matches[0]

    def results(self) -> list[Result]:
        """Return the runs on the card, without duplicates."""
        by_run = {cell.run: cell.result for row in self.rows for cell in row.cells.values()}
        return list(by_run.values())
