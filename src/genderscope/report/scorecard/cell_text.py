"""Texts of scorecards shared by all formats: names, numbers, ranks, links and notes."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from genderscope.comparison import Cell, Column, Found, Scorecard
from genderscope.core.errors import UserError
from genderscope.judgement import (
    BENCHMARK,
    RANKS,
    describe_criteria,
    describe_difference,
    describe_first,
    describe_order,
    distance,
    explain_ratios,
    explain_short_verdicts,
    format_tested_difference,
    margin_words,
    short_difference,
)
from genderscope.report.views.plain_view import interval, number
from genderscope.runs import Result, what_is_there
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line

#: headings for a cell's texts, and for its difference from the baseline
CELL = ("value", "95 % interval", "verdict", "n", "coverage", "rank")
DIFFERENCE = ("difference", "95 % interval", "p (adjusted)", "change")
#: headings of text columns
WORDS = ("model", "verdict", "change")

COVERAGE = "Coverage is the share of a run's answers that could be read; n is the sample size of the estimate."
CAUTION = (
    "Each number describes one model on one dataset according to one measure. No number or set of numbers shows that "
    "a model is free of gender bias."
)
MISSING = "–"


def name_measure(column: Column) -> str:
    """Return a column's measure with its language, such as gest-mt [sk]."""
    return f"{column.measure} [{column.language}]" if column.language else column.measure


def name_column(column: Column) -> str:
    """Return a column's name, such as gest-mt [sk] f_s."""
    return f"{name_measure(column)} {column.estimate}{f' ({column.number})' if column.number > 1 else ''}"


def describe_scale(column: Column) -> str:
    """Describe a column's neutral point and threshold."""
    neutral = "no neutral point" if column.neutral is None else f"neutral {column.neutral:g}"
    return f"{neutral}, {margin_words(column.margin)}"


def count_runs(column: Column) -> str:
    """Return the number of runs in a column."""
    return "1 run" if column.runs == 1 else f"{column.runs} runs"


def describe_runs(column: Column) -> str:
    """Describe the data and options shared by a column's runs, and why other runs are in separate columns."""
    text = f"data {column.data}, {column.options}"
    return text if column.apart is None else f"{text}; separate from other runs of {column.measure}: {column.apart}"


def ranking_sentences(card: Scorecard, column: Column) -> list[str]:
    """Say how a column's runs are ranked if several columns count, and which of them is nearest to neutral.

    Of several columns that are ranked together, only the last has these sentences.
    """
    if column.by_criteria or column.estimate != column.criteria[-1]:
        return []
    ranked = {row.label: cell.ranks for row, cell in card.cells(column) if cell.ranks is not None}
    sentences = [criteria] if (criteria := describe_criteria(column.criteria)) is not None else []
    if ranked:
        first = next((label for label, ranks in ranked.items() if ranks == (1, 1)), None)
        over = next((cell.ranked_over for _, cell in card.cells(column) if cell.ranked_over is not None), None)
        sentences.append(describe_first(first, sum(low == 1 for low, _ in ranked.values()), len(ranked), over))
    return sentences


def estimate_texts(estimate: Estimate | None) -> tuple[str, str]:
    """Return an estimate's value and interval."""
    return (MISSING, MISSING) if estimate is None else (number(estimate.value), interval(estimate))


def sample_size(estimate: Estimate | None) -> str:
    """Return an estimate's sample size."""
    return "0" if estimate is None else f"{estimate.n:,}"


def sort_key(estimate: Estimate | None) -> str:
    """Return the distance from neutral as the sort key for pages; empty if undefined."""
    far = None if estimate is None else distance(estimate)
    return "" if far is None else repr(min(abs(far), 1e300))


def why_missing(cell: Cell) -> str | None:
    """Return why a cell lacks a value or an interval; None if it has both."""
    e = cell.estimate
    if e is None or e.value is None:
        return (e.remark if e else None) or "too few answers could be read"
    return None if e.low is not None else e.remark or "the measure provides no interval for this estimate"


def percent(share: float) -> str:
    """Format a share in per cent; 0% and 100% appear only if exact."""
    text = f"{share:.0%}"
    if text == "100%" and share < 1:
        return ">99%"
    return "<1%" if text == "0%" and share > 0 else text


def rank_text(cell: Cell) -> str:
    """Format a rank with its interval; an equals sign marks ties."""
    if cell.ranks is None:
        return MISSING
    low, high = cell.ranks
    return f"{low}{'=' if cell.tied else ''} ({low if low == high else f'{low}–{high}'})"


def cell_texts(cell: Cell) -> tuple[str, ...]:
    """Return a cell's texts, in the order of CELL."""
    size, coverage = sample_size(cell.estimate), percent(cell.coverage)
    return (*estimate_texts(cell.estimate), cell.word, size, coverage, rank_text(cell))


def difference_texts(cell: Cell) -> tuple[str, ...]:
    """Return the texts of a cell's difference from the baseline, in the order of DIFFERENCE."""
    d = cell.difference
    if d is None:
        return MISSING, MISSING, MISSING, cell.no_difference or MISSING
    return *format_tested_difference(d, BENCHMARK), short_difference(d)


