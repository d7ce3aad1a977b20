"""`genderscope compare`: do runs differ?"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic import BaseModel, Field

from genderscope.cli.fields import plain_help, with_fields
from genderscope.cli.gate import (
    FAIL_IF,
    AllowUnjudged,
    MaxAge,
    MinCoverage,
    RequireFresh,
    RequireModel,
    conclude,
    gates_as_json,
)
from genderscope.cli.log_arguments import run_or_log
from genderscope.cli.options import Json, usable_runs
from genderscope.cli.output import console, messages
from genderscope.cli.score import DATA, LIMIT, PART
from genderscope.util.safe_text import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.comparison import Comparison
    from genderscope.runs import Result


class TranslationFileOptions(BaseModel):
    """Options that apply to files of translations only."""

    measure: str | None = Field(
        None, description="Measure the files with gest-mt, dialogue, mt-geneval, winomt or gate."
    )
    to: str | None = Field(None, description="Target languages of the files, e.g. es,sk.")
    data: str | None = Field(None, description=DATA)
    limit: int | None = Field(None, description=LIMIT)
    set: Literal["counterfactual", "contextual"] | None = Field(None, description=PART)


@partial(with_fields, options=TranslationFileOptions, panel="Files of translations")
def compare_command(  # noqa: PLR0913 - each is an option of the command
    runs: Annotated[
        list[str],
        typer.Argument(help="Runs of one measure, other tools' logs, or files of translations.", metavar="A B [C…]"),
    ],
    fail_if: Annotated[
        list[str] | None,
        typer.Option(help=plain_help(f"{FAIL_IF} or 'delta(stereotype_rate) > 0.02'; tests the last run; repeatable.")),
    ] = None,
    max_age: MaxAge = None,
    require_fresh: RequireFresh = False,
    require_model: RequireModel = False,
    min_coverage: MinCoverage = 0.5,
    allow_unjudged: AllowUnjudged = False,
    allow_versions: Annotated[
        bool, typer.Option("--allow-versions", help="Allow runs made by different versions of genderscope.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Also write an HTML page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write a Markdown file.")] = None,
    latex: Annotated[Path | None, typer.Option(help="Also write LaTeX tables (booktabs).")] = None,
    as_json: Json = False,
    full: Annotated[bool, typer.Option("--full", help="Also print the differences and ten sentences.")] = False,
    **options: Any,
) -> None:
    """Compare each run or file of translations with the first, on the questions that both answered."""
    from genderscope.cli.translation_runs import measured
    from genderscope.comparison import RunChecks, comparable_runs, parse, refuse_unknown
    from genderscope.report import refuse_foreign
    from genderscope.runs import reading, require_runs

    conditions = [parse(text) for text in fail_if or ()]
    checks = RunChecks.of(None, max_age, require_fresh, require_model)
    files = {form: path for form, path in {"html": html, "markdown": markdown, "latex": latex}.items() if path}
    for path in files.values():
        refuse_foreign(path)
    runs = [run if (folder := run_or_log(Path(run))) == Path(run) else str(folder) for run in runs]
    named = measured(runs, options.pop("measure"), options)
    folders = list(named.values()) or [Path(run) for run in runs]
    # The first run is the baseline, and gates test the last one, so neither may be skipped.
    require_runs(folders[0], *(folders[-1:] if conditions or checks else ()))
    results = usable_runs(folders, fewest=2)
    names = _names_of(results, named)
    with reading(*results):
        *others, last = comparable_runs(results, allow_versions, names).values()
        refuse_unknown(conditions, last, *others)
        from genderscope.comparison import check, check_run
        from genderscope.comparison import compare as compare_runs
        from genderscope.report import show_comparison

        comparison = compare_runs(*results, allow_versions=allow_versions, names=names)
        tested = list(comparison.runs.values())[-1]
        gates = [*check_run(checks, tested), *check(conditions, tested, comparison, min_coverage, allow_unjudged)]
        if as_json:
            print(terminal_safe(comparison.to_json(**({"gates": gates_as_json(gates)} if gates else {}))))
        else:
            show_comparison(comparison, console(), full)
        _write(comparison, files, as_json)
    conclude(gates, as_json)


def _names_of(results: "Sequence[Result]", named: dict[str, Path]) -> list[str]:
    """Return the names of the usable runs, which are in the same order as the named ones."""
    pending = iter(named.items())
    return [next(name for name, folder in pending if folder == result.folder) for result in results if named]


def _write(comparison: "Comparison", files: dict[str, Path], as_json: bool) -> None:
    """Write the comparison in the chosen formats and print the files' paths."""
    from genderscope.report import comparison_latex, comparison_markdown, comparison_page, write_texts

    formats = {"html": comparison_page, "markdown": comparison_markdown, "latex": comparison_latex}
    for path in write_texts({path: formats[form](comparison) for form, path in files.items()}):
        (messages if as_json else console()).print(in_line(str(path)), soft_wrap=True)
