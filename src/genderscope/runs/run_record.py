"""What run.json records about a run: settings, chat options, command, signature and the dates of the answers."""

import ast
import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from genderscope.util import clock
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


ASKED = "asked"  # run.json entry with the time of the first answer of each day; null stands for an unknown day
#: run.json entry with the time at which the run began
STARTED = "started"
AGAIN = "Use --fresh to ask again."
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def moment_of(text: object) -> datetime | None:
    """Parse a time from run.json; None if it is invalid."""
    try:
        return datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def days_of(config: Mapping[str, Any]) -> tuple[date | None, ...]:
    """Return the days on which a run's answers were given, in order; None stands for an unknown day."""
    listed = config.get(ASKED, [None])
    moments = map(moment_of, listed if isinstance(listed, list) else [None])
    days = {moment and moment.date() for moment in moments}
    dates = sorted(day for day in days if day is not None)
    return (None, *dates) if None in days else tuple(dates)


def oldest_answer(config: Mapping[str, Any]) -> datetime | None:
    """Return when the oldest of a run's answers was given; None if it is unknown or nothing was asked."""
    listed = config.get(ASKED)
    moments = [moment_of(text) for text in listed] if isinstance(listed, list) else []
    local_moments = [moment.astimezone() for moment in moments if moment is not None]
    return min(local_moments) if local_moments and len(local_moments) == len(moments) else None


def asked_part(config: Mapping[str, Any]) -> str | None:
    """Return the signature part for the day of the answers, or for the first and last day if there are several."""
    days = days_of(config)
    if not days:
        return None
    ends = dict.fromkeys("unknown" if day is None else day.isoformat() for day in (days[0], days[-1]))
    return f"asked:{'..'.join(ends)}"


def in_words(days: Sequence[date | None]) -> str:
    """Format days for use in a sentence: 14 November 2026; 14 to 16 November 2026; unknown date."""
    first, last = (days[0], days[-1]) if days else (None, None)
    if last is None:
        return "unknown date"
    if first is None:
        return f"unknown date to {_day(last)}"
    if first == last:
        return _day(last)
    if first.year != last.year:
        return f"{_day(first)} to {_day(last)}"
    month = "" if first.month == last.month else f" {_MONTHS[first.month - 1]}"
    return f"{first.day}{month} to {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def when_given(config: Mapping[str, Any]) -> str:
    """Return a sentence on when the answers were given, without the full stop."""
    days = days_of(config)
    if not days or days[-1] is None:
        return "The run does not record when its answers were given"
    if days[0] is None:
        return f"The latest of these answers are from {_day(days[-1])}, the others from an earlier, unknown date"
    if len(days) == 1:
        return f"These answers were given on {_day(days[0])}"
    return f"These answers were given from {in_words(days)}"


def how_to_ask_again(config: Mapping[str, Any]) -> str:
    """Return a sentence with the complete command for asking again, for users who have not just entered it.

    Empty for a run from a log and for one that `compare` made from a file: asking again would give the same answers.
    """
    command = str(config["command"])
    if "imported" in config or command.startswith("genderscope compare "):
        return ""
    added = "fresh=True" if command.startswith("genderscope.evaluate(") else "--fresh"
    return f"To ask again, add {added} to: {command}"


def age_of(config: Mapping[str, Any], reused: bool, again: str = "") -> str | None:
    """Return a sentence on when a run's answers were given and whether they are reused; None if all are new."""
    if reused:
        return f"{when_given(config)}; nothing was asked this time.{' ' * bool(again)}{again}"
    asked_now = ASKED not in config or set(days_of(config)) <= {clock.now().date()}
    return None if asked_now else f"{when_given(config)}."
