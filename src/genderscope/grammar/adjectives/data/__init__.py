"""Word lists for the adjective readers, one TOML file per language."""

from functools import cache
from pathlib import Path

from genderscope.grammar.word_file import read_word_lists


@cache
def word_lists(code: str) -> dict[str, frozenset[str]]:
    """Load the word lists of a language."""
    return read_word_lists(Path(__file__).with_name(f"{code}.toml"))
