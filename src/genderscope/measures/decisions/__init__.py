"""Decisions about women and men, and the gender of invented characters."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .rows import DecisionRow as DecisionRow, reply_row as reply_row

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
