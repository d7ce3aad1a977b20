"""Depictive adjectives ("came home tired"), part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.walk_state import OTHER, SPEAKER
from genderscope.grammar.speaker.walk_verbs import Verbs
from genderscope.grammar.text import Token

# Maximum number of words between a verb of spending time and the adjective.
_SPAN = 8
_PARTICIPLES = ("ado", "ada", "ido", "ida", "ato", "ata", "ito", "ita", "uto", "uta", "é", "ée")
_PASSED = ("pasado", "passado")
_SURE = ("segur", "sicur", "sûr", "sigur")


class Depictives(Verbs):
    """Attribution of adjectives that follow nouns or precede a verb."""

    def _is_measured(self, index: int) -> bool:
        """Return whether "so … that I was" follows: "de tão nervosa que estava"."""
        very = self.tokens[index - 1].key in self.grammar.intensifiers or self.tokens[index - 1].key == "lo"
        of = self.noun.is_expected or (index > 1 and self.tokens[index - 2].key == "de")
        self.sentence.gives_cause = (
            very and of and self.sentence.last_subject != OTHER and bool(self.traits[index + 1] & t.RELATIVE)
        )
        return self.sentence.gives_cause and bool(self.traits[index + 2] & t.COPULA)

    def _is_plain(self, index: int, traits: int) -> bool:
        """Return whether a word before the verb may be an adverb or modify the next word: Romanian "frumoasă zi"."""
        after = self.traits[index + 1]
        small = t.OPENER | t.PREPOSITION | t.PUNCTUATION | t.COORDINATOR | t.FUNCTION
        joined = after & small and not after & t.RELATIVE
        joined = joined and not self.tokens[index].key.endswith("a")  # -a is the suffixed article of a noun
        return not (traits & (t.MOOD | t.PAST) or (joined and traits & t.ADJECTIVE_F))

    def _is_depictive_behind(self, index: int, token: Token) -> bool:
        """Return whether an adjective after the verb's objects describes the speaker, judging by meaning or gender."""
        of_me = self.traits[index + 1] & t.PREPOSITION and self.traits[index + 2] & t.OBJECT  # "segura de mí misma"
        if self.clause.subject == SPEAKER and token.key.startswith(_SURE) and of_me:
            return True
        mood = token.traits & t.MOOD and self.clause.subject == SPEAKER and self._rests(index)
        return bool(mood) or (self.noun.takes_adjective and self._is_no_nouns(index, token))

    def _is_after_span(self, index: int) -> bool:
        """Return whether a word describes how the speaker spent some time: "passei a tarde fechada no quarto"."""
        word = self.tokens[index]
        if self.noun.is_indefinite or self.verb.clitic or word.key.startswith(self.grammar.spending_stems):
            return False  # "a quiet evening", "last week"
        if not (word.traits & (t.PAST | t.MOOD) or word.key.endswith(_PARTICIPLES)):
            return False  # "the whole day"
        spent = False
        for token in self.tokens[max(0, index - _SPAN) : index][::-1]:
            if token.traits & t.PUNCTUATION:
                return False
            if spent and token.key.startswith(self.grammar.spending_stems):
                return True
            spent = spent or token.key in self.grammar.time_spans
            if not (spent or token.traits & (t.FUNCTION | t.DETERMINER)):
                return False
        return False

    def _rests(self, index: int) -> bool:
        """Return whether an adjective of mood describes the subject.

        It does so after a verb of motion or rest, and directly after any other verb.
        """
        noun = self.noun
        if self.verb.is_motion:
            return not (noun.traits & t.PEOPLE or (noun.takes_adjective and self._is_that_nouns(self.tokens[index])))
        if self.grammar.masculine_is_unmarked and t.gender_of(self.traits[index], t.ADJECTIVE) == "masculine":
            return False  # Romanian "încrezător" is also an adverb
        while index and self.traits[index - 1] & t.FUNCTION:
            index -= 1
        right_behind = self.grammar.adjectives_follow_nouns and index and self.traits[index - 1] & t.VERB & ~t.HAVE
        right_behind = right_behind or self.tokens[index - 1].key in _PASSED
        return bool(right_behind) and not (self.verb.clitic or self.sentence.tells_somebody or noun.takes_adjective)
