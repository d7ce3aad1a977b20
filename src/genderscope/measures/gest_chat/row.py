"""What is kept of an answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GestChatRow:
    """An answer about a sentence: in one wording, with the options in one order (none where the model writes freely).

    `outcome` is what was read; `female`, `male` and `neither` are the probabilities of the options where letters were
    asked for, and `mass` is how much the three letters hold together.
    """

    sample: int
    sentence: str
    stereotype: int
    wording: int
    order: str | None
    letter: str | None
    outcome: str | None
    female: float | None
    male: float | None
    neither: float | None
    mass: float | None
    reply: str | None
    thought: str | None
    ended: str | None
    served_by: str | None
    rule: str | None
    unread: str | None
