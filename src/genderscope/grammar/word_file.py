"""Parser for TOML files of word lists; each list is a plain string of words, so that linguists can edit it."""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError, did_you_mean

_TYPE_NAMES = {bool: "true or false", str: "a string", int: "a number", list: "a list", dict: "a table"}


class WordFileError(UserError, ValueError):
    """Raised for an invalid word list file; the message names the file and the key."""


def read_tables(path: Path) -> dict[str, Any]:
    """Parse a file and any file it includes, merging word lists of the same name."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise WordFileError(f"{path.name} is not valid TOML: {error}.") from error
    included = tables.pop("include", None)
    if included is None:
        return tables
    if not isinstance(included, str) or not (base := path.parent / f"{included}.toml").is_file():
        raise WordFileError(f"{path.name}: include must be the name of a file next to it, not {included!r}.")
    shared = read_tables(base)
    words = shared.pop("words", {})
    tables = shared | tables
    tables["words"] = words | {
        key: f"{words[key]} {listed}" if key in words else listed for key, listed in tables.get("words", {}).items()
    }
    return tables


def read_word_lists(path: Path) -> dict[str, frozenset[str]]:
    """Parse a file that contains only word lists."""
    lists = check_keys(read_tables(path), ["words"], path.name)["words"]
    return {key: frozenset(split_words(listed, f"{path.name}, [words] {key}")) for key, listed in lists.items()}


def check_keys(table: Any, allowed: Collection[str], where: str) -> Mapping[str, Any]:
    """Return the table; raise WordFileError if it is not a table or has an unknown key."""
    if not isinstance(table, Mapping):
        raise WordFileError(f"{where} must be a table, not {type_name(table)}.")
    for key in table:
        if key not in allowed:
            raise WordFileError(f"{where}: unknown key '{key}'.{did_you_mean(key, allowed)}")
    return table


def split_words(value: Any, where: str, separator: str | None = None) -> list[str]:
    """Split a string into words or phrases; raise WordFileError for duplicates."""
    if not isinstance(value, str):
        raise WordFileError(f"{where} must be a string of words, not {type_name(value)}.")
    items = value.split() if separator is None else [" ".join(item.split()) for item in value.split(separator)]
    if len(set(items)) < len(items):
        repeated = next(item for item in items if items.count(item) > 1)
        raise WordFileError(f"{where} contains '{repeated}' twice.")
    return items


def type_name(value: object) -> str:
    """Return the name of a value's TOML type for use in messages."""
    return _TYPE_NAMES.get(type(value), type(value).__name__)
