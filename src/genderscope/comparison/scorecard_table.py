"""Scorecards of models × measures: each cell is the result of one run, each column contains only comparable runs.

Each column shows an estimate that runs are ranked by: the leading estimate, or one that must be interpreted together
with it. Runs with different data, templates, scales or options get separate columns. A language gets its own column
unless all of its runs already share a column for all languages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from genderscope.comparison.ranking import ComparableRuns, Ranking, grouped, ranked_together
from genderscope.comparison.run_discovery import Found, Identity, identity, labels
from genderscope.comparison.scorecard_cells import Cell, Column, Row, Scorecard
from genderscope.core.errors import unknown
from genderscope.measures import measure_type
from genderscope.runs import Result


def scorecard(
    collection: Found,
    baseline: str | None = None,
    measures: Sequence[str] = (),
    languages: Sequence[str] = (),
    check: Callable[[Scorecard], None] = lambda _: None,
) -> Scorecard:
    """Arrange runs in a scorecard; with a baseline, compare every other model with it on shared questions.

    Args:
        collection: Runs by path.
        baseline: Name or label of a model.
        measures: Measures to show; all by default.
        languages: Languages to show, each in columns of its own; by default, see above.
        check: Called with an empty card before the runs' answers are loaded; may raise to abort.
    """
    runs = {path: result for path, result in collection.runs.items() if not measures or result.measure in measures}
    if lacking := set(measures) - {result.measure for result in collection.runs.values()}:
        raise unknown("measure", sorted(lacking)[0], {result.measure for result in collection.runs.values()})
    groups = _in_languages(grouped(runs), languages) if languages else _shown(grouped(runs))
    rows = _rows(runs, groups)
    named = labels([(system, paths[0]) for system, paths in rows])
    made = [Row(label, system[0], {}, system[1]) for label, (system, _) in zip(named, rows, strict=True)]
    empty = _card(made, (), collection)
    if baseline is not None:
        empty.row(baseline)
    check(empty)
    found_rankings = ranked_together(groups)
    columns, by_run = _columns(found_rankings)
    filled = [
        replace(row, cells={name: cell for path in paths for name, cell in by_run[path].items()})
        for row, (_, paths) in zip(made, rows, strict=True)
    ]
    rankings = tuple((ranking.place, ranking.answers) for ranking in found_rankings if ranking.answers)
    card = replace(_card(filled, columns, collection), rankings=rankings)
    if baseline is None:
        return card
    from genderscope.comparison.baseline import against  # slow import, needed only with a baseline

    return against(card, card.row(baseline))


def _card(rows: Sequence[Row], columns: Sequence[Column], collection: Found) -> Scorecard:
    return Scorecard(tuple(sorted(rows, key=_by_label)), tuple(columns), collection.others, skipped=collection.skipped)


def _columns(rankings: Sequence[Ranking]) -> tuple[list[Column], dict[str, dict[str, Cell]]]:
    """Return the columns, and the cells by run path and column id."""
    columns: list[Column] = []
    cells: dict[str, dict[str, Cell]] = {}
    for ranking, apart in zip(rankings, _apart(rankings), strict=True):
        for estimate in ranking.criteria:
            made = {entry.path: ranking.cell(entry, estimate) for entry in ranking.entries}
            column = _column(ranking, estimate, list(made.values()), apart, columns)
            columns.append(column)
            for path, cell in made.items():
                cells.setdefault(path, {})[column.id] = cell
    return columns, cells


def _by_label(row: Row) -> tuple[str, str]:
    return row.label.casefold(), row.label


def _shown(groups: Sequence[ComparableRuns]) -> list[ComparableRuns]:
    """Drop languages whose runs already share a column for all languages."""

    def is_covered(group: ComparableRuns) -> bool:
        return any(
            whole.language is None and whole.measure == group.measure and group.paths <= whole.paths for whole in groups
        )

    return _larger_first([group for group in groups if group.language is None or not is_covered(group)])


def _in_languages(groups: Sequence[ComparableRuns], languages: Sequence[str]) -> list[ComparableRuns]:
    available = {group.language for group in groups if group.language is not None}
    if lacking := [language for language in languages if language not in available]:
        raise unknown("language", lacking[0], available)
    return _larger_first([group for group in groups if group.language in languages])


def _larger_first(groups: Sequence[ComparableRuns]) -> list[ComparableRuns]:
    """Sort the groups of a measure and language by their number of runs."""
    kinds = list(dict.fromkeys((group.measure, group.language) for group in groups))
    return sorted(groups, key=lambda group: (kinds.index((group.measure, group.language)), -len(group.runs)))


def _rows(runs: Mapping[str, Result], groups: Sequence[ComparableRuns]) -> list[tuple[Identity, list[str]]]:
    """Group runs by system; runs that would fall into the same cell get separate rows, runs without cells none."""
    rows: list[tuple[Identity, list[str]]] = []
    for path in sorted(runs):
        system = identity(runs[path])
        own_columns = [group.paths for group in groups if path in group.paths]
        if not own_columns:
            continue
        free = (
            paths
            for other, paths in rows
            if other == system and not any(used_path in column for used_path in paths for column in own_columns)
        )
        if (home := next(free, None)) is not None:
            home.append(path)
        else:
            rows.append((system, [path]))
    return rows


def _column(
    ranking: Ranking, estimate: str, cells: Sequence[Cell], apart: str | None, before: Sequence[Column]
) -> Column:
    name = ranking.place if estimate == ranking.criteria[0] else f"{ranking.place} {estimate}"
    same = (ranking.measure, ranking.language, estimate)
    number = 1 + sum((column.measure, column.language, column.estimate) == same for column in before)
    margins = {cell.margin for cell in cells}
    shown = [cell.estimate for cell in cells if cell.estimate is not None]
    return Column(
        name if number == 1 else f"{name} ({number})",
        number,
        ranking.measure,
        measure_type(ranking.measure).title,
        ranking.language,
        ranking.data,
        ranking.options,
        estimate,
        next((e.neutral for e in shown), None),
        margins.pop() if len(margins) == 1 else None,
        ranking.criteria,
        len(ranking.entries),
        apart,
        ranking.by_criteria,
    )


def _apart(columns: Sequence[Ranking]) -> list[str | None]:
    """Describe how each ranking differs from others of the same measure and language; None if there are no others."""
    descriptions: list[str | None] = []
    for ranking in columns:
        rivals = [r for r in columns if (r.measure, r.language) == (ranking.measure, ranking.language)]
        if len(rivals) == 1:
            descriptions.append(None)
            continue
        parts = [[f"data {r.data}", *r.options.split(", ")] for r in rivals]
        common = set(parts[0]).intersection(*parts[1:])
        own_parts = [f"data {ranking.data}", *ranking.options.split(", ")]
        own = [part for part in own_parts if part not in common]
        others = sorted({part for settings in parts for part in settings if part not in own_parts})
        descriptions.append(
            ", ".join(own) or (f"without {', '.join(others)}" if others else "different files (see run.json)")
        )
    return descriptions
