"""Segmentation of a text into words, clauses, clause parts and quoted speech."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from genderscope.grammar import traits as t
from genderscope.util.text_normalization import normalized

# Combining marks are part of the word: Russian stress marks, and decomposed accented letters.
WORD = re.compile(r"[^\W\d_][^\W\d_\u0300-\u036f]*[\u0300-\u036f]*(?:['’ʼ`-]?[^\W\d_]+[\u0300-\u036f]*)*|\d+|[^\w\s]")
# Splits clitic pronouns and articles from their host: j'|ai, l'|unica, sinto|me, m|am.
LEANING = re.compile(
    r"[^\W\d_][^\W\d_\u0300-\u036f]*(?:[\u0300-\u036f]+[^\W\d_]*)*(?:['’ʼ`](?=[^\W\d_]))?"
    r"|\d+|(?!(?<=[^\W\d_])[-‑](?=[^\W\d_]))[^\w\s]"
)
_SURE = t.FIRST_PERSON & ~(t.FEELING | t.REGARD)
_QUOTES = frozenset('"“”„‟«»‹›')
_MARKS = re.compile("[\u0300-\u036f]")
_APOSTROPHES = str.maketrans("’ʼ`", "'''")


class Token(NamedTuple):
    """Word or punctuation mark; ``key`` is the lookup form, ``word`` the surface form."""

    word: str
    start: int
    end: int
    key: str
    traits: int


class TokenList(list[Token]):
    """List of tokens; ``followers`` caches the results of predicates.py."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        super().__init__(tokens)
        self.followers: dict[int, list[int | None]] = {}


class ClauseRange(NamedTuple):
    """Half-open token ranges of a clause and of its parts between coordinating conjunctions."""

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]


def lookup_key(word: str) -> str:
    """Return a word's dictionary lookup form: lower case, NFC, without stress marks."""
    key = word.lower()
    if not key.isascii():
        key = _MARKS.sub("", normalized("NFC", key)).translate(_APOSTROPHES)
    return key


def tokenize(text: str, look_up: Callable[[str], tuple[str, int]], pattern: re.Pattern[str] = WORD) -> list[Token]:
    """Split a text into words and punctuation marks with their traits; numbers have no traits."""
    tokens = []
    for match in pattern.finditer(text):
        word = match.group()
        if word[0].isalpha():
            key, traits = look_up(word)
        else:
            key, traits = word, 0 if word[0].isdigit() else t.PUNCTUATION
        # Equivalent to _make() but faster: creating tokens dominates the run time.
        tokens.append(tuple.__new__(Token, (word, match.start(), match.end(), key, traits)))
    return tokens


def clauses(tokens: list[Token]) -> Iterator[ClauseRange]:
    """Split tokens into clauses at punctuation and before clause-opening words."""
    start = 0
    for index, token in enumerate(tokens):
        if token.traits & t.PUNCTUATION:
            if token.word not in _QUOTES:
                yield from _clause(tokens, start, index)
                start = index + 1
        elif token.traits & t.OPENER and index > start:
            yield from _clause(tokens, start, index)
            start = index
    yield from _clause(tokens, start, len(tokens))


def _clause(tokens: list[Token], start: int, end: int) -> Iterator[ClauseRange]:
    if start >= end:
        return
    parts, part_start = [], start
    for index in range(start, end):
        if tokens[index].traits & t.COORDINATOR:
            if index > part_start:
                parts.append((part_start, index))
            part_start = index + 1
    if end > part_start:
        parts.append((part_start, end))
    yield ClauseRange(start, end, tuple(parts))


def own_speech(tokens: list[Token]) -> list[TokenList]:
    """Return the parts of a text that are the speaker's own words, without first-person quotations of others.

    A quotation counts as speech if it contains a first-person word. It is the speaker's own if no text surrounds it,
    or if the surrounding text is also in the first person ("…," I said). Other quotation marks are ignored.
    """
    marks = [index for index, token in enumerate(tokens) if token.word in _QUOTES]
    if len(marks) < 2:
        return [TokenList(tokens)]
    spans = [(a, b) for a, b in zip(marks[::2], marks[1::2], strict=False)]
    speech = [(a, b) for a, b in spans if any(map(_first_person, tokens[a:b]))]
    if not speech:
        return [TokenList(tokens)]
    others = {(a, b) for a, b in speech if _is_said_by_others(tokens, a)}
    around, last = [], 0
    for a, b in speech:
        around.append(TokenList(tokens[last:a]))
        last = b + 1
    around.append(TokenList(tokens[last:]))
    outside = [token for piece in around for token in piece if not token.traits & t.PUNCTUATION]
    if not outside or any(map(_first_person, outside)):
        return [*around, *(TokenList(tokens[a + 1 : b]) for a, b in speech if (a, b) not in others)]
    return around


def _is_said_by_others(tokens: list[Token], quote: int) -> bool:
    """Return whether a quotation is attributed to another speaker by a pronoun and a colon: He said: "…"."""
    if not quote or tokens[quote - 1].word != ":":
        return False
    before = tokens[max(0, quote - 8) : quote - 1]
    ends = [index for index, token in enumerate(before) if token.word in ".!?"]
    sentence = before[ends[-1] + 1 if ends else 0 :]
    return any(token.traits & t.OTHER_PERSON for token in sentence) and not any(map(_first_person, sentence))


def _first_person(token: Token) -> bool:
    traits = token.traits
    if not traits & _SURE and traits & (t.FINITE | t.INFINITIVE | t.ADJECTIVE):
        return False  # a verb of feeling, but in another person
    return bool(traits & t.FIRST_PERSON) and not traits & t.EITHER
