"""Makes untrusted text safe to print and store: output of a model or a file must not control the terminal."""

import re
from typing import TypeVar

T = TypeVar("T")

# Control characters, bidirectional overrides, and lone surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def terminal_safe(text: str) -> str:
    """Replace control characters one for one by visible symbols (␛ for escape); line breaks and tabs stay."""
    return _UNSAFE.sub(lambda match: _picture(ord(match.group())), text)


def in_line(text: str) -> str:
    """Show a name or a sentence on one line: line breaks become symbols too."""
    return terminal_safe(text).replace("\n", "\u240a").replace("\t", " ")


def one_line(text: str, most: int = 1000) -> str:
    """Show a message on one line of bounded length, whatever it quotes."""
    shown = in_line(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def spreadsheet_safe(value: T) -> T | str:
    """Write a text for a spreadsheet: on one line, and with an apostrophe before what would be read as a formula.

    Numbers stay as they are. Files that are read back exactly, such as translations, are not written through this.
    """
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
