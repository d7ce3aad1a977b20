"""The user's cache folder, for whatever can be downloaded or computed again; one process writes an entry at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from genderscope.errors import UserError
from genderscope.locks import locked, remove_locked


def cache_folder(*parts: str) -> Path:
    """Return a folder below the cache (GENDERSCOPE_CACHE, else the platform's), without creating it."""
    root = os.environ.get("GENDERSCOPE_CACHE") or platformdirs.user_cache_dir("genderscope", appauthor=False)
    return Path(root).joinpath(*parts)


@contextmanager
def building(target: Path) -> Iterator[None]:
    """Hold the lock on a cache entry while it is built, waiting for any other process that is building it."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        path = target.with_name(f".{target.name}.lock")
        lock = locked(path, wait=True)
    except OSError as error:
        raise UserError(
            f"The cache folder '{target.parent}' cannot be written ({error.strerror}); set GENDERSCOPE_CACHE."
        ) from None
    try:
        yield
    finally:
        remove_locked(path, lock)
