"""`genderscope show`: a finished run as a table, for the terminal or for a paper."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.log_arguments import run_or_log
from genderscope.cli.options import Full, Json, RunFolder
from genderscope.cli.output import console, write_text
from genderscope.core.errors import require_known

FORMATS = ("table", "markdown", "latex", "csv", "json")


def show_command(
    run: RunFolder,
    as_json: Json = False,
    full: Full = False,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="|".join(FORMATS), help="Output format.")] = "table",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write to this file instead of the terminal.")] = None,
    show_completions: Annotated[
        bool, typer.Option("--show-completions", help="Also show the hurtful completions of an honest run.")
    ] = False,
) -> None:
    """Show the result of a finished run."""
    wanted = "json" if as_json else format_
    require_known("format", wanted, FORMATS)
    from genderscope.runs import how_to_ask_again, load_run, reading

    run = run_or_log(run)
    result = load_run(run)
    with reading(run):
        if wanted == "table" and out is None:
            from genderscope.report import show as show_result

            show_result(result, console(), show_completions, how_to_ask_again(result.config), full)
            return
        from genderscope.report import publish

        text = publish(result, wanted, show_completions)
    write_text(text, out)
