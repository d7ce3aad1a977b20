"""What the configurations of earlier versions mean where a default has changed since."""

from typing import Any

#: measure -> option -> what None stood for in configurations that do not know the option named last
_MEANT: dict[str, tuple[str, Any, str]] = {"gest": ("templates", ["published"], "prompts")}


def recorded_configuration(config: dict[str, Any]) -> dict[str, Any]:
    """Return a run's configuration, with defaults of earlier versions as the values that stand for them today."""
    configuration: dict[str, Any] = config["configuration"]
    name, value, newer = _MEANT.get(configuration.get("measure", ""), ("", None, ""))
    if not name or newer in configuration or configuration.get(name) is not None:
        return configuration
    return {**configuration, name: value}
