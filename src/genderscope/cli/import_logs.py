"""`genderscope import`: logs of other evaluation tools as runs."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.options import Full, Json
from genderscope.cli.output import console
from genderscope.core.errors import UserError
from genderscope.util.safe_text import terminal_safe


def import_command(
    logs: Annotated[
        list[Path],
        typer.Argument(help="Logs of lm-evaluation-harness, Inspect or GenderBench, or JSONL.", metavar="LOG…"),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of the run or, for several logs, of the runs.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Name the model if the log does not record it.")] = None,
    as_json: Json = False,
    full: Full = False,
) -> None:
    """Turn logs of other evaluation tools into runs, with intervals and verdicts."""
    from genderscope.importing import import_log, logs_in
    from genderscope.report import show as show_result

    paths = [path for given in logs for path in (logs_in(given) if given.is_dir() else [given])]
    if not paths:
        raise UserError(f"There is no log in '{logs[0]}'; give a file that another tool wrote, or its folder.")
    for path in paths:
        place = out if out is None or len(paths) == 1 else out / path.stem
        result = import_log(path, place, model)
        if as_json:
            print(terminal_safe(result.to_json()))
        else:
            show_result(result, console(), full=full)
