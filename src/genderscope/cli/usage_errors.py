"""Usage errors in one sentence: the option or argument, its value, and what to do."""

from typing import Any

import typer

from genderscope.core.errors import UserError

#: the parser's exception; typer includes click in some versions and depends on it in others
UsageError: Any = typer.BadParameter.__mro__[1]

#: pydantic's kind of error -> what to give instead
_INSTEAD = {
    "greater_than_equal": "it must be {ge:g} or more",
    "greater_than": "it must be more than {gt:g}",
    "less_than_equal": "it must be {le:g} or less",
    "less_than": "it must be less than {lt:g}",
    "finite_number": "give a finite number",
    "bool_parsing": "give true or false",
    **dict.fromkeys(("int_parsing", "int_from_float", "int_type"), "give a whole number"),
    **dict.fromkeys(("float_parsing", "float_type"), "give a number"),
}


def as_user_error(error: Any) -> UserError:
    """Rewrite the parser's error as one sentence."""
    kind = type(error).__name__
    if kind == "MissingParameter":
        return UserError(f"{_name(error.param)} is missing; {see_help(error.ctx)}.")
    if kind == "NoSuchOption":
        known = [name for name in error.possibilities or () if name != "--help"]  # the sentence names it already
        suggestion = f" Did you mean {' or '.join(known)}?" if known else ""
        return UserError(
            f"'{command_path(error.ctx)}' has no option '{error.option_name}'; {see_help(error.ctx)}.{suggestion}"
        )
    if kind == "BadOptionUsage" and error.ctx is not None:
        flags = [p for p in error.ctx.command.params if error.option_name in p.opts and getattr(p, "is_flag", False)]
        return UserError(f"Option {error.option_name} {'takes no' if flags else 'needs a'} value.")
    if kind == "BadParameter" and getattr(error, "param", None) is not None:
        return UserError(f"{_name(error.param)} {_wrong_value(error)}.")
    return UserError(f"{error.format_message().rstrip('.')}; {see_help(error.ctx)}.")


def command_path(ctx: Any) -> str:
    """Return the command as it was typed, without its options."""
    return str(ctx.command_path) if ctx is not None else "genderscope"


def see_help(ctx: Any) -> str:
    """Return a reference to the help page of a command."""
    return f"see '{command_path(ctx)} --help'"


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "option":
        return f"Option {next((name for name in parameter.opts if name.startswith('--')), parameter.opts[0])}"
    return f"Argument {parameter.metavar or parameter.name.upper()}"


def _wrong_value(error: Any) -> str:
    """Quote the value and say what to give instead, or quote the parser's message if it does not report the value."""
    details = next(iter(getattr(error.__cause__, "errors", list)()), None)
    if details is None:  # typer before 0.29
        return f"has an invalid value: {error.message.rstrip('.')}"
    instead = _INSTEAD.get(details["type"], details["msg"][:1].lower() + details["msg"][1:])
    return f"is '{details['input']}'; {instead.format(**details.get('ctx', {}))}"
