"""The command line: the help page groups commands by purpose."""

from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from genderscope.cli.commands import Command, RootGroup
from genderscope.cli.completion import with_completion
from genderscope.cli.output import handling_sigterm, one_sentence, show_warnings
from genderscope.version import __version__

#: help panel -> its commands, in the order of the help page
PANELS = {
    "Measure": ("run", "import", "export", "audit", "init", "demo", "power"),
    "Inspect": ("show", "report", "serve", "figures", "push", "list", "card"),
    "Compare": ("compare", "gate", "scorecard", "pool", "validity", "reference", "reproduce"),
    "Work with texts": ("score", "translate", "read", "pairs"),
    "Set up": ("doctor", "data", "models"),
}

#: command -> its module, unless that has the same name
MODULES = {
    **dict.fromkeys(("show", "report", "figures", "push", "serve"), "run_output"),
    **dict.fromkeys(("pool", "power", "validity", "reproduce"), "run_analyses"),
    **{"card": "list", "demo": "run", "gate": "compare", "import": "import_logs", "init": "audit"},
}


class _Commands(RootGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        return [name for names in PANELS.values() for name in names]


app = typer.Typer(
    help="Measure gender bias in language models and machine translation, with confidence intervals.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _panel, _names in PANELS.items():
    for _name in _names:
        _command = getattr(import_module(f"genderscope.cli.{MODULES.get(_name, _name)}"), f"{_name}_command")
        if isinstance(_command, typer.Typer):
            app.add_typer(_command, name=_name, rich_help_panel=_panel)
        else:
            app.command(_name, cls=Command, rich_help_panel=_panel)(with_completion(_command))


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; for an error that the user can fix, print one sentence and exit with code 2."""
    show_warnings()
    with one_sentence(), handling_sigterm():
        _built()(prog_name="genderscope")


@cache
def _built() -> Any:
    return typer.main.get_command(app)
