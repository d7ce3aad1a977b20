"""The scorecard as one page that needs nothing else, not even its script."""

from pathlib import Path
from typing import Any

from markupsafe import Markup

from genderscope.comparison import Cell, Column, Row, Scorecard, distance
from genderscope.judgement import SCORECARD, explain_short_verdicts
from genderscope.report.html.page_template import asset, policy, rendered
from genderscope.report.scorecard import cell_text as words
from genderscope.report.scorecard.report_links import report_link
from genderscope.version import __version__


def scorecard_html(card: Scorecard, target: Path) -> str:
    """Write the page; it links to the runs' reports from where it will lie."""
    style, script = asset("style.css") + asset("scorecard.css"), asset("scorecard.js")
    return rendered(
        "scorecard.html.j2",
        True,
        card=card,
        columns=[_column(column) for column in card.columns],
        measures=list(dict.fromkeys(column.measure for column in card.columns)),
        rows=[_row(card, row, target) for row in card.rows],
        differences=_differences(card),
        difference_headings=words.DIFFERENCE,
        verdicts=words.verdicts(card),
        together=words.together(card) if card.baseline else "",
        sizes=explain_short_verdicts(),
        notes=[*words.reductions(card), SCORECARD, words.COVERAGE, words.CAUTION],
        cautions=[*card.cautions, *words.left_out(card.others)],
        style=Markup(style),
        script=Markup(script),
        policy=policy(style, script),
        version=__version__,
    )


def _column(column: Column) -> dict[str, Any]:
    return {
        "measure": column.measure,
        "title": column.title,
        "heading": words.heading(column),
        "scale": words.scale(column),
        "runs": words.runs_of(column),
        "apart": column.apart,
        "about": words.about(column),
        "criteria": words.criteria(column),
    }


def _row(card: Scorecard, row: Row, target: Path) -> dict[str, Any]:
    cells = [_cell(row.cells.get(column.id), column, target) for column in card.columns]
    return {"label": row.label, "cells": cells}


def _cell(cell: Cell | None, column: Column, target: Path) -> dict[str, Any]:
    about = {"measure": column.measure, "heading": words.heading(column), "scale": words.scale(column)}
    if cell is None:
        return {"there": False, **about}
    far = None if cell.estimate is None else distance(cell.estimate)
    compared = words.difference_texts(cell) if cell.difference is not None else None
    return {
        "there": True,
        **about,
        "order": "" if cell.rank is None else cell.rank,
        "far": "" if far is None else repr(min(abs(far), 1e300)),
        "link": report_link(cell.result, target),
        "value": words.value_of(cell),
        "within": "no interval" if words.within(cell) == words.MISSING else words.within(cell),
        "word": cell.word,
        "n": words.count_of(cell),
        "coverage": words.percent(cell.coverage),
        "rank": "" if cell.rank is None else words.rank_of(cell),
        "why": words.why_missing(cell),
        "change": compared and compared[0],
        "change_within": compared and compared[1],
        "change_word": compared and compared[3],
    }


def _differences(card: Scorecard) -> list[tuple[str, ...]]:
    return [
        (row.label, words.heading(column), *words.difference_texts(cell))
        for column in card.columns
        for row, cell in card.cells(column)
        if card.baseline is not None and row.label != card.baseline
    ]
