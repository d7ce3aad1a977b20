"""The local viewer: a folder of runs as web pages, served to this machine only."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .viewer_server import ViewerServer as ViewerServer, open_viewer as open_viewer

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
