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
