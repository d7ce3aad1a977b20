"""Result of reading a named person's gender in a translation."""

from dataclasses import dataclass
from typing import Literal

from genderscope.grammar.reading import Gender

#: `neutral`: the translation names the person with a neutral word ("someone") or with both forms ("el/la médico").
PersonGender = Literal["masculine", "feminine", "neutral"]


@dataclass(frozen=True, slots=True)
class GenderMark:
    """Word that shows the person's gender; ``translation[start:end] == word``."""

    word: str
    start: int
    end: int
    gender: PersonGender | None  # None: the word names the person, but does not show a gender
    rule: str


@dataclass(frozen=True, slots=True)
class PersonReading:
    """Gender with which a translation names a person."""

    gender: PersonGender | None
    evidence: tuple[GenderMark, ...] = ()
    #: why the gender is None; empty if it was read
    unread: str = ""
    #: gender of the personal pronouns in the translation, if they all have the same
    pronoun: Gender | None = None
    #: whether the noun is a listed translation of the person; otherwise, its place in the sentence decided
    is_listed: bool = True

    @property
    def pronoun_conflicts(self) -> bool:
        """Whether the pronoun has the other gender than the noun, as in "le médecin … elle"."""
        return self.pronoun is not None and {self.gender, self.pronoun} == {"masculine", "feminine"}
