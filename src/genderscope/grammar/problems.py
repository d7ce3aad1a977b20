"""The mistakes a user of this room can make, each told in one sentence."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UnknownLanguage(ValueError):  # noqa: N818 - it names the mistake, as the rest of the package does
    """The language asked for is none whose first-person gender can be read."""

    def __init__(self, language: object, languages: Iterable[str]) -> None:
        known = sorted(languages)
        close = difflib.get_close_matches(str(language).lower(), known, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else "use one of these codes."
        super().__init__(f"No grammar for language {language!r} (there is {', '.join(known)}): {hint}")


class MissingDictionary(RuntimeError):  # noqa: N818 - as above
    """A dictionary package that a language's grammar reads is not installed."""

    def __init__(self, package: str, language: str) -> None:
        super().__init__(
            f"Reading gender in {language!r} needs the package {package}: pip install 'genderscope[grammar]'."
        )
