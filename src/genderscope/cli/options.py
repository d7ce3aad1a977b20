"""Options and arguments that several commands share, and options made from the fields of pydantic models."""

import inspect
import shlex
import sys
import types
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from genderscope.cli.output import warn
from genderscope.core.errors import UserError, option_name
from genderscope.core.questions import (
    Choice,
    Completion,
    Question,
    Reply,
    ReplyStart,
    StructuredReply,
    TokenLikelihood,
    Translation,
)
from genderscope.evaluation import RunSettings
from genderscope.models import Remote, remote_of, without_secrets
from genderscope.util.safe_text import terminal_safe

if TYPE_CHECKING:
    from genderscope.runs import Result


EXECUTION = "Execution"  # help panel for options that affect how results are computed, but not the results themselves

ModelSpec = Annotated[
    str,
    typer.Option(
        "--model", "-m", help="Model, e.g. smollm2, hf:gpt2 or gguf:FILE; 'genderscope list models' shows all kinds."
    ),
]
MeasureName = Annotated[str, typer.Argument(metavar="MEASURE", help="Measure (see 'genderscope list measures').")]
RunFolder = Annotated[Path, typer.Argument(help="Folder of a finished run, or another tool's log.")]
RunFolders = Annotated[list[Path], typer.Argument(help="Folders of finished runs, or other tools' logs.")]
Full = Annotated[bool, typer.Option("--full", help="Print all tables, cautions and the signature.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Rehash = Annotated[
    bool,
    typer.Option(
        "--rehash",
        help="Recompute the checksums of the model's files, even if they look unchanged.",
        rich_help_panel=EXECUTION,
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start over; an earlier run is kept as NAME.DATE.", rich_help_panel=EXECUTION)
]


def _execution(kind: Any, help_text: str, *names: str, **more: Any) -> Any:
    return Annotated[kind, typer.Option(*names, help=help_text, rich_help_panel=EXECUTION, **more)]


#: option -> declaration and default, for every command that opens a model
MODEL_OPTIONS: dict[str, tuple[Any, Any]] = {
    "device": (_execution(str, "Use auto, cpu, cuda, cuda:N or mps; map spreads a large model over all GPUs."), "auto"),
    "dtype": (_execution(str, "Load weights as float32, bfloat16 or float16."), "float32"),
    "batch_size": (_execution(str, "Ask this many questions per forward pass, or auto."), "auto"),
    "beams": (_execution(int, "Set the beam width of translation models.", min=1), 4),
    "allow_pickle": (_execution(bool, "Load pickled weights, which can run arbitrary code.", "--allow-pickle"), False),
    "rehash": (Rehash, False),
}
#: additional options, in the same form, for commands that write run folders on one or several machines
RUN_OPTIONS: dict[str, tuple[Any, Any]] = {
    "engine": (
        _execution(str, "Run in one process (local), several (processes) or on Ray (ray); auto: one process per GPU."),
        "auto",
    ),
    "workers": (_execution(int | None, "Load this many copies of the model; default: one per GPU."), None),
    "address": (
        _execution(str | None, "Connect to this Ray cluster (host:port or auto); default: start a local one."),
        None,
    ),
    "gpus_per_worker": (_execution(float | None, "Give each Ray worker this many GPUs, e.g. 1 or 0.5."), None),
    "fresh": (Fresh, False),
}

CHAT: frozenset[type[Question]] = frozenset({Reply, StructuredReply, ReplyStart})
EVERY_KIND = frozenset({Choice, TokenLikelihood, Completion, Translation}) | CHAT
#: option of remote and chat models -> the kinds of questions that it affects; options not listed affect every kind
REMOTE_OPTIONS_FOR: dict[str, frozenset[type[Question]]] = {
    "prompt": frozenset({Translation}),
    "price": frozenset({Translation}),
    "yes": frozenset({Translation}) | CHAT,
    "batch": CHAT,
    "samples": frozenset({Choice}),
    "temperature": frozenset({Choice, Translation}) | CHAT,
    **dict.fromkeys(
        ("top_p", "max_tokens", "system", "reasoning_effort", "chat_template"), CHAT | frozenset({Translation})
    ),
}
#: (whether any questions are translations, whether any are chats) -> the help panel for the remote options
_PANELS = {
    (False, False): "Servers",
    (False, True): "Servers and chat models",
    (True, False): "Servers, translation services and chat models",
    (True, True): "Servers, translation services and chat models",
}


def with_model(
    command: Callable[..., None], asks: frozenset[type[Question]] = EVERY_KIND, writes_runs: bool = False
) -> Callable[..., None]:
    """Replace the command's parameter `settings` with options for models that answer the given kinds of questions."""
    own = MODEL_OPTIONS | (RUN_OPTIONS if writes_runs else {})
    if Translation not in asks:
        own = {name: option for name, option in own.items() if name != "beams"}
    remote = {name for name in Remote.model_fields if REMOTE_OPTIONS_FOR.get(name, EVERY_KIND) & asks}
    panel = _PANELS[Translation in asks, bool(CHAT & asks)]

    def run(**values: Any) -> None:
        given = {name: values.pop(name) for name in own}
        given["batch_size"] = _batch_size(given["batch_size"])
        sent = {name: values.pop(name) for name in remote}
        command(**values, settings=RunSettings(**given, remote=remote_of(sent), command=command_line()))

    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        for name, (annotation, default) in own.items()
    ]
    return with_parameters(command, run, [*added, *field_parameters(Remote, panel, remote)])


def _batch_size(text: str) -> int | None:
    if text == "auto":
        return None
    if not text.isdecimal() or len(text) > 9:
        raise UserError(f"Option --batch-size is '{text}'; give a whole number or auto.")
    return int(text)


def usable_runs(runs: Sequence[Path], fewest: int = 1, any_measure: bool = False) -> "list[Result]":
    """Load the runs; skip unusable runs with a warning, or raise if too few are left."""
    from genderscope.comparison import select_runs

    selected = select_runs([run_or_log(run) for run in runs], fewest, any_measure)
    warn(selected.skipped)
    return list(selected.runs.values())


def command_line() -> str:
    """Return the command that resumes this one, without --fresh and without API keys, since runs record the command."""
    given = (argument for argument in sys.argv[1:] if argument != "--fresh")
    return shlex.join(["genderscope", *map(without_secrets, given)])


def run_or_log(path: Path) -> Path:
    """Return the folder of a run; a log is imported into the folder that `genderscope import` would choose."""
    if not path.is_file() or (path.parent / "run.json").exists():
        return path
    from genderscope.importing import import_log, is_log

    if not is_log(path):
        return path
    folder = import_log(path).folder
    assert folder is not None
    return folder


def runs_or_logs(path: Path) -> Path:
    """Return a folder with runs; if a folder contains logs instead, they are imported into a folder in `runs/`."""
    if not path.is_dir():
        return run_or_log(path)
    if any(path.rglob("run.json")):
        return path
    from genderscope.importing import import_log, logs_in

    if not (logs := logs_in(path)):
        return path
    place = Path("runs") / f"{path.resolve().name}-imported"
    made = 0
    for log in logs:
        try:
            import_log(log, place / log.stem)
            made += 1
        except UserError as error:  # other tasks of the same evaluation
            warn(f"Skipped: {error}")
    if not made:
        raise UserError(f"No log in '{path}' can be imported; 'genderscope import LOG' says why.")
    return place


HIDDEN = {"hidden": True}  # marks a field that the command line does not offer


def with_parameters(
    command: Callable[..., None], run: Callable[..., None], added: list[inspect.Parameter]
) -> Callable[..., None]:
    """Return `run` with the docstring of `command` and its parameters, followed by the added parameters."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    kept = [p.replace(kind=p.KEYWORD_ONLY) for p in own if p.kind is not p.VAR_KEYWORD and p.name != "settings"]

    def wrapped(**values: Any) -> None:
        run(**values)

    wrapped.__signature__ = inspect.Signature([*kept, *added])  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in (*kept, *added)}
    wrapped.__doc__ = command.__doc__
    return wrapped


def with_fields(command: Callable[..., None], options: type[BaseModel], panel: str) -> Callable[..., None]:
    """Return the command with an additional option for each field of `options`, listed in the given help panel."""

    def run(**values: Any) -> None:
        for name in values.keys() & options.model_fields.keys():
            values[name] = _split(name, options.model_fields[name].annotation, values[name])
        command(**values)

    return with_parameters(command, run, field_parameters(options, panel))


def field_parameters(
    options: type[BaseModel], panel: str, names: Container[str] | None = None
) -> list[inspect.Parameter]:
    """Return a command-line parameter for each visible field of `options`, or only for those with the given names."""
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default(field.default),
            annotation=Annotated[_parsed_type(field.annotation), _option(name, field, panel)],
        )
        for name, field in options.model_fields.items()
        if (names is None or name in names) and field.json_schema_extra != HIDDEN
    ]


def _option(name: str, field: FieldInfo, panel: str) -> Any:
    inner = _without_none(field.annotation)
    choices = "|".join(map(str, get_args(inner))) if get_origin(inner) is Literal else None
    # A flag that is off by default needs no --no-NAME; a one-letter option has a single dash.
    names = (option_name(name),) if len(name) == 1 or (inner is bool and not field.default) else ()
    help_text = plain_help(field.description or "")
    return typer.Option(*names, metavar=choices, help=help_text, rich_help_panel=panel)


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        return next(part for part in get_args(annotation) if part is not type(None))
    return annotation


def _parsed_type(annotation: Any) -> Any:
    """Return the type that the command line parses: lists and choices arrive as text."""
    inner = _without_none(annotation)
    simple = inner if inner in (int, float, bool) else str
    return simple if annotation is inner else simple | None


def _default(value: Any) -> Any:
    if value is PydanticUndefined:
        return inspect.Parameter.empty
    return ",".join(map(str, value)) if isinstance(value, tuple) else value


def plain_help(text: str) -> str:
    """Escape text that rich would interpret as markup or as an emoji code."""
    from rich.emoji import Emoji
    from rich.markup import escape

    shown = escape(terminal_safe(text))
    # Emoji codes cannot be escaped; a zero-width character breaks them.
    return shown if Emoji.replace(shown) == shown else shown.replace(":", ":\u2060")


def _split(name: str, annotation: Any, value: Any) -> Any:
    """Split a comma-separated list into values of its type."""
    inner = _without_none(annotation)
    if value is None or get_origin(inner) is not tuple:
        return value
    item = get_args(inner)[0]
    try:
        parts = (part.strip() for part in value.split(",") if part.strip())
        return tuple(item(part) if isinstance(item, type) else part for part in parts)  # a union is parsed later
    except ValueError:
        raise UserError(f"Option {option_name(name)} is '{value}'; give a list such as 3,4.") from None
