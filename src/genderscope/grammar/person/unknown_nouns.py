"""Last resort for translations that are not listed: another noun for people in the person's place in the sentence."""

from collections.abc import Sequence

from genderscope.grammar.person.noun_phrase import NounPhrases
from genderscope.grammar.person.person_file import FormGender
from genderscope.grammar.person.tokens import Noun, all_people, find_nouns

LATEST_START = 2  # position up to which a noun is at the beginning of a sentence: “El nuevo …”


def find_unknown_noun(phrases: NounPhrases, others: Sequence[Noun], comes_first: bool | None) -> Noun | None:
    """Return the noun that stands where the person should.

    Candidates are, in this order, a second occurrence of the other person's nouns (“El vendedor saludó a la
    vendedora”), nouns listed for any person, and nouns with an ending of nouns for people.
    """
    others = [noun for noun in others if phrases.can_name_person(noun)]
    if len(others) > 1 and comes_first is not None:
        return others[0] if comes_first else others[1]
    other = others[0] if others else None
    for nouns in (find_nouns(phrases.tokens, all_people(phrases.file.code)), _nouns_by_ending(phrases)):
        candidates = [noun for noun in nouns if _can_be_person(phrases, noun)]
        candidates = [noun for noun in candidates if other is None or not noun.overlaps(other)]
        noun = _in_place(candidates, other, comes_first)
        if noun is not None:
            return noun
    return None if comes_first is False else _first_noun(phrases, other)


def _can_be_person(phrases: NounPhrases, noun: Noun) -> bool:
    """Whether a noun does not name a thing, a firm or a place."""
    is_thing = phrases.file.is_listed(phrases.tokens[noun.start].lowered, "not_people")
    return not is_thing and phrases.can_name_person(noun)


def _in_place(nouns: list[Noun], other: Noun | None, comes_first: bool | None) -> Noun | None:
    if other is not None:
        return next((noun for noun in nouns if (noun.start < other.start) == comes_first), None)
    starts_sentence = [noun for noun in nouns if noun.start <= LATEST_START]
    if comes_first is False:
        return next((noun for noun in nouns if noun not in starts_sentence), None)
    return starts_sentence[0] if starts_sentence else None


def _first_noun(phrases: NounPhrases, other: Noun | None) -> Noun | None:
    """Return the word after the article with which a translation begins."""
    noun = Noun(1, 2, "common", rank=0, is_base=True, is_exact=False)
    if len(phrases.tokens) < 2 or phrases.determiner(noun) != 0 or (other is not None and noun.overlaps(other)):
        return None
    return noun if phrases.tokens[1].text.isalpha() and _can_be_person(phrases, noun) else None


def _nouns_by_ending(phrases: NounPhrases) -> list[Noun]:
    return [
        Noun(position, position + 1, gender, rank=0, is_base=True, is_exact=False)
        for position, token in enumerate(phrases.tokens)
        for gender in [_ending_gender(phrases, token.folded)]
        if gender is not None
    ]


def _ending_gender(phrases: NounPhrases, word: str) -> FormGender | None:
    """Return the gender of a noun with an ending of nouns for people."""
    endings = phrases.file.people_endings
    genders: tuple[tuple[FormGender, str], ...] = (
        ("common", "common"),
        ("f", "feminine"),
        ("m", "masculine"),
        ("neutral", "neutral"),
    )
    matching = [(len(end), gender) for gender, key in genders for end in endings[key] if word.endswith(end)]
    return max(matching)[1] if matching and len(word) > 4 else None
