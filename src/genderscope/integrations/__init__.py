"""Integrations with experiment trackers, the Hugging Face hub, and the transformers Trainer."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .hub import push as push
    from .trackers import TRACKERS as TRACKERS, log as log, require_trackers as require_trackers
    from .trainer import GenderscopeCallback as GenderscopeCallback

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
