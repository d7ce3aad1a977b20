"""Adjectives outside any slot ("tired, I went", "I went home tired"), part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.walk_depictives import Depictives
from genderscope.grammar.speaker.walk_state import LIKELY, LOOSE, PREDICATE, SPEAKER
from genderscope.grammar.text import Token


class LooseWords(Depictives):
    """Adjectives that no verb selects, but that may describe the subject."""

    def _beside_verb(self, index: int, token: Token) -> int:
        """Return the weight of a word outside any slot as evidence about the speaker, based on its form; 0 if none."""
        drops_copula = self.grammar.drops_copula and self.traits[index - 1] & (t.PRONOUN | t.FUNCTION)
        if self.clause.has_pronoun and drops_copula and not self._before_noun(index):
            return LIKELY
        start = index - 2 if self.traits[index - 1] & t.FUNCTION else index - 1
        joined = self.traits[start] & t.STANDING and self.traits[start - 1] & t.COORDINATOR
        if joined and token.traits & t.MOOD and self._is_last(index):
            return LIKELY  # "the house was clean and I content"
        if self.verb.is_listed and token.traits & t.PAST and self.traits[index - 1] & (t.COORDINATOR | t.FUNCTION):
            return PREDICATE  # "have thought and said"
        if self.clause.subject == SPEAKER and self.grammar.time_spans and self._is_after_span(index):
            return LOOSE
        return LOOSE if self.grammar.has_cases and self.clause.subject == SPEAKER and self._is_depictive(index) else 0

    def _may_come_first(self, index: int, token: Token) -> bool:
        """Return whether a word before the verb may describe its subject: "tired, I went home"."""
        traits, grammar = token.traits, self.grammar
        if (self.verb.is_compound and traits & t.PAST) or (self.verb.me_precedes and grammar.has_cases):
            return False
        if traits & (t.IMPERSONAL | t.THING | t.TITLE | t.DEAR) or (index and token.word[0].isupper()):
            return False  # a word not used to describe people, a name, or a term of address
        is_nouns = self.clause.follows_noun and not self._is_persons(token)
        if not grammar.adjectives_follow_nouns and (traits & t.BEEN or is_nouns):
            return False
        if grammar.masculine_is_unmarked and self._is_plain(index, traits):
            return False
        if grammar.adjectives_follow_nouns and self.clause.has_pronoun:
            return False  # nothing comes between "I" and its verb
        return not token.key.endswith(grammar.never_fronted_endings) and self._is_first(index, token)

    def _is_first(self, index: int, token: Token) -> bool:
        """Return whether the form or the following verb rules out that the word is a preposed object."""
        if token.traits & t.MOOD or token.key.endswith(self.grammar.fronted_endings):
            return True
        object_of = index and self.traits[index - 1] & (t.SIDE | t.VERB)  # Lithuanian "žiūrėdama serialus"
        if self.traits[index + 1] & t.COPULA and not self.traits[index + 1] & t.EITHER and not object_of:
            return True  # "tired am I"
        done = token.traits & t.PAST and self.grammar.genitive_endings
        return bool(done) and token.key.endswith(self.grammar.tense_participle_endings)

    def _is_loose(self, index: int, token: Token) -> bool:
        """Return whether a word after the verb describes the verb's subject, judging by the word's meaning."""
        if self.clause.subject != SPEAKER:
            return False
        passive = token.traits & t.PAST and token.key.endswith(self.grammar.depictive_endings or ("-",))
        describes = token.traits & t.MOOD or passive
        return self._is_depictive_behind(index, token) or (bool(describes) and self._stands_apart(index))

    def _has_object_before(self, index: int, token: Token) -> bool:
        """Return whether "their" is the object of a Baltic participle: "jų neišskalbęs"."""
        if self.noun.is_governed or self.noun.is_role or not self.grammar.genitive_endings or self._before_noun(index):
            return False
        return token.key.endswith(self.grammar.tense_participle_endings)

    def _stands_apart(self, index: int) -> bool:
        """Return whether a mood adjective can describe only the subject, since no noun or object is available."""
        if self.grammar.adjectives_follow_nouns or self.grammar.has_cases:
            return False
        if self.verb.clitic or self.verb.leaves_somebody or not self.verb.is_seen:
            return False
        token = self.tokens[index]
        right_behind = self.traits[index - 1] & (t.FUNCTION | t.VERB) and not self.noun.traits
        if not token.traits & t.MOOD and not (right_behind and self._is_last(index)):
            return False
        return not self._before_noun(index) and not self.noun.traits & t.PEOPLE

    def _is_depictive(self, index: int) -> bool:
        """Return whether a participle agrees with the subject of any verb: "grįžau pavargusi"."""
        verb = self.verb
        token = self.tokens[index]
        if verb.leaves_somebody and self.grammar.adjective_shows_gender_of_noun and token.traits & t.ADJECTIVE_F:
            return False  # Greek has one form for "I left her tired" and "I left tired"
        moved = token.traits & t.MOOD and self._is_last(index) and not (verb.clitic and token.traits & t.ADJECTIVE_F)
        done = self._is_participle(token)
        if self.grammar.genitive_endings and not token.key.endswith(self.grammar.tense_participle_endings):
            # Latvian "zelta" also means "of gold", and Lithuanian "-tas" may also mark an object.
            done = (
                done
                and token.key.endswith(self.grammar.fronted_endings)
                and self._is_last(index)
                and not verb.leaves_somebody
            )
        return (bool(moved) or done) and not self._before_noun(index)

    def _is_state(self, index: int) -> bool:
        """Return whether the form must be a participle (Greek -μένος), or is a nominative without a following noun."""
        token = self.tokens[index]
        if self.grammar.fronted_endings != ("",) and token.key.endswith(self.grammar.fronted_endings):
            return True
        name = token.word[0].isupper() and token.word[1:].islower()
        if name or token.traits & (t.NAMES_PERSON | t.PAIR | t.THING):
            return False
        return token.key.endswith(self.grammar.depictive_endings or ("-",)) and self._is_last(index)
