"""Asks a masked model for a word as StereoSet's authors do: piece by piece, each with the pieces before it written out.

The word is encoded alone. For its k-th token the text holds the first k - 1, a mask, and then what follows the word:
the model sees nothing of the tokens that are still to come. Elsewhere words are located in their text; this is only
for numbers that are to equal published ones.
"""

from typing import Any

from genderscope.questions import TokenLikelihood


def pieces(tokenizer: Any, question: TokenLikelihood) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]] | str:
    """Return the word's own tokens and for each the text with its mask; a string is the reason why there are none.

    Where the word stands in several places all of them are masked alike, and the first is what is read.
    """
    begin, end = question.spans[0]
    word = question.text[begin:end]
    own = tuple(tokenizer.encode(word, add_special_tokens=False))
    if not own:
        return f"the tokenizer leaves no token for the word '{word}'"
    texts = [_with(question, tokenizer.decode(list(own[:k])) + tokenizer.mask_token) for k in range(len(own))]
    return own, tuple(map(tuple, tokenizer(texts)["input_ids"]))


def _with(question: TokenLikelihood, filler: str) -> str:
    text = question.text
    for begin, end in sorted(question.spans, reverse=True):
        text = text[:begin] + filler + text[end:]
    return text
