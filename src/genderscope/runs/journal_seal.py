"""Seals for large journals that were intact when closed, so that they can be reopened without a full check.

A seal contains the file's size, timestamps and inode, and is stored in the user's cache. If the seal does not match,
the journal is checked in full. Each answer's checksum is verified on use, whether or not the journal is sealed.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from genderscope.core.user_cache import cache_folder, keep
from genderscope.runs.journal_salvage import log_of

LARGE = 1 << 20  # smaller files are checked within milliseconds


def seal(path: Path) -> None:
    """Record that a closed journal is intact."""
    with suppress(OSError):
        if path.stat().st_size >= LARGE and not log_of(path).exists():
            keep(_memo(path), {"path": str(path.resolve()), "stamp": _stamp(path)})


def is_sealed(path: Path) -> bool:
    """Return whether a journal is unchanged since it was sealed."""
    try:
        if path.stat().st_size < LARGE or log_of(path).exists():
            return False
        kept = json.loads(_memo(path).read_bytes())
        return bool(kept == {"path": str(path.resolve()), "stamp": _stamp(path)})
    except (OSError, ValueError):
        return False


def break_seal(path: Path) -> None:
    """Remove the seal, so that a damaged journal is checked in full when it is next opened."""
    with suppress(OSError):
        _memo(path).unlink(missing_ok=True)


def _memo(path: Path) -> Path:
    return cache_folder("journals", f"{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]}.json")


def _stamp(path: Path) -> list[int]:
    status = path.stat()
    # A change that resets the modification time still updates ctime.
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev]
