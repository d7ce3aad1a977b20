"""Results on the terminal: the first screen, or everything."""

import re
import shlex
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from genderscope.judgement import control_line, format_bounds, format_value
from genderscope.measures import judge_result, measure_type, next_steps
from genderscope.reference import reference_sentences
from genderscope.report.layout import INTERVAL, PlainTable, plain_table
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.plain_view import describe_coverage, first_sentence, known_measure, wide_interval
from genderscope.report.views.run_summary import (
    describe_source,
    estimates_in_words,
    lead_sentences,
    tool_terminal,
    trial_note,
)
from genderscope.runs import Result, age_of
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line

#: end of a clause that can stand alone
_END = re.compile(r"; |\. (?=[^a-z])")
#: maximum numbers of estimates and cautions on the first screen
MOST_NUMBERS, MOST_CAUTIONS = 3, 2


def first_screen(result: Result) -> Iterator[Text | PlainTable]:
    """Yield the lines of the first screen."""
    yield _title(result)
    for verdict, size in lead_sentences(result):
        yield Text.assemble((verdict, "bold"), f" {size}" if size else "")
    for step in next_steps(result):
        yield Text(in_line(f"{step}"))
    # Values that cannot be judged are left to the full result.
    if any(j.is_meaningful for _, j in judge_result(result)) and (numbers := _numbers(result)):
        yield _table(result, numbers)
    yield from tool_terminal(result)
    for sentence in reference_sentences(result):
        yield Text(in_line(sentence))
    rows, read = result.counts
    note = view_of(result.measure).note(result)
    more = f" {_clause(note)}." if note else ""
    if (control := control_line(result.as_estimates())) is not None:
        yield Text(control)
    yield Text(f"Answers read: {read:,} of {rows:,} ({result.coverage:.1%}).{more}")
    yield from _cautions(result)


def _title(result: Result) -> Text:
    model, data = (in_line(result.config[part]["name"]) for part in ("model", "data"))
    note = trial_note(result)
    return Text.assemble((result.measure, "bold"), f": {model} on {data}{f' ({note})' if note else ''}")


def _numbers(result: Result) -> list[Estimate]:
    """Return the leading estimates, then the other headline estimates for the same part of the data."""
    leads = [lead.estimate for lead, _ in judge_result(result) if lead.estimate.value is not None]
    names = measure_type(result.measure).headline
    more = [e for name in names for e in result.as_estimates() if e.name == name and leads and e.keys == leads[0].keys]
    return list({(e.name, e.keys): e for e in [*leads, *more]}.values())[:MOST_NUMBERS]


def _table(result: Result, numbers: list[Estimate]) -> PlainTable:
    """Build the table; if the verdict uses the wide interval, the heading names what the table's intervals cover."""
    view = view_of(result.measure)
    places = [", ".join(map(str, e.keys.values())) for e in numbers]
    stub = f"for other {view.units}" if any(map(wide_interval, numbers)) else ""
    table = plain_table((stub, "") if any(places) else (stub,), ("value", INTERVAL, "neutral", "n"), prose="")
    in_words = estimates_in_words(result)
    for e, place in zip(numbers, places, strict=True):
        interval = "–" if e.low is None else format_bounds(e, e.low, e.high)
        neutral = "–" if e.neutral is None else f"{e.neutral:g}"
        meaning = (in_words and view.brief.get(e.name)) or _clause(view.explain(e))
        named = (e.name, place) if any(places) else (e.name,)
        table.add_row(*named, format_value(e), interval, neutral, f"{e.n:,}", "" if e in in_words else meaning)
    return table


def _cautions(result: Result) -> Iterator[Text]:
    for caution in result.cautions[:MOST_CAUTIONS]:
        yield Text(in_line(f"Caution: {_clause(caution)}."), style="yellow")
    if (more := len(result.cautions) - MOST_CAUTIONS) > 0:
        yield Text(f"{more} more caution{'s' * (more > 1)} in the full result.", style="yellow")


def _clause(sentence: str) -> str:
    """Return the first sentence of a caution up to its first semicolon outside brackets, without the full stop."""
    clauses = (sentence[: end.start()] for end in _END.finditer(sentence))
    complete = (clause for clause in clauses if clause.count("(") == clause.count(")"))
    return next(complete, sentence).rstrip(".")


def show(result: Result, console: Console, completions: bool = False, again: str = "", full: bool = False) -> None:
    """Print the first screen of a result, or everything if `full` or `completions` is set.

    If answers were reused, a line reports when they were given; `again` is a sentence on how to repeat the run.
    """
    full = full or completions or known_measure(result.measure) is None
    if full:
        _show_everything(result, console, completions)
    else:
        console.print()
        for part in first_screen(result):
            console.print(part)
    if (age := age_of(result.config, result.reused, again)) is not None:
        console.print(Text(in_line(age), style="bold"), soft_wrap=True)
    if full:
        console.print(Text(in_line(f"Signature: {result.signature}")), soft_wrap=True)
    if result.folder is not None:
        console.print(Text(f"Report: {result.folder / 'report.html'}"), soft_wrap=True)
        if not full:
            console.print(Text(f"More: genderscope show {shlex.quote(str(result.folder))} --full"), soft_wrap=True)


def _show_everything(result: Result, console: Console, completions: bool) -> None:
    model, data = (in_line(result.config[part]["name"]) for part in ("model", "data"))
    title = Text.assemble("\n", (result.measure, "bold"), f" · {model} · {data}\n")
    console.print(title)
    view = view_of(result.measure)
    for part in view.terminal(result):
        console.print(part)
    for part in tool_terminal(result):
        console.print(part)
    for part in view.completions(result) if completions else ():
        console.print(part)
    first, rest = first_sentence(result.summary)
    console.print(Text.assemble((first, "bold"), " " if rest else "", rest))
    for caution in result.cautions:
        console.print(Text(in_line(f"Caution: {caution}"), style="yellow"))
    if (control := control_line(result.as_estimates())) is not None:
        console.print(Text(control))
    console.print(describe_coverage(result))
    if (source := describe_source(result)) is not None:
        console.print(Text(in_line(source)), soft_wrap=True)
    for sentence in (*reference_sentences(result), *filter(None, [view.note(result)])):
        console.print(Text(in_line(sentence)))
