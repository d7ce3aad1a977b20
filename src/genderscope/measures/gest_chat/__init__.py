"""GEST for chat models."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .rows import GestChatRow as GestChatRow, reply_row as reply_row
    from .wordings import Wording as Wording, built_in as built_in, digest as digest

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
