"""Gender of a named person ("the nurse") in a translated sentence."""

from genderscope.grammar.person.english_nouns import singular
from genderscope.grammar.person.person_file import read_person_file
from genderscope.grammar.person.reader import person_languages, read_person
from genderscope.grammar.person.reading import GenderMark, PersonGender, PersonReading

__all__ = [
    "GenderMark",
    "PersonGender",
    "PersonReading",
    "person_languages",
    "read_person",
    "read_person_file",
    "singular",
]
