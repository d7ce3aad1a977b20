"""What stands beside a word in the walk over the words of a text (walk.py): has it a noun of its own?"""

from __future__ import annotations

from genderscope.grammar.speaker.walk_genders import Genders
from genderscope.grammar.speaker.walk_state import NAMES_PERSON, VERB, noun_gender
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ARTICLE,
    COMMON,
    COORDINATOR,
    DEGREE,
    DETERMINER,
    FUNCTION,
    INFINITIVE,
    KNOWN,
    NOUN,
    OPENER,
    PAIR,
    PRENOMINAL,
    PREPOSITION,
    PUNCTUATION,
    SIDE,
    TITLE,
    gender_of,
)

# More adjectives in a row are no longer looked at, so that time stays linear in the text.
_LONGEST_ROW = 8


class Neighbours(Genders):
    """Whether a word belongs to a noun behind it."""

    def _before_noun(self, index: int) -> bool:
        """Whether the word belongs to a noun behind it."""
        if self.grammar.verbal and self.tokens[index].key.endswith(self.grammar.verbal):
            return False
        if self.grammar.noun_first and not self.tokens[index].traits & PRENOMINAL:
            return False
        follower = index + 1
        mine = self.grammar.mine_behind
        if follower < len(self.tokens) and not self.grammar.cases and self.tokens[follower].key in mine:
            follower += 1  # "добрият ми вид"
        if not self.grammar.noun_first:
            gender = gender_of(self.tokens[index].traits, ADJECTIVE | SIDE | PAIR)
            while follower < min(len(self.tokens), index + _LONGEST_ROW) and not self.tokens[follower].traits & (
                NAMES_PERSON | SIDE
            ):
                joined = self.tokens[follower].traits & COORDINATOR and self._after(follower) & ADJECTIVE
                if not joined and gender_of(self.tokens[follower].traits, ADJECTIVE) != gender:
                    break
                follower += 1
        if self.grammar.genitives:
            follower = self._behind_genitives(follower)
        if follower == len(self.tokens):
            return False
        traits = self.tokens[follower].traits
        if traits in (0, KNOWN) and not self.grammar.noun_first:
            noun = self.tokens[follower].key
            agrees = gender_of(self.tokens[index].traits, ADJECTIVE | SIDE | PAIR) in (None, noun_gender(noun))
            return agrees and noun.endswith(self.grammar.nominatives)
        if traits & NAMES_PERSON == NOUN and not self.tokens[follower].key.endswith(self.grammar.noun_endings or ("",)):
            return False  # an adverb that the dictionary does not tell from a neuter
        return bool(traits & NAMES_PERSON) and not traits & (FUNCTION | PREPOSITION | VERB & ~INFINITIVE)

    def _behind_genitives(self, index: int) -> int:
        """The place of a noun that others in the genitive come before; else the place itself."""
        follower = index
        while follower < min(len(self.tokens), index + _LONGEST_ROW):
            token = self.tokens[follower]
            if token.traits & NOUN or token.traits & ~(KNOWN | PAIR | ADJECTIVE_F):
                break
            if not token.key.endswith(self.grammar.genitives):
                break
            follower += 1
        ahead = self.tokens[follower].traits if follower < len(self.tokens) else 0
        return follower if ahead & NAMES_PERSON and not ahead & FUNCTION else index

    def _has_late_subject(self, index: int) -> bool:
        """Whether a noun with its article follows: "porque estaba cerrada la tienda"."""
        after = self._after(index)
        return bool(after & (ARTICLE | DETERMINER)) and not (after & FUNCTION or self._after(index + 1) & DEGREE)

    def _is_last(self, index: int) -> bool:
        """Whether no noun follows."""
        small = PUNCTUATION | COORDINATOR | OPENER | PREPOSITION | FUNCTION
        return index + 1 == len(self.tokens) or bool(self._after(index) & small)

    def _names_agent(self, index: int) -> bool:
        """Whether the noun tells what a person does, by the dictionary or by its ending."""
        token = self.tokens[index]
        return bool(token.traits & (COMMON | TITLE)) or token.key.endswith(self.grammar.agents or ("-",))
