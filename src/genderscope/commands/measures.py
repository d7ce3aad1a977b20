"""The commands of the measures, made when one is asked for, and the card of a measure."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from genderscope.errors import UserError
from genderscope.measures import MEASURES, card_of, measure_plugins, measure_type

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
            alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            try:
                alone.command(cmd_name, help=measure_type(cmd_name).title)(command_of(cmd_name))
            except UserError as error:
                if cmd_name not in self.list_commands(ctx):
                    raise
                alone.command(cmd_name, help=str(error), context_settings=_ANYTHING)(_raising(error))
            return typer.main.get_command(alone)

    return MeasureGroup


def _raising(error: UserError) -> Callable[..., None]:
    """The command of a measure that cannot be loaded: it is listed with the reason, and says it when it is run."""

    def command() -> None:
        raise error

    return command


def card(
    name: Annotated[str, typer.Argument(metavar="MEASURE", help="A measure of 'genderscope list measures'.")],
) -> None:
    """Print the card of a measure: what it asks, its formulas, how to read it, its caveats."""
    print(card_of(name))
