"""Scores a word with a masked model as StereoSet's authors do: piece by piece, given the pieces before it.

The word is encoded alone. For its k-th token the text has the first k - 1, a mask, and then the text after the word:
the model does not see the word's remaining tokens. Elsewhere words are located in their text; this is only for
reproducing published numbers.
"""

from typing import Any

from genderscope.questions import TokenLikelihood


def pieces(tokenizer: Any, question: TokenLikelihood) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]] | str:
    """Return the word's own tokens and for each the text with its mask; a string is the reason why there are none.

    If the word occurs several times, all occurrences are masked alike, and the first is scored.
    """
    begin, end = question.spans[0]
    word = question.text[begin:end]
    own = tuple(tokenizer.encode(word, add_special_tokens=False))
    if not own:
        return f"the tokenizer returns no token for the word '{word}'"
    texts = [_with(question, tokenizer.decode(list(own[:k])) + tokenizer.mask_token) for k in range(len(own))]
    return own, tuple(map(tuple, tokenizer(texts)["input_ids"]))


def _with(question: TokenLikelihood, filler: str) -> str:
    text = question.text
    for begin, end in sorted(question.spans, reverse=True):
        text = text[:begin] + filler + text[end:]
    return text
