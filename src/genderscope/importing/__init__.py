"""Logs of other evaluation tools, turned into runs."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .imported_run import import_log as import_log
    from .log_formats import is_log as is_log, logs_in as logs_in

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
