"""Where a run's answers come from: a server, or the log of another tool, whose numbers are shown next to ours."""

from collections.abc import Iterator
from typing import Any

from genderscope.report.layout import INTERVAL, PlainTable, plain_table
from genderscope.report.views.plain_view import ReportTable, interval, number
from genderscope.runs import Result

COLUMNS = ("metric", "reported", "recomputed", "our estimate", "ours", INTERVAL, "how they relate")


def describe_source(result: Result) -> str | None:
    """Return the log or the address that the answers come from; None if the model ran on this machine."""
    model = result.config["model"]
    if origin := result.config.get("imported"):
        name, checksum = next(iter(origin["files"].items()))
        source = " ".join(filter(None, (origin["tool"], origin["version"])))
        return f"Imported from {source}, task {origin['task']}: {name} (SHA-256 {checksum[:8]})."
    if not (url := model.get("url")):
        return None
    return f"Queried at {url}{f'; method: {method}' if (method := model.get('method')) else ''}."


def tool_tables(result: Result) -> Iterator[ReportTable]:
    """Yield a table of the tool's metrics, as reported and as recomputed from its log, next to our estimates."""
    if rows := list(_rows(result)):
        yield ReportTable(_title(result), COLUMNS, rows)


def tool_terminal(result: Result) -> Iterator[PlainTable]:
    """Yield the same table for the terminal."""
    if rows := list(_rows(result)):
        _, reported, recomputed, estimate, ours, bounds, relation = COLUMNS
        table = plain_table((_title(result), estimate), (reported, recomputed, ours, bounds), prose=relation)
        for row in rows:
            table.add_row(row[0], row[3], row[1], row[2], *row[4:])
        yield table


def _title(result: Result) -> str:
    return f"{result.config['imported']['tool']}'s metric"


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    for imported in result.config.get("imported", {}).get("numbers", ()):
        ours = next((e for e in result.as_estimates() if e.name == imported["estimate"] and not e.keys), None)
        own = ("–", "–", "–") if ours is None else (ours.name, number(ours.value), interval(ours))
        yield imported["metric"], _shown(imported["reported"]), _shown(imported["recomputed"]), *own, imported["reason"]


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(number, value))}]"
    return "–" if value is None else number(value)
