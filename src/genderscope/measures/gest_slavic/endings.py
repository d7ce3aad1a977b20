"""Choices between two forms of a word, and selection of the choice in which each form is a single token."""

import math
from collections.abc import Iterable, Sequence

from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.samples.gender_pairs import WordDifference

NO_TOKEN_PAIR = "the forms differ in more than one token"


def one_token(answers: Sequence[ChoiceAnswer], multi_token: bool = False, hint: str = "") -> ChoiceAnswer:
    """Return the answer in which each form is one token; otherwise that for the whole words, or an unread answer."""
    for answer in answers:
        if answer.scores is not None and all(len(tokens) == 1 for tokens in answer.tokens):
            return answer
    whole = answers[0]
    if multi_token or whole.scores is None:
        return whole
    return ChoiceAnswer(None, tokens=whole.tokens, unread=f"{NO_TOKEN_PAIR}{hint}")


def log_probability(answer: ChoiceAnswer) -> float | None:
    """Return the log of the options' mean probability, or None if their probability mass is unknown."""
    return None if not answer.mass or answer.scores is None else math.log(answer.mass / len(answer.scores))


def endings(difference: WordDifference, want_mass: bool = False) -> Iterable[Choice]:
    """Yield the choice between the whole words, then between their endings after each shared prefix."""
    shared = next(
        (k for k, (a, b) in enumerate(zip(difference.one, difference.other, strict=False)) if a != b),
        min(len(difference.one), len(difference.other)) - 1,
    )
    for k in range(shared + 1):
        yield Choice(
            difference.before + difference.one[:k],
            difference.after,
            (difference.one[k:], difference.other[k:]),
            want_mass,
        )
