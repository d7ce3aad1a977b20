"""Gendered words, part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.walk_loose import LooseWords
from genderscope.grammar.speaker.walk_state import DATIVES, LIKELY, LOOSE, NOBODY, OTHER, PREDICATE, RULES, SPEAKER
from genderscope.grammar.text import Token


class GenderedWords(LooseWords):
    """Attribution of adjectives, participles and words like "alone" to the speaker, depending on context."""

    def _side(self, index: int, token: Token) -> bool:
        """Process a word like "alone", which agrees with any verb's subject; return whether it is fully processed."""
        traits = token.traits
        before, after = self.traits[index - 1], self.traits[index + 1]
        if traits & t.STANDING and before & t.STANDING:
            self._emit(token, t.SIDE, PREDICATE, "word next to “I” or “me”")
        adjective = traits & t.ADJECTIVE and not self._is_participle(token)
        if traits & t.STANDING or (adjective and not self.grammar.adjectives_follow_nouns and self._before_noun(index)):
            return True
        by_oneself = before & (t.AS | t.PRONOUN) or self.noun.is_governed
        by_itself = self.noun.is_governed and not self.grammar.adjectives_follow_nouns
        has_possessive = (
            index + 1 < len(self.tokens) and self.tokens[index + 1].key in self.grammar.enclitic_possessives
        )
        if self.grammar.has_cases and has_possessive and not self.noun.is_expected:
            self._emit(token, t.SIDE, LIKELY, "word that agrees with a first-person subject")
            return True  # Greek "μόνη μου"
        if (self.noun.is_expected and not by_oneself) or (
            self.slot.weight and not by_itself and not traits & t.ADVERBIAL and traits & t.ADJECTIVE
        ):
            return False
        # As an adverb ("only"), the word precedes the phrase that it restricts.
        ends = index + 1 == len(self.tokens) or after & (t.PUNCTUATION | t.COORDINATOR)
        ends = ends or (self.slot.weight and before & (t.VERB | t.ADJECTIVE) and after & (t.PREPOSITION | t.OPENER))
        if traits & t.ADVERBIAL and not by_oneself and not ends:
            return True
        others = self._is_objects(traits) or (
            self.noun.takes_adjective and (self.clause.subject != SPEAKER or self.verb.leaves_somebody)
        )
        is_certain = by_oneself or (self.grammar.has_cases and t.gender_of(traits, t.SIDE) == "masculine")
        if (others and not is_certain) or (self.clause.follows_sight and not self.verb.is_seen):
            return True
        # In languages with cases, the verb determines the subject.
        waits = self.grammar.has_cases and not self.verb.is_seen and self.sentence.last_subject != SPEAKER
        whose = self.clause.subject if self.clause.subject != NOBODY or waits else self.sentence.last_subject
        if whose == SPEAKER or ((self.verb.with_me or self.verb.me_precedes) and self._may_be_mine(token)):
            self._emit(token, t.SIDE, LIKELY, "word that agrees with a first-person subject")
        elif whose == NOBODY:
            self.sentence.fronted_words.append(token)
        self.noun.end()
        return True

    def _may_be_mine(self, token: Token) -> bool:
        """Return whether "alone" may agree with "me"; a Baltic nominative cannot if the clause has another subject."""
        others = self.grammar.genitive_endings and self.clause.subject not in (SPEAKER, NOBODY) and self.verb.is_seen
        return not others or self.verb.is_pleasing or token.key.endswith(DATIVES)

    def _is_objects(self, traits: int) -> bool:
        """Return whether "alone" may describe the object: "la dejé sola", but not "lo hice sola", "la crié sola"."""
        speakers = self.clause.subject == SPEAKER and not self.verb.leaves_somebody
        return bool(self.verb.clitic) and not self._is_others_gender(traits) and not speakers

    def _is_others_gender(self, traits: int) -> bool:
        """Return whether the object's gender differs from that of the word: "lo aprendí de niña"."""
        shown = self.verb.clitic & (t.ARTICLE_M | t.ARTICLE_F)
        return bool(shown) and bool(shown & t.ARTICLE_F) != bool(traits & (t.SIDE_F | t.PERSON_F))

    def _adjective(self, index: int, token: Token) -> None:
        clause, grammar = self.clause, self.grammar
        if self._leads_on(index, token):
            return
        if (self.noun.is_expected or self.noun.is_role) and not self._has_object_before(index, token):
            self._governed_adjective(index, token)
        elif self.slot.weight and not self.noun.takes_adjective:
            self._predicate(index, token)
        elif weight := self._beside_verb(index, token):
            self._emit(token, t.ADJECTIVE, weight, RULES[weight])
        elif (
            clause.is_fresh and token.traits & t.BEEN and not grammar.has_cases and not grammar.adjectives_follow_nouns
        ):
            clause.subject = OTHER  # hearsay: Bulgarian "била уморена" without "I am"
        elif (
            clause.is_fresh
            and not self.noun.takes_adjective
            and clause.subject in (NOBODY, SPEAKER)
            and not self._before_noun(index)
        ):
            if self._may_come_first(index, token):
                self.sentence.fronted_words.append(token)
        elif self._is_loose(index, token):
            self._emit(token, t.ADJECTIVE, LOOSE, RULES[LOOSE])
        elif grammar.adjectives_follow_nouns:
            before = self.traits[index - 1]
            if self.traits[index + 1] & t.RELATIVE and before & t.CLITIC:
                self.sentence.measured_word = token  # "lo cansada que estoy"
            else:
                self.noun.takes_adjective = True

    def _leads_on(self, index: int, token: Token) -> bool:
        """Process the word if it points ahead to a later word; return whether it does.

        Either its verb follows, as in "how tired I am", or it opens a slot, as in "nobody has seen me angry".
        """
        traits = token.traits
        if traits & t.HOW:
            after, later = self.traits[index + 1], self.traits[index + 2]
            exclaims = later & (t.COPULA | t.PRONOUN) and not later & t.EITHER
            exclaims = exclaims and not after & (t.ANYONE | t.VERB | t.FUNCTION)
            if not self.noun.is_governed and ((after & (t.COPULA | t.PRONOUN) and not after & t.EITHER) or exclaims):
                self.sentence.measured_word = token  # also "what a fool I was"
            else:
                self.noun.is_expected = self.clause.has_noun_subject = not after & t.ADJECTIVE
        elif self._is_measured_here(index):
            self.sentence.measured_word = token
        elif traits & t.MAKES and self.verb.with_me and self._is_object_of(token):
            self.slot.weight, self.slot.is_oblique = LIKELY, True  # "nobody has seen me angry"
        else:
            return False
        return True

    def _is_measured_here(self, index: int) -> bool:
        """Return whether an adjective precedes its verb because its degree is emphasised, as in "how tired I am"."""
        if index and (self.traits[index - 1] & t.HOW or self._is_measured(index)):
            return True
        return bool(self.grammar.just_as) and self._comes_before_as(index)

    def _comes_before_as(self, index: int) -> bool:
        """Return whether "as I am", or "as somebody is", follows: Greek "κουρασμένη όπως είμαι"."""
        if not self.clause.is_fresh or self.noun.is_expected or index + 2 >= len(self.tokens):
            return False
        if self.tokens[index + 1].key not in self.grammar.just_as or not self.traits[index + 2] & t.VERB:
            return False
        if not self.grammar.adjectives_follow_nouns:
            return True
        late = self.tokens[index + 3] if index + 3 < len(self.tokens) else None  # "cansada como estaba mi madre"
        return late is not None and (bool(late.traits & (t.ARTICLE | t.DETERMINER)) or late.word[0].isupper())

    def _is_object_of(self, token: Token) -> bool:
        """Return whether "me" before the auxiliary is the participle's object and not reflexive."""
        return self.grammar.predicate_may_precede_verb and self.clause.subject != SPEAKER and self._is_participle(token)

    def _predicate(self, index: int, token: Token) -> None:
        """Process a gendered word in the slot."""
        traits = token.traits
        if self._before_noun(index):
            self.noun.takes_adjective = self.slot.is_filled = False
            if not self.grammar.adjective_shows_gender_of_noun or not self._names_agent(index + 1):
                return  # but in Greek, the adjective marks the gender of a common-gender noun
        perfect, self.slot.is_active_perfect = self.slot.is_active_perfect, False
        if self._is_things(index, token) or (
            t.gender_of(traits, t.ADJECTIVE) == "masculine" and self._shows_nothing(index, traits, perfect)
        ):
            return
        if self.slot.awaits_subject:
            self.sentence.fronted_words.append(token)
        elif not traits & t.TITLE:
            self._emit(token, t.ADJECTIVE, self.slot.weight, RULES[self.slot.weight])
        self.slot.is_filled = True
        tense = (
            not self.grammar.has_cases
            and bool(self.grammar.tense_participle_endings)
            and token.key.endswith(self.grammar.tense_participle_endings)
        )
        if tense and not traits & t.BEEN:
            self.slot.weight, self.verb.is_listed = LIKELY if traits & t.RESTS else 0, True
        if traits & (t.NOUN | t.PERSON):
            self.noun.takes_adjective = self.grammar.adjectives_follow_nouns

    def _is_things(self, index: int, token: Token) -> bool:
        """Return whether the word may describe something else, or be an adverb."""
        slot = self.slot
        traits = token.traits
        rests = self.verb.is_motion and slot.weight < PREDICATE and not (slot.is_oblique and traits & t.ADJECTIVE_F)
        if self.grammar.has_cases and rests and not traits & (t.MOOD | t.SIDE | t.PAST) and not self._is_state(index):
            return True
        if slot.is_feeling and self.grammar.adverb_endings_f and token.key.endswith(self.grammar.adverb_endings_f):
            return True
        things = t.IMPERSONAL if self.sentence.last_subject == NOBODY else t.IMPERSONAL | t.THING
        return not slot.is_sure and (bool(traits & things) or self._has_late_subject(index))

    def _shows_nothing(self, index: int, traits: int, perfect: bool) -> bool:
        """Return whether a masculine form shows no gender: adverbs, perfects, and as in "je me suis lavé les mains"."""
        if self.verb.with_me and self.grammar.reflexive_may_be_dative:
            after = self.traits[index + 1]
            if traits & t.FULL or (after & (t.ARTICLE | t.DETERMINER) and not after & t.PREPOSITION):
                self.slot.is_filled = True
                return True
        return self._is_adverb(index, traits, perfect)

    def _is_adverb(self, index: int, traits: int, perfect: bool) -> bool:
        """Return whether a masculine form is an adverb or the participle of a perfect tense ("aș fi știut")."""
        plain = self.grammar.masculine_is_unmarked
        if self.slot.is_oblique and self.verb.with_me and self.clause.subject != SPEAKER and self.grammar.noun_genders:
            return False  # "mi ha trovato sano", "mă numește zgârcit"
        if traits & t.ADVERBIAL and (self.slot.weight < PREDICATE or (plain and self.slot.is_feeling)):
            self.slot.follows_adverb = self.grammar.adjectives_follow_nouns
            return True
        if self.slot.follows_adverb and self.slot.weight < PREDICATE and not traits & t.MOOD:
            return True  # "trabajo rápido y seguro"
        if not plain or traits & (t.MOOD | t.SIDE):
            return False
        by_others = not perfect and index + 1 < len(self.tokens) and self.tokens[index + 1].key == "de"
        if traits & t.PAST and (by_others or self._is_after_span(index)):
            return False  # "am crescut înconjurat de …", "am petrecut ziua închis în casă"
        return bool(self.slot.weight < PREDICATE or (perfect and traits & t.PAST_M)) or (
            self.slot.is_filled and bool(self.traits[index - 1] & t.ADJECTIVE)
        )

    def _governed_adjective(self, index: int, token: Token) -> None:
        """Process an adjective after a preposition or determiner; it acts as a noun, except in "as a girl"."""
        clause = self.clause
        if (not self.grammar.adjectives_follow_nouns or self.noun.is_role) and self._before_noun(index):
            return  # the following noun marks the gender: "como única hija"
        if self.noun.is_role:
            self._role(token, t.ADJECTIVE if token.traits & t.ADJECTIVE else t.PAIR)
        elif clause.is_before_verb and not self.noun.is_governed:
            clause.has_noun_subject = True
        self._note_noun(index)
        self.noun.end()
        clause.is_fresh = clause.is_fresh and (self.grammar.adjectives_follow_nouns or not clause.has_noun_subject)
        self.noun.takes_adjective = self.grammar.adjectives_follow_nouns

    def _role(self, token: Token, kind: int) -> None:
        """Process roles such as "as a surgeon", which describe the subject unless there is an object pronoun."""
        whose = self._topic
        if self.grammar.masculine_is_unmarked and kind != t.PERSON and t.gender_of(token.traits, kind) == "masculine":
            return
        others = self.verb.clitic and not (token.traits & t.CHILD and self._is_others_gender(token.traits))
        if token.traits & t.TITLE or others or (self.noun.is_childhood and not token.traits & t.CHILD):
            return
        if whose == SPEAKER or self.verb.with_me:
            self._emit(token, kind, LIKELY, "noun describing the speaker")
        elif whose == NOBODY:
            self.sentence.fronted_words.append(token)
            self.sentence.fronts_role = self.grammar.role_takes_article
