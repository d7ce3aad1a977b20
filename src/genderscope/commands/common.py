"""What several commands share: options, and where they print."""

import warnings
from typing import Annotated, Any

import typer
from rich.console import Console

from genderscope.errors import UserError
from genderscope.plugins import PluginWarning

#: progress and complaints; results go to stdout
messages = Console(stderr=True, highlight=False)

ModelSpec = Annotated[
    str,
    typer.Option("--model", "-m", help="Model string, e.g. smollm2, hf:gpt2, gguf:FILE ('genderscope list models')."),
]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:N or mps.")]
Dtype = Annotated[str, typer.Option(help="float32, bfloat16 or float16.")]
BatchSize = Annotated[str, typer.Option(help="Questions a pass, or auto.")]
Beams = Annotated[int, typer.Option(help="Width of the search where the model translates.", min=1)]
Engine = Annotated[
    str,
    typer.Option(
        help="local, processes (on this machine) or ray; auto: a process for each GPU where there are several."
    ),
]
Workers = Annotated[int | None, typer.Option(help="Copies of the model; the default is one for each GPU.")]
Address = Annotated[str | None, typer.Option(help="Ray cluster, host:port or auto; without it Ray runs here.")]
GpusPerWorker = Annotated[float | None, typer.Option(help="GPUs a Ray worker gets, e.g. 1 or 0.5.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def console() -> Console:
    """Return stdout; where it is not a terminal, wide enough that tables do not wrap."""
    terminal = Console(highlight=False)
    return terminal if terminal.is_terminal else Console(highlight=False, width=140)


def batch_size_of(text: str) -> int | None:
    """Read the batch size: a number, or None for auto."""
    if text == "auto":
        return None
    if not text.isdecimal():
        raise UserError(f"Option --batch-size is '{text}'; give a whole number or auto.")
    return int(text)


def show_warnings() -> None:
    """From now on, print what is wrong with a plugin as one sentence; warnings of others stay as they are."""
    plain = warnings.showwarning

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, PluginWarning):
            messages.print(f"Warning: {message}", style="yellow", markup=False, soft_wrap=True)
        else:
            plain(message, category, *where, **more)

    warnings.showwarning = show
