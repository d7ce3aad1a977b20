"""Piecewise word scores with masked models, as in StereoSet: each piece is scored given the preceding pieces.

The word is encoded in isolation. The input for its k-th token contains the first k - 1 tokens, a mask, and the text
after the word: the model does not see the remaining tokens. Elsewhere, words are located in their text; this only
serves to reproduce published numbers.
"""

from typing import Any

from genderscope.core.questions import TokenLikelihood


def pieces(tokenizer: Any, question: TokenLikelihood) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]] | str:
    """Return the word's own tokens and the masked text for each, or the reason why there are none.

    If the word occurs several times, all occurrences are masked in the same way and the first is scored.
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
