"""The leaderboard: rankings on the terminal, as an HTML page and as CSV."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from genderscope.comparison import Entry, Found, Ranking
from genderscope.judgement import LEADERBOARD, describe_criteria, describe_first, short_verdict
from genderscope.measures import judge_estimate
from genderscope.report.charts.forest import Axis
from genderscope.report.html.inline_plots import strip
from genderscope.report.html.page_template import render_page
from genderscope.report.layout import PlainTable, TableColumn
from genderscope.report.scorecard import cell_text as ct
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line, spreadsheet_safe

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
        for line in _notes(ranking):
            console.print(Text(in_line(line)))
    if ranked:
        console.print(Text(f"\n{LEADERBOARD}", style="dim"))


def _title(ranking: Ranking) -> str:
    return " · ".join(part for part in (ranking.measure, ranking.language, ranking.data) if part)


def _table(ranking: Ranking) -> PlainTable:
    columns = [TableColumn("rank", whole=True), TableColumn("model")]
    for column in ranking.columns:
        columns += [TableColumn(in_line(column), right=True), TableColumn("95 %", right=True, joined=True)]
    columns += [TableColumn("verdict"), *(TableColumn(heading, right=True) for heading in COUNTS)]
    table = PlainTable([*columns, TableColumn("run", style="dim")], optional=("unread", "coverage", "run"))
    for entry in ranking.entries:
        estimates = [entry.estimates.get(column) for column in ranking.columns]
        numbers = [text for e in estimates for text in ct.estimate_texts(e)]
        counts = _counts(estimates[0], entry, ranking.language)
        cells = (_rank(entry), entry.model, *numbers, _verdict(entry, estimates[0]), *counts, entry.path)
        table.add_row(*(Text(in_line(cell)) for cell in cells))
    return table


def _notes(ranking: Ranking) -> list[str]:
    """Explain how runs are ranked by several estimates, and state which run is first."""
    criteria = describe_criteria(ranking.criteria)
    sentences = [] if criteria is None else [criteria]
    compared = [entry for entry in ranking.entries if entry.standing is not None]
    if compared:
        first = None if ranking.first is None else ranking.first.model
        candidates = sum(entry.ranks is not None and entry.ranks[0] == 1 for entry in compared)
        sentences.append(describe_first(first, candidates, len(compared)))
    return sentences


def _verdict(entry: Entry, e: Estimate | None) -> str:
    return ct.MISSING if e is None or e.value is None else short_verdict(judge_estimate(entry.result, e))


def _rank(entry: Entry) -> str:
    return ct.rank_text(entry.rank, False, entry.ranks)


def _counts(e: Estimate | None, entry: Entry, language: str | None) -> tuple[str, str, str]:
    """Return the sample size, the number of unread answers, and the share of the run's answers that were read."""
    result = entry.result
    asked, read = result.counts
    if language is not None and "language" in result.columns:
        unread = result.rows.loc[result.rows["language"] == language, "unread"]
        asked, read = len(unread), int(unread.isna().sum())
    coverage = f"{read / asked:.1%}" if asked else ct.MISSING
    return ct.sample_size(e), ct.MISSING if e is None else f"{e.unread:,}", coverage


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
        explained=LEADERBOARD,
    )


def _page_table(ranking: Ranking, folder: Path | None) -> dict[str, Any]:
    leads = [e for entry in ranking.entries if (e := entry.estimates.get(ranking.lead)) is not None]
    axis = Axis.around(leads)
    return {
        "title": _title(ranking),
        "options": ranking.options,
        "headings": [(column, _neutral(ranking, column)) for column in ranking.columns],
        "rows": [_page_row(entry, ranking, axis, folder) for entry in ranking.entries],
        "notes": _notes(ranking),
    }


def _page_row(entry: Entry, ranking: Ranking, axis: Axis, folder: Path | None) -> dict[str, Any]:
    estimates = [entry.estimates.get(column) for column in ranking.columns]
    lead = estimates[0]
    cells = [
        {"key": ct.sort_key(e), "value": value, "interval": "" if e is None else ends}
        for e in estimates
        for value, ends in [ct.estimate_texts(e)]
    ]
    return {
        "rank": _rank(entry),
        "tied": entry.tied,
        "model": entry.model,
        "cells": cells,
        "strip": "" if lead is None else strip(lead, axis),
        "verdict": _verdict(entry, lead),
        "counts": list(zip(COUNTS, _counts(lead, entry, ranking.language), strict=True)),
        "link": ct.link_report(entry.result, folder),
        "run": entry.path,
        "signature": entry.result.signature,
    }


def _neutral(ranking: Ranking, column: str) -> str:
    neutral = next((entry.estimates[column].neutral for entry in ranking.entries if column in entry.estimates), None)
    return "" if neutral is None else f"{neutral:g}"


def table_csv(ranked: Sequence[Ranking]) -> str:
    """Return CSV with one row per ranking, run and estimate."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for ranking in ranked:
        for entry in ranking.entries:
            for column in ranking.columns:
                if (e := entry.estimates.get(column)) is not None:
                    writer.writerow(map(spreadsheet_safe, _csv_cells(ranking, entry, column, e)))
    return file.getvalue()


def _csv_cells(ranking: Ranking, entry: Entry, column: str, e: Estimate) -> tuple[object, ...]:
    standing = entry.standing
    ranks: tuple[object, ...] = (None,) * 5 if standing is None else (*standing.ranks, *standing.behind)
    may_be_first = None if standing is None else standing.ranks[0] == 1
    about = (ranking.measure, ranking.language, ranking.data, ranking.options, entry.rank, *ranks, may_be_first)
    numbers = (e.value, e.low, e.high, e.neutral, e.n, e.unread)
    verdict = None if e.value is None else str(judge_estimate(entry.result, e).verdict)
    return (*about, entry.model, entry.path, column, *numbers, verdict, entry.result.signature)
