"""Dates of a run's answers, as stored in run.json, worded in messages and included in the signature."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from genderscope.util import clock

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
