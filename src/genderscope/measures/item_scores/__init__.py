"""Scores of items from another tool's log, by group."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .measure import ItemScoreOptions as ItemScoreOptions, ItemScoreRow as ItemScoreRow

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
