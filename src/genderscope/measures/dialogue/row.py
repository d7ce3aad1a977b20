"""The row of an adjective in a translation."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)  # not frozen: four times as fast to create
class DialogueRow:
    """An adjective in a passage, its referent's known attributes ('none' if unknown), and the parsed gender."""

    source: int
    instance: int
    language: str
    text: str
    translation: str | None
    subset: str
    template: int
    determined: bool
    adjective: str
    kind: str
    sentiment: str
    adjective_stereotype: str
    referent: str
    speaker: str
    utterance: int
    negated: bool
    look_ahead: bool
    true_gender: str
    other_gender: str
    equality: str
    stereotype: str
    agreement: str
    adverb: str | None
    occupation: str | None
    repeated: bool
    word: str | None
    start: int | None
    end: int | None
    gender: str
    strategy: str | None
    how: str | None
    plural: bool
    noun: bool
    unread: str | None
