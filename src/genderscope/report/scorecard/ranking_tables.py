"""The leaderboard: rankings on the terminal, as an HTML page and as CSV."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Cell, Entry, Found, Ranking
from genderscope.judgement import RANKS, RANKS_BY_CRITERIA, describe_criteria, describe_first, describe_order
from genderscope.report.charts.forest import Axis
from genderscope.report.html.inline_plots import strip
from genderscope.report.html.interval_pictures import KEY, Block, Lane, interval_pictures
from genderscope.report.html.page_template import render_page
from genderscope.report.layout import PlainTable, TableColumn
from genderscope.report.scorecard import cell_text as ct
from genderscope.report.scorecard.scorecard_data import cell_data, csv_text
from genderscope.util.safe_text import in_line

#: maximum number of runs in the picture
MOST_LANES = 30
COUNTS = ("n", "unread", "coverage")
CSV_COLUMNS = (
    "measure", "language", "data", "options", "rank", "rank_low", "rank_high", "behind", "behind_low", "behind_high",
    "may_be_first", "model", "run", "estimate",
    "value", "low", "high", "neutral", "n", "unread", "verdict", "signature",
)  # fmt: skip


def show_rankings(ranked: Sequence[Ranking], console: Console) -> None:
    """Print one table per ranking."""
    for ranking in ranked:
        console.print(Text.assemble("\n", (in_line(_title(ranking)), "bold")), soft_wrap=True)
        console.print(Text(in_line(ranking.options), style="dim"), soft_wrap=True)
        console.print(_table(ranking))
        for line in order_sentences(ranking):
            console.print(Text(in_line(line)))
    for note in rank_notes(ranked):
        console.print(Text(f"\n{note}", style="dim"))


def rank_notes(ranked: Sequence[Ranking]) -> list[str]:
    """Return what a rank means in these rankings."""
    notes = {True: RANKS_BY_CRITERIA, False: RANKS}
    return [notes[by_criteria] for by_criteria in dict.fromkeys(ranking.by_criteria for ranking in ranked)]


def rank_of(entry: Entry) -> str:
    """Format a run's rank with its interval."""
    return ct.format_rank(entry.ranks, entry.tied)


def _title(ranking: Ranking) -> str:
    return " · ".join(part for part in (ranking.measure, ranking.language, ranking.data) if part)


def _table(ranking: Ranking) -> PlainTable:
    columns = [TableColumn("rank", whole=True), TableColumn("model")]
    for column in ranking.columns:
        columns += [TableColumn(in_line(column), right=True), TableColumn("95 %", right=True, joined=True)]
    columns += [TableColumn("verdict"), *(TableColumn(heading, right=True) for heading in COUNTS)]
    table = PlainTable([*columns, TableColumn("run", style="dim")], optional=("unread", "coverage", "run"))
    for entry in ranking.entries:
        cells = [ranking.cell(entry, column) for column in ranking.columns]
        numbers = [text for cell in cells for text in ct.estimate_texts(cell.estimate)]
        texts = (rank_of(entry), entry.model, *numbers, cells[0].word, *_counts(cells[0]), entry.path)
        table.add_row(*(Text(in_line(text)) for text in texts))
    return table


def order_sentences(ranking: Ranking) -> list[str]:
    """Return which runs are better than which or, without criteria, which run is nearest to neutral."""
    if ranking.by_criteria:
        return describe_order(ranking.answers) if ranking.answers else []
    criteria = describe_criteria(ranking.criteria)
    sentences = [] if criteria is None else [criteria]
    compared = [entry for entry in ranking.entries if entry.standing is not None]
    if compared:
        first = None if ranking.first is None else ranking.first.model
        candidates = sum(entry.rank == 1 for entry in compared)
        sentences.append(describe_first(first, candidates, len(compared)))
    return sentences


def _counts(cell: Cell) -> tuple[str, str, str]:
    """Return a cell's texts, in the order of COUNTS."""
    unread = ct.MISSING if cell.estimate is None else f"{cell.estimate.unread:,}"
    return ct.sample_size(cell.estimate), unread, f"{cell.coverage:.1%}"


