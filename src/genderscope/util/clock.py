"""The current time, in a single place, so that tests can replace it."""

from datetime import datetime


def now() -> datetime:
    """Return the local time with its UTC offset, truncated to seconds."""
    return datetime.now().astimezone().replace(microsecond=0)
