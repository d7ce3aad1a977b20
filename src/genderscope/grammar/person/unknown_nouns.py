"""Last resort for translations that no person file lists: a noun phrase in the person's place in the sentence."""

from collections.abc import Iterable

from genderscope.grammar.person.noun_phrase import NounPhrases
from genderscope.grammar.person.person_file import FormGender
from genderscope.grammar.person.tokens import Noun


def find_unknown_noun(phrases: NounPhrases, others: Iterable[Noun], comes_first: bool | None) -> Noun | None:
    """Return the noun with an ending of nouns for people that stands where the person should, if there is one.

    A person who comes first in the source is looked for at the beginning of the translation, another one after the
    other person.
    """
    taken = {position for other in others for position in range(other.start, other.end)}
    nouns = [noun for noun in _nouns_with_determiner(phrases) if noun.start not in taken]
    if comes_first is False:
        nouns = [noun for noun in nouns if taken and noun.start > min(taken)]
    elif nouns and nouns[0].start > 2:
        return None
    return nouns[0] if nouns else None


def _nouns_with_determiner(phrases: NounPhrases) -> list[Noun]:
    nouns = []
    for position, token in enumerate(phrases.tokens):
        gender = _person_gender(phrases, position)
        if gender is None or token.lowered in phrases.file.words["not_people"]:
            continue
        noun = Noun(position, position + 1, gender, rank=0, is_base=True, is_exact=False)
        if phrases.determiner(noun) is not None:
            nouns.append(noun)
    return nouns


def _person_gender(phrases: NounPhrases, position: int) -> FormGender | None:
    """Return the gender of a noun with an ending of nouns for people."""
    endings, word = phrases.file.people_endings, phrases.tokens[position].folded
    genders: tuple[tuple[FormGender, str], ...] = (("common", "common"), ("f", "feminine"), ("m", "masculine"))
    matching = [(len(end), gender) for gender, key in genders for end in endings[key] if word.endswith(end)]
    return max(matching)[1] if matching and len(word) > 4 else None
