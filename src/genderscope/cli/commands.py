"""Command classes that add examples to help pages, omit the types of flags, and report mistakes in one sentence."""

from collections.abc import Callable
from importlib.resources import files
from itertools import islice
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from genderscope.cli.completion import with_completion
from genderscope.cli.output import INTERRUPTED, console, end_quietly, messages
from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.exit_codes import EXIT_CODES

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
        similar = [name for name in error.possibilities or () if name != "--help"]  # the sentence names it already
        suggestion = f" Did you mean {' or '.join(similar)}?" if similar else ""
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
    choices = details["msg"].rstrip(".").partition(" is not one of ")[2]
    if choices:
        return f"is '{details['input']}'; use one of {choices}"
    instead = _INSTEAD.get(details["type"], details["msg"][:1].lower() + details["msg"][1:])
    return f"is '{details['input']}'; {instead.format(**details.get('ctx', {}))}"


#: commands whose exit code a build relies on
CHECKING = ("run", "audit", "compare", "gate")
#: removed command -> what to use instead
REMOVED = {"leaderboard": "is part of 'genderscope scorecard DIR'; add --html FILE or --csv FILE for files"}
MOST_EXAMPLES = 3  # maximum number of examples on a help page


def examples_of(path: str) -> list[str]:
    """Return the examples for a command or a group: of measures, their own, otherwise those in `examples.txt`."""
    words = path.split()
    if words[:1] == ["run"]:
        from genderscope.measures import MEASURES, examples_for

        return list(islice((line for name in words[1:] or MEASURES for line in examples_for(name)), MOST_EXAMPLES))
    lines = files("genderscope.cli").joinpath("examples.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if words and line.split()[1 : len(words) + 1] == words][:MOST_EXAMPLES]


class _WithExamples:
    """Help pages that end with examples, omit the type of flags, and show one value's type for repeatable options."""

    def get_params(self, ctx: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
            elif (
                getattr(parameter, "multiple", False)
                and parameter.metavar is None
                and hasattr(parameter, "display_type")
            ):
                parameter.metavar = parameter.display_type(ctx).replace("list[", "").replace("]", "").lower()
        return parameters

    def format_help(self, ctx: Any, formatter: Any) -> None:
        try:
            super().format_help(ctx, formatter)  # type: ignore[misc]
        except SystemExit:  # raised by Rich if the reader has closed the pipe
            end_quietly()
        path = ctx.command_path.partition(" ")[2]
        lines = [f" {EXIT_CODES}", ""] if path.split()[:1] and path.split()[0] in CHECKING else []
        if examples := examples_of(path):
            lines += [" Examples:", *(f"   {example}" for example in examples), ""]
        if lines:
            from rich.text import Text

            console().print(Text("\n".join(lines)), soft_wrap=True)


class Command(_WithExamples, TyperCommand):
    """A command that rejects extra arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        may_have_more, ctx.allow_extra_args = ctx.allow_extra_args, True
        try:
            rest = super().parse_args(ctx, args)
        except UsageError as error:
            error.ctx = ctx  # the parser does not always set the context
            raise
        if rest and not (may_have_more or ctx.resilient_parsing):
            raise UserError(f"'{ctx.command_path}' takes no argument '{' '.join(rest)}'; {see_help(ctx)}.")
        return rest


class CommandGroup(_WithExamples, TyperGroup):
    """A group of commands that suggests a similar command if the given one is unknown."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            suggestion = did_you_mean(args[0], self.list_commands(ctx))
            raise UserError(f"'{command_path(ctx)}' has no command '{args[0]}'; {see_help(ctx)}.{suggestion}")
        return super().resolve_command(ctx, args)


class RootGroup(CommandGroup):
    """The group of all commands, which prints one word on Ctrl-C and one sentence on a usage error."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] in REMOVED and not ctx.resilient_parsing:
            raise UserError(f"'{command_path(ctx)} {args[0]}' {REMOVED[args[0]]}.")
        return super().resolve_command(ctx, args)

    def main(self, *arguments: Any, **settings: Any) -> Any:
        try:
            code = super().main(*arguments, **{**settings, "standalone_mode": False})
        except UsageError as error:
            if type(error).__name__ == "NoArgsIsHelpError":  # the help page has been printed
                raise SystemExit(error.exit_code) from None
            raise as_user_error(error) from None
        except typer.Abort:
            messages.print("Aborted.")
            raise SystemExit(1) from None
        raise SystemExit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # caught here because click would exit with code 1
            return end_quietly()
        except KeyboardInterrupt:
            messages.print("Interrupted.")
            raise typer.Exit(INTERRUPTED) from None


def group(help_text: str, cls: type[CommandGroup] = CommandGroup, **commands: Callable[..., None]) -> typer.Typer:
    """Build a group of commands."""
    made = typer.Typer(help=help_text, no_args_is_help=True, cls=cls)
    for name, command in commands.items():
        made.command(name, cls=Command)(with_completion(command))
    return made
