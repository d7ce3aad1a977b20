"""Other tools and papers as published: how they read replies, and the numbers that they compute from rows."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .bbq_scores import read_mention as read_mention, unknown_wordings as unknown_wordings
    from .genderbench import bbq_metrics as bbq_metrics, decision_metrics as decision_metrics
    from .genderbench import gest_metrics as gest_metrics

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
