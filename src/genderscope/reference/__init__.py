"""Reference values: published and collected estimates for other models, and where a run lies among them."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .values import add_run as add_run, all_collected as all_collected, collection_path as collection_path
    from .values import remove_model as remove_model
    from .position import known_values as known_values
    from .position import position_of as position_of, reference_sentences as reference_sentences
    from .position import sentences_about as sentences_about
    from .values import ReferenceSet as ReferenceSet, ReferenceValue as ReferenceValue
    from .values import published_values as published_values, reference_sets as reference_sets

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
