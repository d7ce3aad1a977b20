"""`genderscope init`: a recipe to start from."""

from pathlib import Path
from typing import Annotated

import typer

from genderscope.cli.output import print_path
from genderscope.core.errors import UserError


def init_command(path: Annotated[Path, typer.Argument(help="File to write.")] = Path("genderscope.toml")) -> None:
    """Write a commented recipe for 'genderscope audit -c'."""
    from genderscope.auditing import template
    from genderscope.runs import MISSING, what_is_there, write_whole

    if what_is_there(path) != MISSING:
        raise UserError(f"'{path}' already exists; not overwritten. Remove it or choose another file.")
    write_whole(path, template().encode())
    print_path(path)
