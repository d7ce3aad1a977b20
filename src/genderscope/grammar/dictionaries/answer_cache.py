"""Disk cache for lookups in a slow dictionary."""

import atexit
import json
import secrets
from collections.abc import Callable
from pathlib import Path

from genderscope.grammar.dictionaries.checksum import with_checksum, without_checksum

# Enough for all forms looked up in a large corpus; the file is a few megabytes.
_MOST_FORMS = 200_000
_WORTH_KEEPING = 200


def remembered(traits_of: Callable[[str], int], path: Path) -> Callable[[str], int]:
    """Wrap a slow dictionary with a cache that is saved to disk at exit, if writable."""
    known = _kept(path)
    at_start = len(known)

    def quick(form: str) -> int:
        traits = known.get(form)
        if traits is None:
            traits = traits_of(form)
            if len(known) < _MOST_FORMS:
                known[form] = traits
        return traits

    def keep() -> None:
        if len(known) < at_start + _WORTH_KEEPING:
            return
        aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(with_checksum(json.dumps(known, ensure_ascii=False).encode("utf-8", "surrogatepass")))
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)

    atexit.register(keep)
    return quick


def _kept(path: Path) -> dict[str, int]:
    """Return the cached lookups; empty if the file is missing or damaged."""
    try:
        known: dict[str, int] = json.loads(bytes(without_checksum(path.read_bytes())))
    except (OSError, ValueError):
        return {}
    return known
