"""Entry point: the gender with which a translation names a person of the English sentence."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache, partial

from genderscope.grammar.both_forms import Variant, both_forms, variants
from genderscope.grammar.person.antecedent import antecedent_marks
from genderscope.grammar.person.noun_phrase import NounPhrases, phrase_gender
from genderscope.grammar.person.person_file import FOLDER, UNTRANSLATED, PersonFile, read_person_file
from genderscope.grammar.person.reading import GenderMark, PersonReading
from genderscope.grammar.person.tokens import (
    Index,
    Noun,
    all_people,
    find_compounds,
    find_misspelt_nouns,
    find_nouns,
    index_forms,
    tokenize,
)
from genderscope.grammar.person.unknown_nouns import LATEST_START, find_unknown_noun
from genderscope.grammar.problems import UnknownLanguage
from genderscope.grammar.reading import BOTH_FORMS, Gender

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_THEY = re.compile(r"\b(?:they|them|their|theirs|themselves|themself)\b", re.IGNORECASE)
# Costs of taking an occurrence as the person: the cheapest pair of person and other person wins.
NO_DETERMINER = 2.0
MISSPELT = 1.0
LATER_TRANSLATION = 0.1  # per place in the list of translations
WRONG_ORDER = 1.2
OTHER_MISSING = 1.5
OTHERS_NOUN = 3.0  # only part of a longer translation of the other person
LISTED_AFTER_GIVEN = 3  # places by which the listed translations come after those given for a sentence
LATER_MENTION = 0.02  # per word


def person_languages() -> list[str]:
    """Return the languages in which a named person's gender can be read."""
    return sorted(path.stem for path in FOLDER.glob("??.toml"))


def read_person(
    source: str,
    entity: str,
    translation: str,
    language: str,
    other: str | None = None,
    *,
    is_antecedent: bool = False,
    forms: str = "",
    other_forms: str = "",
) -> PersonReading:
    """Read the gender with which a translation names a person.

    Args:
        source: The English sentence.
        entity: The person as the sentence names them, such as `nurse` or `the construction worker`.
        translation: The translation of the sentence.
        language: Two-letter code of its language, such as `es`.
        other: Another person in the sentence; by default, the first other person word in it that the language's
            person file lists.
        is_antecedent: Whether the English pronouns refer to this person. If so, pronouns in the translation decide
            where the noun shows no gender (“l'insegnante … lei”). Otherwise, they decide only if the other person
            has the other gender.
        forms: Translations of the person in the notation of the person file, tried before those of the file.
        other_forms: Translations of the other person.
    """
    file = _file(language)
    read = partial(
        _read, source, entity, file, other=other, is_antecedent=is_antecedent, forms=forms, other_forms=other_forms
    )
    both = both_forms(language).find(translation)
    if not both:
        return read(translation)
    sides = [(variant, read(variant.text)) for variant in variants(translation, both)]
    return _merge(translation, *sides)


def _merge(text: str, *sides: tuple[Variant, PersonReading]) -> PersonReading:
    """Combine the readings of the masculine and the feminine variant of a translation."""
    (variant, reading), (_, feminine) = sides
    marks = [_original(text, variant, mark) for mark in reading.evidence]
    spans = [
        variant.original(mark.start, mark.end)
        for variant, side_reading in sides
        for mark in side_reading.evidence
        if mark.rule.startswith("noun") or (mark.gender and variant.form_at(mark.start, mark.end) is not None)
    ]
    pronoun = reading.pronoun if reading.pronoun == feminine.pronoun else None
    if reading.gender == feminine.gender or not _shows_form(sides):
        return replace(reading, evidence=tuple(marks), pronoun=pronoun)
    start, end = min(first for first, _ in spans), max(last for _, last in spans)
    mark = GenderMark(text[start:end], start, end, "neutral", BOTH_FORMS)
    return PersonReading("neutral", (mark,), pronoun=pronoun, is_listed=reading.is_listed or feminine.is_listed)


def _shows_form(sides: Iterable[tuple[Variant, PersonReading]]) -> bool:
    """Whether a form for both genders shows the person's gender."""
    return any(
        mark.gender and variant.form_at(mark.start, mark.end) for variant, reading in sides for mark in reading.evidence
    )


def _original(text: str, variant: Variant, mark: GenderMark) -> GenderMark:
    start, end = variant.original(mark.start, mark.end)
    return replace(mark, word=text[start:end], start=start, end=end)


def _read(
    source: str,
    entity: str,
    file: PersonFile,
    translation: str,
    *,
    other: str | None,
    is_antecedent: bool,
    forms: str,
    other_forms: str,
) -> PersonReading:
    """Read a translation without forms for both genders."""
    language = file.code
    person = _ARTICLE.sub("", entity.strip()).lower()
    if not person or person not in source.lower():
        return PersonReading(None, unread=f"the source does not contain '{person}'")
    place, other, other_place = _places(source, person, other, file)
    tokens = tokenize(translation, file.prefixes)
    if not tokens:
        return PersonReading(None, unread="the translation is empty")
    plural_pronouns = file.words["pronouns_plural"] if _THEY.search(source) else frozenset()
    phrases = NounPhrases(translation, tokens, file, plural_pronouns)
    pronoun = _pronoun(phrases)
    comes_first = None if other is None else place <= other_place
    nouns = _find(phrases, _index(language, person, forms))
    others = _find(phrases, _index(language, other, other_forms)) if other else []
    noun = _cheapest(phrases, nouns, others, comes_first) or find_unknown_noun(phrases, others, comes_first)
    if noun is None:
        return PersonReading(None, unread=f"no translation of '{person}' found", pronoun=pronoun)
    marks = phrases.marks(noun)
    gender = phrase_gender(marks)
    if gender is None:
        marks += _antecedent(phrases, noun, nouns, others, is_antecedent)
        gender = phrase_gender(marks)
    if gender is None and file.has_generic_masculine:
        gender = "neutral"
        marks = [replace(mark, gender=gender) for mark in marks]
    unread = "" if gender else f"'{marks[0].word}' shows no gender"
    is_listed = noun in nouns and noun.rank < UNTRANSLATED
    return PersonReading(gender, tuple(marks), unread, pronoun, is_listed)