def page(found: Found, ranked: Sequence[Ranking], folder: Path | None = None) -> str:
    """Return all rankings as a self-contained page; if the page's `folder` is given, rows link to the runs' reports."""
    return render_page(
        "leaderboard.html.j2",
        ("ranking.css",),
        ("ranking.js",),
        title="Genderscope leaderboard",
        kind="leaderboard",
        tables=[_page_table(ranking, folder) for ranking in ranked],
        left_out=ct.describe_left_out(found.others),
        explained=" ".join(rank_notes(ranked)),
        key=KEY,
    )


def _page_table(ranking: Ranking, folder: Path | None) -> dict[str, Any]:
    leads = [e for entry in ranking.entries if (e := entry.estimates.get(ranking.lead)) is not None]
    axis = Axis.around(leads)
    return {
        "title": _title(ranking),
        "options": ranking.options,
        "headings": [(column, _neutral(ranking, column)) for column in ranking.columns],
        "picture": interval_pictures([_block(ranking)]),
        "rows": [_page_row(entry, ranking, axis, folder) for entry in ranking.entries],
        "notes": order_sentences(ranking),
    }


def _block(ranking: Ranking) -> Block:
    """Return a block of the picture with the leading estimate of each of the first runs."""
    cells = [(entry, ranking.cell(entry, ranking.lead)) for entry in ranking.entries[:MOST_LANES]]
    first = next((cell for _, cell in cells if cell.estimate is not None), None)
    neutral = None if first is None or first.estimate is None else first.estimate.neutral
    margin = None if first is None else first.margin
    lanes = [Lane(entry.model, cell.estimate, cell.word, entry.result) for entry, cell in cells]
    return Block(ranking.lead, neutral, margin, lanes)


def _page_row(entry: Entry, ranking: Ranking, axis: Axis, folder: Path | None) -> dict[str, Any]:
    cells = [ranking.cell(entry, column) for column in ranking.columns]
    lead = cells[0]
    numbers = [(ct.sort_key(cell.estimate), *ct.estimate_texts(cell.estimate)) for cell in cells]
    return {
        "rank": rank_of(entry),
        "tied": entry.tied and entry.rank == 1,
        "model": entry.model,
        "cells": [{"key": key, "value": value, "interval": ends} for key, value, ends in numbers],
        "strip": "" if lead.estimate is None else strip(lead.estimate, axis),
        "verdict": lead.word,
        "counts": list(zip(COUNTS, _counts(lead), strict=True)),
        "link": ct.link_report(entry.result, folder),
        "run": entry.path,
        "signature": entry.result.signature,
    }


def _neutral(ranking: Ranking, column: str) -> str:
    neutral = next((entry.estimates[column].neutral for entry in ranking.entries if column in entry.estimates), None)
    return "" if neutral is None else f"{neutral:g}"


def table_csv(ranked: Sequence[Ranking]) -> str:
    """Return CSV with one row per ranking, run and estimate."""
    lines = (
        _line(ranking, entry, column)
        for ranking in ranked
        for entry in ranking.entries
        for column in ranking.columns
        if column in entry.estimates
    )
    return csv_text(CSV_COLUMNS, lines)


def _line(ranking: Ranking, entry: Entry, column: str) -> dict[str, Any]:
    shared = {key: getattr(ranking, key) for key in ("measure", "language", "data", "options")}
    behind = (None,) * 3 if entry.standing is None else entry.standing.behind
    standing = dict(zip(("behind", "behind_low", "behind_high"), behind, strict=True))
    may_be_first = None if entry.rank is None else entry.rank == 1
    own = {"model": entry.model, "estimate": column, "may_be_first": may_be_first}
    ranks = dict(zip(("rank_low", "rank_high"), entry.ranks or (None, None), strict=True)) | {"rank": entry.rank}
    return shared | standing | cell_data(ranking.cell(entry, column)) | ranks | own
