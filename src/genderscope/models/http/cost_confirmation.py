"""User confirmation before paid requests."""

import sys

from genderscope.core.errors import UserError


def confirm_cost(sentence: str, yes: bool) -> None:
    """Print the request summary; without `yes`, ask for confirmation on a terminal and raise elsewhere."""
    if not yes and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(f"{sentence} Give --yes to proceed.")
    print(sentence, file=sys.stderr)
    if yes:
        return
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise UserError("Nothing was sent.")
