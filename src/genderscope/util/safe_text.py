"""Escaping of untrusted text, so that model output and file contents cannot control the terminal."""

import re
from typing import TypeVar

T = TypeVar("T")

# Control characters, bidirectional overrides, and lone surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def terminal_safe(text: str) -> str:
    """Replace each control character with a visible symbol (␛ for escape); keep line breaks and tabs."""
    return _UNSAFE.sub(lambda match: _picture(ord(match.group())), text)


def in_line(text: str) -> str:
    """Make a text safe to print on one line: also replace line breaks with symbols and tabs with spaces."""
    return terminal_safe(text).replace("\n", "\u240a").replace("\t", " ")


def one_line(text: str, most: int = 1000) -> str:
    """Make a message safe to print on one line, and truncate it to `most` characters."""
    shown = in_line(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def spreadsheet_safe(value: T) -> T | str:
    """Make text safe for a spreadsheet: on one line, with an apostrophe before formulas; return other types as is."""
    if not isinstance(value, str):
        return value
    shown = in_line(value)
    return f"'{shown}" if shown.lstrip().startswith(("=", "+", "-", "@")) else shown


def well_formed(text: str) -> str:
    """Replace lone surrogates, which JSON can express but UTF-8 cannot."""
    return _SURROGATE.sub(_REPLACEMENT, text)


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else _REPLACEMENT
