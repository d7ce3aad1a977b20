"""Gest-chat's tables of stereotypes and of disagreements with a judge, and the note on sampled replies."""

import math
from collections.abc import Iterable
from textwrap import shorten
from typing import TYPE_CHECKING

from rich.console import RenderableType

from genderscope.judgement import format_bounds
from genderscope.report.layout import INTERVAL
from genderscope.report.views.plain_view import (
    NUMBERS,
    KeyedRow,
    ReportTable,
    interval,
    number,
    numbers,
    stereotype_keys,
    stereotype_label,
    terminal_table,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.report.views.declaration import TableSpec, TerminalSpec
    from genderscope.report.views.declared_view import DeclaredView

#: most replies in the table of disagreements; the rows have all of them
LISTED = 100


def sampling_note(result: Result) -> str:
    """Return how far more draws per prompt would narrow the leading interval; empty if that is unknown."""
    overall = {e.name: e for e in reversed(result.as_estimates()) if not e.keys and e.value is not None}
    rate, sampled = overall.get("stereotype_rate"), overall.get("sampling_share")
    if rate is None or rate.value is None or rate.low is None or rate.high is None or sampled is None:
        return ""
    share = sampled.value or 0.0
    bounds = (rate.value + (end - rate.value) * math.sqrt(1 - share) for end in (rate.low, rate.high))
    return (
        f"Sampling of replies: {share:.0%} of the variance; more draws per prompt would narrow the interval of "
        f"{rate.name} from {format_bounds(rate, rate.low, rate.high)} to {format_bounds(rate, *bounds)} at best."
    )


def stereotype_lines(view: "DeclaredView", result: Result, part: "TerminalSpec") -> Iterable[RenderableType]:
    """Yield the terminal table of stereotypes: rate, interval, and the share of each outcome."""
    rates, shares = _by_stereotype(result)
    by_place = {(e.stereotype, e.category): e for e in shares}
    outcomes = [outcome for outcome in view.declared.colours["outcomes"] if any(e.category == outcome for e in shares)]
    rows = []
    for e in rates:
        cells = [by_place.get((e.stereotype, outcome)) for outcome in outcomes]
        shown = ["–" if cell is None or cell.value is None else f"{cell.value:.0%}" for cell in cells]
        rows.append((stereotype_label(e), number(e.value), interval(e), str(e.n), *shown))
    yield terminal_table(("stereotype", "stereotype rate", INTERVAL, "n", *outcomes), rows)


def stereotype_tables(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield the page's tables of the rates and outcomes of each stereotype."""
    rates, shares = _by_stereotype(result)
    rows = [KeyedRow((stereotype_label(e), *numbers(e)), stereotype_keys(e)) for e in rates if e.value is not None]
    yield ReportTable("By stereotype", ("stereotype", "stereotype rate", *NUMBERS[1:]), rows)
    cells = [
        KeyedRow((stereotype_label(e), str(e.category), number(e.value), interval(e), f"{e.n:,}"), stereotype_keys(e))
        for e in shares
    ]
    yield ReportTable("Outcomes by stereotype", ("stereotype", "outcome", "share", INTERVAL, "n"), cells, folded=True)


def _by_stereotype(result: Result) -> tuple[list[Estimate], list[Estimate]]:
    """Return the stereotypes' rates and the shares of their outcomes."""
    own = [e for e in result.as_estimates() if e.stereotype is not None]
    return [e for e in own if e.name == "stereotype_rate_by_stereotype"], [e for e in own if e.name == "share"]


def judge_disagreements(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield a table of the replies that the rules and the judge read differently, if there is a judge."""
    if "judge_agrees" not in result.rows:  # written by an earlier version
        return
    differ = result.rows[result.rows["judge_agrees"].eq(False).fillna(False)]
    if not len(differ):
        return
    title = "Replies that the rules and the judge read differently"
    if len(differ) > LISTED:
        title += f" (the first {LISTED} of {len(differ):,})"
    columns = (differ[name].head(LISTED) for name in ("sentence", "reply", "outcome", "judge_outcome"))
    lines = [
        KeyedRow(
            (str(sentence), shorten(str(reply), 200), rules if isinstance(rules, str) else "unreadable", str(judge))
        )
        for sentence, reply, rules, judge in zip(*columns, strict=True)
    ]
    yield ReportTable(title, ("sentence", "reply", "rules", "judge"), lines, folded=True)
