"""Locates the tokens of a word in its sentence.

A word is never encoded in isolation: after `"...", ` a byte-level tokenizer yields " he", not "he". Instead, the whole
sentence is tokenized with each option in the blank, and character offsets show which tokens belong to the option.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from genderscope.core.questions import Choice, TokenLikelihood

#: token ids before a word, of the word, and after it
Part = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

#: symbols for a space in tokens
SPACES = " Ġ\u2581"

SHARES_TOKEN = "the word '{}' shares a token with its neighbour"
SPLITS_DIFFERENTLY = "the text around the blank is tokenized differently for each option"


@dataclass(frozen=True, slots=True)
class Located:
    """A question as token ids: the text before the blank, each option, and the text after it.

    `after` is None if tokenization after the blank depends on the option. `beside` is punctuation that shares a token
    with every option.
    """

    before: tuple[int, ...]
    options: tuple[tuple[int, ...], ...]
    after: tuple[int, ...] | None
    beside: str = ""

    def note(self, how: str | None) -> str | None:
        """Return a note on how the options were scored, or None if there is nothing to note."""
        held = f"each option shares a token with '{self.beside}'" if self.beside else None
        return "; ".join(filter(None, (how, held))) or None


def locate(
    question: Choice, encodings: Sequence[Any], unknown_id: int | None, sees_after: bool = False
) -> Located | str:
    """Locate each option of a question in its sentence; return the reason if that is impossible.

    As in the papers, models that see the text after the blank are scored on the tokens in which the sentences differ.
    These exclude a space token that all options share, and may include punctuation that shares a token with every
    option. A causal model also predicts the space before the word.
    """
    begin = len(question.before)
    parts = []
    beside = set()
    for option, encoding in zip(question.options, encodings, strict=True):
        split = _split(question, (begin, begin + len(option)), option, encoding, sees_after)
        if isinstance(split, str):
            return split
        part, outside = split
        if unknown_id is not None and unknown_id in part[1]:
            return f"the word '{option}' is unknown to the tokenizer"
        parts.append(part)
        beside.add(outside)
    if len(beside) > 1 or (any(beside) and not sees_after):
        return SHARES_TOKEN.format(question.options[0])
    located = merge_options(parts)
    return located if isinstance(located, str) else replace(located, beside=beside.pop())


def with_options(questions: Iterable[Choice]) -> list[str]:
    """Return the sentences of each question, one per option."""
    return [f"{q.before}{option}{q.after}" for q in questions for option in q.options]


def _split(
    question: Choice, span: tuple[int, int], word: str, encoding: Any, sees_after: bool
) -> tuple[Part, str] | str:
    """Return the token ids before, in and after the word, and punctuation in the same token, or why this fails."""
    begin, end = span
    token_range = _tokens_at(encoding, begin, end, word.isascii())
    if token_range is None:
        return f"the tokenizer returns no token for the word '{word}'"
    first, last = token_range
    start, stop = encoding.token_to_chars(first)[0], encoding.token_to_chars(last)[1]
    outside = question.before[start:].strip() + question.after[: max(0, stop - end)].strip()
    if not all(unicodedata.category(character)[0] in "PS" for character in outside):
        return SHARES_TOKEN.format(word)
    pieces = encoding.tokens
    if not sees_after:
        text = question.before + word
        first = with_space(first, begin, text, pieces, encoding.offsets, encoding.special_tokens_mask)
    elif first < last and is_space(pieces[first]):
        first += 1
    ids = encoding.ids
    return (tuple(ids[:first]), tuple(ids[first : last + 1]), tuple(ids[last + 1 :])), outside


def is_space(piece: str) -> bool:
    """Return whether a token is just a space, in any tokenizer's notation."""
    return piece == "<0x20>" or (piece != "" and not piece.strip(SPACES))


def with_space(
    first: int,
    begin: int,
    text: str,
    pieces: Sequence[str],
    offsets: Sequence[tuple[int, int]],
    special: Sequence[int] | Sequence[bool],
) -> int:
    """Return the index of the token where the word at `begin` starts, given its `first` token.

    If the token before `first` is just the space, the word starts there: tokenizers encode ` ignorant` as
    `Ġ|ignor|ant` or as `Ġignorant`. If `first` already includes the space, it is returned unchanged.
    """
    before = first - 1
    if before < 0 or special[before] or not is_space(pieces[before]):
        return first
    start, stop = offsets[before]
    adjacent = stop == begin and not text[start:stop].strip() and (begin == 0 or text[begin - 1].isspace())
    has_its_own = pieces[first][0] in SPACES and pieces[first][0] == pieces[before][0]
    return before if adjacent and not has_its_own else first


def _tokens_at(encoding: Any, begin: int, end: int, plain: bool) -> tuple[int, int] | None:
    """Return the first and last token of the characters from `begin` to `end`, or None if there are none."""
    if begin == end:
        return None
    if plain:  # an ASCII letter is never split, so only the ends need a lookup
        first, last = encoding.char_to_token(begin), encoding.char_to_token(end - 1)
        if first is not None and last is not None:
            return first, last
    return tokens_between(encoding.offsets, encoding.special_tokens_mask, begin, end)


def tokens_between(
    offsets: Sequence[tuple[int, int]], special: Sequence[int], begin: int, end: int
) -> tuple[int, int] | None:
    """Return the first and last token that overlap this span; None if there are none or they are not contiguous."""
    hits = [
        k for k, (start, stop) in enumerate(offsets) if not special[k] and start < stop and start < end and stop > begin
    ]
    return (hits[0], hits[-1]) if hits and hits[-1] - hits[0] + 1 == len(hits) else None


def length_in_common(sequences: Sequence[Sequence[Any]]) -> int:
    """Return the length of the longest common prefix."""
    together = enumerate(zip(*sequences, strict=False))
    return next((k for k, ids in together if len(set(ids)) > 1), min(map(len, sequences)))


def merge_options(parts: Sequence[Part]) -> Located | str:
    """Merge the tokenized sentences; the tokens from the first difference on belong to the options.

    Most sentences differ only in the option's tokens. A tokenizer may also encode the space before one option as a
    separate token but include it in another option; the space token then belongs to the option.
    """
    befores, words, afters = zip(*parts, strict=True)
    alike = all(before == befores[0] for before in befores)
    shared = len(befores[0]) if alike else length_in_common(befores)
    options = words if alike else tuple(b[shared:] + word for b, word in zip(befores, words, strict=True))
    if len(set(options)) < len(options):
        return "two options have the same tokens"
    return Located(befores[0][:shared], options, afters[0] if len(set(afters)) == 1 else None)


def positions_in_spans(
    question: TokenLikelihood, offsets: Sequence[tuple[int, int]], plain: Sequence[bool], pieces: Sequence[str]
) -> list[int] | str:
    """Return the token positions in a question's spans, including a space before a word, or why there are none."""
    positions = []
    for begin, end in question.spans:
        hits = [k for k, (a, b) in enumerate(offsets) if plain[k] and a < b and a < end and b > begin]
        if not hits:
            return f"the tokenizer returns no token for the word '{question.text[begin:end]}'"
        outside = question.text[offsets[hits[0]][0] : begin] + question.text[end : offsets[hits[-1]][1]]
        if outside.strip():
            return SHARES_TOKEN.format(question.text[begin:end])
        special = [not real for real in plain]
        positions += [with_space(hits[0], begin, question.text, pieces, offsets, special), *hits]
    return sorted(set(positions))
