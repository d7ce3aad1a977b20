"""What run.json records about a run's settings: chat options, earlier defaults, the command and the signature."""

import ast
import re
import shlex
from collections.abc import Mapping
from typing import Any

from genderscope.version import __version__

#: option -> its name among the measure's settings, which list it if it affects the answers
CHAT_OPTIONS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "max_tokens": "max_tokens",
    "system": "system",
    "reasoning_effort": "effort",
}
#: the system prompt is recorded as a hash, which means nothing to a reader
HASHED = frozenset({"system"})


def chat_options_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run's chat options, None for those without effect; empty for a run that did not record its settings.

    The measure's settings come first: they include the defaults, and runs of earlier versions recorded them too.
    """
    if "settings" not in config:
        return {}
    settings, configuration = config["settings"], config["configuration"]
    return {option: settings.get(name, configuration.get(option)) for option, name in CHAT_OPTIONS.items()}


#: measure -> option -> what None stood for in configurations that do not know the option named last
_MEANT: dict[str, tuple[str, Any, str]] = {"gest": ("templates", ["published"], "prompts")}


def recorded_configuration(config: dict[str, Any]) -> dict[str, Any]:
    """Return a run's configuration, with defaults of earlier versions as the values that stand for them today."""
    configuration: dict[str, Any] = config["configuration"]
    name, value, newer = _MEANT.get(configuration.get("measure", ""), ("", None, ""))
    if not name or newer in configuration or configuration.get(name) is not None:
        return configuration
    return {**configuration, name: value}


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
    options: dict[str, str | None] = {}
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, is_joined, value = word.partition("=")
        if name.startswith("-") and len(name) > 1:
            options[name] = value if is_joined else None if after.startswith("--") or not after else after
    return options


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an unclosed quotation mark
        return command.split()


def signature(
    measure: str, data: Mapping[str, object], model: Mapping[str, object], settings: Mapping[str, str], seed: int
) -> str:
    """Return measure, data, model, options, seed and version as `key:value` parts."""
    parts = {
        "data": f"{data['name']}@{str(data['sha256'])[:8]}",
        "model": f"{model['name']}@{model['fingerprint']}",
        **settings,
        "seed": seed,
        "version": __version__,
    }
    return "|".join([measure, *(f"{key}:{value}" for key, value in parts.items())])
