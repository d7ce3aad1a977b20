"""Verbs in the walk over the words of a text (walk.py)."""

from __future__ import annotations

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.walk_neighbours import Neighbours
from genderscope.grammar.speaker.walk_state import LIKELY, LOOSE, NOBODY, OTHER, OTHERS, PREDICATE, RULES, SPEAKER
from genderscope.grammar.text import Token

# What stands between somebody and what they should do.
_TO = frozenset({"a", "ad", "à", "de", "di", "d'"})
# What something is, before "to be".
_IS = frozenset(["es", "é", "è", "est", "era", "fue", "foi", "fu", "était", "sería", "seria", "sarebbe", "serait"]) | {
    "será",
    "sarà",
    "sera",
}


class Verbs(Neighbours):
    """Verbs: whose clause it is, and whether they leave a place open for a word that is said of the subject."""

    def _me(self, index: int) -> None:
        before = self.tokens[index - 1].traits if index else 0
        governed = before & t.PREPOSITION and self.tokens[index].traits & t.STANDING
        noun = self.attached and self.grammar.noun_genders  # "en el trabajo me …"
        self.attached = self.determined = self.governed = False
        behind = (
            before & t.VERB and not noun and (not before & t.INFINITIVE or before & (t.FEELING | t.MAKES | t.TO_BE))
        )
        self.me = not behind and not governed
        if before & t.MAKES and self.grammar.predicate_may_precede_verb and self._is_participle(self.tokens[index - 1]):
            self.open, self.obliquely = LIKELY, True  # "nobody has seen me angry"
        self.with_me = self.with_me or bool(governed)  # "difficult for me to be …"
        if behind:  # "sinto-me"
            self.with_me = True
            if self.subject == SPEAKER or before & t.INFINITIVE:
                self.open = max(self.open, PREDICATE if before & t.FEELING else LIKELY)
            elif before & t.MAKES or self.seen:
                self.open = LIKELY

    def _needs_pronoun(self, index: int, traits: int) -> bool:
        """Whether a form would be a verb only right behind its subject: French "voyage", "porte"."""
        if self.subject != SPEAKER or self.said_i or traits & (t.COPULA | t.HAVE | t.INFINITIVE | t.TO_BE):
            return False
        return not (index and self.tokens[index - 1].traits & (t.COORDINATOR | t.OBJECT | t.CLITIC | t.FUNCTION))

    def _is_verb(self, index: int, traits: int) -> bool:
        """Whether a form that may be a verb is one here."""
        if self.determined:
            return bool(traits & (t.TO_BE | t.INFINITIVE | self._surely(traits)))
        if traits & t.MOOD and traits & t.ADJECTIVE and self.grammar.noun_genders and self._is_mood_here():
            return False  # "gané la carrera descalzo", ", inquiète pour …"
        if not self.grammar.pro_drop and self._needs_pronoun(index, traits):
            return False
        if traits & t.PAIR and (self.role or self.open == PREDICATE) and not self.attached and not traits & t.PRESENT:
            return False
        return not (traits & t.ADJECTIVE and (self.open or self.have) and not self.attached)

    def _surely(self, traits: int) -> int:
        """What is a verb even behind a preposition or a determiner: "por dentro soy"."""
        if self.grammar.noun_genders:
            return 0 if traits & t.NAMES_PERSON else t.COPULA | t.HAVE
        return (
            t.COPULA
            if self.grammar.predicate_may_precede_verb and not traits & (t.EITHER | t.ADJECTIVE | t.PAIR)
            else 0
        )

    def _is_mood_here(self) -> bool:
        return self.attached or (self.fresh and not (self.me or self.clitic or self.noun_before or self.said_i))

    def _verb(self, traits: int, index: int) -> None:
        if traits & (t.TO_BE | t.INFINITIVE):
            self._infinitive(traits, index)
            return
        if self.have and self.grammar.finite_verb_after_auxiliary and not traits & t.HAVE:
            self.have = False  # Greek "έχω νιώσει"
            if self.subject == SPEAKER:
                self.open = PREDICATE if traits & t.BEEN else LIKELY if traits & t.RESTS else 0
            elif self.with_me and traits & t.MAKES:
                self.open, self.obliquely = LIKELY, True
            return
        self.have = bool(traits & t.HAVE)
        self.attached = self.determined = self.governed = self.role = self.said = self.fresh = self.in_phrase = False
        self.with_me, self.me = self.me, False
        previous, named = self.subject, self.noun_before
        self.subject = self._subject_of(traits, previous)
        if traits & t.EITHER and traits & t.COPULA and self.subordinate and previous == NOBODY:
            self.subject = self._whose_childhood(index)
        self.told = self.told and self.told_here and not traits & t.PROMISES
        self.promised, self.adverbially = bool(traits & t.PROMISES), False
        self.said_i = False
        self.verb_seen, self.noun_before, self.sure, self.waiting = True, False, True, False
        self.obliquely = bool(traits & (t.REGARD | t.MAKES))
        self.listed = self.noun_last = False
        self.nouns = self.shown = 0
        self.working = bool(traits & t.WORKS)
        self.before_verb, self.making = False, bool(traits & t.LEAVES)
        self.saw = self.saw or self.making
        self.awaited = self.awaited and self.subordinate
        if self.subject == SPEAKER:
            self._resolve_front(PREDICATE if traits & t.COPULA and self.grammar.predicate_may_precede_verb else LIKELY)
            if traits & t.COPULA and self.fronted is not None and self.fronted.gender and previous == NOBODY:
                self._show(self.fronted.token, self.fronted.gender, LIKELY, "noun phrase said of the speaker")
            if traits & t.COPULA or (traits & t.FEELING and self.with_me):
                self.open, self.feeling = PREDICATE, bool(traits & t.FEELING)
                if self.measured is not None and (not traits & t.EITHER or previous == SPEAKER or self.caused):
                    self._emit(self.measured, t.ADJECTIVE, PREDICATE, RULES[PREDICATE])
                reflexive = self.with_me and self.grammar.noun_genders  # "me sentía"
                self.sure = bool(not traits & t.EITHER or previous == SPEAKER or reflexive)
            else:
                self.open = LIKELY if traits & t.RESTS or (self.with_me and self.grammar.me_is_reflexive) else 0
            self.resting = bool(traits & (t.RESTS | t.COPULA))
        else:
            # "Būdama moteris, man reikėjo …", as people say it.
            beside = not self.awaited and not self.noun_before and all(token.traits & t.SIDE for token in self.front)
            beside = beside and bool(self.grammar.genitive_endings)
            beside = beside or (not named and all(token.traits & t.CHILD for token in self.front))  # "de niña me gusta"
            if self.with_me and (self.by_being or beside):
                self._resolve_front(LOOSE)  # "being the only woman made me stronger"
            self._drop_front()
            self.open = LIKELY if self.with_me and traits & t.MAKES else 0
            self.liked = bool(self.with_me and traits & t.LIKES)
        self.measured = None
        self._look_back(index, traits, previous)

    def _subject_of(self, traits: int, previous: int) -> int:
        if self.said_i:
            return SPEAKER
        if not self.grammar.pro_drop:
            return previous if previous != NOBODY and not self.noun_before else OTHER
        if traits & t.EITHER:
            return self._subject_of_either(traits, previous)
        if traits & (t.PRESENT | t.COPULA):
            return SPEAKER
        return OTHERS if traits & t.PLURAL_PERSON else OTHER

    def _subject_of_either(self, traits: int, previous: int) -> int:
        """Of a form that is first or third person: the speaker's, unless somebody else is in sight."""
        anybodys = traits & t.COPULA and previous != SPEAKER and self.grammar.noun_genders
        if self.told and self.subordinate and (traits & t.TO_OTHERS or anybodys):
            return OTHER  # "pedi-lhe que ficasse quieta", "le dije que estaba guapa"
        if self.hangs_on_noun and self.verb_seen:
            return OTHER  # "the dress that I bought was …"
        somebody = self.noun_before or self.awaited or (previous in (OTHER, OTHERS) and not self.liked)
        if previous == SPEAKER and not somebody:
            return SPEAKER
        if somebody or self.third or (traits & t.FINITE and traits & t.COPULA):
            return OTHER
        return SPEAKER if self.last in (NOBODY, SPEAKER, OTHERS) else OTHER

    def _infinitive(self, traits: int, index: int) -> None:
        speakers = self._is_speakers(traits, index)
        if self.before_verb and not self.governed:
            self.noun_before = True  # "sabía que gastar dinero era …"
        if (
            self.attached
            and not self.governed
            and not (traits & t.OBJECT or (self.with_me and self.grammar.noun_genders))
        ):
            speakers, self.last_noun = False, True
        else:
            self.last_noun = False
        self.determined = self.governed = self.attached = self.said = self.fresh = self.role = False
        self.have = bool(traits & t.HAVE) and not traits & t.TO_BE
        if not (self.grammar.noun_genders and index and self.tokens[index - 1].traits & t.CLITIC):
            self.clitic = traits & (t.ARTICLE_M | t.ARTICLE_F)
        self.sure, self.making = True, bool(traits & t.LEAVES)
        reflexive = self.me or traits & t.OBJECT or (self.with_me and self._follows_verb(index))
        self.with_me = bool(self.with_me or self.me or traits & t.OBJECT)
        self.open, self.waiting = 0, False
        self.nouns, self.working = 0, bool(traits & t.WORKS)
        resting = speakers and traits & (t.RESTS | t.TO_BE) if self.grammar.noun_genders else traits & t.RESTS
        self.resting = bool(resting)
        mine = self.with_me or (self.liked_before and self.subject == NOBODY)
        self.obliquely = bool(traits & (t.REGARD | t.MAKES)) or (mine and not self.grammar.adjectives_follow_nouns)
        nobodys = self.subject == self.last == NOBODY and not self.last_noun
        if not speakers and nobodys and traits & t.TO_BE:
            # "After being chosen, I …": whose it is, the verb will tell.
            self.open, self.waiting = PREDICATE, True
            self.by_being = self.before_verb
        elif speakers:
            if traits & t.TO_BE:
                self.open, self.active_perfect = PREDICATE, bool(traits & t.HAVE)
            elif traits & t.FEELING:
                self.open = PREDICATE if reflexive else 0
            elif traits & t.RESTS or (traits & t.MAKES and self.with_me):
                self.open = LIKELY

    def _is_speakers(self, traits: int, index: int) -> bool:
        """Whether an infinitive's subject is the speaker."""
        with_me = traits & t.OBJECT or self.me or self.with_me
        if self.told and not self.purpose and not with_me:
            return False  # "je lui ai demandé de rester assise"
        if self.attached and self.governed and self._is_told_person(index):
            return False  # "ho chiesto a mia sorella di essere …"
        if self.mine and self.subject == OTHER and self._after_is(index):
            return True
        return bool(with_me) or (self.subject or self.last) == SPEAKER

    def _after_is(self, index: int) -> bool:
        """Whether "is to …" tells what something of the speaker's is: "mi defecto es ser …"."""
        before = index - 2 if index > 1 and self.tokens[index - 1].key in _TO else index - 1
        return before > 0 and self.tokens[before].key in _IS

    def _is_told_person(self, index: int) -> bool:
        """Whether a person stands before "to be …", who is asked, helped or made to be so."""
        told = self.attached_to & (t.PERSON | t.COMMON | t.TITLE) and not (
            self.purpose or self.promised or self.with_me
        )
        return bool(told and self.grammar.noun_genders) and self.tokens[index - 1].key in _TO

    def _follows_verb(self, index: int) -> bool:
        """Whether an infinitive's "me" may stand before the verb that it hangs on: "me puedo sentir"."""
        before = self.tokens[index - 1].traits if index else 0
        return not self.grammar.noun_genders or bool(before & (t.VERB | t.OBJECT) and not before & t.HAVE)

    def _is_given(self, index: int, traits: int) -> bool:
        """Whether "me" is "to me": by the verb, by an object behind it, or by one that the clause hangs on."""
        after = self._after(index)
        things = after & (t.ARTICLE | t.DETERMINER | t.INFINITIVE) and not after & t.PREPOSITION
        return bool(traits & t.DATIVE or things or self.hangs_on_noun)

    def _after_have(self, index: int, token: Token) -> None:
        """The participle of a compound tense: it agrees with nothing, or with "me" before the verb."""
        traits, gender = token.traits, t.gender_of(token.traits, t.ADJECTIVE)
        self.have, self.attached, self.compound, self.determined = False, False, True, False
        self.told = self.told and not traits & t.PROMISES
        self.promised = bool(traits & t.PROMISES)
        if traits & t.SAYS:
            self._drop_quoted(index, traits)
        self.resting, self.making = bool(traits & t.RESTS), bool(traits & t.LEAVES)
        self.working = bool(traits & t.WORKS)
        if self.grammar.noun_genders:
            self.obliquely = bool(traits & t.MAKES)
        self.saw = self.saw or self.making
        speakers = self.subject == SPEAKER
        if traits & t.LIKES:
            self.liked, self.open = self.with_me, 0
        elif traits & t.BEEN:
            self.waiting = self.subject == self.last == NOBODY  # "after having been chosen, I …"
            self.open, self.feeling = PREDICATE if speakers or self.waiting else 0, False
        elif self.with_me and not speakers:
            if gender in self.grammar.participle_agrees_with_me and not (
                gender == "masculine" and self._is_given(index, traits)
            ):
                self._emit(token, t.ADJECTIVE, LIKELY, "participle that agrees with “me” before it")
            self.open = LIKELY if traits & t.MAKES else 0
        elif speakers and self.with_me and traits & t.FEELING:
            self.open, self.feeling = PREDICATE, True
        else:
            self.open = LIKELY if speakers and (self.with_me or traits & t.RESTS) else 0
