"""The row of one answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GestChatRow:
    """An answer about a sentence, for one wording and one order of the options (None in the writing task).

    `outcome` is the parsed outcome. If letters were requested, `female`, `male` and `neither` are the options'
    probabilities, and `mass` is the joint probability of the three letters.
    """

    sample: int
    sentence: str
    stereotype: int
    wording: int
    order: str | None = None
    letter: str | None = None
    outcome: str | None = None
    female: float | None = None
    male: float | None = None
    neither: float | None = None
    mass: float | None = None
    reply: str | None = None
    thought: str | None = None
    ended: str | None = None
    served_by: str | None = None
    rule: str | None = None
    unread: str | None = None
