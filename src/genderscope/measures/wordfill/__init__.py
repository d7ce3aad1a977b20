"""Shared code of the word-filling measures (StereoSet, CrowS-Pairs and Slovak quadruplets)."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .measure import WordFillRow as WordFillRow
    from .scores import Scores as Scores
    from .words import CONTRAST as CONTRAST, SCORE_NAMES as SCORE_NAMES

__getattr__, __dir__ = lazy_exports(__name__)
