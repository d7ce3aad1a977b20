"""The first screen of a result: verdicts, main estimates, comparison with known models, coverage and cautions."""

import re
from collections.abc import Iterator

from rich.text import Text

from genderscope.judgement import format_ends, format_value
from genderscope.measures import judge_result, measure_type
from genderscope.reference import reference_sentences
from genderscope.report.layout import INTERVAL, PlainTable, plain_table
from genderscope.report.views.lead_sentences import lead_sentences
from genderscope.runs import Result
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
        yield Text(verdict, style="bold")
        if size:
            yield Text(size)
    if numbers := _numbers(result):
        yield _table(numbers)
    for sentence in reference_sentences(result):
        yield Text(in_line(sentence))
    rows, read = result.counts
    yield Text(f"Answers read: {read:,} of {rows:,} ({result.coverage:.1%}).")
    yield from _cautions(result)


def _title(result: Result) -> Text:
    model, data = (in_line(result.config[part]["name"]) for part in ("model", "data"))
    return Text.assemble((result.measure, "bold"), f": {model} on {data}")


def _numbers(result: Result) -> list[Estimate]:
    """Return the leading estimates, then the other headline estimates for the same part of the data."""
    leads = [lead.estimate for lead, _ in judge_result(result) if lead.estimate.value is not None]
    names = measure_type(result.measure).headline
    more = [e for name in names for e in result.as_estimates() if e.name == name and leads and e.keys == leads[0].keys]
    return list({(e.name, e.keys): e for e in [*leads, *more]}.values())[:MOST_NUMBERS]


def _table(numbers: list[Estimate]) -> PlainTable:
    table = plain_table(("", ""), ("value", INTERVAL, "neutral"))
    for e in numbers:
        where = ", ".join(map(str, e.keys.values()))
        ends = "–" if e.low is None else format_ends(e, e.low, e.high)
        table.add_row(e.name, where, format_value(e), ends, "–" if e.neutral is None else f"{e.neutral:g}")
    return table


def _cautions(result: Result) -> Iterator[Text]:
    for caution in result.cautions[:MOST_CAUTIONS]:
        yield Text(in_line(f"Caution: {_clause(caution)}."), style="yellow")
    if (more := len(result.cautions) - MOST_CAUTIONS) > 0:
        yield Text(f"{more} more caution{'s' * (more > 1)} in the full result.", style="yellow")


def _clause(sentence: str) -> str:
    """Return the first sentence of a caution up to its first semicolon, without the full stop."""
    return _END.split(sentence, maxsplit=1)[0].rstrip(".")
