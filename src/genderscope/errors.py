"""What a user can mend: one sentence, no traceback."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """A mistake the user can mend; its message is the one sentence they read."""


class Terminated(BaseException):
    """The process was told to end (SIGTERM); no Exception, so that nothing on the way takes it for a failure."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ' Did you mean X?' for the known name nearest to `name`, or nothing when none is near."""
    near = get_close_matches(name, list(known), n=1)
    return f" Did you mean '{near[0]}'?" if near else ""


def unknown(what: str, name: str, known: Iterable[str]) -> UserError:
    """Build the error for a name that is not in a list of known ones."""
    names = sorted(known)
    return UserError(f"There is no {what} '{name}'; there is: {', '.join(names)}.{did_you_mean(name, names)}")
