"""Rankings on the terminal, as one page, and as CSV."""

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from rich.console import Console
from rich.text import Text

from genderscope.comparison import Entry, Found, Ranking, distance
from genderscope.judgement import LEADERBOARD, describe_criteria, describe_first, short_verdict
from genderscope.measures import judge_estimate
from genderscope.report.charts.forest import Axis
from genderscope.report.html.page_template import asset, policy, rendered
from genderscope.report.html.strip import strip
from genderscope.report.layout import Column, PlainTable
from genderscope.report.views.plain_view import interval, number
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.terminal_safe import in_line, spreadsheet_safe
from genderscope.version import __version__


def show_rankings(ranked: Sequence[Ranking], console: Console) -> None:
    """Print a table for each ranking."""
    for ranking in ranked:
        console.print(Text.assemble("\n", (in_line(title(ranking)), "bold")), soft_wrap=True)
        console.print(Text(in_line(ranking.options), style="dim"), soft_wrap=True)
        console.print(_table(ranking))
        for line in notes(ranking):
            console.print(Text(in_line(line)))
    if ranked:
        console.print(Text(f"\n{LEADERBOARD}", style="dim"))


def title(ranking: Ranking) -> str:
    """Name a ranking: measure, language, data."""
    return " · ".join(part for part in (ranking.measure, ranking.language, ranking.data) if part)


def left_out(found: Found) -> list[str]:
    """Say which folders are in no ranking, and why."""
    reasons = sorted(set(found.others.values()))
    by_reason = {reason: sorted(name for name, why in found.others.items() if why == reason) for reason in reasons}
    return [
        in_line(f"Not ranked, {len(names)} {'folder' if len(names) == 1 else 'folders'}: {', '.join(names)} {reason}.")
        for reason, names in by_reason.items()
    ]


def _table(ranking: Ranking) -> PlainTable:
    numbers = [heading for column in ranking.columns for heading in (in_line(column), "95 %")]
    table = PlainTable(
        [
            Column("rank", whole=True),
            Column("model"),
            *(Column(heading, right=True) for heading in numbers),
            Column("verdict"),
            *(Column(heading, right=True) for heading in ("n", "unread", "coverage")),
            Column("run", style="dim"),
        ],
        yields=("unread", "coverage", "run"),
    )
    for entry in ranking.entries:
        shown = [entry.estimates.get(column) for column in ranking.columns]
        numbers = [text for e in shown for text in (("–", "–") if e is None else (number(e.value), interval(e)))]
        told = counts(shown[0], entry, ranking.language)
        table.add_row(
            *map(
                Text,
                (place(entry), in_line(entry.model), *numbers, verdict_of(entry, shown[0]), *told, in_line(entry.path)),
            )
        )
    return table


def notes(ranking: Ranking) -> list[str]:
    """Say what the order goes by where that is more than one number, and who is the first."""
    criteria = describe_criteria(ranking.criteria)
    sentences = [] if criteria is None else [criteria]
    compared = [entry for entry in ranking.entries if entry.standing is not None]
    if compared:
        first = None if ranking.first is None else ranking.first.model
        candidates = sum(entry.ranks is not None and entry.ranks[0] == 1 for entry in compared)
        sentences.append(describe_first(first, candidates, len(compared)))
    return sentences


def verdict_of(entry: Entry, e: Estimate | None) -> str:
    """Write the verdict on the leading estimate."""
    return "–" if e is None or e.value is None else short_verdict(judge_estimate(entry.result, e))


def place(entry: Entry) -> str:
    """The rank, and in brackets the ranks that the run may have."""
    if entry.ranks is None:
        return str(entry.rank or "–")
    low, high = entry.ranks
    return f"{entry.rank} ({low})" if low == high else f"{entry.rank} ({low}–{high})"


def counts(e: Estimate | None, entry: Entry, language: str | None) -> tuple[str, str, str]:
    """What an estimate is over, what it could not count, and which share of the run's questions could be read."""
    result = entry.result
    asked, read = result.counts
    if language is not None and "language" in result.columns:
        unread = result.rows.loc[result.rows["language"] == language, "unread"]
        asked, read = len(unread), int(unread.isna().sum())
    coverage = f"{read / asked:.1%}" if asked else "–"
    return ("0", "–", coverage) if e is None else (f"{e.n:,}", f"{e.unread:,}", coverage)


