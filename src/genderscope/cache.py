"""Where Genderscope keeps what it can fetch or compute again: the user's cache folder."""

import os
from pathlib import Path

import platformdirs


def cache_folder(*parts: str) -> Path:
    """Return a folder below the cache (GENDERSCOPE_CACHE, else the platform's), without creating it."""
    root = os.environ.get("GENDERSCOPE_CACHE") or platformdirs.user_cache_dir("genderscope", appauthor=False)
    return Path(root).joinpath(*parts)
