"""What an answer can come to, and how it was read."""

from dataclasses import dataclass

FEMALE, MALE, NEITHER, REFUSED, UNREADABLE = "female", "male", "neither", "refused", "unreadable"
OPTIONS = (FEMALE, MALE, NEITHER)


@dataclass(frozen=True, slots=True)
class Read:
    """A parsed choice, the letter it is based on, and the rule (or the reason, if unreadable)."""

    outcome: str
    letter: str | None
    rule: str
