"""Words for people in each language that the measure asks in (`people.csv`): pronouns, relatives, nouns and titles.

Words that do not tell a gender in their language are left out on both sides: French "lui" is him or her, Dutch "zijn"
is his or to be. All but the English ones were written without a native speaker's review.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from genderscope.measures.gest_chat.reading import FEMALE, MALE

THEY, FIRST_PERSON = "they", "first person"
#: languages whose word for "she" is that for "they" as well: the verb beside it decides
SHE_OR_THEY = {"de": frozenset({"sie"}), "nl": frozenset({"ze", "zij"})}
#: a noun that is also a pronoun for anybody: it counts behind an article only
ANYBODY = {"sv": frozenset({"man"})}


@dataclass(frozen=True)
class People:
    """The words of one language; the first five map a word to a gender or another kind of person."""

    pronoun_of: dict[str, str]
    relative_of: dict[str, str]
    noun_of: dict[str, str]
    title_of: dict[str, str]
    #: nouns that mean anybody, with the gender of the pronouns that agree with them: German "die Person ... sie"
    person_of: dict[str, str]
    possessive: frozenset[str]
    #: "is", "became", "as": what follows is said of the subject
    being: frozenset[str]
    #: "a" and "the"
    article: frozenset[str]
    definite: frozenset[str]
    of: frozenset[str]
    conjunction: frozenset[str]
    named: frozenset[str]
    #: after these a noun compares or counts: "like a man", "a class of women"
    comparing: frozenset[str]
    #: after these it is about anybody
    any: frozenset[str]
    #: before a noun these bring somebody in: "works for a man"
    bringing: frozenset[str]
    #: what "they" may stand for, close by
    plural: frozenset[str]
    #: after a noun, and before a name, these say that the noun is somebody else: "a boy asked Tamsin"
    telling: frozenset[str]
    #: women, brothers: more than one, so that no "she" or "he" is theirs
    many: frozenset[str]
    #: the character's "accountant": a bystander of either gender
    role: frozenset[str]
    she_or_they: frozenset[str]
    anybody: frozenset[str]


@cache
def people_of(language: str) -> People:
    """Return the words of a language."""
    found: dict[str, list[str]] = {}
    with files("genderscope.measures.gest_chat").joinpath("people.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["language"] == language:
                found[row["kind"]] = row["words"].split()

    def gendered(kind: str) -> dict[str, str]:
        sides = ((FEMALE, f"{kind}she"), (MALE, f"{kind}he"))
        return {word: gender for gender, name in sides for word in found.get(name, ())}

    def words(kind: str) -> frozenset[str]:
        return frozenset(found.get(kind, ()))

    others = {word: kind for kind, name in ((THEY, "they"), (FIRST_PERSON, "first")) for word in found.get(name, ())}
    return People(
        pronoun_of=gendered("") | others,
        relative_of=gendered("relative_"),
        noun_of=gendered("noun_"),
        title_of=gendered("title_"),
        person_of=gendered("person_"),
        possessive=words("possessive"),
        being=words("being"),
        article=words("article"),
        definite=words("definite"),
        of=words("of"),
        conjunction=words("and"),
        named=words("named"),
        comparing=words("comparing"),
        any=words("any"),
        bringing=words("bringing"),
        plural=words("plural"),
        telling=words("telling"),
        many=words("many"),
        role=words("role"),
        she_or_they=SHE_OR_THEY.get(language, frozenset()),
        anybody=ANYBODY.get(language, frozenset()),
    )
