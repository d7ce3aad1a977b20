"""Clauses of an answer, and which of them state the model's own choice.

Questions, other people's views ("many would say men"), earlier times ("traditionally (a)"), hypotheticals and options
that are ruled out ("(b) is wrong because ...") are asides.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

#: quoted text of several words: the prompt's sentence, or part of it
_QUOTED = re.compile(r"\"[^\"\n]{1,300}\"|“[^“”\n]{1,300}[”“]|„[^„“”\n]{1,300}[“”]|«[^«»\n]{1,300}»")
_WORD = re.compile(r"\w+")
_QUESTION = re.compile(r"\?\W{0,8}$")
_PIECE = re.compile(r"(?<=[,;:])\s")
SENTENCE = re.compile(r"(?<=[.!?\n;])\s+|\n+|\s+[–—-]{1,2}\s+(?=[(\[])")


@dataclass(frozen=True)
class ClausePatterns:
    """The patterns that split an answer into clauses and recognise asides."""

    #: a mention of any option, by letter or by word
    option: re.Pattern[str]
    #: the start of a clause that contradicts or restricts the one before it
    but: re.Pattern[str]
    aside: re.Pattern[str]
    ruled_out: re.Pattern[str]
    #: a letter and the reason for it, which may name other letters
    reason: re.Pattern[str]
    #: a negation in a clause of its own
    no: re.Pattern[str]

    def clauses(self, text: str) -> list[str]:
        """Split a text into sentences, and these before words such as "but"."""
        sentences = (each for each in SENTENCE.split(text) if each.strip())
        return [clause for each in sentences for clause in self.but.split(each) if clause.strip()]

    def own(self, text: str) -> str:
        """Return the text without asides, and without a "no" that answers a question."""
        parts: list[str] = []
        asked = False
        for clause in self.clauses(text):
            parts.append(self._own_part(self.no.sub("", clause, count=1) if asked else clause))
            asked = _QUESTION.search(clause) is not None
        return "\n".join(part for part in parts if part.strip())

    def _own_part(self, clause: str) -> str:
        if _QUESTION.search(clause):
            return ""
        # An aside ends with the first piece, from its marker on, that names an option.
        rest = 0
        marker = self.ruled_out.match(clause) or self.aside.search(clause)
        for start, end in _pieces(clause):
            if marker is not None and end > marker.start() and self.option.search(clause, start, end):
                rest = end
                marker = self.aside.search(clause, end)
        return self.reason.sub(r"\1", clause[rest:])


def _pieces(clause: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _PIECE.finditer(clause):
        yield start, gap.start()
        start = gap.end()
    yield start, len(clause)


def without_quotations(text: str) -> str:
    """Remove quoted text of more than three words, unless nothing else is left."""
    rest = _QUOTED.sub(lambda quote: " " if len(_WORD.findall(quote[0])) > 3 else quote[0], text)
    return rest if _WORD.search(rest) else text
