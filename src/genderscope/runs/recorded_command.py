"""The command that made a run: its model string and its options."""

import ast
import re
import shlex
from collections.abc import Mapping
from typing import Any

#: beginning of a call in Python, which is recorded in place of a command
CALL = "genderscope.evaluate("
_CALL = re.compile(r"genderscope\.evaluate\(.*?model=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")


def recorded_model(config: Mapping[str, Any]) -> str | None:
    """Return the model string that a run was started with; None if it is not recorded, as in an imported log."""
    command = str(config.get("command", ""))
    if called := _CALL.match(command):
        return str(ast.literal_eval(called[1]))
    words = _words(command)
    if words[:2] == ["genderscope", "demo"]:
        return str(config["model"]["name"])
    given = _options(words)
    return given.get("--model") or given.get("-m")


def recorded_options(config: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the options on a run's command line, each with its value; None for a flag."""
    return _options(_words(str(config.get("command", ""))))


def _options(words: list[str]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, is_joined, value = word.partition("=")
        if name.startswith("-") and len(name) > 1:
            found[name] = value if is_joined else None if after.startswith("--") or not after else after
    return found


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an unclosed quotation mark
        return command.split()
