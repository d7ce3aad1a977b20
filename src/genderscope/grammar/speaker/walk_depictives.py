"""Adjectives that stand apart from a copula in the walk over the words of a text (walk.py): "came home tired"."""

from __future__ import annotations

from genderscope.grammar.speaker.walk_state import OTHER, PEOPLE, SPEAKER, VERB
from genderscope.grammar.speaker.walk_verbs import Verbs
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    COORDINATOR,
    COPULA,
    FUNCTION,
    HAVE,
    MOOD,
    OBJECT,
    OPENER,
    PAST,
    PREPOSITION,
    PUNCTUATION,
    RELATIVE,
    gender_of,
)

_SURE = ("segur", "sicur", "sûr", "sigur")


class Depictives(Verbs):
    """Whose is an adjective that stands behind nouns, or before its verb?"""

    def _is_measured(self, index: int) -> bool:
        """Whether "so … that I was" follows: "de tão nervosa que estava"."""
        very = self.tokens[index - 1].key in self.grammar.very or self.tokens[index - 1].key == "lo"
        of = self.determined or (index > 1 and self.tokens[index - 2].key == "de")
        self.caused = very and of and self.last != OTHER and bool(self._after(index) & RELATIVE)
        return self.caused and bool(self._after(index + 1) & COPULA)

    def _is_plain(self, index: int, traits: int) -> bool:
        """Whether a word before the verb may be an adverb or stand before its noun: Romanian "frumoasă zi"."""
        after = self._after(index)
        joined = after & (OPENER | PREPOSITION | PUNCTUATION | COORDINATOR | FUNCTION) and not after & RELATIVE
        joined = joined and not self.tokens[index].key.endswith("a")  # that is a noun's article
        return not (traits & (MOOD | PAST) or (joined and traits & ADJECTIVE_F))

    def _is_depictive_behind(self, index: int, token: Token) -> bool:
        """Whether an adjective behind the verb's objects is the speaker's nevertheless: by meaning, or by gender."""
        if self.subject == SPEAKER and token.key.startswith(_SURE) and self._of_me(index):
            return True
        mood = token.traits & MOOD and self.subject == SPEAKER and self._rests(index)
        return bool(mood) or (self.attached and self._is_no_nouns(index, token))

    def _of_me(self, index: int) -> bool:
        """Whether "of myself" follows: "salí de casa segura de mí misma"."""
        return bool(self._after(index) & PREPOSITION and self._after(index + 1) & OBJECT)

    def _rests(self, index: int) -> bool:
        """Whether a mood is the subject's: behind a verb of motion or rest, or right behind any verb."""
        if self.resting:
            return not (self.attached_to & PEOPLE or (self.attached and self._is_that_nouns(self.tokens[index])))
        if self.grammar.masculine_is_plain and gender_of(self.tokens[index].traits, ADJECTIVE) == "masculine":
            return False  # Romanian "încrezător" is an adverb, too
        while index and self.tokens[index - 1].traits & FUNCTION:
            index -= 1
        right_behind = self.grammar.noun_first and index and self.tokens[index - 1].traits & VERB & ~HAVE
        return bool(right_behind) and not (self.clitic or self.told or self.attached)
