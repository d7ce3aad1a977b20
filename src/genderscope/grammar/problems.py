"""Errors of the grammar package that the user can fix."""

from collections.abc import Iterable

from genderscope.core.errors import UserError
from genderscope.core.languages import suggested_language


class UnknownLanguage(UserError, ValueError):  # noqa: N818 - named after the mistake
    """Raised for a language in which the gender of the speaker, or of another person, cannot be read."""

    def __init__(self, language: object, languages: Iterable[str], whose: str = "the speaker's") -> None:
        codes = sorted(languages)
        hint = suggested_language(str(language), codes)
        listed = ", ".join(codes)
        super().__init__(f"Unknown language '{language}'; {whose} gender can be read in: {listed}.{hint}")


class MissingDictionary(UserError, RuntimeError):  # noqa: N818 - as above
    """Raised if a dictionary package required by a language is not installed."""

    def __init__(self, package: str, language: str) -> None:
        super().__init__(
            f"Reading gender in {language!r} needs the package {package}: pip install 'genderscope[grammar]'."
        )
