"""What is kept of a translation."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GestMtRow:
    """A sentence in a target language: which gender the speaker has there, and by which words (as JSON)."""

    sample: int
    sentence: str
    stereotype: int
    family: bool
    language: str
    translation: str | None
    gender: str | None
    evidence: str | None
    unread: str | None
