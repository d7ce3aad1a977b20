"""What several commands share: options, and where they print."""

import inspect
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genderscope.cli.options import with_options
from genderscope.errors import UserError
from genderscope.models import Remote, remote_of, without_secrets
from genderscope.report import SafeConsole
from genderscope.terminal_safe import in_line

if TYPE_CHECKING:
    from genderscope.runs import Result

#: progress and complaints; results go to stdout
messages = SafeConsole(stderr=True)

#: the panel of help that follows the options of a measure
HOW = "How it runs"

ModelSpec = Annotated[
    str,
    typer.Option("--model", "-m", help="Model string, e.g. smollm2, hf:gpt2, gguf:FILE ('genderscope list models')."),
]
Device = Annotated[
    str,
    typer.Option(
        help="auto, cpu, cuda, cuda:N or mps; map spreads a large model over all GPUs (accelerate).",
        rich_help_panel=HOW,
    ),
]
Dtype = Annotated[str, typer.Option(help="float32, bfloat16 or float16.", rich_help_panel=HOW)]
BatchSize = Annotated[str, typer.Option(help="Questions per forward pass, or auto.", rich_help_panel=HOW)]
Beams = Annotated[int, typer.Option(help="Beam width of translation models.", min=1, rich_help_panel=HOW)]
Engine = Annotated[
    str,
    typer.Option(
        help="local, processes (on this machine) or ray; auto: one process per GPU if there are several.",
        rich_help_panel=HOW,
    ),
]
Workers = Annotated[
    int | None, typer.Option(help="Copies of the model; the default is one per GPU.", rich_help_panel=HOW)
]
Address = Annotated[
    str | None, typer.Option(help="Ray cluster, host:port or auto; without it Ray runs here.", rich_help_panel=HOW)
]
GpusPerWorker = Annotated[float | None, typer.Option(help="GPUs per Ray worker, e.g. 1 or 0.5.", rich_help_panel=HOW)]
AllowPickle = Annotated[
    bool,
    typer.Option(
        "--allow-pickle",
        help="Load pickled weights, which can run any code; only if you trust them.",
        rich_help_panel=HOW,
    ),
]
Rehash = Annotated[
    bool,
    typer.Option(
        "--rehash", help="Hash all of the model's files again, even where they look unchanged.", rich_help_panel=HOW
    ),
]
Fresh = Annotated[
    bool,
    typer.Option("--fresh", help="Ask everything again; an earlier run is kept as NAME.DATE.", rich_help_panel=HOW),
]
Log = Annotated[
    list[str] | None,
    typer.Option("--log", help="Also log to mlflow, wandb or tensorboard, an extra each; may be given several times."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def with_remote(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the options of servers, services and chat models, which it gets as one, `remote`."""

    def wrapped(**values: Any) -> None:
        own = {name: values.pop(name) for name in Remote.model_fields}
        command(**values, remote=remote_of(own))

    signature = inspect.signature(command, eval_str=True)
    parameters = [parameter for name, parameter in signature.parameters.items() if name != "remote"]
    wrapped.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapped.__doc__ = command.__doc__
    return with_options(wrapped, Remote, "Servers, services and chat models")


def check_trackers(trackers: Sequence[str] | None) -> None:
    """Refuse a tracker that cannot be logged to, before anything heavy begins."""
    if trackers:
        from genderscope.integrations import require_trackers

        require_trackers(trackers)


def log_to(result: "Result", trackers: Sequence[str] | None) -> None:
    """Log a result to the trackers that were asked for, and say where it is."""
    for tracker in trackers or ():
        from genderscope.integrations import log

        messages.print(in_line(f"Logged: {log(result, tracker)}"), markup=False, soft_wrap=True)


def usable_runs(runs: Sequence[Path], fewest: int = 1, any_measure: bool = False) -> "list[Result]":
    """Load the runs of a command that takes several; skip unusable ones with one sentence, but not a single one."""
    from genderscope.comparison import select_runs

    found = select_runs(runs, fewest, any_measure)
    tell_skipped(found.skipped)
    return list(found.runs.values())


def tell_skipped(sentence: str | None) -> None:
    """Print the sentence about skipped runs, if there is one."""
    if sentence is not None:
        messages.print(in_line(sentence), style="yellow", markup=False, soft_wrap=True)


def console() -> SafeConsole:
    """Return stdout; where it is not a terminal, as wide as COLUMNS says or wide enough that tables do not wrap."""
    terminal = SafeConsole()
    return terminal if terminal.is_terminal or "COLUMNS" in os.environ else SafeConsole(width=140)


def command_line() -> str:
    """Return the command that resumes what the user began: without --fresh, and without keys, since runs record it."""
    given = (argument for argument in sys.argv[1:] if argument != "--fresh")
    return shlex.join(["genderscope", *map(without_secrets, given)])


def batch_size_of(text: str) -> int | None:
    """Read the batch size: a number, or None for auto."""
    if text == "auto":
        return None
    if not text.isdecimal() or len(text) > 9:
        raise UserError(f"Option --batch-size is '{text}'; give a whole number or auto.")
    return int(text)