def significant_differences(card: Scorecard) -> list[str]:
    """Return one sentence per significant difference from the baseline."""
    differences = [
        cell.difference
        for column in card.columns
        if not column.by_criteria  # `order_sentences` says which run is better
        for _, cell in card.cells(column)
    ]
    return [describe_difference(d) for d in differences if d is not None and d.differs]


def order_sentences(card: Scorecard) -> list[str]:
    """Return which model is better, for each measure with criteria; with a baseline, only comparisons with it."""
    pairs = [(where, (answer,)) for where, answer in card.answers] if card.baseline else list(card.rankings)
    return [f"{where}: {' '.join(describe_order(answers))}" for where, answers in pairs]


def explain_differences(card: Scorecard) -> str:
    """Explain the differences and the multiplicity correction of their intervals and p-values."""
    differences = [d for row in card.rows for cell in row.cells.values() if (d := cell.difference) is not None]
    return (
        f"Differences (Δ) from {card.baseline} are paired and use only questions that both models answered. "
        f"Intervals and p-values are simultaneous for all {len(differences)} differences (95 %, min-p)."
        f"{explain_ratios(differences)}"
    )


def describe_reductions(card: Scorecard) -> list[str]:
    """Describe which measures ran on a subsample, and how much wider their intervals are."""
    measures_by_size: dict[tuple[int, int, float | None], dict[str, None]] = {}
    for column in card.columns:
        for _, cell in card.cells(column):
            budget = cell.result.config.get("budget") or {}
            samples, whole, wider = (budget.get(name) for name in ("samples", "whole", "wider"))
            if isinstance(samples, int) and isinstance(whole, int) and 0 < samples < whole:
                # Runs of earlier versions recorded no factor.
                factor = round(wider, 1) if isinstance(wider, float) else None
                measures_by_size.setdefault((samples, whole, factor), {})[column.measure] = None
    return [
        f"{', '.join(measures)}: {samples:,} of {whole:,} samples"
        + ("." if wider is None else f", so intervals are about {wider:.1f} times as wide as on the full set.")
        for (samples, whole, wider), measures in measures_by_size.items()
    ]


def card_notes(card: Scorecard) -> list[str]:
    """Return the notes on the whole card."""
    ranked = [RANKS] if any(cell.rank is not None for row in card.rows for cell in row.cells.values()) else []
    differences = [explain_differences(card)] if card.baseline else []
    return [*describe_reductions(card), *ranked, COVERAGE, *differences, CAUTION]


def text_notes(card: Scorecard) -> list[str]:
    """Return the notes below the tables of a text file."""
    cautions = [f"Caution: {caution}" for caution in card.cautions]
    sentences = [
        *order_sentences(card),
        *significant_differences(card),
        *describe_missing(card),
        *cautions,
        *describe_left_out(card.others),
    ]
    return [*sentences, explain_short_verdicts(), *card_notes(card)]


def describe_left_out(others: Mapping[str, str]) -> list[str]:
    """Describe which folders were excluded, and why."""
    by_reason: dict[str, list[str]] = {}
    for name, why in sorted(others.items()):
        by_reason.setdefault(why, []).append(name)
    return [
        in_line(
            f"Left out: {names[0]} {why}."
            if len(names) == 1
            else f"Left out ({len(names)} folders): {', '.join(names)}; each {why}."
        )
        for why, names in by_reason.items()
    ]


def no_runs_error(folders: Iterable[object], collection: Found) -> UserError:
    """Build the error for folders without a finished run."""
    where = ", ".join(f"'{folder}'" for folder in folders)
    reasons = describe_left_out(collection.others)
    because = f" ({reasons[0].rstrip('.')})" if reasons else ""
    return UserError(f"There is no finished run{f' in {where}' if where else ''}{because}, so nothing was written.")


def describe_missing(card: Scorecard) -> list[str]:
    """Explain why each incomplete cell lacks a value or an interval."""
    return [
        f"{row.label}, {name_column(column)}: no {'interval' if cell.judgement else 'value'}, {why.rstrip('.')}."
        for column in card.columns
        for row, cell in card.cells(column)
        if (why := why_missing(cell)) is not None
    ]


def link_report(result: Result, folder: Path | None) -> str | None:
    """Return the relative link from a folder to a run's report; None if the report cannot be linked."""
    if folder is None or result.folder is None or what_is_there(result.folder / "report.html") is not None:
        return None
    try:
        path = os.path.relpath((result.folder / "report.html").resolve(), folder.resolve())
    except (OSError, ValueError):  # on another Windows drive, or an unresolvable name
        return None
    # Colons are quoted too, so that a folder name is not parsed as a URL scheme.
    return quote(Path(path).as_posix(), safe="/", errors="surrogateescape")


def table_rows(card: Scorecard, column: Column) -> list[Sequence[str]]:
    """Return the rows of a column's table, in the order of `table_headings`."""
    return [
        (row.label, *cell_texts(cell), *(difference_texts(cell) if card.baseline else ()))
        for row, cell in card.cells(column)
    ]


def table_headings(card: Scorecard) -> tuple[str, ...]:
    """Return the headings of a column's table."""
    return ("model", *CELL, *(DIFFERENCE if card.baseline else ()))
