"""The command line: the app, one file per group of commands."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.cli.app import main

__all__ = ["main"]

__getattr__ = door(__name__, {"main": "app"})
