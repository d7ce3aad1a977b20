"""Classify the pairs of EuroGEST by whether the alternating word is about the speaker, someone else or neither.

The pairs come from two translations that differ in one word by at most two letters, so not all concern the speaker's
gender. The rules consider the two words and their neighbours; in languages where the speaker's gender can be parsed,
the parser distinguishes the speaker from others. `eurogest_audit.py` writes the classes of the released pairs to
`measures/eurogest/pairs.csv`, which is used at run time, and measures the error rate against manually annotated pairs.
"""

import csv
from functools import cache
from pathlib import Path

from genderscope.grammar import speaker_gender
from genderscope.measures.eurogest.texts import SPEAKER, Class
from genderscope.samples.eurogest import EuroPair

CLASSES: tuple[Class, ...] = ("adjective", "noun", "other", "object", "wording")
ALTERNATIONS = Path(__file__).with_name("eurogest_alternations.csv")

_EDGES = ".,;:!?…«»„“”\"'’‘()–-"


def classify(pair: EuroPair, language: str) -> Class:
    """Return the class of the alternating word in a pair."""
    words, others = pair.male.split(), pair.female.split()
    if len(words) != len(others):
        return "wording"
    differing = [k for k, (a, b) in enumerate(zip(words, others, strict=True)) if a != b]
    if len(differing) > 1:
        return "wording"
    (k,) = differing
    male, female = (each[k].strip(_EDGES).lower() for each in (words, others))
    found = _by_words(male, female, [word.strip(_EDGES).lower() for word in words], k, language)
    return _confirmed(found, pair, language) if found in SPEAKER else found


def _by_words(male: str, female: str, words: list[str], k: int, language: str) -> Class:
    if male == female:
        return "wording"
    if (male, female) in _listed("article", language):
        return "noun" if _linked(words, k, language) else "other"
    if (male, female) in _listed("object", language) or _clitic(male, female, language):
        return "object"
    kind = _ending(male, female, language)
    if kind in SPEAKER and _about_another(male, words, k, language):
        return "other"
    return kind or "wording"


def _ending(male: str, female: str, language: str) -> Class | None:
    """Return the class of the longest listed pair of endings that follows a common stem, or None."""
    best: tuple[int, Class] | None = None
    kinds: tuple[Class, ...] = ("adjective", "noun", "other")
    for kind in kinds:
        for one, other in _listed(kind, language):
            if not (male.endswith(one) and female.endswith(other)):
                continue
            begins = male[: len(male) - len(one)] == female[: len(female) - len(other)]
            if begins and (best is None or len(one) + len(other) > best[0]):
                best = len(one) + len(other), kind
    return None if best is None else best[1]


def _clitic(male: str, female: str, language: str) -> bool:
    """Return whether the words are one verb with masculine and feminine object pronouns, in either order."""
    for one, other in _listed("clitic", language):
        for first, second in ((male, female), (female, male)):
            stem = first.removesuffix(one)
            if stem != first and len(stem) > 2 and stem == second.removesuffix(other):
                return True
    return False


def _about_another(male: str, words: list[str], k: int, language: str) -> bool:
    """Return whether the word denotes the speaker's friend or partner, or closely follows such a word."""
    persons = {word for pair in _listed("person", language) for word in pair}
    if male in persons:
        return _owned(words, k, language)
    return any(words[j] in persons and _owned(words, j, language) for j in range(max(0, k - 2), k))


def _owned(words: list[str], k: int, language: str) -> bool:
    return any(word in {one for one, _ in _listed("owner", language)} for word in words[max(0, k - 3) : k])


def _linked(words: list[str], k: int, language: str) -> bool:
    """Return whether "I am", "I was", "as" or "like" links the word to the speaker."""
    links = {one for one, _ in _listed("copula", language)}
    return any(word in links for word in words[max(0, k - 5) : k])


def _confirmed(found: Class, pair: EuroPair, language: str) -> Class:
    """Reclassify a pair as `other` if the language's speaker-gender parser finds the genders reversed."""
    if language not in READ:
        return found
    genders = tuple(speaker_gender(each, language).gender for each in (pair.male, pair.female))
    return "other" if genders == ("feminine", "masculine") else found


#: languages whose speaker-gender parsers are used
READ = ("cs", "hr", "pl", "ru", "sk", "sl", "uk")


@cache
def _listed(kind: str, language: str) -> frozenset[tuple[str, str]]:
    return frozenset((one, other) for k, code, one, other in _table() if k == kind and code == language)


@cache
def _table() -> tuple[tuple[str, str, str, str], ...]:
    with ALTERNATIONS.open(encoding="utf-8", newline="") as file:
        return tuple((row["kind"], row["language"], row["male"], row["female"]) for row in csv.DictReader(file))
