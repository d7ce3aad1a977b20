"""Verbs, part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.walk_neighbours import Neighbours
from genderscope.grammar.speaker.walk_state import LIKELY, LOOSE, NOBODY, OTHER, OTHERS, PREDICATE, RULES, SPEAKER
from genderscope.grammar.text import Token


class Verbs(Neighbours):
    """Handling of verbs: the subject of the clause, and whether the verb opens a slot for a predicate."""

    def _me(self, index: int) -> None:
        before = self.traits[index - 1]
        governed = before & t.PREPOSITION and self.traits[index] & t.STANDING
        noun = self.noun.takes_adjective and self.grammar.noun_genders  # "en el trabajo me …"
        self.noun.takes_adjective = self.noun.is_expected = self.noun.is_governed = False
        takes_me = not before & t.INFINITIVE or before & (t.FEELING | t.MAKES | t.TO_BE)
        behind = before & t.VERB and not noun and takes_me
        self.verb.me_precedes = not behind and not governed
        if before & t.MAKES and self.grammar.predicate_may_precede_verb and self._is_participle(self.tokens[index - 1]):
            self.slot.weight, self.slot.is_oblique = LIKELY, True  # "nobody has seen me angry"
        self.verb.with_me = self.verb.with_me or bool(governed)  # "difficult for me to be …"
        if behind:  # "sinto-me"
            self.verb.with_me = True
            if self.clause.subject == SPEAKER or before & t.INFINITIVE:
                self.slot.weight = max(self.slot.weight, PREDICATE if before & t.FEELING else LIKELY)
            elif before & t.MAKES or self.verb.participle_precedes:
                self.slot.weight = LIKELY

    def _needs_pronoun(self, index: int, traits: int) -> bool:
        """Return whether a form can be a verb only directly after its subject: French "voyage", "porte"."""
        if self.clause.subject != SPEAKER or self.clause.has_pronoun:
            return False
        if traits & (t.COPULA | t.HAVE | t.INFINITIVE | t.TO_BE):
            return False
        return not (index and self.traits[index - 1] & (t.COORDINATOR | t.OBJECT | t.CLITIC | t.FUNCTION))

    def _is_verb(self, index: int, traits: int) -> bool:
        """Return whether a possible verb form is a verb in this context."""
        if self.noun.is_expected:
            return bool(traits & (t.TO_BE | t.INFINITIVE | self._surely(traits)))
        if traits & t.MOOD and traits & t.ADJECTIVE and self.grammar.noun_genders and self._is_mood_here():
            return False  # "gané la carrera descalzo", ", inquiète pour …"
        if not self.grammar.pro_drop and self._needs_pronoun(index, traits):
            return False
        if self.noun.takes_adjective:
            return True
        if traits & t.PAIR and (self.noun.is_role or self.slot.weight == PREDICATE) and not traits & t.PRESENT:
            return False
        return not (traits & t.ADJECTIVE and (self.slot.weight or self.verb.is_auxiliary))

    def _surely(self, traits: int) -> int:
        """Return the traits that identify a verb even after a preposition or determiner: "por dentro soy"."""
        if self.grammar.noun_genders:
            return 0 if traits & t.NAMES_PERSON else t.COPULA | t.HAVE
        is_sure = self.grammar.predicate_may_precede_verb and not traits & (t.EITHER | t.ADJECTIVE | t.PAIR)
        return t.COPULA if is_sure else 0

    def _is_mood_here(self) -> bool:
        has_object = self.verb.me_precedes or self.verb.clitic
        has_subject = self.clause.has_noun_subject or self.clause.has_pronoun
        return self.noun.takes_adjective or (self.clause.is_fresh and not has_object and not has_subject)

    def _verb(self, traits: int, index: int) -> None:
        if traits & (t.TO_BE | t.INFINITIVE):
            self._infinitive(traits, index)
        elif self.verb.is_auxiliary and self.grammar.finite_verb_after_auxiliary and not traits & t.HAVE:
            self._finite_after_auxiliary(traits)
        else:
            self._finite(traits, index)

    def _finite_after_auxiliary(self, traits: int) -> None:
        """Process the main verb of a Greek perfect: "έχω νιώσει"."""
        self.verb.is_auxiliary = False
        if self.clause.subject == SPEAKER:
            self.slot.weight = PREDICATE if traits & t.BEEN else LIKELY if traits & t.RESTS else 0
        elif self.verb.with_me and traits & t.MAKES:
            self.slot.weight, self.slot.is_oblique = LIKELY, True

    def _finite(self, traits: int, index: int) -> None:
        sentence, clause, verb, slot = self.sentence, self.clause, self.verb, self.slot
        previous, has_noun_subject = clause.subject, clause.has_noun_subject
        verb.with_me, verb.me_precedes = verb.me_precedes, False
        clause.subject = self._subject_of(traits, previous)
        if traits & t.EITHER and traits & t.COPULA and clause.is_subordinate and previous == NOBODY:
            clause.subject = self._whose_childhood(index)
        sentence.tells_somebody = sentence.tells_somebody and clause.tells_somebody and not traits & t.PROMISES
        sentence.awaits_other = sentence.awaits_other and clause.is_subordinate
        if verb.is_seen:
            sentence.noun_genders |= self.noun.genders  # "lost the umbrella and it was …"
        self.noun.end()
        self.noun.takes_adjective = self.noun.in_prepositional_phrase = self.noun.is_last = False
        self.noun.genders = self.noun.determiner_gender = 0
        clause.is_fresh = clause.is_before_verb = clause.has_pronoun = clause.has_noun_subject = False
        verb.is_seen, verb.is_auxiliary, verb.is_listed = True, bool(traits & t.HAVE), False
        verb.is_promise, verb.is_work = bool(traits & t.PROMISES), bool(traits & t.WORKS)
        verb.leaves_somebody = bool(traits & t.LEAVES)
        verb.has_seen_somebody = verb.has_seen_somebody or verb.leaves_somebody
        slot.is_filled = slot.follows_adverb = slot.awaits_subject = False
        slot.is_sure, slot.is_oblique = True, bool(traits & (t.REGARD | t.MAKES))
        if clause.subject == SPEAKER:
            self._open_slot(traits, previous)
        else:
            self._verb_of_another(index, traits, has_noun_subject)
        sentence.measured_word = None
        self._look_back(index, traits, previous)

    def _open_slot(self, traits: int, previous: int) -> None:
        """Process a verb whose subject is the speaker; preceding and following words may describe the speaker."""
        clause, verb, slot = self.clause, self.verb, self.slot
        self._resolve_front(PREDICATE if traits & t.COPULA and self.grammar.predicate_may_precede_verb else LIKELY)
        phrase = clause.fronted_phrase
        if traits & t.COPULA and phrase is not None and phrase.gender and previous == NOBODY:
            self._show(phrase.token, phrase.gender, LIKELY, "noun phrase describing the speaker")
        if traits & t.COPULA or (traits & t.FEELING and verb.with_me):
            slot.weight, slot.is_feeling = PREDICATE, bool(traits & t.FEELING)
            is_first_person = not traits & t.EITHER or previous == SPEAKER
            if self.sentence.measured_word is not None and (is_first_person or self.sentence.gives_cause):
                self._emit(self.sentence.measured_word, t.ADJECTIVE, PREDICATE, RULES[PREDICATE])
            reflexive = verb.with_me and self.grammar.noun_genders  # "me sentía"
            slot.is_sure = bool(is_first_person or reflexive)
        else:
            slot.weight = LIKELY if traits & t.RESTS or (verb.with_me and self.grammar.me_is_reflexive) else 0
        verb.is_motion = bool(traits & (t.RESTS | t.COPULA))

    def _verb_of_another(self, index: int, traits: int, has_noun_subject: bool) -> None:
        fronted = self.sentence.fronted_words
        # Colloquial dangling participle: "Būdama moteris, man reikėjo …".
        dangling = self.grammar.genitive_endings and not self.sentence.awaits_other
        dangling = dangling and all(token.traits & t.SIDE for token in fronted)
        childhood = not has_noun_subject and all(token.traits & t.CHILD for token in fronted)  # "de niña me gusta"
        role = self.sentence.fronts_role and not has_noun_subject and self._happens_to_me(index, traits)
        if self.verb.with_me and (self.clause.is_about_being or dangling or childhood or role):
            self._resolve_front(LOOSE)  # "being the only woman made me stronger"
        self._drop_front()
        self.slot.weight = LIKELY if self.verb.with_me and traits & t.MAKES else 0
        self.verb.is_pleasing = bool(self.verb.with_me and traits & t.LIKES)

    def _happens_to_me(self, index: int, traits: int) -> bool:
        """Return whether a role cannot be that of the verb's subject: "como directora, me preocupan las cuentas"."""
        after = self.traits[index + 1]
        return bool(traits & t.PLURAL_PERSON or (traits & t.LIKES and after & (t.INFINITIVE | t.RELATIVE)))

    def _subject_of(self, traits: int, previous: int) -> int:
        if self.clause.has_pronoun:
            return SPEAKER
        if not self.grammar.pro_drop:
            return previous if previous != NOBODY and not self.clause.has_noun_subject else OTHER
        if traits & t.EITHER:
            return self._subject_of_either(traits, previous)
        if traits & (t.PRESENT | t.COPULA):
            return SPEAKER
        return OTHERS if traits & t.PLURAL_PERSON else OTHER

    def _subject_of_either(self, traits: int, previous: int) -> int:
        """Return the subject of a form that may be first or third person: the speaker, unless there is another."""
        sentence, clause, verb = self.sentence, self.clause, self.verb
        anybodys = traits & t.COPULA and previous != SPEAKER and self.grammar.noun_genders
        if sentence.tells_somebody and clause.is_subordinate and (traits & t.TO_OTHERS or anybodys):
            return OTHER  # "pedi-lhe que ficasse quieta", "le dije que estaba guapa"
        if clause.is_relative and verb.is_seen:
            return OTHER  # "the dress that I bought was …"
        somebody = (
            clause.has_noun_subject
            or clause.fronts_role
            or sentence.awaits_other
            or (previous in (OTHER, OTHERS) and not verb.is_pleasing)
        )
        if previous == SPEAKER and not somebody:
            return SPEAKER
        if somebody or sentence.mentions_other or (traits & t.FINITE and traits & t.COPULA):
            return OTHER
        return SPEAKER if sentence.last_subject in (NOBODY, SPEAKER, OTHERS) else OTHER

    def _infinitive(self, traits: int, index: int) -> None:
        slot = self.slot
        speakers = self._is_speakers(traits, index)
        if self.clause.is_before_verb and not self.noun.is_governed:
            self.clause.has_noun_subject = True  # "sabía que gastar dinero era …"
        has_object = traits & t.OBJECT or (self.verb.with_me and self.grammar.noun_genders)
        behind_noun = self.noun.takes_adjective and not self.noun.is_governed and not has_object
        speakers = speakers and not behind_noun
        self.noun.end()
        self.noun.takes_adjective = slot.is_filled = self.clause.is_fresh = False
        self.verb.is_auxiliary = bool(traits & t.HAVE) and not traits & t.TO_BE
        if not (self.grammar.noun_genders and index and self.traits[index - 1] & t.CLITIC):
            self.verb.clitic = traits & (t.ARTICLE_M | t.ARTICLE_F)
        slot.is_sure, self.verb.leaves_somebody = True, bool(traits & t.LEAVES)
        reflexive = self.verb.me_precedes or traits & t.OBJECT or (self.verb.with_me and self._follows_verb(index))
        self.verb.with_me = bool(self.verb.with_me or self.verb.me_precedes or traits & t.OBJECT)
        slot.weight, slot.awaits_subject = 0, False
        self.noun.genders, self.verb.is_work = 0, bool(traits & t.WORKS)
        resting = speakers and traits & (t.RESTS | t.TO_BE) if self.grammar.noun_genders else traits & t.RESTS
        self.verb.is_motion = bool(resting)
        concerns_speaker = self.verb.with_me or (self.sentence.was_pleasing and self.clause.subject == NOBODY)
        slot.is_oblique = bool(traits & (t.REGARD | t.MAKES)) or (
            concerns_speaker and not self.grammar.adjectives_follow_nouns
        )
        nobodys = self.clause.subject == self.sentence.last_subject == NOBODY and not behind_noun
        if not speakers and nobodys and traits & t.TO_BE:
            # "After being chosen, I …": the subject becomes clear only at the next verb.
            slot.weight, slot.awaits_subject = PREDICATE, True
            self.clause.is_about_being = self.clause.is_before_verb
        elif speakers:
            if traits & t.TO_BE:
                slot.weight, slot.is_active_perfect = PREDICATE, bool(traits & t.HAVE)
            elif traits & t.FEELING:
                slot.weight = PREDICATE if reflexive else 0
            elif traits & t.RESTS or (traits & t.MAKES and self.verb.with_me):
                slot.weight = LIKELY

    def _is_speakers(self, traits: int, index: int) -> bool:
        """Return whether an infinitive's subject is the speaker."""
        with_me = traits & t.OBJECT or self.verb.me_precedes or self.verb.with_me
        if self.sentence.tells_somebody and not self.verb.has_purpose and not with_me:
            return False  # "je lui ai demandé de rester assise"
        if self.noun.takes_adjective and self.noun.is_governed and self._is_told_person(index):
            return False  # "ho chiesto a mia sorella di essere …"
        if self.clause.has_possessive and self.clause.subject == OTHER and self._after_is(index):
            return True
        return bool(with_me) or self._topic == SPEAKER

    def _after_is(self, index: int) -> bool:
        """Return whether "is to …" describes something that belongs to the speaker: "mi defecto es ser …"."""
        before = index - 2 if index > 1 and self.tokens[index - 1].key in self.grammar.to else index - 1
        return before > 0 and self.tokens[before].key in self.grammar.third_person_copulas

    def _is_told_person(self, index: int) -> bool:
        """Return whether "to be …" follows a person who is asked, helped or made to be something."""
        is_person = self.noun.traits & (t.PERSON | t.COMMON | t.TITLE) and not (
            self.verb.has_purpose or self.verb.is_promise or self.verb.with_me
        )
        return bool(is_person and self.grammar.noun_genders) and self.tokens[index - 1].key in self.grammar.to

    def _follows_verb(self, index: int) -> bool:
        """Return whether "me" before the governing verb may belong to the infinitive: "me puedo sentir"."""
        before = self.traits[index - 1]
        return not self.grammar.noun_genders or bool(before & (t.VERB | t.OBJECT) and not before & t.HAVE)

    def _is_given(self, index: int, traits: int) -> bool:
        """Return whether "me" is dative, judging by the verb, a following object, or a relative clause."""
        after = self.traits[index + 1]
        things = after & (t.ARTICLE | t.DETERMINER | t.INFINITIVE) and not after & t.PREPOSITION
        return bool(traits & t.DATIVE or things or self.clause.is_relative)

    def _after_have(self, index: int, token: Token) -> None:
        """Process the participle of a compound tense, which agrees with nothing or with a preceding "me"."""
        traits, gender = token.traits, t.gender_of(token.traits, t.ADJECTIVE)
        self.verb.is_auxiliary, self.verb.is_compound = False, True
        self.noun.takes_adjective = self.noun.is_expected = False
        self.sentence.tells_somebody = self.sentence.tells_somebody and not traits & t.PROMISES
        self.verb.is_promise = bool(traits & t.PROMISES)
        if traits & t.SAYS:
            self._drop_quoted(index, traits)
        self.verb.is_motion, self.verb.leaves_somebody = bool(traits & t.RESTS), bool(traits & t.LEAVES)
        self.verb.is_work = bool(traits & t.WORKS)
        if self.grammar.noun_genders:
            self.slot.is_oblique = bool(traits & t.MAKES)
        self.verb.has_seen_somebody = self.verb.has_seen_somebody or self.verb.leaves_somebody
        speakers = self.clause.subject == SPEAKER
        if traits & t.LIKES:
            self.verb.is_pleasing, self.slot.weight = self.verb.with_me, 0
        elif traits & t.BEEN:
            # "After having been chosen, I …"
            self.slot.awaits_subject = self.clause.subject == self.sentence.last_subject == NOBODY
            self.slot.weight, self.slot.is_feeling = PREDICATE if speakers or self.slot.awaits_subject else 0, False
        elif self.verb.with_me and not speakers:
            to_me = gender == "masculine" and self._is_given(index, traits)
            if gender in self.grammar.participle_agrees_with_me and not to_me:
                self._emit(token, t.ADJECTIVE, LIKELY, "participle that agrees with “me” before it")
            self.slot.weight = LIKELY if traits & t.MAKES else 0
        elif speakers and self.verb.with_me and traits & t.FEELING:
            self.slot.weight, self.slot.is_feeling = PREDICATE, True
        else:
            self.slot.weight = LIKELY if speakers and (self.verb.with_me or traits & t.RESTS) else 0
