"""Exit codes, which are the same in every command (docs: A gate in CI)."""

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended."""

    PASSED = 0
    #: a mistake in the command, in a recipe or in a file
    USAGE_ERROR = 2
    LIMIT_EXCEEDED = 3
    #: a value is missing or not meaningful, or the answers are too old
    NOT_JUDGED = 4
    #: a server is unreachable or served another model, or a limit on requests or costs was reached
    INFRASTRUCTURE = 5


EXIT_CODES = (
    "Exit codes: 0 passed, 2 usage error, 3 a limit is exceeded, 4 cannot be judged, 5 the infrastructure failed."
)
#: if several codes apply, the first of these counts: an attempt may succeed later, and a finding outweighs a gap
_PRECEDENCE = (ExitCode.INFRASTRUCTURE, ExitCode.LIMIT_EXCEEDED, ExitCode.NOT_JUDGED, ExitCode.USAGE_ERROR)


def decisive(codes: Iterable[int]) -> ExitCode:
    """Return the code to exit with if all of these apply; PASSED if there are none."""
    given = set(codes)
    return next((code for code in _PRECEDENCE if code in given), ExitCode.PASSED)
