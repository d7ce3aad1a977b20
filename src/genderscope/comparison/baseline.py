"""Comparison of a scorecard's models with a baseline, on shared questions and corrected for multiple comparisons."""

from dataclasses import replace

from genderscope.comparison.difference import adjusted_together
from genderscope.comparison.ranking import of_language
from genderscope.comparison.run_comparison import Comparison, compared
from genderscope.comparison.scorecard_cells import Cell, Column, Row, Scorecard
from genderscope.core.errors import UserError
from genderscope.judgement import Difference, label
from genderscope.runs import reading

#: (row label, column id)
Place = tuple[str, str]
#: (row label, cell)
Named = tuple[str, Cell]


def against(card: Scorecard, baseline: Row) -> Scorecard:
    """Return the card with each cell's difference from the baseline, or the reason why there is none."""
    differences: dict[Place, Difference] = {}
    reasons: dict[Place, str] = {}
    cautions: list[str] = []
    comparisons: dict[tuple[str, str, str | None], Comparison] = {}
    number = _number_of_answers(card, baseline)
    for column in card.columns:
        for row, cell in card.cells(column):
            place = row.label, column.id
            if row is baseline:
                reasons[place] = "this is the baseline"
            elif column.id not in baseline.cells:
                reasons[place] = f"{baseline.label} has no comparable run"
            else:
                try:
                    pair = (baseline.label, baseline.cells[column.id]), (row.label, cell)
                    key = pair[0][1].run, cell.run, column.language
                    comparison = comparisons[key] = comparisons.get(key) or _compared(pair, column.language, number)
                    cautions += comparison.cautions
                    differences[place] = _difference(column, comparison)
                except UserError as error:
                    reasons[place] = str(error)
    together = dict(zip(differences, adjusted_together(list(differences.values())), strict=True))
    rows = []
    for row in card.rows:
        places = {name: (row.label, name) for name in row.cells}
        cells = {
            name: replace(row.cells[name], difference=together.get(place), no_difference=reasons.get(place))
            for name, place in places.items()
        }
        rows.append(replace(row, cells=cells))
    answers = tuple(
        (f"{c.measure}[{language}]" if language else c.measure, c.answer(list(c.pairs)[-1]))
        for (_, _, language), c in comparisons.items()
        if c.by_criteria
    )
    noted = tuple(dict.fromkeys(cautions))
    return replace(card, rows=tuple(rows), baseline=baseline.label, cautions=noted, answers=answers)


def _number_of_answers(card: Scorecard, baseline: Row) -> int:
    """Return how many answers by criteria stand together: one for each other model, measure and language."""
    with_answers = [column for column in card.columns if column.by_criteria and column.id in baseline.cells]
    pairs = {
        (cell.run, column.language)
        for column in with_answers
        for row, cell in card.cells(column)
        if row is not baseline
    }
    return max(1, len(pairs))


def _compared(pair: tuple[Named, Named], language: str | None, number: int) -> Comparison:
    sides = {name: of_language(cell.result, language) for name, cell in pair}
    with reading(*sides.values()):
        return compared(sides, number)


def _difference(column: Column, comparison: Comparison) -> Difference:
    """Return the difference between the runs in the column's estimate."""
    candidates = [
        d
        for d in comparison.differences
        if label(d.of_second.with_keys(language=None)) == column.estimate
        and d.of_second.language in {column.language, None}
    ]
    if not candidates:
        raise UserError("this estimate cannot be computed from the questions that both models answered")
    difference = next((d for d in candidates if d.of_second.language == column.language), candidates[0])
    return replace(difference, margin=column.margin or difference.margin)
