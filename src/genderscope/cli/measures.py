"""The commands of the measures, made when one is asked for, and the card of a measure."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from genderscope.cli.options import plain_help
from genderscope.errors import UserError
from genderscope.measures import MEASURES, card_of, measure_plugins, measure_type
from genderscope.terminal_safe import terminal_safe

_ANYTHING = {"ignore_unknown_options": True, "allow_extra_args": True}


def measure_group(command_of: Callable[[str], Callable[..., None]]) -> type[TyperGroup]:
    """Make the group of the measures' commands; `command_of` makes the one of a measure with its options.

    No measure is imported before it is named, so that neither the number of measures nor a broken plugin is felt
    elsewhere.
    """

    class MeasureGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return [*MEASURES, *measure_plugins()]

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            try:
                return _alone(cmd_name, measure_type(cmd_name).title, _made(cmd_name, command_of))
            except UserError as error:
                if cmd_name not in self.list_commands(ctx):
                    raise
                return _alone(cmd_name, str(error), _raising(error), context_settings=_ANYTHING)

    return MeasureGroup


def _alone(name: str, text: str, command: Callable[..., None], **more: Any) -> Any:
    made = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    made.command(name, help=plain_help(text), **more)(command)
    return typer.main.get_command(made)


def _made(name: str, command_of: Callable[[str], Callable[..., None]]) -> Callable[..., None]:
    """Make the command of a measure; a plugin whose options cannot become a command is a sentence that names it."""
    try:
        return command_of(name)
    except UserError:
        raise
    except Exception as error:
        if (plugin := measure_plugins().get(name)) is None:
            raise
        raise plugin.broken(f"its options give no command, {type(error).__name__}: {error}") from error


def _raising(error: UserError) -> Callable[..., None]:
    """The command of a measure that cannot be loaded: it is listed with the reason, and says it when it is run."""

    def command() -> None:
        raise error

    return command


def card(
    name: Annotated[str, typer.Argument(metavar="MEASURE", help="Measure (see 'genderscope list measures').")],
) -> None:
    """Print the card of a measure: what it asks, its formulas, how to read it, its caveats."""
    print(terminal_safe(card_of(name)))
