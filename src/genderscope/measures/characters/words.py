"""Words for people in each supported language (`words.csv`): pronouns, relatives, nouns and titles.

Words with ambiguous gender are excluded: French "lui" is him or her, Dutch "zijn" is his or to be. All but the English
words were written without review by a native speaker. Kinds that are not obvious from their words:

- `being`: "is", "became", "as"; what follows describes the subject. `bringing`: what follows is somebody else.
- `person_she`, `person_he`: generic nouns, by the gender of the pronouns that agree with them.
- `comparing`, `any`: a noun after these is part of a comparison or generic: "like a man", "any woman".
- `plural`, `many`: possible antecedents of "they"; `many` also have a gender, as in "brothers".
- `she_or_they`: words for "she" that also mean "they". `oblique`: pronouns that are not the clause's subject,
  nor its possessor; `object`: the same, unless they are possessive; `after_object`: words that no possessive precedes.
- `before_verb`, `after_relative`: words that show a gender only before one of `verb`, or after a relative.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from genderscope.measures.reply_text import FEMALE, MALE

THEY, FIRST_PERSON = "they", "first person"


@dataclass(frozen=True)
class People:
    """The words for people in one language; the first fields map words to genders or other kinds of reference."""

    pronoun_of: dict[str, str]
    relative_of: dict[str, str]
    noun_of: dict[str, str]
    title_of: dict[str, str]
    person_of: dict[str, str]
    #: all words by kind, and together: none of them is a name
    kinds: dict[str, frozenset[str]]
    listed: frozenset[str]

    def __getitem__(self, kind: str) -> frozenset[str]:
        """Return the words of a kind; none if the language has no such list."""
        return self.kinds.get(kind, frozenset())


@cache
def people_of(language: str) -> People:
    """Return the words for people in a language."""
    kinds: dict[str, frozenset[str]] = {}
    with files("genderscope.measures.characters").joinpath("words.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["language"] == language:
                kinds[row["kind"]] = frozenset(row["words"].split())

    def gendered(kind: str) -> dict[str, str]:
        sides = ((FEMALE, f"{kind}she"), (MALE, f"{kind}he"))
        return {word: gender for gender, name in sides for word in kinds.get(name, ())}

    others = {word: kind for kind, name in ((THEY, "they"), (FIRST_PERSON, "first")) for word in kinds.get(name, ())}
    return People(
        pronoun_of=gendered("") | others,
        relative_of=gendered("relative_"),
        noun_of=gendered("noun_"),
        title_of=gendered("title_"),
        person_of=gendered("person_"),
        kinds=kinds,
        listed=frozenset(word for kind, words in kinds.items() for word in words),
    )
