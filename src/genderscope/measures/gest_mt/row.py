"""The row of a translation."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GestMtRow:
    """A sentence in a target language, with the speaker's gender and the words that show it (as JSON)."""

    sample: int
    sentence: str
    stereotype: int
    family: bool
    language: str
    translation: str | None
    gender: str | None
    evidence: str | None
    unread: str | None
