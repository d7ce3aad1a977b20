"""What a command was given that it does not take, as one sentence: what, which value, what to do."""

import re
from typing import Any

import typer

from genderscope.errors import UserError, did_you_mean

#: what the parser raises; it is click's, which typer brings in some versions and needs in others
UsageError: Any = typer.BadParameter.__mro__[1]

#: kind of a wrong value -> what to give instead
_INSTEAD = {
    "greater_than_equal": "it must be {ge:g} or more",
    "greater_than": "it must be more than {gt:g}",
    "less_than_equal": "it must be {le:g} or less",
    "less_than": "it must be less than {lt:g}",
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "int_type": "give a whole number",
    "float_parsing": "give a number",
    "float_type": "give a number",
    "finite_number": "give a number that is not infinite",
    "bool_parsing": "give true or false",
}
#: how a typer before 0.29 words it
_MESSAGE = re.compile(r"'?(?P<value>.*?)'? is not (?:in the range|a valid (?P<kind>\w+))")
_KINDS = {
    "int": "int_type",
    "integer": "int_type",
    "float": "float_type",
    "bool": "bool_parsing",
    "boolean": "bool_parsing",
}


def mistake(error: Any) -> UserError:
    """Return what the parser found wrong as one sentence."""
    see = f"see '{_command(error)} --help'"
    kind = type(error).__name__
    if kind == "MissingParameter":
        return UserError(f"{_named(error.param)} is missing; {see}.")
    if kind == "NoSuchOption":
        meant = f" Did you mean {' or '.join(error.possibilities)}?" if error.possibilities else ""
        return UserError(f"'{_command(error)}' has no option '{error.option_name}'; {see}.{meant}")
    if kind == "BadOptionUsage":
        without = "requires" in error.message
        what = "is given without a value; write one after it" if without else "takes no value; give it alone"
        return UserError(f"Option {error.option_name} {what}.")
    if kind == "BadParameter" and getattr(error, "param", None) is not None:
        return UserError(f"{_named(error.param)} {_wrong_value(error)}.")
    return _other(error, see)


def _other(error: Any, see: str) -> UserError:
    """Return what is known by the parser's own words only."""
    if (name := _between(error.message, "No such command '", "'")) is not None:
        known = error.ctx.command.list_commands(error.ctx)
        return UserError(f"'{_command(error)}' has no command '{name}'; {see}.{did_you_mean(name, known)}")
    if "extra argument" in error.message and (extra := _between(error.message, " (", ")")) is not None:
        return UserError(f"'{_command(error)}' takes no argument '{extra}' here; {see}.")
    return UserError(f"{error.format_message().rstrip('.')}; {see}.")


def _command(error: Any) -> str:
    return str(error.ctx.command_path) if error.ctx is not None else "genderscope"


def _named(parameter: Any) -> str:
    """Name an option as it is written, and an argument as the usage line writes it."""
    if parameter.param_type_name == "option":
        return f"Option {next((name for name in parameter.opts if name.startswith('--')), parameter.opts[0])}"
    return f"The argument {parameter.metavar or parameter.name.upper()}"


def _wrong_value(error: Any) -> str:
    """Say which value was given and what to give instead."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    if not found:
        return _wrong_by_message(error)
    first = found[0]
    instead = _INSTEAD.get(first["type"])
    told = instead.format(**first.get("ctx", {})) if instead else _begun_small(first["msg"])
    return f"is '{first['input']}'; {told}"


def _wrong_by_message(error: Any) -> str:
    """Say the same with a typer before 0.29, whose error has the value and the kind only in its message."""
    parsed = _MESSAGE.match(error.message)
    if parsed is None or parsed["kind"] not in {None, *_KINDS}:
        return f"has a wrong value: {_begun_small(error.message)}"
    if parsed["kind"]:
        return f"is '{parsed['value']}'; {_INSTEAD[_KINDS[parsed['kind']]]}"
    low, high = error.param.type.min, error.param.type.max
    below = low is not None and float(parsed["value"]) < low
    instead = _INSTEAD["greater_than_equal" if below else "less_than_equal"].format(ge=low, le=high)
    return f"is '{parsed['value']}'; {instead}"


def _begun_small(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}".rstrip(".")


def _between(text: str, before: str, after: str) -> str | None:
    _, found, rest = text.partition(before)
    return rest.partition(after)[0] if found else None
