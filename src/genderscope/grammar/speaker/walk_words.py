"""Gendered words in the walk over the words of a text (walk.py)."""

from __future__ import annotations

from genderscope.grammar.speaker.walk_state import (
    DATIVES,
    LIKELY,
    LOOSE,
    NAMES_PERSON,
    NOBODY,
    OTHER,
    PEOPLE,
    PREDICATE,
    RULES,
    SPEAKER,
    VERB,
    noun_gender,
)
from genderscope.grammar.speaker.walk_verbs import Verbs
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ADVERBIAL,
    ANYONE,
    ARTICLE,
    ARTICLE_F,
    ARTICLE_M,
    AS,
    BEEN,
    CHILD,
    CLITIC,
    COMMON,
    COORDINATOR,
    COPULA,
    DEAR,
    DEGREE,
    DETERMINER,
    EITHER,
    FULL,
    FUNCTION,
    HAVE,
    HOW,
    IMPERSONAL,
    INFINITIVE,
    KNOWN,
    MAKES,
    MOOD,
    NOUN,
    OPENER,
    PAIR,
    PAST,
    PAST_M,
    PERSON,
    PRENOMINAL,
    PREPOSITION,
    PRONOUN,
    PUNCTUATION,
    RELATIVE,
    RESTS,
    SIDE,
    SIDE_F,
    STANDING,
    THING,
    TITLE,
    gender_of,
)

# More adjectives in a row are no longer looked at, so that time stays linear in the text.
_LONGEST_ROW = 8


