"""Chat options recorded in run.json: every question contains them, so runs with different ones are different runs."""

from collections.abc import Mapping
from typing import Any

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
