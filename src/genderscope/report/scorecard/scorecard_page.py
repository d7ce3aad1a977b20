"""The scorecard as a picture and as a self-contained page that remains complete without JavaScript."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from genderscope.comparison import Cell, Column, Scorecard
from genderscope.judgement import RANKS, explain_short_verdicts
from genderscope.measures import MEASURES
from genderscope.report.html.interval_pictures import KEY, Block, Lane, interval_pictures
from genderscope.report.html.page_template import render_page
from genderscope.report.html.translator_picture import translator_section
from genderscope.report.scorecard import cell_text as ct

#: maximum number of names in a list
MOST_LISTED = 4


def scorecard_blocks(card: Scorecard) -> list[Block]:
    """Return one block of the picture per column of the scorecard, with its models in order of rank."""
    return [
        Block(
            ct.name_column(column),
            column.neutral,
            column.margin,
            [Lane(row.label, cell.estimate, cell.word, cell.result) for row, cell in card.cells(column)],
        )
        for column in card.columns
    ]


def describe_card(card: Scorecard, measures: Sequence[str]) -> list[str]:
    """Summarise a scorecard in up to three sentences: what is clear, what is not, and what was not measured."""
    words: dict[tuple[bool, str, str], list[str]] = {}
    for column in card.columns:
        for row, cell in card.cells(column):
            is_open = cell.judgement is None or cell.judgement.verdict.is_open
            failure = None if cell.judgement is None else cell.judgement.main_failure
            word = cell.word if failure is None else f"{cell.word} ({failure.finding})"
            words.setdefault((is_open, ct.name_column(column), word), []).append(row.label)
    several = len(card.rows) > 1
    clear, unclear = (
        [
            f"{name} {_with_verb(word)}{f' for {_listed(labels)}' if several else ''}"
            for (is_open, name, word), labels in words.items()
            if is_open is wanted
        ]
        for wanted in (False, True)
    )
    missing = [name for name in measures if name not in {column.measure for column in card.columns}]
    sentences = [f"Clear: {_listed(clear, '; ')}." if clear else "Nothing is clear from these runs."]
    sentences += [f"Not clear: {_listed(unclear, '; ')}."] if unclear else []
    return sentences + ([f"Not measured: {_listed(missing)}."] if missing else [])


def _with_verb(word: str) -> str:
    if word.startswith("cannot"):
        return word
    return f"shows an {word}" if word.startswith("effect") else f"is {word}"


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{between.join(names[:MOST_LISTED])}{more}"


def scorecard_html(card: Scorecard, target: Path) -> str:
    """Return the page; links to the runs' reports are relative to its target file."""
    return render_page(
        "scorecard.html.j2",
        ("ranking.css",),
        ("ranking.js",),
        single_line=True,
        title="Genderscope scorecard",
        kind="scorecard",
        card=card,
        pictures=interval_pictures(scorecard_blocks(card)),
        key=KEY,
        translators=translator_section(card.results()),
        synthesis=[*ct.order_sentences(card), *describe_card(card, list(MEASURES))],
        columns=[_column(card, column) for column in card.columns],
        measures=list(dict.fromkeys(column.measure for column in card.columns)),
        rows=[
            (row.label, [_cell(row.cells[c.id], target.parent) if c.id in row.cells else None for c in card.columns])
            for row in card.rows
        ],
        differences=_differences(card),
        difference_headings=ct.DIFFERENCE,
        verdicts=ct.significant_differences(card),
        together=ct.explain_differences(card) if card.baseline else "",
        short_verdicts=explain_short_verdicts(),
        notes=[*ct.describe_reductions(card), RANKS, ct.COVERAGE, ct.CAUTION],
        cautions=[*card.cautions, *ct.describe_left_out(card.others)],
    )


def _column(card: Scorecard, column: Column) -> dict[str, Any]:
    return {
        "measure": column.measure,
        "title": column.title,
        "heading": ct.name_column(column),
        "scale": ct.describe_scale(column),
        "runs": ct.count_runs(column),
        "apart": column.apart,
        "about": ct.describe_runs(column),
        "criteria": " ".join(ct.ranking_sentences(card, column)),
    }


def _cell(cell: Cell, folder: Path) -> dict[str, Any]:
    value, interval, word, n, coverage, rank = ct.cell_texts(cell)
    change = ct.difference_texts(cell) if cell.difference is not None else (None,) * 4
    return {
        "key": f"{'' if cell.rank is None else cell.rank} {ct.sort_key(cell.estimate)}",
        "link": ct.link_report(cell.result, folder),
        "value": value,
        "within": "no interval" if interval == ct.MISSING else interval,
        "word": word,
        "n": n,
        "coverage": coverage,
        "rank": "" if cell.rank is None else rank,
        "why": ct.why_missing(cell),
        "change": change[0],
        "change_within": change[1],
        "change_word": change[3],
    }


def _differences(card: Scorecard) -> list[tuple[str, ...]]:
    return [
        (row.label, ct.name_column(column), *ct.difference_texts(cell))
        for column in card.columns
        for row, cell in card.cells(column)
        if card.baseline is not None and row.label != card.baseline
    ]