def page(found: Found, ranked: Sequence[Ranking], beside: Path | None = None) -> str:
    """Write all rankings as one page that needs nothing else.

    Where the page is to lie `beside` runs, each row links to the report of its run, if there is one.
    """
    style, script = asset("leaderboard.css"), asset("leaderboard.js")
    return rendered(
        "leaderboard.html.j2",
        tables=[_page_table(ranking, beside) for ranking in ranked],
        left_out=left_out(found),
        explained=LEADERBOARD,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        policy=policy(style, script),
    )


def _report(result: Result, beside: Path | None) -> str | None:
    """Return the address of a run's report as seen from a folder; None where there is none."""
    if beside is None or result.folder is None or not (result.folder / "report.html").is_file():
        return None
    try:
        return quote(Path(os.path.relpath(result.folder / "report.html", beside)).as_posix(), safe="/")
    except (OSError, ValueError):  # on another drive, or without a name that can be written
        return None


def _page_table(ranking: Ranking, beside: Path | None) -> dict[str, Any]:
    leads = [e for entry in ranking.entries if (e := entry.estimates.get(ranking.lead)) is not None]
    axis = Axis.around(leads)
    rows = []
    for entry in ranking.entries:
        shown = [entry.estimates.get(column) for column in ranking.columns]
        cells = [
            {
                "key": _key(e),
                "value": "–" if e is None else number(e.value),
                "interval": "" if e is None else interval(e),
            }
            for e in shown
        ]
        n, unread, coverage = counts(shown[0], entry, ranking.language)
        drawn = strip(shown[0], axis) if shown[0] is not None else ""
        told = {
            "verdict": verdict_of(entry, shown[0]),
            "place": place(entry),
            "cells": cells,
            "strip": drawn,
            "report": _report(entry.result, beside),
        }
        rows.append({"entry": entry, **told, "n": n, "unread": unread, "coverage": coverage})
    neutral = [_neutral(ranking, column) for column in ranking.columns]
    headings = list(zip(ranking.columns, neutral, strict=True))
    return {"title": title(ranking), "ranking": ranking, "headings": headings, "rows": rows, "notes": notes(ranking)}


def _neutral(ranking: Ranking, column: str) -> str:
    found = [entry.estimates[column].neutral for entry in ranking.entries if column in entry.estimates]
    return "" if not found or found[0] is None else f"{found[0]:g}"


def _key(e: Estimate | None) -> str:
    """What a column is sorted by: the distance from neutral."""
    far = None if e is None else distance(e)
    return "" if far is None else repr(abs(far))


CSV_COLUMNS = (
    "measure", "language", "data", "options", "rank", "rank_low", "rank_high", "behind", "behind_low", "behind_high",
    "may_be_first", "model", "run", "estimate",
    "value", "low", "high", "neutral", "n", "unread", "verdict", "signature",
)  # fmt: skip


def table_csv(ranked: Sequence[Ranking]) -> str:
    """Write a line for each estimate of each run in each ranking."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for ranking in ranked:
        for entry in ranking.entries:
            for column in ranking.columns:
                e = entry.estimates.get(column)
                if e is None:
                    continue
                standing = entry.standing
                ranks = (None, None) if standing is None else standing.ranks
                behind = (None, None, None) if standing is None else standing.behind
                about = (ranking.measure, ranking.language, ranking.data, ranking.options, entry.rank, *ranks, *behind)
                about = (*about, None if standing is None else standing.ranks[0] == 1)
                numbers = (e.value, e.low, e.high, e.neutral, e.n, e.unread)
                verdict = None if e.value is None else str(judge_estimate(entry.result, e).verdict)
                cells = (*about, entry.model, entry.path, column, *numbers, verdict, entry.result.signature)
                writer.writerow(list(map(spreadsheet_safe, cells)))
    return file.getvalue()
