"""The scorecard as a self-contained page that remains complete without JavaScript."""

from pathlib import Path
from typing import Any

from genderscope.comparison import Cell, Column, Scorecard
from genderscope.judgement import RANKS, explain_short_verdicts
from genderscope.measures import MEASURES
from genderscope.report.html.interval_pictures import KEY, interval_pictures
from genderscope.report.html.page_template import render_page
from genderscope.report.html.translator_picture import translator_section
from genderscope.report.scorecard import cell_text as ct
from genderscope.report.scorecard.picture import describe_card, scorecard_blocks


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
    value, ends, word, n, coverage, rank = ct.cell_texts(cell)
    change = ct.difference_texts(cell) if cell.difference is not None else (None,) * 4
    return {
        "key": f"{'' if cell.rank is None else cell.rank} {ct.sort_key(cell.estimate)}",
        "link": ct.link_report(cell.result, folder),
        "value": value,
        "within": "no interval" if ends == ct.MISSING else ends,
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
