"""WinoMT: gender of people named by their occupation in machine translation."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .measure import SEPARATOR as SEPARATOR, WinoMtRow as WinoMtRow, row_of as row_of
    from .rates import estimates as estimates

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
