"""The command line: the app, and one module per command or group of commands."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .app import main as main

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
