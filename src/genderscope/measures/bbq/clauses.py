"""Clauses of an answer, and whether they repeat the question."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from genderscope.measures.bbq.reply_words import ANY, ECHO, GAP, LETTERS, NOTHING_TELLS, pattern, words

_SENTENCE = re.compile(rf"(?<=[.!?;…])\s+|\n+|\s[–—-]\s|:\s+(?=[{LETTERS}]\W*$)", re.MULTILINE)
_MARKERS = ("so", "but", "because", "while")


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence from one marker to the next; `marker` is the category of the word it begins with."""

    text: str
    marker: str
    is_first: bool


def is_question(clause: Clause) -> bool:
    """Return whether a clause asks something, unless it is "who knows?"."""
    return clause.text.rstrip(" \"')*").endswith("?") and not re.fullmatch(rf"{GAP}*{NOTHING_TELLS}{GAP}*", clause.text)


def clauses_of(text: str, language: str) -> Iterator[Clause]:
    """Split a text into sentences, and these before words such as "so", "but", "because" and "while"."""
    marker = re.compile(
        "|".join(rf"(?P<{name}>(?<![\w']){words(language, name)}(?![\w']))" for name in _MARKERS), re.IGNORECASE
    )
    first = True
    for sentence in _sentences(text, language):
        start, kind = 0, ""
        for found in marker.finditer(sentence):
            if re.search(r"[\w\ue000-\ue007]", sentence[start : found.start()]):
                yield from _without_circumstance(sentence[start : found.start()], kind, start == 0, first)
                first = False
                start = found.start()
            kind = str(found.lastgroup) if start == found.start() or not kind else kind
        rest = sentence[start:]
        if re.search(r"[\w\ue000-\ue007]", rest):
            yield from _without_circumstance(rest, kind, start == 0, first)
            first = False


def _sentences(text: str, language: str) -> Iterator[str]:
    """Split a text into sentences, and these where another person becomes the subject: "Ann left, Ben stayed"."""
    joined = words(language, "join")
    subject = re.compile(rf"(?<=[\w{ECHO}]),? (?:{joined} )?(?={ANY} (?!{joined}\b)[\w={ECHO}])", re.IGNORECASE)
    relative = re.compile(rf"{ANY}, {words(language, 'relative')} [^,]*$", re.IGNORECASE)
    inserted = pattern(language, rf"(?<={ANY}), ", "insertion", ",")
    for sentence in _SENTENCE.split(inserted.sub("", text)):
        start = 0
        for found in subject.finditer(sentence):
            before = sentence[start : found.start()]
            if found[0].strip() and re.search(ANY, before) and not relative.search(before):
                yield sentence[start : found.start()]
                start = found.end()
        yield sentence[start:]


def _without_circumstance(text: str, kind: str, begins: bool, first: bool) -> Iterator[Clause]:
    """Split off the main clause after a reason or circumstance that begins a sentence."""
    if begins and kind in ("because", "while") and "," in text:
        aside, _, main = text.partition(",")
        yield Clause(aside, kind, first)
        yield Clause(main, "", False)
    else:
        yield Clause(text, kind, first)


class Echo:
    """Whether a clause repeats a question: the word after "who is" of a short one, or more than half of its words."""

    def __init__(self, question: str, language: str) -> None:
        stop = re.compile(words(language, "stop"), re.IGNORECASE)
        asks = pattern(language, "", "asks").search(question)
        predicate = _content(question[asks.end() :] if asks else "", stop)[:1]
        content = _content(question, stop)
        self._predicate = [_beginning(word) for word in predicate or content[:1]]
        self._words = [_beginning(word) for word in content]

    def is_in(self, text: str) -> bool:
        """Return whether a clause repeats the question."""
        repeated = sum(word.search(text) is not None for word in self._words)
        predicate = any(word.search(text) for word in self._predicate)
        return ECHO in text or 2 * repeated > len(self._words) or (predicate and len(self._words) <= 2)

    def touches(self, text: str) -> bool:
        """Return whether a clause has any word of the question."""
        return ECHO in text or any(word.search(text) for word in self._words)


def _content(question: str, stop: re.Pattern[str]) -> list[str]:
    return [word for word in re.findall(r"[\w'-]+", question) if len(word) > 2 and not stop.fullmatch(word)]


def _beginning(word: str) -> re.Pattern[str]:
    stem = word[: max(4, len(word) - 3)].rstrip("aeo") or word
    return re.compile(rf"\b{re.escape(stem)}", re.IGNORECASE)
