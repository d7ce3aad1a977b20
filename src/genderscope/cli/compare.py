"""`genderscope compare`: do runs differ?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genderscope.cli.fields import plain_help
from genderscope.cli.gate import FAIL_IF, AllowUnjudged, MinCoverage, conclude, gates_as_json
from genderscope.cli.options import Json, usable_runs
from genderscope.cli.output import console, messages
from genderscope.util.safe_text import in_line, terminal_safe

if TYPE_CHECKING:
    from genderscope.comparison import Comparison


def compare_command(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs of one measure.", metavar="A B [C…]")],
    fail_if: Annotated[
        list[str] | None,
        typer.Option(help=plain_help(f"{FAIL_IF} or 'delta(stereotype_rate) > 0.02'; tests the last run; repeatable.")),
    ] = None,
    min_coverage: MinCoverage = 0.5,
    allow_unjudged: AllowUnjudged = False,
    allow_versions: Annotated[
        bool, typer.Option("--allow-versions", help="Allow runs made by different versions of genderscope.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Also write an HTML page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write a Markdown file.")] = None,
    latex: Annotated[Path | None, typer.Option(help="Also write LaTeX tables (booktabs).")] = None,
    as_json: Json = False,
) -> None:
    """Compare each run with the first, on the questions that both answered."""
    from genderscope.comparison import comparable_runs, parse, refuse_unknown
    from genderscope.runs import reading, require_runs

    conditions = [parse(text) for text in fail_if or ()]
    # The first run is the baseline, and gates test the last one, so neither may be skipped.
    require_runs(runs[0], *(runs[-1:] if conditions else ()))
    results = usable_runs(runs, fewest=2)
    with reading(*results):
        *_, last = comparable_runs(results, allow_versions).values()
        refuse_unknown(conditions, last.as_estimates())
        files = {form: path for form, path in {"html": html, "markdown": markdown, "latex": latex}.items() if path}
        from genderscope.comparison import check
        from genderscope.comparison import compare as compare_runs
        from genderscope.report import refuse_foreign, show_comparison

        for path in files.values():
            refuse_foreign(path)
        comparison = compare_runs(*results, allow_versions=allow_versions)
        gates = check(conditions, list(comparison.runs.values())[-1], comparison, min_coverage, allow_unjudged)
        if as_json:
            print(terminal_safe(comparison.to_json(**({"gates": gates_as_json(gates)} if gates else {}))))
        else:
            show_comparison(comparison, console())
        _write(comparison, files, as_json)
    conclude(gates, as_json)


def _write(comparison: "Comparison", files: dict[str, Path], as_json: bool) -> None:
    """Write the comparison in the chosen formats and print the files' paths."""
    from genderscope.report import comparison_latex, comparison_markdown, comparison_page, write_texts

    formats = {"html": comparison_page, "markdown": comparison_markdown, "latex": comparison_latex}
    for path in write_texts({path: formats[form](comparison) for form, path in files.items()}):
        (messages if as_json else console()).print(in_line(str(path)), soft_wrap=True)
