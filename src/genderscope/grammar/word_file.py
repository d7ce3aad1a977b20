"""Read TOML files of word lists: a list is a string of words, so that anybody can edit it."""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from genderscope.errors import UserError, did_you_mean

_TYPE_NAMES = {bool: "true or false", str: "a string", int: "a number", list: "a list", dict: "a table"}


class WordFileError(UserError, ValueError):
    """A file of word lists is invalid; the message gives the file and the key."""


def read_tables(path: Path) -> dict[str, Any]:
    """Parse a file and the one it includes; word lists of the same name are joined."""
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
    """Read a file that consists of word lists only."""
    lists = check_keys(read_tables(path), ["words"], path.name)["words"]
    return {key: frozenset(split_words(listed, f"{path.name}, [words] {key}")) for key, listed in lists.items()}


def check_keys(table: Any, known: Collection[str], where: str) -> Mapping[str, Any]:
    """Return a table; raise WordFileError if it is none or has an unknown key."""
    if not isinstance(table, Mapping):
        raise WordFileError(f"{where} must be a table, not {type_name(table)}.")
    for key in table:
        if key not in known:
            raise WordFileError(f"{where}: unknown key '{key}'.{did_you_mean(key, known)}")
    return table


def split_words(value: Any, where: str, separator: str | None = None) -> list[str]:
    """Split a list of words or phrases; raise WordFileError if one is listed twice."""
    if not isinstance(value, str):
        raise WordFileError(f"{where} must be a string of words, not {type_name(value)}.")
    items = value.split() if separator is None else [" ".join(item.split()) for item in value.split(separator)]
    if len(set(items)) < len(items):
        repeated = next(item for item in items if items.count(item) > 1)
        raise WordFileError(f"{where} contains '{repeated}' twice.")
    return items


def type_name(value: object) -> str:
    """Return the name of a TOML type as messages use it."""
    return _TYPE_NAMES.get(type(value), type(value).__name__)
