"""BBQ: who did it, if the text does not say?"""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .prompts import chat_prompt as chat_prompt
    from .rows import BbqRow as BbqRow, likelihood_row as likelihood_row, reply_row as reply_row

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
