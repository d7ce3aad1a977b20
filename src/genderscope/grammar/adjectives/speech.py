"""Extraction and tokenization of direct speech in a translated passage."""

import html
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
_DOUBLE_QUOTE = re.compile(r"[\"„“”«»‟]|''|``")
_SINGLE_QUOTE = re.compile(r"[‘’‚‹›']")
_DASH = re.compile(r"[—–―]|(?:(?<=\s)|^)--?(?=\s?\w)")
# A word keeps its hyphens, and words with a slash between them are one: cansado/agotado.
_TOKEN = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*(?:\s?/\s?[^\W\d_]+)*|[.,;:!?…—–(]")
_OPENS_AFTER = " \t\u00a0\n([—–-―"
_CLOSES_BEFORE = " \t\u00a0\n.,;:!?)]—–-―…"


class PassageToken(NamedTuple):
    """Lower-cased word or punctuation mark, with its position in the passage."""

    word: str
    start: int
    end: int


@dataclass(frozen=True)
class Passage:
    """Translation with HTML entities replaced; `offsets` maps it to the original text and is None if they are equal."""

    text: str
    offsets: list[int] | None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return a span's offsets in the original text."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end]

    @cached_property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @cached_property
    def behind_a_word(self) -> dict[str, PassageToken]:
        """The first occurrence of each word, ignoring the first word of the passage."""
        return {token.word: token for token in reversed(self._words[1:])}

    @cached_property
    def left_in_english(self) -> dict[str, PassageToken]:
        """The first occurrence of each word that follows an English "I'm" or "you are"."""
        after = [token for before, token in pairwise(self._words) if before.word in _ENGLISH_COPULAS]
        return {token.word: token for token in reversed(after)}

    @cached_property
    def _words(self) -> list[PassageToken]:
        return tokens(self.text, 0, len(self.text))


_ENGLISH_COPULAS = frozenset({"i'm", "i’m", "you're", "you’re", "am", "are", "not"})


def unescape(text: str) -> Passage:
    """Replace HTML entities, recording the original offset of each character."""
    if "&" not in text:
        return Passage(text, None)
    pieces: list[str] = []
    offsets: list[int] = []
    position = 0
    for match in _ENTITY.finditer(text):
        plain = html.unescape(match.group())
        pieces += (text[position : match.start()], plain)
        offsets.extend(range(position, match.start()))
        offsets.extend([match.start()] * len(plain))
        position = match.end()
    pieces.append(text[position:])
    offsets.extend(range(position, len(text) + 1))
    return Passage("".join(pieces), offsets)


def spoken_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans marked as speech by quotation marks or dashes."""
    spans = _quoted(text, _DOUBLE_QUOTE) or _quoted(text, _SINGLE_QUOTE)
    if "—" not in text and "–" not in text and "―" not in text and spans:
        return spans
    return _with_dashes(text, spans)


def _quoted(text: str, mark: re.Pattern[str]) -> list[tuple[int, int]]:
    """Return the spans between quotation marks; adjacent characters show whether a mark opens or closes a quotation."""
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    resume = 0
    for match in mark.finditer(text):
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        could_open = not before or before in _OPENS_AFTER
        could_close = not after or after in _CLOSES_BEFORE
        if match.group() in "'’‘" and not could_open and not could_close:
            continue  # an apostrophe inside a word
        closes = could_close if could_open != could_close else opened is not None
        if not closes:
            if opened is not None:
                spans.append((opened, match.start()))
            opened = match.end()
        elif opened is not None:
            spans.append((opened, match.start()))
            opened = None
        elif match.group() not in "'’‘":
            spans.append((resume, match.start()))
        resume = match.end()
    if opened is not None:
        spans.append((opened, len(text)))
    return [span for span in spans if span[0] < span[1]]


def _with_dashes(text: str, quoted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Add the spans after dialogue dashes to the quoted spans."""
    spans: list[tuple[int, int]] = []
    position = 0
    for start, end in [*quoted, (len(text), len(text))]:
        dashes = [match.end() for match in _DASH.finditer(text, position, start)]
        spans.extend((begin, stop) for begin, stop in zip(dashes, [*dashes[1:], start], strict=False) if begin < stop)
        if start < end:
            spans.append((start, end))
        position = end
    return spans


def tokens(text: str, start: int, end: int) -> list[PassageToken]:
    """Return the words and punctuation marks of a span."""
    # Equivalent to PassageToken() but faster: creating tokens takes much of the run time.
    return [
        tuple.__new__(PassageToken, (match[0].lower(), match.start(), match.end()))
        for match in _TOKEN.finditer(text, start, end)
    ]
