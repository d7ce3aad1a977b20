"""How the numbers of a scorecard are written, alike in every form."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from genderscope.comparison import Cell, Column, Row, Scorecard
from genderscope.judgement import (
    SCORECARD,
    describe_criteria,
    describe_difference,
    format_difference,
    format_p,
    margin_words,
    short_difference,
)
from genderscope.report.views.plain_view import interval, number

if TYPE_CHECKING:
    from genderscope.comparison import Difference  # it brings numpy

#: what every form but the matrix shows of a cell, and with a baseline beside it
CELL = ("value", "95 % interval", "verdict", "n", "coverage", "rank")
DIFFERENCE = ("difference", "95 % interval", "p (adjusted)", "change")

COVERAGE = "Coverage is the share of a run's questions that were read; n is what the estimate rests on."
CAUTION = (
    "A number shows what one measure finds in one model on one set of data. None of them, nor all of them together, "
    "shows that a model is free of gender bias."
)
MISSING = "–"


def measure_of(column: Column) -> str:
    """Name the measure of a column, with its language."""
    return f"{column.measure} [{column.language}]" if column.language else column.measure


def heading(column: Column) -> str:
    """Name a column: gest-mt [sk] f_s."""
    return f"{measure_of(column)} {column.estimate}{f' ({column.number})' if column.number > 1 else ''}"


def scale(column: Column) -> str:
    """Say what a column is held against."""
    neutral = "no neutral point" if column.neutral is None else f"neutral {column.neutral:g}"
    return f"{neutral}, {margin_words(column.margin)}"


def runs_of(column: Column) -> str:
    """Say how many runs stand in a column."""
    return "1 run" if column.runs == 1 else f"{column.runs} runs"


def about(column: Column) -> str:
    """Say what the runs of a column have in common, and why others do not stand in it."""
    text = f"data {column.data}, {column.options}"
    return text if column.apart is None else f"{text}; apart from other runs of {column.measure}: {column.apart}"


def criteria(column: Column) -> str | None:
    """Say what the ranks go by where that is several columns, with the last of them."""
    return describe_criteria(column.criteria) if column.estimate == column.criteria[-1] else None


def value_of(cell: Cell) -> str:
    """Write the value."""
    return MISSING if cell.estimate is None else number(cell.estimate.value)


def within(cell: Cell) -> str:
    """Write the interval."""
    return MISSING if cell.estimate is None else interval(cell.estimate)


def count_of(cell: Cell) -> str:
    """Write what the estimate rests on."""
    return "0" if cell.estimate is None else f"{cell.estimate.n:,}"


def why_missing(cell: Cell) -> str | None:
    """Say why there is no value or no interval; None where there are both."""
    e = cell.estimate
    if e is None or e.value is None:
        return (e.remark if e else None) or "too little was read for a value"
    return None if e.low is not None else e.remark or "the measure gives no interval for it"


def percent(share: float) -> str:
    """Write a share; all of it and nothing of it only where that is so."""
    text = f"{share:.0%}"
    if text == "100%" and share < 1:
        return ">99%"
    return "<1%" if text == "0%" and share > 0 else text


def rank_of(cell: Cell) -> str:
    """Write the rank, an equals sign where others share it, and the ranks that the run may have."""
    if cell.rank is None or cell.ranks is None:
        return MISSING
    low, high = cell.ranks
    may = f" ({low})" if low == high else f" ({low}–{high})"
    return f"{cell.rank}{'=' if cell.tied else ''}{may}"


def cell_texts(cell: Cell) -> tuple[str, ...]:
    """Write a cell under the headings CELL."""
    return value_of(cell), within(cell), cell.word, count_of(cell), percent(cell.coverage), rank_of(cell)


def difference_texts(cell: Cell) -> tuple[str, ...]:
    """Write how a cell differs from the baseline under the headings DIFFERENCE."""
    d = cell.difference
    if d is None:
        return MISSING, MISSING, MISSING, cell.no_difference or MISSING
    return change(d), format_difference(d)[1], format_p(d.p_adjusted, ""), short_difference(d)


def change(d: "Difference") -> str:
    """Write the difference itself; × for a ratio of ratios."""
    value, _ = format_difference(d)
    return f"×{value}" if d.is_ratio and d.value is not None else value


def verdicts(card: Scorecard) -> list[str]:
    """Return the sentence on each difference from the baseline that is significant."""
    told = [(row, cell) for column in card.columns for row, cell in card.cells(column) if cell.difference is not None]
    return [
        describe_difference(cell.difference)
        for _, cell in told
        if cell.difference is not None and cell.difference.differs
    ]


def together(card: Scorecard) -> str:
    """Say what the differences are and what they hold for."""
    found = [cell.difference for row in card.rows for cell in row.cells.values() if cell.difference is not None]
    ratios = " × is a ratio of ratios (no difference: 1)." if any(d.is_ratio for d in found) else ""
    return (
        f"Differences (Δ) are from {card.baseline}, on the questions that both answered; intervals and p hold for all "
        f"{len(found)} of them together at 95 % (min-p).{ratios}"
    )


def reductions(card: Scorecard) -> list[str]:
    """Say which measures were asked fewer samples than there are, and how much wider that makes intervals."""
    found: dict[tuple[int, int], dict[str, None]] = {}
    for column in card.columns:
        for _, cell in card.cells(column):
            budget = cell.result.config.get("budget") or {}
            samples, whole = budget.get("samples"), budget.get("whole")
            if isinstance(samples, int) and isinstance(whole, int) and 0 < samples < whole:
                found.setdefault((samples, whole), {})[column.measure] = None
    return [
        f"{', '.join(measures)}: {samples:,} of {whole:,} samples, so intervals are about "
        f"{(whole / samples) ** 0.5:.1f} times as wide as with all of them."
        for (samples, whole), measures in found.items()
    ]


def notes(card: Scorecard) -> list[str]:
    """Return what a reader must know of the whole card."""
    ranked = any(cell.rank is not None for row in card.rows for cell in row.cells.values())
    return [
        *reductions(card),
        *([SCORECARD] if ranked else []),
        COVERAGE,
        *([together(card)] if card.baseline else []),
        CAUTION,
    ]


def left_out(others: Mapping[str, str]) -> list[str]:
    """Say which folders are not on the card, and why."""
    by_reason: dict[str, list[str]] = {}
    for name, why in sorted(others.items()):
        by_reason.setdefault(why, []).append(name)
    return [
        f"Left out, {len(names)} {'folder' if len(names) == 1 else 'folders'}: {', '.join(names)} {why}."
        for why, names in by_reason.items()
    ]


def missing(card: Scorecard) -> list[str]:
    """Say of each cell without a value or an interval why it has none."""
    return [
        f"{row.label}, {heading(column)}: no {'interval' if _has_value(cell) else 'value'}, {why.rstrip('.')}."
        for column in card.columns
        for row, cell in card.cells(column)
        if (why := why_missing(cell)) is not None
    ]


def _has_value(cell: Cell) -> bool:
    return cell.estimate is not None and cell.estimate.value is not None


def cautions(row: Row) -> list[str]:
    """Return what the runs of a model warn of, each once."""
    return list(dict.fromkeys(caution for cell in row.cells.values() for caution in cell.result.cautions))