def _antecedent(
    phrases: NounPhrases, noun: Noun, nouns: list[Noun], others: list[Noun], is_antecedent: bool
) -> list[GenderMark]:
    """Return the pronouns that refer to a noun which shows no gender, if they have one gender."""
    marks = antecedent_marks(phrases, noun)
    if not is_antecedent:
        other = _cheapest(phrases, others, nouns, None)
        other_gender = phrase_gender(phrases.marks(other)) if other else None
        marks = [mark for mark in marks if {mark.gender, other_gender} == {"masculine", "feminine"}]
    return marks if len({mark.gender for mark in marks}) == 1 else []


@cache
def _file(language: str) -> PersonFile:
    if language not in person_languages():
        raise UnknownLanguage(language, person_languages(), "a named person's")
    return read_person_file(language)


@lru_cache(maxsize=1 << 14)
def _index(language: str, person: str, forms: str) -> Index:
    file = read_person_file(language)
    given = file.parse_forms(forms, f"forms of '{person}'")
    listed = [replace(form, rank=form.rank + LISTED_AFTER_GIVEN * bool(given)) for form in file.forms(person)]
    return index_forms([*given, *listed, *file.untranslated(person)])


@cache
def _person_pattern(language: str) -> re.Pattern[str]:
    names = sorted(read_person_file(language).people.keys() - {"person"}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def _places(source: str, person: str, other: str | None, file: PersonFile) -> tuple[int, str | None, int]:
    """Return where the person and the other person stand in the source; find the other person if none is given."""
    lowered = source.lower()
    mention = re.search(rf"\b{re.escape(person)}\b", lowered)
    place = mention.start() if mention else lowered.index(person)
    if other is not None:
        other = _ARTICLE.sub("", other.strip()).lower()
        return place, other, lowered.find(other)
    for match in _person_pattern(file.code).finditer(lowered):
        if match[0] != person and not place <= match.start() < place + len(person):
            return place, match[0], match.start()
    return place, None, -1


def _find(phrases: NounPhrases, index: Index) -> list[Noun]:
    nouns = find_nouns(phrases.tokens, index)
    nouns = [noun for noun in nouns if noun.rank < UNTRANSLATED or phrases.can_name_person(noun)]
    if not nouns and phrases.file.has_compounds:
        compounds = find_compounds(phrases.tokens, index, all_people(phrases.file.code))
        nouns = [noun for noun in compounds if phrases.determiner(noun) is not None]
    # With attached prefixes, a word that differs by one letter is usually another word of the same root.
    if nouns or phrases.file.prefixes:
        return nouns
    misspelt = find_misspelt_nouns(phrases.tokens, index)
    return [noun for noun in misspelt if not phrases.file.is_listed(phrases.tokens[noun.start].lowered, "not_people")]


def _cheapest(phrases: NounPhrases, nouns: list[Noun], others: list[Noun], comes_first: bool | None) -> Noun | None:
    """Return the person in the pair of person and other person with the lowest cost."""
    best: tuple[float, Noun] | None = None
    for noun in nouns:
        same = [other for other in others if other.start == noun.start and other.end >= noun.end]
        own = _cost(phrases, noun) + OTHERS_NOUN * _is_part(noun, others)
        starts_sentence = comes_first is False and noun.start <= LATEST_START
        costs = [own + OTHER_MISSING + WRONG_ORDER * (bool(same) or starts_sentence)]
        for other in others:
            if not noun.overlaps(other):
                is_in_order = (noun.start < other.start) == comes_first
                others_cost = _cost(phrases, other) + OTHERS_NOUN * _is_part(other, nouns)
                costs.append(own + others_cost + WRONG_ORDER * (not is_in_order))
        if best is None or min(costs) < best[0]:
            best = (min(costs), noun)
    return best[1] if best else None


def _is_part(noun: Noun, others: list[Noun]) -> bool:
    """Whether a noun is part of a longer one: “робітник” of “будівельний робітник”."""
    return any(noun.overlaps(other) and other.end - other.start > noun.end - noun.start for other in others)


def _cost(phrases: NounPhrases, noun: Noun) -> float:
    return (
        NO_DETERMINER * (not phrases.can_name_person(noun))
        + MISSPELT * (not noun.is_exact)
        + LATER_TRANSLATION * min(noun.rank, 10)
        + LATER_MENTION * noun.start
    )


def _pronoun(phrases: NounPhrases) -> Gender | None:
    """Return the gender of the personal pronouns, if there are any and all have the same."""
    words = {token.lowered for token in phrases.tokens} - phrases.plural_pronouns
    genders: list[Gender] = []
    if words & phrases.file.words["pronouns_m"]:
        genders.append("masculine")
    if words & phrases.file.words["pronouns_f"]:
        genders.append("feminine")
    return genders[0] if len(genders) == 1 else None
