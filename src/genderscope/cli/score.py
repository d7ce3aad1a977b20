"""`genderscope score` and `genderscope data sources`: translations in, one line of scores out.

genderscope data sources gest-mt > sources.txt      # translate them, one line each
genderscope score gest-mt --to sk < translations.txt
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.options import Json
from genderscope.core.errors import UserError
from genderscope.util.safe_text import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.runs import Result

STANDARD_INPUT = "-"

Name = Annotated[
    str, typer.Argument(metavar="MEASURE", help="Translation measure: gest-mt, dialogue, mt-geneval, winomt or gate.")
]
DATA = "Use the starter set (starter) or your own file."
PART = "Use only these segments of mt-geneval."
LIMIT = "Use only this many samples, spread evenly across strata."

Data = Annotated[str | None, typer.Option(help=DATA)]
Limit = Annotated[int | None, typer.Option(help=LIMIT, min=1)]
Part = Annotated[str | None, typer.Option("--set", metavar="counterfactual|contextual", help=PART)]


def sources(
    measure: Name,
    data: Data = None,
    limit: Limit = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Target language, for measures whose sources depend on it.")
    ] = None,
    part: Part = None,
) -> None:
    """Print the source sentences to translate for a measure, one per line."""
    from genderscope.evaluation import sources as source_texts

    for text in source_texts(measure, **_given(data=data, limit=limit, to=to, set=part)):
        print(terminal_safe(text) if sys.stdout.isatty() else text)


def score_command(
    measure: Name,
    to: Annotated[str, typer.Option("--to", help="Language of the translations, e.g. sk.")],
    translations: Annotated[
        str, typer.Argument(help="Translations as lines, CSV, TSV, JSONL or TMX; - reads lines from standard input.")
    ] = "-",
    data: Data = None,
    limit: Limit = None,
    part: Part = None,
    as_published: Annotated[bool, typer.Option("--as-published", help="Score on the paper's own scale.")] = False,
    as_json: Json = False,
) -> None:
    """Score translations of the texts from 'genderscope data sources MEASURE' without writing a run."""
    from genderscope.evaluation import score as score_translations
    from genderscope.evaluation import translation_measure

    translation_measure(measure)
    given = _given(data=data, limit=limit, set=part, as_published=as_published or None)
    lines = _piped_lines() if translations == STANDARD_INPUT else Path(translations)
    result = score_translations(measure, lines, to, **given)
    print(terminal_safe(result.to_json()) if as_json else in_line(" ".join(_scores(result))))


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _piped_lines() -> Iterator[str]:
    from genderscope.core.tables import lines_in

    if sys.stdin is None or sys.stdin.isatty():
        raise UserError("No translations given; name a file, or pipe them in: genderscope score … < out.txt.")
    return (line.rstrip("\r\n") for line in lines_in(sys.stdin.buffer, "The standard input"))


def _scores(result: "Result") -> Iterator[str]:
    """Yield the parts of the output line: headline estimates with interval and n, coverage, signature."""
    from genderscope.measures import measure_type
    from genderscope.report import interval, number

    kind = measure_type(result.measure)
    names = kind.headline + kind.pooled + kind.scored_too
    for e in result.as_estimates():
        if e.name in names and e.template is None and e.stereotype is None:
            scope = ", ".join(part for part in (e.subset, e.group) if part)
            reason = f" ({e.remark})" if e.remark and (e.value is None or e.name in kind.pooled) else ""
            yield f"{e.name}{f'({scope})' if scope else ''} {number(e.value)} {interval(e)} n={e.n:,}{reason}"
    yield f"read {result.coverage:.1%}"
    yield f"| {result.signature}"
