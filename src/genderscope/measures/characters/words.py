"""Words for people in each supported language (`words.csv`): pronouns, relatives, nouns and titles.

Words with ambiguous gender are excluded: French "lui" is him or her, Dutch "zijn" is his or to be. All but the English
words were written without review by a native speaker.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from genderscope.measures.reply_text import FEMALE, MALE

THEY, FIRST_PERSON = "they", "first person"
#: languages whose word for "she" also means "they"; the adjacent verb disambiguates
SHE_OR_THEY = {"de": frozenset({"sie"}), "nl": frozenset({"ze", "zij"})}
#: nouns that are also generic pronouns, counted only after an article
ANYBODY = {"sv": frozenset({"man"})}
#: words that show a gender only before a verb, or before a name and a verb: Latvian "viņa" is also "his", and the
#: Greek articles precede every noun
BEFORE_VERB = {"el": frozenset({"η", "ο"}), "lv": frozenset({"viņa"})}
#: possessives that show a gender only after a relative: Greek "η μητέρα της", her mother
AFTER_RELATIVE = {"bg": frozenset({"му", "ѝ"}), "el": frozenset({"του", "της"})}
#: kinds of words without a gender
_PLAIN = (
    *("possessive", "being", "article", "definite", "of", "conjunction", "named", "comparing", "any", "bringing"),
    *("plural", "telling", "many", "role", "creature", "object", "preposition", "function", "agent"),
    *("verb", "about", "clitic", "honorific"),
)


@dataclass(frozen=True)
class People:
    """The words for people in one language; the first six fields map words to genders or other kinds of reference."""

    pronoun_of: dict[str, str]
    relative_of: dict[str, str]
    noun_of: dict[str, str]
    title_of: dict[str, str]
    #: generic nouns, with the gender of the pronouns that agree with them, e.g. German "die Person ... sie"
    person_of: dict[str, str]
    #: animals whose noun shows their gender, such as "mare"
    creature_of: dict[str, str]
    possessive: frozenset[str]
    #: "is", "became", "as": what follows describes the subject
    being: frozenset[str]
    #: indefinite and definite articles
    article: frozenset[str]
    definite: frozenset[str]
    of: frozenset[str]
    conjunction: frozenset[str]
    named: frozenset[str]
    #: a noun after these is part of a comparison or count: "like a man", "a class of women"
    comparing: frozenset[str]
    #: a noun after these is generic
    any: frozenset[str]
    #: a noun after these introduces someone else: "works for a man"
    bringing: frozenset[str]
    #: possible nearby antecedents of "they"
    plural: frozenset[str]
    #: between a noun and a name, these show that the noun denotes someone else: "a boy asked Tamsin"
    telling: frozenset[str]
    #: plural nouns such as women or brothers, which cannot be antecedents of "she" or "he"
    many: frozenset[str]
    #: roles such as the character's "accountant", a bystander of either gender
    role: frozenset[str]
    #: animals, ships and countries, which are called "she" or "he" and are never the character
    creature: frozenset[str]
    #: pronouns that can only be objects or, for English "her", also possessives
    object: frozenset[str]
    preposition: frozenset[str]
    #: other words that often begin a sentence or heading and are not names
    function: frozenset[str]
    #: endings of nouns for people, such as "-er" in "striker"
    agent: frozenset[str]
    #: verbs, and adverbs before them, that mark the words in `before_verb` as a person
    verb: frozenset[str]
    #: short words between a name and its verb
    clitic: frozenset[str]
    #: endings of past forms that show the subject's gender
    ending_of: dict[str, str]
    #: prepositions in "it is about a person"
    about: frozenset[str]
    #: titles after a pronoun that says nothing about anyone else: "Her Majesty"
    honorific: frozenset[str]
    before_verb: frozenset[str]
    after_relative: frozenset[str]
    she_or_they: frozenset[str]
    anybody: frozenset[str]
    #: every word above: none of them is a name
    listed: frozenset[str]


@cache
def people_of(language: str) -> People:
    """Return the words for people in a language."""
    entries: dict[str, list[str]] = {}
    with files("genderscope.measures.characters").joinpath("words.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["language"] == language:
                entries[row["kind"]] = row["words"].split()

    def gendered(kind: str) -> dict[str, str]:
        sides = ((FEMALE, f"{kind}she"), (MALE, f"{kind}he"))
        return {word: gender for gender, name in sides for word in entries.get(name, ())}

    others = {word: kind for kind, name in ((THEY, "they"), (FIRST_PERSON, "first")) for word in entries.get(name, ())}
    return People(
        pronoun_of=gendered("") | others,
        relative_of=gendered("relative_"),
        noun_of=gendered("noun_"),
        title_of=gendered("title_"),
        person_of=gendered("person_"),
        creature_of=gendered("creature_"),
        ending_of=gendered("ending_"),
        **{kind: frozenset(entries.get(kind, ())) for kind in _PLAIN},
        listed=frozenset(
            word
            for kind, words in entries.items()
            for word in words
            if kind != "agent" and not kind.startswith("ending_")
        ),
        before_verb=BEFORE_VERB.get(language, frozenset()),
        after_relative=AFTER_RELATIVE.get(language, frozenset()),
        she_or_they=SHE_OR_THEY.get(language, frozenset()),
        anybody=ANYBODY.get(language, frozenset()),
    )
