"""The current time, read in one place only, so that a test can set it."""

from datetime import datetime


def now() -> datetime:
    """Return the time on this machine's clock, with its offset from UTC, in whole seconds."""
    return datetime.now().astimezone().replace(microsecond=0)
