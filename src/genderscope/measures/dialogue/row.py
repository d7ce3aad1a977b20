"""The row of an adjective in a translation."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)  # frozen, a row of so many fields would take four times as long to make
class DialogueRow:
    """An adjective of a passage: whom it is about, what is known of them ('none' if nothing), and what was read."""

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
