"""Finds the tokens of a word where it stands in its sentence.

A word is never encoded by itself: after `"...", ` a byte-level tokenizer writes " he", not "he". So the whole sentence
is tokenized with each option in the blank, and character offsets say which tokens are the option's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.errors import UserError
from genderscope.questions import Choice

SHARES_TOKEN = "the word '{}' shares a token with its neighbour"
SPLITS_DIFFERENTLY = "the text around the blank is tokenized differently for each option"


@dataclass(frozen=True, slots=True)
class Located:
    """One question in token ids: what stands before the blank, each option, what stands after it.

    `after` is None when the options change how the text after the blank is tokenized.
    """

    before: tuple[int, ...]
    options: tuple[tuple[int, ...], ...]
    after: tuple[int, ...] | None


def require_fast(tokenizer: Any, name: str) -> None:
    """Refuse a tokenizer that cannot tell which characters a token covers."""
    if not getattr(tokenizer, "is_fast", False):
        raise UserError(
            f"The tokenizer of '{name}' is a slow one ({type(tokenizer).__name__}) that gives no character offsets; "
            "use a model that has a fast tokenizer (tokenizer.json)."
        )


def locate(tokenizer: Any, questions: Sequence[Choice]) -> list[Located | str]:
    """Locate the options of every question; a string in place of a result is the reason why it cannot be read."""
    texts = [q.before + option + q.after for q in questions for option in q.options]
    if not texts:
        return []
    encoded = tokenizer(texts, return_offsets_mapping=True, return_special_tokens_mask=True)
    found: list[Located | str] = []
    row = 0
    for question in questions:
        parts: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = []
        reason = None
        for option in question.options:
            part = _split(
                texts[row],
                (len(question.before), len(question.before) + len(option)),
                encoded["input_ids"][row],
                encoded["offset_mapping"][row],
                encoded["special_tokens_mask"][row],
                tokenizer.unk_token_id,
            )
            row += 1
            if isinstance(part, str):
                reason = reason or part
            else:
                parts.append(part)
        found.append(reason or _merge(parts))
    return found


def _split(
    text: str,
    span: tuple[int, int],
    ids: Sequence[int],
    offsets: Sequence[tuple[int, int]],
    special: Sequence[int],
    unknown_id: int | None,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] | str:
    """Cut the token ids of one sentence into before, word and after, or say why that cannot be done."""
    begin, end = span
    word = text[begin:end]
    hits = [
        k for k, (start, stop) in enumerate(offsets) if not special[k] and start < stop and start < end and stop > begin
    ]
    if not hits or hits[-1] - hits[0] + 1 != len(hits):
        return f"the tokenizer leaves no token for the word '{word}'"
    first, last = hits[0], hits[-1]
    if text[offsets[first][0] : begin].strip() or text[end : offsets[last][1]].strip():
        return SHARES_TOKEN.format(word)
    tokens = tuple(ids[first : last + 1])
    if unknown_id is not None and unknown_id in tokens:
        return f"the word '{word}' is unknown to the tokenizer"
    return tuple(ids[:first]), tokens, tuple(ids[last + 1 :])


def _merge(parts: Sequence[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]) -> Located | str:
    """Put the options' sentences together: the tokens from where they begin to differ count to the options.

    Most sentences differ in the option's tokens only. A tokenizer may also write the space before one option as a token
    of its own and the other's as part of the word: then that token belongs to the option.
    """
    befores, words, afters = zip(*parts, strict=True)
    shared = next((k for k, ids in enumerate(zip(*befores, strict=False)) if len(set(ids)) > 1), min(map(len, befores)))
    options = tuple(before[shared:] + word for before, word in zip(befores, words, strict=True))
    if len(set(options)) < len(options):
        return "two options are the same to the tokenizer"
    return Located(befores[0][:shared], options, afters[0] if len(set(afters)) == 1 else None)
