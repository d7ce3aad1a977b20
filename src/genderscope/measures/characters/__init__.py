"""The gender of a character that a chat model wrote about."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .persons import AGREEING as AGREEING, SEVERAL as SEVERAL
    from .reading import OUTCOMES as OUTCOMES, read_character as read_character
    from .words import THEY as THEY

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
