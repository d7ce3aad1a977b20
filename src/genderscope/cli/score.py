"""`genderscope score`: translations in, one line of scores out; nothing is kept.

genderscope data sources gest-mt > sources.txt      # translate them, one line each
genderscope score gest-mt --to sk < translations.txt
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.common import Json
from genderscope.errors import UserError
from genderscope.terminal_safe import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.runs import Result

STANDARD_INPUT = "-"

Name = Annotated[str, typer.Argument(help="Measure of translations: gest-mt, mt-geneval or dialogue.")]
Data = Annotated[str | None, typer.Option(help="The measure's --data: starter, or your own file.")]
Limit = Annotated[int | None, typer.Option(help="Only so many samples, spread over the strata of the set.", min=1)]
Part = Annotated[str | None, typer.Option("--set", help="The measure's --set: counterfactual or contextual.")]


def sources(
    name: Name,
    data: Data = None,
    limit: Limit = None,
    to: Annotated[str | None, typer.Option("--to", help="Target, where every language has its own sources.")] = None,
    part: Part = None,
) -> None:
    """Print the sources that a measure of translations wants translated, one line each."""
    from genderscope.evaluation import sources as texts

    for text in texts(name, **_given(data=data, limit=limit, to=to, set=part)):
        print(terminal_safe(text) if sys.stdout.isatty() else text)


def score(
    name: Name,
    to: Annotated[str, typer.Option("--to", help="Language of the translations, e.g. sk.")],
    translations: Annotated[
        str, typer.Argument(help="File of translations: lines, CSV, TSV, JSONL or TMX; - is lines of standard input.")
    ] = "-",
    data: Data = None,
    limit: Limit = None,
    part: Part = None,
    as_published: Annotated[bool, typer.Option("--as-published", help="The paper's own scale.")] = False,
    as_json: Json = False,
) -> None:
    """Score translations that are parallel to `genderscope data sources MEASURE`: one line, no run folder."""
    from genderscope.evaluation import score as scored
    from genderscope.evaluation import translation_measure

    translation_measure(name)
    lines = _piped() if translations == STANDARD_INPUT else Path(translations)
    result = scored(name, lines, to, **_given(data=data, limit=limit, set=part, as_published=as_published or None))
    print(terminal_safe(result.to_json()) if as_json else in_line(" ".join(_scores(result))))


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _piped() -> Iterator[str]:
    from genderscope.tables import lines_in

    if sys.stdin is None or sys.stdin.isatty():
        raise UserError("There are no translations; give a file, or pipe them in: genderscope score … < out.txt.")
    return (line.rstrip("\r\n") for line in lines_in(sys.stdin.buffer, "The standard input"))


def _scores(result: "Result") -> Iterator[str]:
    """Yield the parts of the line: the headline numbers with interval and n, how much was read, the signature."""
    from genderscope.measures import measure_type
    from genderscope.report import interval, number

    kind = measure_type(result.measure)
    names = kind.headline + kind.scored_too
    for e in result.as_estimates():
        if e.name in names and e.template is None and e.stereotype is None:
            scope = ", ".join(part for part in (e.subset, e.group) if part)
            yield f"{e.name}{f'({scope})' if scope else ''} {number(e.value)} {interval(e)} n={e.n:,}"
    yield f"read {result.coverage:.1%}"
    yield f"| {result.signature}"
