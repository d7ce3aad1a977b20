"""The user's cache folder, for data that can be downloaded or recomputed; entries are locked while being written."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import platformdirs

from genderscope.core.errors import UserError
from genderscope.util.file_locks import locked, remove_locked


def cache_folder(*parts: str) -> Path:
    """Return a path in the cache folder (GENDERSCOPE_CACHE or the platform's default), without creating it."""
    root = os.environ.get("GENDERSCOPE_CACHE") or platformdirs.user_cache_dir("genderscope", appauthor=False)
    return Path(root).joinpath(*parts)


def keep(memo: Path, content: dict[str, Any]) -> None:
    """Write a small cache entry as JSON, atomically; do nothing if the cache is not writable."""
    with suppress(UnicodeEncodeError):
        keep_bytes(memo, json.dumps(content).encode())


def keep_bytes(path: Path, content: bytes) -> None:
    """Write a cache entry atomically; do nothing if the cache is not writable."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            aside.write_bytes(content)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)


@contextmanager
def building(target: Path) -> Iterator[None]:
    """Lock a cache entry while it is built; wait if another process is already building it."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        path = target.with_name(f".{target.name}.lock")
        lock = locked(path, wait=True)
    except OSError as error:
        raise UserError(
            f"Cannot write to the cache folder '{target.parent}' ({error.strerror}); set GENDERSCOPE_CACHE."
        ) from None
    try:
        yield
    finally:
        remove_locked(path, lock)
