"""Disk cache for lookups in a slow dictionary."""

import atexit
import json
from collections.abc import Callable
from pathlib import Path

from genderscope.core.user_cache import keep_bytes
from genderscope.grammar.dictionaries.checksum import with_checksum, without_checksum

# Enough for all forms looked up in a large corpus; the file is a few megabytes.
_MOST_FORMS = 200_000
_WORTH_KEEPING = 200


def remembered(traits_of: Callable[[str], int], path: Path) -> Callable[[str], int]:
    """Wrap a slow dictionary in a cache that is saved at exit if the disk is writable."""
    traits_by_form = _kept(path)
    at_start = len(traits_by_form)

    def quick(form: str) -> int:
        traits = traits_by_form.get(form)
        if traits is None:
            traits = traits_of(form)
            if len(traits_by_form) < _MOST_FORMS:
                traits_by_form[form] = traits
        return traits

    def keep() -> None:
        if len(traits_by_form) >= at_start + _WORTH_KEEPING:
            content = json.dumps(traits_by_form, ensure_ascii=False).encode("utf-8", "surrogatepass")
            keep_bytes(path, with_checksum(content))

    atexit.register(keep)
    return quick


def _kept(path: Path) -> dict[str, int]:
    """Return the cached lookups; empty if the file is missing or damaged."""
    try:
        traits_by_form: dict[str, int] = json.loads(bytes(without_checksum(path.read_bytes())))
    except (OSError, ValueError):
        return {}
    return traits_by_form
