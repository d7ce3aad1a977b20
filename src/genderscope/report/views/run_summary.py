"""What is said about every run, whatever its measure: the leading verdicts, the source of the answers, the controls.

The source is a server, or the log of another tool, whose numbers are shown next to ours.
"""

from collections.abc import Iterator
from typing import Any

from genderscope.judgement import CONTROLS, Judgement, Lead, verdict_in_one_sentence
from genderscope.measures import judge_result, measure_type, options_of
from genderscope.report.layout import INTERVAL, PlainTable, plain_table
from genderscope.report.views.plain_view import (
    ESTIMATES,
    SHARED_MEANING,
    KeyedRow,
    ReportTable,
    interval,
    known_measure,
    number,
    numbers,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: maximum number of verdicts
MOST_VERDICTS = 3


def lead_sentences(result: Result, with_second: bool = False) -> list[tuple[str, str]]:
    """Return the verdict and size of each leading estimate.

    Estimates that only qualify the first one are left out unless `with_second`. A value that is not meaningful has no
    size.
    """
    leads = _leads(result, with_second)
    said = [(verdict_in_one_sentence(j, lead.where), _size(result, lead, j)) for lead, j in leads[:MOST_VERDICTS]]
    sentences = list(dict.fromkeys(said))  # two estimates may lack meaning for the same reason
    more = len(leads) - MOST_VERDICTS
    return [*sentences, (f"… and {more} more", "")] if more > 0 else sentences


def estimates_in_words(result: Result) -> list[Estimate]:
    """Return the leading estimates whose size `lead_sentences` states."""
    return [lead.estimate for lead, j in _leads(result)[:MOST_VERDICTS] if _size(result, lead, j)]


def _leads(result: Result, with_second: bool = False) -> list[tuple[Lead, Judgement]]:
    judged = judge_result(result)
    return [pair for pair in judged if with_second or not pair[0].second] or judged


def trial_note(result: Result) -> str:
    """Return a note if a run used a built-in starter set, which is for trying a measure; otherwise an empty text."""
    kind = known_measure(result.measure)
    starter = dict(kind.starter) if kind else {}
    used = {key: result.config["configuration"].get(key) for key in starter}
    return "trial set; publish numbers from the full data" if starter and used == starter else ""


def _size(result: Result, lead: Lead, judgement: Judgement) -> str:
    phrase = measure_type(result.measure).phrase(lead.estimate, options_of(result))
    if phrase is None or phrase.topic or lead.estimate.value is None or not judgement.is_meaningful:
        return ""
    size = phrase.about(lead.estimate)
    return f"{size[:1].upper()}{size[1:]}."


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


def control_tables(result: Result) -> Iterator[ReportTable]:
    """Yield the table of a run's controls, if it has any."""
    controls = [e for e in result.as_estimates() if e.name in CONTROLS]
    if controls:
        lines = [KeyedRow((e.name, e.scope or "all", *numbers(e), SHARED_MEANING[e.name])) for e in controls]
        yield ReportTable("Controls with a known answer", (*ESTIMATES, "meaning"), lines, folded=True)
