"""Finds the tokens of a word where it stands in its sentence.

A word is never encoded by itself: after `"...", ` a byte-level tokenizer writes " he", not "he". So the whole sentence
is tokenized with each option in the blank, and character offsets say which tokens are the option's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.errors import UserError
from genderscope.questions import Choice, TokenLikelihood

#: the token ids before a word, of the word, and after it
Part = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

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


def locate(question: Choice, encodings: Sequence[Any], unknown_id: int | None) -> Located | str:
    """Locate the options of a question in its sentence with each of them; a string says why it cannot be read."""
    begin = len(question.before)
    parts = [
        _split(question, (begin, begin + len(option)), option, encoding, unknown_id)
        for option, encoding in zip(question.options, encodings, strict=True)
    ]
    reason = next((part for part in parts if isinstance(part, str)), None)
    return reason or merge_options([part for part in parts if not isinstance(part, str)])


def encode(tokenizer: Any, texts: Sequence[str]) -> list[Any]:
    """Encode texts as the tokenizer would, but leave out the lists that nobody asks for: they cost most of the time."""
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    encodings: list[Any] = backend.encode_batch(texts, add_special_tokens=True)
    return encodings


def _split(question: Choice, span: tuple[int, int], word: str, encoding: Any, unknown_id: int | None) -> Part | str:
    """Cut the token ids of one sentence into before, word and after, or say why that cannot be done."""
    begin, end = span
    found = _tokens_at(encoding, begin, end, word.isascii())
    if found is None:
        return f"the tokenizer leaves no token for the word '{word}'"
    first, last = found
    start, stop = encoding.token_to_chars(first)[0], encoding.token_to_chars(last)[1]
    if question.before[start:].strip() or question.after[: max(0, stop - end)].strip():
        return SHARES_TOKEN.format(word)
    ids = encoding.ids
    tokens = tuple(ids[first : last + 1])
    if unknown_id is not None and unknown_id in tokens:
        return f"the word '{word}' is unknown to the tokenizer"
    return tuple(ids[:first]), tokens, tuple(ids[last + 1 :])


def _tokens_at(encoding: Any, begin: int, end: int, plain: bool) -> tuple[int, int] | None:
    """Return the first and the last token of the characters from `begin` to `end`; None where there are none."""
    if plain:  # an ASCII letter is never several tokens, so the ends can be looked up
        first, last = encoding.char_to_token(begin), encoding.char_to_token(end - 1)
        if first is not None and last is not None:
            return first, last
    return tokens_between(encoding.offsets, encoding.special_tokens_mask, begin, end)


def tokens_between(
    offsets: Sequence[tuple[int, int]], special: Sequence[int], begin: int, end: int
) -> tuple[int, int] | None:
    """Return the first and the last token that touches the characters from `begin` to `end`, told by their offsets."""
    hits = [
        k for k, (start, stop) in enumerate(offsets) if not special[k] and start < stop and start < end and stop > begin
    ]
    return (hits[0], hits[-1]) if hits and hits[-1] - hits[0] + 1 == len(hits) else None


def _length_in_common(sequences: Sequence[tuple[int, ...]]) -> int:
    together = enumerate(zip(*sequences, strict=False))
    return next((k for k, ids in together if len(set(ids)) > 1), min(map(len, sequences)))


def merge_options(parts: Sequence[Part]) -> Located | str:
    """Put the options' sentences together: the tokens from where they begin to differ count to the options.

    Most sentences differ in the option's tokens only. A tokenizer may also write the space before one option as a token
    of its own and the other's as part of the word: then that token belongs to the option.
    """
    befores, words, afters = zip(*parts, strict=True)
    alike = all(before == befores[0] for before in befores)
    shared = len(befores[0]) if alike else _length_in_common(befores)
    options = words if alike else tuple(b[shared:] + word for b, word in zip(befores, words, strict=True))
    if len(set(options)) < len(options):
        return "two options are the same to the tokenizer"
    return Located(befores[0][:shared], options, afters[0] if len(set(afters)) == 1 else None)


def positions_in_spans(
    question: TokenLikelihood, offsets: Sequence[tuple[int, int]], plain: Sequence[bool]
) -> list[int] | str:
    """Return which tokens lie in the spans of a question, or why that cannot be told."""
    positions = []
    for begin, end in question.spans:
        hits = [k for k, (a, b) in enumerate(offsets) if plain[k] and a < b and a < end and b > begin]
        if not hits:
            return f"the tokenizer leaves no token for the word '{question.text[begin:end]}'"
        outside = question.text[offsets[hits[0]][0] : begin] + question.text[end : offsets[hits[-1]][1]]
        if outside.strip():
            return SHARES_TOKEN.format(question.text[begin:end])
        positions += hits
    return sorted(set(positions))
