"""Turns the options that a measure declares into options of its command."""

import inspect
import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from genderscope.errors import UserError, option_name
from genderscope.terminal_safe import terminal_safe


def with_options(
    command: Callable[..., None], options: type[BaseModel], panel: str | None = None, first: bool = False
) -> Callable[..., None]:
    """Return the command with one parameter more for each field of `options`; help shows them below `panel`.

    Those that are `first` come before the command's own parameters that have a panel, as help lists panels.
    """
    own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.kind is not p.VAR_KEYWORD]
    fields = {
        name: inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default(field.default),
            annotation=Annotated[
                _plain(field.annotation),
                typer.Option(*_short(name), help=_help(field.annotation, field.description), rich_help_panel=panel),
            ],
        )
        for name, field in options.model_fields.items()
    }

    def wrapped(**values: Any) -> None:
        for name in fields:
            values[name] = _value(name, options.model_fields[name].annotation, values[name])
        command(**values)

    own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    later = [p for p in own if first and _panel(p)]
    parameters = [p for p in own if p not in later] + list(fields.values()) + later
    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__doc__ = command.__doc__
    wrapped.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapped


def _panel(parameter: inspect.Parameter) -> str | None:
    """Return the panel of help that a parameter is listed in, if it has one of its own."""
    told = getattr(parameter.annotation, "__metadata__", ())
    return next((found for info in told if (found := getattr(info, "rich_help_panel", None))), None)


def _short(field: str) -> tuple[str, ...]:
    """Name an option of one letter; the others name themselves."""
    return (option_name(field),) if len(field) == 1 else ()


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        return next(part for part in get_args(annotation) if part is not type(None))
    return annotation


def _plain(annotation: Any) -> Any:
    """Return the type that the command line parses: lists and choices arrive as text."""
    inner = _without_none(annotation)
    simple = inner if inner in (int, float, bool) else str
    return simple if annotation is inner else simple | None


def _default(value: Any) -> Any:
    if value is PydanticUndefined:
        return inspect.Parameter.empty
    return ",".join(map(str, value)) if isinstance(value, tuple) else value


def _help(annotation: Any, text: str | None) -> str:
    inner = _without_none(annotation)
    told = f"{text or ''} [{'|'.join(map(str, get_args(inner)))}]" if get_origin(inner) is Literal else text or ""
    return plain_help(told)


def plain_help(text: str) -> str:
    """Write a text so that the help, which reads markup and emoji codes, shows it as it is."""
    from rich.emoji import Emoji
    from rich.markup import escape

    shown = escape(terminal_safe(text))
    # There is no escape for emoji codes; a character without width breaks them.
    return shown if Emoji.replace(shown) == shown else shown.replace(":", ":\u2060")


def _value(name: str, annotation: Any, value: Any) -> Any:
    inner = _without_none(annotation)
    if value is None or get_origin(inner) is not tuple:
        return value
    item = get_args(inner)[0]
    try:
        return tuple(item(part.strip()) for part in value.split(",") if part.strip())
    except ValueError:
        raise UserError(f"Option {option_name(name)} is '{value}'; give a list such as 3,4.") from None
