"""Words apart from their verb in the walk over the words of a text (walk.py): "tired, I went", "I went home tired"."""

from __future__ import annotations

from genderscope.grammar.speaker.walk_depictives import Depictives
from genderscope.grammar.speaker.walk_state import LIKELY, LOOSE, NAMES_PERSON, PEOPLE, PREDICATE, SPEAKER, VERB
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE_F,
    BEEN,
    COORDINATOR,
    COPULA,
    DEAR,
    EITHER,
    FUNCTION,
    IMPERSONAL,
    MOOD,
    PAIR,
    PAST,
    PRONOUN,
    SIDE,
    THING,
    TITLE,
)


class LooseWords(Depictives):
    """Whether an adjective that no verb asks for is the subject's all the same."""

    def _beside_verb(self, index: int, token: Token) -> int:
        """How surely a word is the speaker's that no verb asks for, by its form; 0: not at all."""
        if self.said_i and self._drops_copula(index) and not self._before_noun(index):
            return LIKELY
        if self.listed and token.traits & PAST and self.tokens[index - 1].traits & (COORDINATOR | FUNCTION):
            return PREDICATE  # "have thought and said"
        if self.subject == SPEAKER and self.grammar.spans and self._is_after_span(index):
            return LOOSE
        return LOOSE if self.grammar.cases and self.subject == SPEAKER and self._is_depictive(index) else 0

    def _may_come_first(self, index: int, token: Token) -> bool:
        """Whether a word before the verb may be its subject's: "tired, I went home"."""
        traits, grammar = token.traits, self.grammar
        if (self.compound and traits & PAST) or (self.me and grammar.cases):
            return False
        if traits & (IMPERSONAL | THING | TITLE | DEAR) or (index and token.word[0].isupper()):
            return False  # no person's, a name, or what one calls somebody
        if not grammar.noun_first and (traits & BEEN or (self.behind_noun and not self._is_persons(token))):
            return False
        if grammar.masculine_is_plain and self._is_plain(index, traits):
            return False
        if (grammar.noun_first and self.said_i) or token.key.endswith(grammar.never_first):
            return False  # nothing comes between "I" and its verb
        return self._is_first(index, token)

    def _is_first(self, index: int, token: Token) -> bool:
        """Whether the form or the verb behind it tells that the word is no object before its verb."""
        if token.traits & MOOD or token.key.endswith(self.grammar.only_first):
            return True
        object_of = index and self.tokens[index - 1].traits & (SIDE | VERB)  # Lithuanian "žiūrėdama serialus"
        if self._after(index) & COPULA and not self._after(index) & EITHER and not object_of:
            return True  # "tired am I"
        done = token.traits & PAST and self.grammar.genitives
        return bool(done) and token.key.endswith(self.grammar.verbal)

    def _is_loose(self, index: int, token: Token) -> bool:
        """Whether a word behind the verb is its subject's, by its meaning."""
        if self.subject != SPEAKER:
            return False
        return self._is_depictive_behind(index, token) or (self._is_passive(token) and self._stands_apart(index))

    def _has_object_before(self, index: int, token: Token) -> bool:
        """Whether "their" is the object of a Baltic participle: "jų neišskalbęs"."""
        if self.governed or self.role or not self.grammar.genitives or self._before_noun(index):
            return False
        return token.key.endswith(self.grammar.verbal)

    def _is_passive(self, token: Token) -> bool:
        """Whether the word is a mood or a passive participle."""
        passive = token.traits & PAST and token.key.endswith(self.grammar.depictive or ("-",))
        return bool(token.traits & MOOD or passive)

    def _stands_apart(self, index: int) -> bool:
        """Whether a mood is nobody else's: where adjectives come before their noun, and no object is in sight."""
        if self.grammar.noun_first or self.grammar.cases or self.clitic or self.making or not self.verb_seen:
            return False
        token = self.tokens[index]
        right_behind = self.tokens[index - 1].traits & (FUNCTION | VERB) and not self.attached_to
        if not token.traits & MOOD and not (right_behind and self._is_last(index)):
            return False
        return not self._before_noun(index) and not self.attached_to & PEOPLE

    def _is_depictive(self, index: int) -> bool:
        """Whether a participle goes with the subject of any verb: "grįžau pavargusi"."""
        token = self.tokens[index]
        if self.making and self.grammar.adjective_tells and token.traits & ADJECTIVE_F:
            return False  # Greek has one form for "I left her tired" and "I left tired"
        moved = token.traits & MOOD and self._is_last(index) and not (self.clitic and token.traits & ADJECTIVE_F)
        done = self._is_participle(token)
        if self.grammar.genitives and not token.key.endswith(self.grammar.verbal):
            # Latvian "zelta" is "of gold" as well, Lithuanian "-tas" an object.
            done = done and token.key.endswith(self.grammar.only_first) and self._is_last(index) and not self.making
        return (bool(moved) or done) and not self._before_noun(index)

    def _drops_copula(self, index: int) -> bool:
        return self.grammar.drops_copula and bool(self.tokens[index - 1].traits & (PRONOUN | FUNCTION))

    def _is_state(self, index: int) -> bool:
        """Whether only a participle ends like this (Greek -μένος), or a nominative that has no noun behind it."""
        token = self.tokens[index]
        if self.grammar.only_first != ("",) and token.key.endswith(self.grammar.only_first):
            return True
        name = token.word[0].isupper() and token.word[1:].islower()
        if (
            name
            or token.traits & (NAMES_PERSON | PAIR | THING)
            or not token.key.endswith(self.grammar.depictive or ("-",))
        ):
            return False
        return self._is_last(index)
