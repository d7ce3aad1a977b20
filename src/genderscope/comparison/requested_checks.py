"""The checks of a whole run that a user can ask for."""

import re
from dataclasses import dataclass
from datetime import timedelta

from genderscope.core.errors import UserError, require_known

#: purposes with ready-made conditions
PURPOSES = ("release",)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_age(text: str) -> timedelta:
    """Parse an age such as 12h, 7d or 2w."""
    match = re.fullmatch(r"\s*(\d{1,5})\s*([hdw])\s*", text)
    if match is None or int(match[1]) == 0:
        raise UserError(f"The maximum age is '{text}'; write a number of hours, days or weeks, such as 12h, 7d or 2w.")
    return int(match[1]) * _UNITS[match[2]]


@dataclass(frozen=True)
class RunChecks:
    """The checks of a whole run that the user asked for."""

    purpose: str | None = None
    max_age: timedelta | None = None
    require_fresh: bool = False
    require_model: bool = False

    @classmethod
    def of(
        cls, purpose: str | None, max_age: str | None, require_fresh: bool = False, require_model: bool = False
    ) -> "RunChecks":
        """Parse and check the user's choices."""
        if purpose is not None:
            require_known("purpose", purpose, PURPOSES)
        return cls(purpose, None if max_age is None else parse_age(max_age), require_fresh, require_model)

    def overridden(self, other: "RunChecks") -> "RunChecks":
        """Return the checks with those of `other` added, whose age replaces this one."""
        return RunChecks(
            other.purpose or self.purpose,
            other.max_age or self.max_age,
            other.require_fresh or self.require_fresh,
            other.require_model or self.require_model,
        )

    def __bool__(self) -> bool:
        return self != RunChecks()
