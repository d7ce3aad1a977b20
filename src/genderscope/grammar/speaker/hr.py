"""Croatian: all it needs it shares with Serbian."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.serbocroatian import shared_reader


def reader() -> Callable[[str], Reading]:
    """The function that reads a Croatian text."""
    return shared_reader("hr")