class GenderedWords(Verbs):
    """Adjectives, participles and words like "alone": are they said of the speaker where they stand?"""

    def _side(self, index: int, token: Token) -> bool:
        """Alone, myself: with the subject of any first-person verb, wherever in the clause it stands."""
        traits = token.traits
        before, after = self.tokens[index - 1].traits if index else 0, self._after(index)
        if traits & STANDING:
            if before & STANDING:
                self._emit(token, SIDE, PREDICATE, "word that stands with “I” or “me”")
            return True
        adjective = traits & ADJECTIVE and not self._is_participle(token)
        if adjective and not self.grammar.noun_first and self._before_noun(index):
            return True
        by_oneself = before & (AS | PRONOUN) or self.governed
        mine = index + 1 < len(self.tokens) and self.tokens[index + 1].key in self.grammar.mine
        if self.grammar.cases and mine and not self.determined:
            self._emit(token, SIDE, LIKELY, "word that agrees with a first-person subject")
            return True  # Greek "μόνη μου"
        if (self.determined and not by_oneself) or (
            self.open and not self.governed and not traits & ADVERBIAL and traits & ADJECTIVE
        ):
            return False
        # As an adverb ("only") it stands before what it restricts.
        ends = index + 1 == len(self.tokens) or after & (PUNCTUATION | COORDINATOR)
        ends = ends or (self.open and before & (VERB | ADJECTIVE) and after & (PREPOSITION | OPENER))
        if traits & ADVERBIAL and not by_oneself and not ends:
            return True
        others = self._is_objects(traits) or (self.attached and (self.subject != SPEAKER or self.making))
        told = by_oneself or (self.grammar.cases and gender_of(traits, SIDE) == "masculine")
        if (others and not told) or (self.after_sight and not self.verb_seen):
            return True
        whose = self.subject if self.subject != NOBODY or self._waits() else self.last
        if whose == SPEAKER or ((self.with_me or self.me) and self._may_be_mine(token)):
            self._emit(token, SIDE, LIKELY, "word that agrees with a first-person subject")
        elif whose == NOBODY:
            self.front.append(token)
        self.determined = self.governed = self.role = False
        return True

    def _may_be_mine(self, token: Token) -> bool:
        """Whether "alone" may go with "me": in Baltic not in the nominative beside another subject."""
        others = self.grammar.genitives and self.subject not in (SPEAKER, NOBODY) and self.verb_seen
        return not others or self.liked or token.key.endswith(DATIVES)

    def _is_objects(self, traits: int) -> bool:
        """Whether "alone" may be said of the object: "la dejé sola", but not "lo hice sola", "la crié sola"."""
        shown = self.clitic & (ARTICLE_M | ARTICLE_F)
        other_gender = bool(shown) and bool(shown & ARTICLE_F) != bool(traits & SIDE_F)
        speakers = self.subject == SPEAKER and not self.making
        return bool(self.clitic) and not other_gender and not speakers

    def _waits(self) -> bool:
        """Whether the verb, still to come, will tell whose word it is, since case tells the subject's."""
        return self.grammar.cases and not self.verb_seen and self.last != SPEAKER

    def _adjective(self, index: int, token: Token) -> None:
        if token.traits & HOW:
            after = self._after(index)
            if after & (COPULA | PRONOUN) and not after & EITHER:
                self.measured = token  # "the way I am", which agrees in Baltic and Slavic
            else:
                self.determined = self.noun_before = not after & ADJECTIVE
        elif index and self.tokens[index - 1].traits & HOW:
            self.measured = token
        elif token.traits & MAKES and self.with_me and self.subject != SPEAKER and self._is_participle(token):
            self.open, self.obliquely = LIKELY, True  # "nobody has seen me angry"
        elif (self.determined or self.role) and not self._has_object_before(index, token):
            self._governed_adjective(index, token)
        elif self.open and not self.attached:
            self._predicate(index, token)
        elif self.said_i and self._drops_copula(index) and not self._before_noun(index):
            self._emit(token, ADJECTIVE, LIKELY, RULES[LIKELY])
        elif self.listed and token.traits & PAST and self.tokens[index - 1].traits & (COORDINATOR | FUNCTION):
            self._emit(token, ADJECTIVE, PREDICATE, RULES[PREDICATE])  # "have thought and said"
        elif self.grammar.cases and self.subject == SPEAKER and self._is_depictive(index):
            self._emit(token, ADJECTIVE, LOOSE, RULES[LOOSE])
        elif self.fresh and token.traits & BEEN and not self.grammar.cases and not self.grammar.noun_first:
            self.subject = OTHER  # hearsay: Bulgarian "била уморена" without "I am"
        elif self.fresh and not self.attached and self.subject in (NOBODY, SPEAKER) and not self._before_noun(index):
            barred = (
                (self.compound and token.traits & PAST)
                or (self.me and self.grammar.cases)
                or (self.behind_noun and not self._is_persons(token))
                or token.traits & (IMPERSONAL | THING | TITLE | BEEN)
            )
            barred = barred or (self.grammar.masculine_is_plain and not token.traits & (MOOD | PAST))
            barred = (
                barred or (index > 0 and token.word[0].isupper()) or token.traits & DEAR
            )  # a name, or what one calls
            barred = barred or (self.grammar.noun_first and self.said_i)  # nothing comes between "I" and its verb
            object_of = index and self.tokens[index - 1].traits & (SIDE | VERB)  # Lithuanian "žiūrėdama serialus"
            said_next = self._after(index) & COPULA and not self._after(index) & EITHER and not object_of
            done = token.traits & PAST and self.grammar.genitives and token.key.endswith(self.grammar.verbal)
            first = token.traits & MOOD or said_next or done or token.key.endswith(self.grammar.only_first)
            barred = barred or not first
            if not barred and not token.key.endswith(self.grammar.never_first):
                self.front.append(token)
        elif token.traits & MOOD and self.subject == SPEAKER and self._rests(index):
            self._emit(token, ADJECTIVE, LOOSE, RULES[LOOSE])
        elif self._is_passive(token) and self.subject == SPEAKER and self._stands_apart(index):
            self._emit(token, ADJECTIVE, LOOSE, RULES[LOOSE])
        elif self.grammar.noun_first:
            before = self.tokens[index - 1].traits if index else 0
            if self._after(index) & RELATIVE and before & CLITIC:
                self.measured = token  # "lo cansada que estoy"
            else:
                self.attached = True

    def _has_object_before(self, index: int, token: Token) -> bool:
        """Whether "their" is the object of a Baltic participle: "jų neišskalbęs"."""
        if self.governed or self.role or not self.grammar.genitives or self._before_noun(index):
            return False
        return token.key.endswith(self.grammar.verbal)

    def _rests(self, index: int) -> bool:
        """Whether a mood is the subject's: behind a verb of motion or rest, or right behind any verb."""
        if self.resting:
            return not self.attached_to & PEOPLE
        while index and self.tokens[index - 1].traits & FUNCTION:
            index -= 1
        right_behind = self.grammar.noun_first and index and self.tokens[index - 1].traits & VERB & ~HAVE
        return bool(right_behind) and not self.clitic and not self.told

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
        return (bool(moved) or self._is_participle(token)) and not self._before_noun(index)

    def _drops_copula(self, index: int) -> bool:
        return self.grammar.drops_copula and bool(self.tokens[index - 1].traits & (PRONOUN | FUNCTION))

    def _predicate(self, index: int, token: Token) -> None:
        """A gendered word in the open place."""
        traits = token.traits
        if self._before_noun(index):
            self.attached = self.said = False
            if not self.grammar.adjective_tells or not self._names_agent(index + 1):
                return  # but in Greek the adjective shows what a common noun does not
        perfect, self.active_perfect = self.active_perfect, False
        if self._is_things(index, token) or (
            gender_of(traits, ADJECTIVE) == "masculine" and self._shows_nothing(index, traits, perfect)
        ):
            return
        if self.waiting:
            self.front.append(token)
        elif not traits & TITLE:
            self._emit(token, ADJECTIVE, self.open, RULES[self.open])
        self.said = True
        tense = not self.grammar.cases and bool(self.grammar.verbal) and token.key.endswith(self.grammar.verbal)
        if tense and not traits & BEEN:
            self.open, self.listed = LIKELY if traits & RESTS else 0, True
        if traits & (NOUN | PERSON):
            self.attached = self.grammar.noun_first

    def _names_agent(self, index: int) -> bool:
        """Whether the noun tells what a person does, by the dictionary or by its ending."""
        token = self.tokens[index]
        return bool(token.traits & (COMMON | TITLE)) or token.key.endswith(self.grammar.agents or ("-",))

    def _is_things(self, index: int, token: Token) -> bool:
        """Whether the word may as well be said of something else, or be an adverb."""
        traits = token.traits
        rests = self.resting and self.open < PREDICATE and not (self.obliquely and traits & ADJECTIVE_F)
        if self.grammar.cases and rests and not traits & (MOOD | SIDE | PAST) and not self._is_state(index):
            return True
        if self.feeling and self.grammar.adverb_too and token.key.endswith(self.grammar.adverb_too):
            return True
        things = IMPERSONAL if self.last == NOBODY else IMPERSONAL | THING
        return not self.sure and (bool(traits & things) or self._has_late_subject(index))

    def _is_state(self, index: int) -> bool:
        """Whether only a participle ends like this (Greek -μένος), or a nominative that belongs to no noun behind it."""
        token = self.tokens[index]
        if self.grammar.only_first != ("",) and token.key.endswith(self.grammar.only_first):
            return True
        name = token.word[0].isupper() and token.word[1:].islower()
        if name or token.traits & (NAMES_PERSON | PAIR) or not token.key.endswith(self.grammar.depictive or ("-",)):
            return False
        return self._is_last(index)

    def _is_last(self, index: int) -> bool:
        """Whether no noun follows."""
        small = PUNCTUATION | COORDINATOR | OPENER | PREPOSITION | FUNCTION
        return index + 1 == len(self.tokens) or bool(self._after(index) & small)

    def _shows_nothing(self, index: int, traits: int, perfect: bool) -> bool:
        """Whether a masculine form shows nothing: an adverb, a Romanian perfect, "je me suis lavé les mains"."""
        if self.with_me and self.grammar.reflexive_object:
            after = self._after(index)
            if traits & FULL or (after & (ARTICLE | DETERMINER) and not after & PREPOSITION):
                self.said = True
                return True
        return self._is_adverb(index, traits, perfect)

    def _is_adverb(self, index: int, traits: int, perfect: bool) -> bool:
        """Whether a masculine form shows nothing here: an adverb, or the participle of a perfect ("aș fi știut")."""
        plain = self.grammar.masculine_is_plain
        if traits & ADVERBIAL and (self.open < PREDICATE or (plain and self.feeling)):
            return True
        if not plain or traits & (MOOD | SIDE):
            return False
        return bool(self.open < PREDICATE or (perfect and traits & PAST_M)) or (
            self.said and bool(self.tokens[index - 1].traits & ADJECTIVE)
        )

    def _before_noun(self, index: int) -> bool:
        """Whether the word belongs to a noun behind it."""
        if self.grammar.verbal and self.tokens[index].key.endswith(self.grammar.verbal):
            return False
        if self.grammar.noun_first and not self.tokens[index].traits & PRENOMINAL:
            return False
        follower = index + 1
        if follower < len(self.tokens) and not self.grammar.cases and self.tokens[follower].key in self.grammar.mine:
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
        if traits & NAMES_PERSON == NOUN and not self.tokens[follower].key.endswith(self.grammar.nouns or ("",)):
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

    def _governed_adjective(self, index: int, token: Token) -> None:
        """Behind a preposition or a determiner a noun is meant, but for "as a girl", "by myself"."""
        if not self.grammar.noun_first and self._before_noun(index):
            return
        if self.role:
            self._role(token, ADJECTIVE if token.traits & ADJECTIVE else PAIR)
        elif self.before_verb and not self.governed:
            self.noun_before = True
        self.determined = self.governed = self.role = False
        self.fresh = self.fresh and (self.grammar.noun_first or not self.noun_before)
        self.attached = self.grammar.noun_first

    def _role(self, token: Token, kind: int) -> None:
        """As a surgeon, as a child: said of the subject, unless somebody else is seen as one."""
        whose = self.subject if self.subject != NOBODY else self.last
        if self.grammar.masculine_is_plain and gender_of(token.traits, kind) == "masculine":
            return
        if token.traits & TITLE or self.clitic or (self.as_child and not token.traits & CHILD):
            return
        if whose == SPEAKER or self.with_me:
            self._emit(token, kind, LIKELY, "noun for what the speaker is")
        elif whose == NOBODY:
            self.front.append(token)
