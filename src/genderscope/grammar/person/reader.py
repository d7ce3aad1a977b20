"""Entry point: the gender with which a translation names a person of the English sentence."""

import re
from functools import cache

from genderscope.grammar.person.noun_phrase import NounPhrases, phrase_gender
from genderscope.grammar.person.person_file import FOLDER, PersonFile, read_person_file
from genderscope.grammar.person.reading import PersonReading
from genderscope.grammar.person.tokens import Index, Noun, Token, find_misspelt_nouns, find_nouns, index_forms, tokenize
from genderscope.grammar.person.unknown_nouns import find_unknown_noun
from genderscope.grammar.problems import UnknownLanguage
from genderscope.grammar.reading import Gender

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
# Costs of taking an occurrence as the person: the cheapest pair of person and other person wins.
NO_DETERMINER = 2.0
MISSPELT = 1.0
LATER_TRANSLATION = 0.1  # per place in the list of translations
WRONG_ORDER = 1.2
OTHER_MISSING = 1.5
LATER_MENTION = 0.02  # per word


def person_languages() -> list[str]:
    """Return the languages in which a named person's gender can be read."""
    return sorted(path.stem for path in FOLDER.glob("??.toml"))


def read_person(source: str, entity: str, translation: str, language: str, other: str | None = None) -> PersonReading:
    """Read the gender with which a translation names a person.

    Args:
        source: The English sentence.
        entity: The person as the sentence names them, such as `nurse` or `the construction worker`.
        translation: The translation of the sentence.
        language: Two-letter code of its language, such as `es`.
        other: Another person in the sentence; by default, the first other person word in it that the language's
            person file lists.
    """
    if language not in person_languages():
        raise UnknownLanguage(language, person_languages())
    file = read_person_file(language)
    person = _ARTICLE.sub("", entity.strip()).lower()
    place, other, other_place = _places(source, person, other, file)
    tokens = tokenize(translation, file.words["prefixes"])
    if not tokens:
        return PersonReading(None, unread="the translation is empty")
    pronoun = _pronoun(tokens, file)
    phrases = NounPhrases(tokens, file)
    comes_first = None if other is None else place <= other_place
    noun = _find(phrases, _index(language, person), _index(language, other) if other else {}, comes_first)
    if noun is None:
        return PersonReading(None, unread=f"no translation of '{person}' found", pronoun=pronoun)
    marks = phrases.marks(noun)
    gender = phrase_gender(marks)
    unread = "" if gender else f"'{marks[-1].word}' shows no gender"
    return PersonReading(gender, tuple(marks), unread, pronoun)


@cache
def _index(language: str, person: str) -> Index:
    return index_forms(read_person_file(language).forms(person))


@cache
def _person_pattern(language: str) -> re.Pattern[str]:
    names = sorted(read_person_file(language).people, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def _places(source: str, person: str, other: str | None, file: PersonFile) -> tuple[int, str | None, int]:
    """Return where the person and the other person stand in the source; find the other person if none is given."""
    lowered = source.lower()
    found = re.search(rf"\b{re.escape(person)}\b", lowered)
    place = found.start() if found else len(lowered)
    if other is not None:
        other = _ARTICLE.sub("", other.strip()).lower()
        return place, other, lowered.find(other)
    for match in _person_pattern(file.name.partition(".")[0]).finditer(lowered):
        if match[0] != person and not (found and found.start() <= match.start() < found.end()):
            return place, match[0], match.start()
    return place, None, -1


def _find(phrases: NounPhrases, index: Index, other_index: Index, comes_first: bool | None) -> Noun | None:
    """Return the occurrence of the person: the pair of person and other person with the lowest cost."""
    nouns = find_nouns(phrases.tokens, index) or find_misspelt_nouns(phrases.tokens, index)
    others = find_nouns(phrases.tokens, other_index) if other_index else []
    best: tuple[float, Noun] | None = None
    for noun in nouns:
        own = _cost(phrases, noun)
        shared = any(other.start == noun.start and other.end >= noun.end for other in others)
        if shared:
            own += 3 * any(other.start == noun.start and other.end > noun.end for other in others)
        cost = own + OTHER_MISSING + (WRONG_ORDER if shared else 0)
        for other in others:
            if noun.overlaps(other):
                continue
            is_in_order = (noun.start < other.start) == comes_first
            cost = min(cost, own + _cost(phrases, other) + (0 if is_in_order else WRONG_ORDER))
        if best is None or cost < best[0]:
            best = (cost, noun)
    if best is not None:
        return best[1]
    return find_unknown_noun(phrases, others, comes_first)


def _cost(phrases: NounPhrases, noun: Noun) -> float:
    has_articles = bool(phrases.file.words["determiners_m"])
    lacks_determiner = has_articles and noun.gender != "neutral" and phrases.determiner(noun) is None
    return (
        NO_DETERMINER * lacks_determiner
        + MISSPELT * (not noun.is_exact)
        + LATER_TRANSLATION * min(noun.rank, 10)
        + LATER_MENTION * noun.start
    )


def _pronoun(tokens: list[Token], file: PersonFile) -> Gender | None:
    """Return the gender of the personal pronouns, if there are any and all have the same."""
    words = {token.lowered for token in tokens}
    genders: list[Gender] = []
    if words & file.words["pronouns_m"]:
        genders.append("masculine")
    if words & file.words["pronouns_f"]:
        genders.append("feminine")
    return genders[0] if len(genders) == 1 else None
