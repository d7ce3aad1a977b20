"""Turn the fields of a pydantic model into options of a command."""

import inspect
import types
from collections.abc import Callable, Container
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from genderscope.core.errors import UserError, option_name
from genderscope.util.safe_text import terminal_safe

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
