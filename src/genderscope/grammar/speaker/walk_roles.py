"""Noun phrases that may describe the speaker, part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.phrases import NounPhrase
from genderscope.grammar.speaker.walk_genders import BIT
from genderscope.grammar.speaker.walk_state import LIKELY, NOBODY, PREDICATE, SPEAKER
from genderscope.grammar.speaker.walk_words import GenderedWords

# Maximum length of an apposition or relative clause, so that run time is linear in text length.
_APPOSITION = 8
_NO_APPOSITION = t.VERB | t.COORDINATOR | t.OPENER | t.PRONOUN


class Roles(GenderedWords):
    """Roles: "I am the first", "as the director, I …", "I, the captain, …", "worked as a waitress"."""

    def _is_said_of_me(self, weight: int, phrase: NounPhrase) -> bool:
        """Return whether a noun phrase in the open slot describes the speaker."""
        slot, sentence = self.slot, self.sentence
        if weight == PREDICATE and (slot.is_sure or (self.clause.is_subordinate and self.noun.traits & t.CHILD)):
            return not (phrase.token.traits & t.STANDING and slot.is_feeling)  # "me puse la misma"
        if not self.grammar.role_takes_article:
            return phrase.named and (slot.is_sure or sentence.last_subject == SPEAKER)
        if weight != PREDICATE:
            arrives = self.verb.is_motion and not self._is_one_of_mine(phrase.end)
            return phrase.named and slot.is_sure and (arrives or slot.is_oblique)
        if phrase.is_superlative:
            return self._is_best_person(phrase)
        return (phrase.named and sentence.last_subject == SPEAKER) or self._states_role(phrase)

    def _is_best_person(self, phrase: NounPhrase) -> bool:
        """Return whether a superlative after "was" describes the speaker, and not a thing: "era el más barato"."""
        if self._goes_on_with_infinitive(phrase.end):
            return True
        if not phrase.named or phrase.gender is None or phrase.token.traits & (t.THING | t.IMPERSONAL):
            return False  # also "la única salida"
        if self.traits[phrase.end] & t.RELATIVE and self._is_about_me(phrase.end + 1):
            return False  # "era el mejor que había visto", "era la última que me quedaba"
        # A noun of an earlier clause may be the subject.
        return not (self.follows_other or self.sentence.noun_genders & BIT[phrase.gender])

    def _states_role(self, phrase: NounPhrase) -> bool:
        """Return whether a sentence states the speaker's role, not somebody else's: "era el jefe de la empresa"."""
        after, head = self.traits[phrase.end], self.tokens[phrase.end - 1]
        if self.follows_other or self.sentence.last_subject != NOBODY or self.clause.is_subordinate:
            return False
        if not after & t.PREPOSITION or self._is_about_me(phrase.end + 1) or head.traits & t.TITLE:
            return False
        return phrase.common or head.key.endswith(self.grammar.profession_endings)

    def _is_about_me(self, index: int) -> bool:
        """Return whether the rest of the clause mentions the speaker; if so, the phrase describes something else."""
        for token in self.tokens[index : index + _APPOSITION]:
            if token.traits & (t.PUNCTUATION | t.COORDINATOR):
                return False
            if token.traits & (t.OBJECT | t.HAVE) or token.key in self.grammar.possessives:
                return True
            if token.traits & t.PRESENT and not token.traits & (t.EITHER | t.ADJECTIVE | t.NAMES_PERSON):
                return True
        return False

    def _is_one_of_mine(self, index: int) -> bool:
        """Return whether a choice among things follows: "terminé la última de mis novelas", but not "de todas"."""
        after = self.tokens[index + 1] if self.traits[index] & t.AS and index + 1 < len(self.tokens) else None
        return after is not None and bool(after.traits & t.DETERMINER) and not after.key.startswith("tod")

    def _goes_on_with_infinitive(self, index: int) -> bool:
        """Return whether an infinitive follows, so that the phrase must refer to a person: "el primero en llegar"."""
        return bool(self.traits[index] & t.PREPOSITION and self.traits[index + 1] & t.INFINITIVE)

    def _fronts_role(self, index: int, phrase: NounPhrase) -> bool:
        """Return whether "as the …" begins a sentence; what follows shows whether it describes the speaker.

        It does in "como el director del coro, elijo", but not in "como el director decía" or "como un niño".
        """
        before = self.traits[index - 1] if index else 0
        if not self.grammar.role_takes_article or not before & t.AS or before & t.PREPOSITION or self.verb.is_seen:
            return False
        if self._topic != NOBODY and not self._follows_i(index - 1):
            return False
        after = self.traits[phrase.end]
        ends = after & (t.PUNCTUATION | t.PREPOSITION | t.ADJECTIVE | t.PERSON | t.COMMON) and not after & t.VERB
        return bool(ends) and self._is_persons_role(phrase)

    def _is_persons_role(self, phrase: NounPhrase) -> bool:
        """Return whether a phrase names a role; "like a child" is a comparison and not a role."""
        head = phrase.token
        if phrase.gender is None or self.noun.traits & t.CHILD:
            return False
        is_role = phrase.named or bool(head.traits & t.PRENOMINAL) or head.key.endswith(self.grammar.profession_endings)
        return is_role and not head.traits & t.STANDING

    def _is_apposition(self, index: int) -> bool:
        """Return whether the word follows "I" and a comma, and another comma ends the phrase: "yo, la capitana, …"."""
        if not self._follows_i(index):
            return False
        for token in self.tokens[index + 1 : index + _APPOSITION]:
            if token.traits & t.PUNCTUATION:
                return token.word == ","
            if token.traits & _NO_APPOSITION and not token.traits & (t.NAMES_PERSON | t.ADJECTIVE):
                return False
        return False

    def _follows_i(self, index: int) -> bool:
        """Return whether "I" and a comma begin the clause before the word."""
        if not self.grammar.role_takes_article or index < 2 or self.tokens[index - 1].word != ",":
            return False
        begins = index == 2 or self.traits[index - 3] & (t.PUNCTUATION | t.COORDINATOR)
        return bool(begins) and bool(self.traits[index - 2] & t.PRONOUN)

    def _belongs_to_others(self, index: int) -> None:
        """Record the gender of the noun after a possessive: "I am her nurse", "I am your best friend"."""
        slot = self.slot
        if slot.weight != PREDICATE or not slot.is_sure or slot.awaits_subject or self.noun.takes_adjective:
            return
        place = index + 1
        while place < len(self.tokens) and self.traits[place] & (t.PRENOMINAL | t.MOST) and place < index + 3:
            place += 1
        if self.traits[place] & t.PERSON:
            self._emit(self.tokens[place], t.PERSON, LIKELY, "noun describing the speaker")

    def _front(self, phrase: NounPhrase) -> None:
        """Store a noun phrase until a later verb shows whom it describes."""
        traits = t.ADJECTIVE_F if phrase.gender == "feminine" else t.ADJECTIVE_M
        self.sentence.fronted_words.append(phrase.token._replace(traits=traits))

    def _is_regarded(self, index: int, traits: int, before: int) -> bool:
        """Return whether the preceding words show that "as" or "for" introduces a role: "they take me for"."""
        if self.grammar.adjectives_follow_nouns:
            return bool(before & t.REGARD) or (bool(traits & t.AS) and self._works(index, before))
        if index > 1 and before & (t.OBJECT | t.FUNCTION):
            before = self.traits[index - 2]
        is_taken_for = before & t.MAKES and self.verb.with_me and not self.grammar.has_cases
        return bool(before & t.REGARD or is_taken_for) or bool(traits & t.REGARD and self.slot.weight)

    def _works(self, index: int, before: int) -> bool:
        """Return whether "as" introduces an occupation."""
        return bool(before & t.WORKS and self.grammar.noun_genders and not self.noun.takes_adjective) or (
            self.verb.is_work and self._is_profession(index + 1)
        )

    def _acts(self, index: int, phrase: NounPhrase) -> bool:
        """Return whether "do the …" expresses an occupation: "faccio la maestra"."""
        doing = self.traits[index - 1]
        speakers = self._topic == SPEAKER
        named = self.traits[phrase.end - 1] & (t.PERSON | t.COMMON) and self.traits[index] & t.DEFINITE
        return bool(doing & t.WORKS and named) and speakers and not self.sentence.tells_somebody

    def _is_profession(self, index: int) -> bool:
        """Return whether a noun certainly denotes a person: "worked in a bar as a waitress"."""
        if index >= len(self.tokens) or not self.grammar.profession_endings:
            return False
        token = self.tokens[index]
        return bool(token.traits & (t.PERSON | t.COMMON)) or token.key.endswith(self.grammar.profession_endings)

    def _is_role(self, phrase: NounPhrase) -> bool:
        """Return whether a phrase after "as" describes the speaker: "as a leader", "treated me like a princess"."""
        treated = self.verb.with_me and self.slot.is_oblique and (phrase.named or self.grammar.adjectives_follow_nouns)
        eldest = self.grammar.predicate_may_precede_verb and self.sentence.last_subject == NOBODY
        return (phrase.common or treated or eldest) and not self.noun.is_childhood
