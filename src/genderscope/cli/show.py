"""`genderscope show`: a finished run as a table, for the terminal or for a paper."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.common import Json, console
from genderscope.errors import unknown
from genderscope.terminal_safe import in_line, terminal_safe

FORMATS = ("table", "markdown", "latex", "csv", "json")


def show(
    run: Annotated[Path, typer.Argument(help="Folder of a finished run.")],
    as_json: Json = False,
    format_: Annotated[str, typer.Option("--format", "-f", help=f"How: {', '.join(FORMATS)}.")] = "table",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write to this file instead of the terminal.")] = None,
    show_completions: Annotated[bool, typer.Option(help="Also print hurtful completions.")] = False,
) -> None:
    """Show the result of a finished run."""
    wanted = "json" if as_json else format_
    if wanted not in FORMATS:
        raise unknown("format", wanted, FORMATS)
    from genderscope.runs import how_to_ask_again, load_run, reading

    result = load_run(run)
    with reading(run):
        if wanted == "table" and out is None:
            from genderscope.report import show as show_result

            show_result(result, console(), show_completions, how_to_ask_again(result.config))
            return
        from genderscope.report import publish

        text = publish(result, wanted, show_completions)
    write(text, out)


def write(text: str, out: Path | None) -> None:
    """Print a text, or write it to a file and say where it is."""
    if out is None:
        print(terminal_safe(text.rstrip("\n")))
        return
    from genderscope.runs import write_whole

    write_whole(out, (text.rstrip("\n") + "\n").encode(errors="backslashreplace"))
    print(in_line(str(out)))
