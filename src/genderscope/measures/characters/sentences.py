"""Tokenisation of a text into sentences and words, marking quotes, capitals and genitives."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_PIECES = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\.\.\.|[.!?\n,;:—–()/\"“”]")
_BREAKS = frozenset({".", "!", "?", "\n", "..."})
_ABBREVIATED = frozenset({"mr", "mrs", "ms", "dr", "st", "jr", "hr", "dhr", "mw", "sr", "sra", "mme", "mlle"})
_SHORTENED = re.compile(r"['’](?:s|d|ll|re|ve|m)$")
_GENITIVE = re.compile(r"(?:['’]s|s['’])$")
#: elided words in French, Italian and Catalan, written without a space before the next word
_JOINED = re.compile(r"\b([a-zA-Z]{1,5}['’])(?=[^\W\d_]{2})")
#: Maltese articles, joined to the noun with a hyphen
_ARTICLE = re.compile(r"\b([^\W\d_]{1,5})-(?=[^\W\d_])")
_GERMAN, _POINTED, _INVERTED = re.compile("„([^“”„]*)[“”]"), re.compile("«([^«»]*)»"), re.compile("»([^«»]*)«")


@dataclass
class TaggedSentence:
    """A sentence: lower-cased words and punctuation, with flags for capitalised, quoted and genitive words."""

    words: list[str] = field(default_factory=list)
    capital: list[bool] = field(default_factory=list)
    quoted: list[bool] = field(default_factory=list)
    genitive: list[bool] = field(default_factory=list)

    def before(self, k: int, count: int) -> list[str]:
        """Return up to `count` words before position k, in text order."""
        return self.words[max(0, k - count) : k]


def sentences_of(text: str, language: str) -> Iterator[TaggedSentence]:
    """Yield the sentences of a text."""
    for quotation in (_GERMAN, _POINTED, _INVERTED):
        text = quotation.sub(r"“\1”", text)
    if language in ("fr", "it", "ca"):
        text = _JOINED.sub(r"\1 ", text)
    elif language == "mt":
        text = _ARTICLE.sub(r"\1 ", text)
    text = text.replace(" - ", " – ")
    sentence = TaggedSentence()
    inside = False
    for piece in _PIECES.findall(text):
        if piece in '"“”':
            inside = piece != "”" and not (inside and piece == '"')
        elif piece in _BREAKS:
            if sentence.words and not (piece == "." and sentence.words[-1] in _ABBREVIATED):
                yield sentence
                sentence = TaggedSentence()
            inside = inside and piece != "\n"
        else:
            word = _SHORTENED.sub("", piece)
            sentence.words.append(word.lower())
            sentence.capital.append(word[:1].isupper())
            sentence.quoted.append(inside)
            sentence.genitive.append(_GENITIVE.search(piece) is not None)
    if sentence.words:
        yield sentence
