"""The gender with which a translation names each person of a sentence, and whether it offers alternatives.

A system may offer alternatives inline, `[[El doctor/La doctora]] llegó.`, or as whole translations, separated by a tab
or `|||`. The person has alternatives if one of them is masculine and another feminine.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from genderscope.grammar.both_forms import alternatives
from genderscope.grammar.person import GenderMark, PersonReading, read_person, read_person_file, singular
from genderscope.samples.gate import GatePerson, GateSentence

#: how a translation avoids the choice of a gender, by rule of the person reader
SAME_FORM, OFFERED = "same form", "offered"
HOW = {"neutral noun": "rewording", "both forms": "both forms", "noun for both genders": SAME_FORM}
#: rules of the person reader that mark the noun itself
SHARED = "noun for both genders"
NOUNS = ("noun", SHARED, "noun without article")
_PAIRED = {"m": "masculine", "f": "feminine"}
NOT_FOUND = "no translation of the person found"
NO_GENDER = "no gender found"
MALFORMED = "alternatives without two parts"
DIFFERENT = "alternatives differ in more than gender"

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class GateReading:
    """How a translation names a person: `gender` is masculine, feminine, neutral, alternatives, or None if unread."""

    gender: str | None
    how: str | None
    words: str
    unread: str | None


def read_people(sentence: GateSentence, translation: str) -> list[GateReading]:
    """Read all people of a sentence."""
    variants = alternatives(translation)
    if variants is None:
        return [GateReading(None, None, "", MALFORMED) for _ in sentence.people]
    by_variant = [_read_all(sentence, text) for text in variants]
    return [_together(readings) for readings in zip(*by_variant, strict=True)]


def _together(readings: Sequence[GateReading]) -> GateReading:
    """Combine the readings of all alternatives."""
    genders = dict.fromkeys(reading.gender for reading in readings)
    if len(genders) == 1:
        return readings[0]
    words = " ".join(dict.fromkeys(word for reading in readings for word in reading.words.split()))
    if {"masculine", "feminine"} <= set(genders):
        return GateReading("alternatives", OFFERED, words, None)
    return GateReading(None, None, words, next((r.unread for r in readings if r.unread), DIFFERENT))


def _read_all(sentence: GateSentence, text: str) -> list[GateReading]:
    """Read all people in one translation; the second of two people with the same word is read after the first."""
    readings: list[GateReading] = []
    ends: dict[str, int] = {}
    for place, person in enumerate(sentence.people):
        word = singular(person.entity)
        start = ends.get(word, 0)
        reading, end = _read(sentence, place, " " * start + text[start:])
        readings.append(reading)
        ends[word] = max(start, end)
    return readings


def _read(sentence: GateSentence, place: int, text: str) -> tuple[GateReading, int]:
    """Read one person in one translation; return where the noun ends, 0 if it was not found."""
    person = sentence.people[place]
    other = _nearest(sentence, place)
    reading = read_person(
        sentence.source,
        person.entity,
        text,
        sentence.language,
        other.entity if other is not None else None,
        forms=forms_of(person, sentence.language),
        other_forms="" if other is None else forms_of(other, sentence.language),
    )
    noun = next((mark for mark in reading.evidence if mark.rule in NOUNS), None)
    return _interpret(sentence, place, text, reading, noun), 0 if noun is None else noun.end


def _interpret(
    sentence: GateSentence, place: int, text: str, reading: PersonReading, noun: GenderMark | None
) -> GateReading:
    file = read_person_file(sentence.language)
    agreeing = _agreement(sentence, place, text)
    # Without articles, a masculine noun may name a woman, which a verb shows: “директор театра сказала”.
    by_noun_alone = not file.has_articles and all(mark.rule in NOUNS for mark in reading.evidence)
    if agreeing is not None and (reading.gender is None or not reading.is_listed or by_noun_alone):
        return agreeing
    if not reading.evidence or not reading.is_listed:
        # A noun in the right place is the person in only 86 to 98 % of the reference translations, and an English word
        # is often a masculine noun of the language: “der Designer”.
        return GateReading(None, None, "", NOT_FOUND)
    if reading.gender is not None:
        words = " ".join(mark.word for mark in reading.evidence if mark.gender is not None)
        return GateReading(reading.gender, _how(reading) if reading.gender == "neutral" else None, words, None)
    word = (noun or reading.evidence[0]).word
    entity = sentence.people[place].entity.lower()
    paired = _PAIRED.get(file.paired_gender(entity, word) or "")
    if paired:
        return GateReading(paired, None, word, None)
    if noun is None or noun.rule != SHARED:
        return GateReading(None, None, word, NO_GENDER)
    return GateReading("neutral", SAME_FORM, word, None)


def _how(reading: PersonReading) -> str:
    rules: Iterator[GenderMark] = (mark for mark in reading.evidence if mark.gender == "neutral")
    return next((HOW[mark.rule] for mark in rules if mark.rule in HOW), HOW["neutral noun"])


def _nearest(sentence: GateSentence, place: int) -> GatePerson | None:
    """Return the person named next, or else the one before, since the reader tells two people apart."""
    others = [*sentence.people[place + 1 :], *reversed(sentence.people[:place])]
    own = sentence.people[place].entity.lower()
    return next((other for other in others if other.entity.lower() != own), None)


def forms_of(person: GatePerson, language: str) -> str:
    """Return the noun of the references in the notation of the person files: "juez/jueza", or "artista"."""
    if not person.masculine or not person.masculine[0] or not person.feminine[0]:
        return ""
    his: list[str] = _WORD.findall(person.masculine[0])
    hers: list[str] = _WORD.findall(person.feminine[0])
    if not his or not hers:
        return ""
    if language == "de" and his == hers and his[-1].endswith("en"):
        return his[-1][:-1]  # “der Heiligen” is feminine because “Heiligen” is not the form that “der” has for a man
    if len(his) != len(hers):
        return f"{' '.join(his)} (m), {' '.join(hers)} (f)"
    return " ".join(m if m.lower() == f.lower() else f"{m}/{f}" for m, f in zip(his, hers, strict=True))


def _agreement(sentence: GateSentence, place: int, text: str) -> GateReading | None:
    """Read a person whose noun shows no gender by the words that agree with it in one reference only."""
    own = sentence.people[place]
    others = {
        word.lower()
        for k, other in enumerate(sentence.people)
        if k != place
        for word in (*other.masculine, *other.feminine)
    }
    said = {word.lower() for word in _WORD.findall(text)}
    by_gender = {
        gender: [word for word in words[1:] if word.lower() in said - others and len(word) > 3]
        for gender, words in (("masculine", own.masculine), ("feminine", own.feminine))
    }
    shown = [gender for gender, words in by_gender.items() if words]
    return GateReading(shown[0], None, " ".join(by_gender[shown[0]]), None) if len(shown) == 1 else None
