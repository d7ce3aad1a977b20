"""Remembers which large journals were intact when they were closed, so that they open without reading every answer.

A seal holds the size, times and inode of the file and lies in the user's cache. A journal whose seal does not match is
checked in full; every answer is checked against its own checksum when it is used, sealed or not.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from genderscope.cache import cache_folder, keep
from genderscope.runs.salvage import log_of

#: smaller files are checked within milliseconds
LARGE = 1 << 20


def seal(path: Path) -> None:
    """Remember that a closed journal is intact."""
    with suppress(OSError):
        if path.stat().st_size >= LARGE and not log_of(path).exists():
            keep(_memo(path), {"path": str(path.resolve()), "stamp": _stamp(path)})


def is_sealed(path: Path) -> bool:
    """Return whether nothing has touched a journal since it was sealed."""
    try:
        if path.stat().st_size < LARGE or log_of(path).exists():
            return False
        kept = json.loads(_memo(path).read_bytes())
        return bool(kept == {"path": str(path.resolve()), "stamp": _stamp(path)})
    except (OSError, ValueError):
        return False


def break_seal(path: Path) -> None:
    """Have a journal that turned out to be damaged checked in full when it is opened next."""
    with suppress(OSError):
        _memo(path).unlink(missing_ok=True)


def _memo(path: Path) -> Path:
    return cache_folder("journals", f"{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]}.json")


def _stamp(path: Path) -> list[int]:
    found = path.stat()
    # A change that resets the time of the content still changes the time of the entry.
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev]
