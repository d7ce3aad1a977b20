"""What several commands share: options, and where they print."""

import inspect
import shlex
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from genderscope.cli.options import with_options
from genderscope.errors import UserError
from genderscope.models import Remote, remote_of
from genderscope.report import SafeConsole

#: progress and complaints; results go to stdout
messages = SafeConsole(stderr=True)

ModelSpec = Annotated[
    str,
    typer.Option("--model", "-m", help="Model string, e.g. smollm2, hf:gpt2, gguf:FILE ('genderscope list models')."),
]
Device = Annotated[
    str, typer.Option(help="auto, cpu, cuda, cuda:N or mps; map spreads a large model over all GPUs (accelerate).")
]
Dtype = Annotated[str, typer.Option(help="float32, bfloat16 or float16.")]
BatchSize = Annotated[str, typer.Option(help="Questions per forward pass, or auto.")]
Beams = Annotated[int, typer.Option(help="Beam width of translation models.", min=1)]
Engine = Annotated[
    str,
    typer.Option(help="local, processes (on this machine) or ray; auto: one process per GPU if there are several."),
]
Workers = Annotated[int | None, typer.Option(help="Copies of the model; the default is one per GPU.")]
Address = Annotated[str | None, typer.Option(help="Ray cluster, host:port or auto; without it Ray runs here.")]
GpusPerWorker = Annotated[float | None, typer.Option(help="GPUs per Ray worker, e.g. 1 or 0.5.")]
AllowPickle = Annotated[
    bool, typer.Option("--allow-pickle", help="Load pickled weights, which can run any code; only if you trust them.")
]
Rehash = Annotated[
    bool, typer.Option("--rehash", help="Hash all of the model's files again, even where they look unchanged.")
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


def console() -> SafeConsole:
    """Return stdout; where it is not a terminal, wide enough that tables do not wrap."""
    terminal = SafeConsole()
    return terminal if terminal.is_terminal else SafeConsole(width=140)


def command_line() -> str:
    """Return the command as the user gave it, to be given again."""
    return shlex.join(["genderscope", *sys.argv[1:]])


def batch_size_of(text: str) -> int | None:
    """Read the batch size: a number, or None for auto."""
    if text == "auto":
        return None
    if not text.isdecimal() or len(text) > 9:
        raise UserError(f"Option --batch-size is '{text}'; give a whole number or auto.")
    return int(text)
