"""The row of a translated version of a segment."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GenEvalRow:
    """A version of a segment in a target language, whether its gender is right, and the words that show it."""

    subset: str
    segment: int
    gender: str
    language: str
    #: identifier shared by the same English segment in all languages
    item: str
    source: str
    reference: str
    flipped: str
    translation: str | None
    #: right or wrong
    reading: str | None
    #: whether the translation contains words of both references
    mixed: bool
    right_words: str
    wrong_words: str
    unread: str | None
