"""API keys: read from the environment, checked before use, never shown."""

import json
import os
from collections.abc import Iterable, Sequence
from urllib.parse import quote, quote_plus

from genderscope.errors import UserError

#: This many consecutive characters of a key are masked wherever they occur: vendors often quote its start or end.
FRAGMENT = 8
#: Only this much of a message is searched; even less is shown.
MOST = 20_000
MASK = "[key]"
_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


def key_of(names: Sequence[str]) -> str | None:
    """Return the first key that is set; refuse one that no header can carry, without showing it."""
    for name in names:
        if key := os.environ.get(name, "").strip():
            check_key(name, key)
            return key
    return None


def require_key(vendor: str, *names: str) -> None:
    """Refuse to start without a key in the environment, or with one that no header can carry."""
    keys = {name: os.environ.get(name, "").strip() for name in names}
    if not any(keys.values()):
        raise UserError(f"{vendor} needs a key; put it into the environment variable {' or '.join(names)}.")
    for name, key in keys.items():
        if name.endswith("KEY"):  # others name a file
            check_key(name, key)


def check_key(name: str, key: str) -> None:
    """Refuse a key with a line break, a space or another invalid character: clients print such keys."""
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise UserError(f"The key in {name} contains characters that no key has, such as a line break; set it again.")


def masked(text: str, keys: Iterable[str]) -> str:
    """Make one short line of untrusted text, without any of the keys: whole, in part, or escaped."""
    line = text[:MOST]
    for key in sorted({each.strip() for each in keys if each.strip()}, key=len, reverse=True):
        for form in dict.fromkeys((key, quote(key, safe=""), quote_plus(key), json.dumps(key)[1:-1])):
            line = _without(line, form)
    return " ".join(line.split())[:300]


def _without(text: str, key: str) -> str:
    """Mask the key and its fragments, ignoring case."""
    size = min(FRAGMENT, len(key))
    small, of_key = text.translate(_LOWER), key.translate(_LOWER)
    fragments = {of_key[k : k + size] for k in range(len(of_key) - size + 1)}
    found: list[str] = []
    end = 0
    for k in range(len(small) - size + 1):
        if small[k : k + size] in fragments:
            if k > end or not found:
                found.append(text[end:k])
            end = max(end, k + size)
    return MASK.join([*found, text[end:]]) if found else text
