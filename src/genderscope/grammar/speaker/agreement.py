"""Reading languages whose verbs show the person and whose adjectives show the gender: Romance, Greek, Baltic, Bulgarian.

One walk over the words. It keeps in mind whose clause it is in, and whether the last verb left a place open for a word
that is said of its subject ("I am …", "I feel …", "makes me …"). A gendered word in the open place is the speaker's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from genderscope.grammar.reading import Evidence, Gender, Reading, weigh
from genderscope.grammar.speaker.phrases import noun_phrase
from genderscope.grammar.text import LEANING, WORD, Token, Words, own_speech, tokenize
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADVERBIAL,
    ANYONE,
    ARTICLE,
    ARTICLE_F,
    AS,
    BEEN,
    CHILD,
    CLITIC,
    COMMON,
    COORDINATOR,
    COPULA,
    DATIVE,
    DEGREE,
    DETERMINER,
    EITHER,
    FEELING,
    FINITE,
    FULL,
    FUNCTION,
    HAVE,
    HOW,
    IMPERSONAL,
    INFINITIVE,
    KNOWN,
    LEAVES,
    LIKES,
    MAKES,
    MOOD,
    NOUN,
    OBJECT,
    OBLIQUE,
    OPENER,
    OTHER_PERSON,
    PAIR,
    PARTICLE,
    PAST,
    PAST_M,
    PERSON,
    PLURAL_PERSON,
    PRENOMINAL,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    PUNCTUATION,
    REGARD,
    RELATIVE,
    RESTS,
    SIDE,
    STANDING,
    THING,
    TITLE,
    TO_BE,
    gender_of,
)

NOBODY, SPEAKER, OTHER, OTHERS = range(4)
_VERB = COPULA | PRESENT | FINITE | TO_BE | INFINITIVE | HAVE
_ENDS = frozenset(".!?;:…")
_NAMES_PERSON = PERSON | COMMON | ANYONE | TITLE | NOUN
_PEOPLE = PERSON | COMMON | ANYONE | TITLE
# How sure a place makes us; weigh() lets the strongest decide.
PREDICATE, LIKELY, LOOSE = 3, 2, 1


@dataclass(frozen=True)
class Agreement:
    """What the walk must know of a language beside its words."""

    #: whether adjectives stand behind their noun as a rule
    noun_first: bool = True
    #: whether pronouns and articles lean on the word beside them: j'ai, sinto-me
    leaning: bool = True
    #: endings of participles that carry the tense, so that a noun behind them is their object: Bulgarian имал
    verbal: tuple[str, ...] = ()
    #: endings of nouns in the nominative, by which a word that the dictionary does not tell may be one
    nominatives: tuple[str, ...] = ()
    #: whether forms alone tell the subject's words from the object's
    cases: bool = False
    #: endings of feminines that are adverbs after a verb of feeling: Greek ωραία
    adverb_too: tuple[str, ...] = ()
    #: whether a verb alone shows its person, so that no pronoun is needed
    pro_drop: bool = True
    #: whether "me" with a first-person verb makes it reflexive: me siento
    reflexive_me: bool = True
    #: whether the verb after "have" looks finite
    finite_after_have: bool = False
    #: whether "I am" may be "I" alone
    drops_copula: bool = False
    #: which genders of a participle after "have" agree with "me" before it
    with_object: tuple[Gender, ...] = ()
    #: whether a participle agrees with no reflexive "me" that is "to me": je me suis lavé les mains
    reflexive_object: bool = False
    #: whether a masculine adjective is an adverb as well, and masculine nouns are said of women: Romanian
    masculine_is_plain: bool = False
    #: adverbs of several words: "du tout", "de verdad"
    adverbs: frozenset[tuple[str, ...]] = frozenset()
    #: endings of words that are no adjective before their verb (French participles in -ant), or the only that are
    never_first: tuple[str, ...] = ()
    only_first: tuple[str, ...] = ("",)
    #: whether what is said of the subject may come before the verb ("tired am I")
    before_verb: bool = False


class AgreementReader:
    """Reads a text by the places that first-person verbs leave open."""

    def __init__(
        self,
        look_up: Callable[[str], tuple[str, int]],
        grammar: Agreement,
        settle: Callable[[list[Token]], list[Token]] | None = None,
    ) -> None:
        """``settle`` may decide, before the walk, what an ambiguous word is among its neighbours."""
        self._look_up, self._grammar, self._settle = look_up, grammar, settle
        self._adverbs: dict[str, list[tuple[str, ...]]] = {}
        for adverb in sorted(grammar.adverbs, key=len, reverse=True):
            self._adverbs.setdefault(adverb[0], []).append(adverb)

    def read(self, text: str) -> Reading:
        """The speaker's gender in a text."""
        evidence: list[Evidence] = []
        words = tokenize(text, self._look_up, LEANING if self._grammar.leaning else WORD)
        self._join_adverbs(words)
        for tokens in own_speech(self._settle(words) if self._settle else words):
            evidence.extend(Walk(tokens, self._grammar).evidence)
        return weigh(evidence)

    def _join_adverbs(self, tokens: list[Token]) -> None:
        for index, token in enumerate(tokens):
            for adverb in self._adverbs.get(token.key, ()):
                place = slice(index, index + len(adverb))
                if all(found.key == word for found, word in zip(tokens[place], adverb, strict=False)) and (
                    index + len(adverb) <= len(tokens)
                ):
                    tokens[place] = [found._replace(key="", traits=FUNCTION) for found in tokens[place]]
                    break


class Walk:
    """The walk over one stretch of speech and what it keeps in mind."""

    def __init__(self, tokens: Words, grammar: Agreement) -> None:
        self.tokens, self.grammar = tokens, grammar
        self.evidence: list[Evidence] = []
        self._new_sentence()
        skip_to = 0
        for index, token in enumerate(tokens):
            if index >= skip_to:
                skip_to = self._step(index, token) or 0
        self._end_clause()

    # Clauses.

    def _new_sentence(self) -> None:
        self.last = NOBODY
        #: somebody else was mentioned by a pronoun: a verb without subject may be theirs
        self.third = False
        self.front: list[Token] = []
        self._new_clause()

    def _new_clause(self) -> None:
        #: whose clause it is, and whether its verb was seen
        self.subject, self.verb_seen = NOBODY, False
        #: a noun that comes now may be the subject
        self.before_verb = True
        #: how surely the next gendered word is the speaker's; 0: not at all
        self.open = 0
        #: the last word was a noun, to which an adjective behind it would belong
        self.attached = False
        #: behind an article or a preposition comes a noun, whatever it looks like
        self.determined = self.governed = self.in_phrase = False
        self.have = self.me = self.with_me = self.role = self.noun_before = False
        #: a pronoun for somebody or something else is the object
        self.clitic = False
        #: a compound tense came before: the next participle may be another of its verbs
        self.compound = False
        self.fresh = True
        self.liked = self.resting = self.listed = False
        self.hangs_on_noun = self.making = False
        #: "I" was said, and its verb is still to come
        self.said_i = False
        #: the traits of the last noun
        self.attached_to = 0

    def _end_clause(self) -> None:
        """Words before the verb that never came: "…, tired and sad." are the last subject's."""
        if self.front and not self.verb_seen and self.last == SPEAKER:
            self.front = [token for token in self.front if not self.tail or token.traits & MOOD]
            self._emit_front(LOOSE)
        if self.subject != NOBODY:
            self.last = SPEAKER if self.liked else self.subject

    tail = False

    def _pause(self, index: int, token: Token) -> None:
        if token.word in _ENDS:
            self._end_clause()
            self._new_sentence()
        elif token.word in ",—–()-":
            after = self._after(index)
            if self.open and self.said and after & (ADJECTIVE | FUNCTION) and not after & (OPENER | COORDINATOR):
                return  # a list: "strong, brave and honest"
            self._end_clause()
            tail, listed = self.attached or self.noun_last, self.compound
            self._new_clause()
            self.tail, self.compound = tail or listed, listed

    said = False

    # One word.

    def _step(self, index: int, token: Token) -> int | None:
        traits = token.traits
        if traits & PUNCTUATION:
            self._pause(index, token)
        elif traits & OPENER and not (traits & FUNCTION and self.open and self._after(index) & (ADJECTIVE | PAIR)):
            self._opener(index, traits)
        elif traits & COORDINATOR:
            if self.open:
                self.attached = False
            self.governed, self.before_verb = self.in_phrase, True
        elif traits & (PRONOUN | OTHER_PERSON):
            self._pronoun(index, traits)
        elif traits & ARTICLE:
            if not self._is_clitic(index):
                return self._article(index)
            self.clitic = True
        elif traits & DETERMINER:
            if traits & CLITIC and self._is_clitic(index):
                self.clitic = not self.grammar.cases or bool(traits & ARTICLE_F)
            elif not traits & FUNCTION or self._after(index) & NOUN:
                self._determiner()
        elif traits & OBJECT and traits & PREPOSITION and self._after(index) & _VERB:
            self._me(index)
        elif traits & (PREPOSITION | AS):
            if traits & DEGREE and self._after(index) & ADJECTIVE:
                pass  # Lithuanian "per silpna", too weak
            elif not (traits & CLITIC and self._after(index) & _VERB & ~INFINITIVE):  # French "j'en suis fière"
                self._preposition(index, traits)
        elif traits & OBJECT and not traits & _VERB:
            self._me(index)
        elif self.have and traits & (ADJECTIVE | BEEN) and not traits & TO_BE:
            self._after_have(index, token)
        elif traits & SIDE and self._side(index, token):
            pass
        elif traits & _VERB and self._is_verb(index, traits):
            self._verb(traits)
        elif traits & ADJECTIVE:
            self._adjective(index, token)
        elif traits & CLITIC:
            self.determined, self.clitic = False, True
        elif traits & FUNCTION:
            self.role = self.role and self.regarded
            if traits & PARTICLE:
                self.determined = self.governed = False
        elif traits & OBLIQUE and self.open and self.obliquely and not self.determined:
            after = self._after(index)
            if not after or after & ~(KNOWN | NOUN | OBLIQUE | PAIR | ADJECTIVE):
                self._emit(token, OBLIQUE, self.open, "word said of the speaker in another case")
        else:
            self._noun(index, token)
        return None

    def _me(self, index: int) -> None:
        before = self.tokens[index - 1].traits if index else 0
        governed = before & PREPOSITION and self.tokens[index].traits & STANDING
        self.attached = self.determined = self.governed = False
        behind = before & _VERB and (not before & INFINITIVE or before & (FEELING | MAKES | TO_BE))
        self.me = not behind and not governed
        self.with_me = self.with_me or bool(governed)  # "difficult for me to be …"
        if behind:  # "sinto-me"
            self.with_me = True
            if self.subject == SPEAKER:
                self.open = max(self.open, PREDICATE if before & FEELING else LIKELY)
            elif before & MAKES:
                self.open = LIKELY

    def _needs_pronoun(self, index: int, traits: int) -> bool:
        """Whether a form would be a verb only right behind its subject: French "voyage", "porte"."""
        if self.subject != SPEAKER or self.said_i or traits & (COPULA | HAVE | INFINITIVE | TO_BE):
            return False
        return not (index and self.tokens[index - 1].traits & (COORDINATOR | OBJECT | CLITIC | FUNCTION))

    def _is_verb(self, index: int, traits: int) -> bool:
        """Whether a form that may be a verb is one here."""
        if self.determined:
            return bool(traits & (TO_BE | INFINITIVE))
        if not self.grammar.pro_drop and self._needs_pronoun(index, traits):
            return False
        if traits & PAIR and (self.role or self.open == PREDICATE) and not self.attached and not traits & PRESENT:
            return False
        return not (traits & ADJECTIVE and (self.open or self.have) and not self.attached)

    def _is_clitic(self, index: int) -> bool:
        """Whether what looks like an article is a pronoun before its verb: "la conozco", "l'ho vista"."""
        if not self.tokens[index].traits & CLITIC or index + 1 == len(self.tokens):
            return False
        if index and self.tokens[index - 1].traits & (_VERB | PREPOSITION) & ~HAVE:
            return False
        after = self.tokens[index + 1].traits
        return bool(after & (_VERB | OBJECT)) and not after & (ADJECTIVE | _NAMES_PERSON | INFINITIVE)

    def _opener(self, index: int, traits: int) -> None:
        about_noun = traits & RELATIVE and self.attached and not self.said
        about_noun = about_noun and not self.tokens[index - 1].traits & PREPOSITION
        self._end_clause()
        self._new_clause()
        self.tail = True
        self.hangs_on_noun = bool(about_noun)
        if about_noun and self.grammar.pro_drop:
            self.subject = OTHER

    def _pronoun(self, index: int, traits: int) -> None:
        self.determined = False
        if traits & PRONOUN:
            self.subject, self.attached, self.noun_before = SPEAKER, False, False
            self.said_i = not self.open
            self._resolve_front(LIKELY)
        elif index and self.tokens[index - 1].traits & PREPOSITION:
            self.third = True
        else:
            self.said_i = False
            self.subject, self.open, self.front = (OTHERS if traits & PLURAL_PERSON else OTHER), 0, []
        self.governed = False

    def _determiner(self) -> None:
        self.determined, self.role = True, False
        self._close()

    def _preposition(self, index: int, traits: int) -> None:
        if traits & PREPOSITION:
            self.determined = self.governed = self.in_phrase = True
        # "Da", "de" make a role of a word only where they do not belong to a noun before them.
        before = self.tokens[index - 1].traits if index else 0
        opens_clause = self.fresh and (self.tail or self.last != NOBODY)
        self.role = bool(traits & AS) and not opens_clause and not before & PREPOSITION
        self.as_child = bool(traits & PREPOSITION)
        self.regarded = bool(before & REGARD)
        if self.regarded:
            self.role, self.as_child = True, False
        self._close()

    def _close(self) -> None:
        """A noun phrase takes the open place, unless its case tells that it is none of the subject's."""
        if self.grammar.noun_first:
            self.open = 0

    # Verbs.

    def _verb(self, traits: int) -> None:
        if traits & (TO_BE | INFINITIVE):
            self._infinitive(traits)
            return
        if self.have and self.grammar.finite_after_have and not traits & HAVE:
            self.have = False  # Greek "έχω νιώσει"
            if self.subject == SPEAKER:
                self.open = PREDICATE if traits & BEEN else LIKELY if traits & RESTS else 0
            return
        self.have = bool(traits & HAVE)
        self.attached = self.determined = self.governed = self.role = self.said = self.fresh = self.in_phrase = False
        self.with_me, self.me = self.me, False
        previous = self.subject
        self.subject = self._subject_of(traits, previous)
        self.said_i = False
        self.verb_seen, self.noun_before, self.sure, self.waiting = True, False, True, False
        self.obliquely = bool(traits & (REGARD | MAKES))
        self.listed = self.noun_last = False
        self.before_verb, self.making = False, bool(traits & LEAVES)
        if self.subject == SPEAKER:
            self._resolve_front(PREDICATE if traits & COPULA and self.grammar.before_verb else LIKELY)
            if traits & COPULA or (traits & FEELING and self.with_me):
                self.open, self.feeling = PREDICATE, bool(traits & FEELING)
                if self.measured is not None and (not traits & EITHER or previous == SPEAKER):
                    self._emit(self.measured, ADJECTIVE, PREDICATE, _RULES[PREDICATE])
                self.sure = not traits & EITHER or previous == SPEAKER
            else:
                self.open = LIKELY if traits & RESTS or (self.with_me and self.grammar.reflexive_me) else 0
            self.resting = bool(traits & (RESTS | COPULA))
        else:
            self.front = []
            self.open = LIKELY if self.with_me and traits & MAKES else 0
            self.liked = bool(self.with_me and traits & LIKES)
        self.measured = None

    sure = True
    waiting = False
    regarded = noun_last = obliquely = False
    as_child = last_noun = active_perfect = feeling = False
    measured: Token | None = None

    def _subject_of(self, traits: int, previous: int) -> int:
        if self.said_i:
            return SPEAKER
        if not self.grammar.pro_drop:
            return previous if previous != NOBODY and not self.noun_before else OTHER
        if traits & EITHER:
            if self.noun_before or (previous in (OTHER, OTHERS) and not self.liked):
                return OTHER
            if previous == SPEAKER:
                return SPEAKER
            if self.third:
                return OTHER
            if traits & FINITE and traits & COPULA:
                return OTHER
            return SPEAKER if self.last in (NOBODY, SPEAKER, OTHERS) else OTHER
        if traits & (PRESENT | COPULA):
            return SPEAKER
        return OTHERS if traits & PLURAL_PERSON else OTHER

    def _infinitive(self, traits: int) -> None:
        speakers = traits & OBJECT or self.me or self.with_me or self.subject == SPEAKER
        if not speakers and self.subject == NOBODY:
            speakers = self.last == SPEAKER
        if self.before_verb and not self.governed:
            self.noun_before = True  # "sabía que gastar dinero era …"
        if self.attached and not self.governed and not traits & OBJECT:
            speakers, self.last_noun = False, True
        else:
            self.last_noun = False
        self.determined = self.governed = self.attached = self.have = self.said = self.fresh = self.role = False
        self.sure, self.clitic, self.making = True, False, bool(traits & LEAVES)
        self.with_me = bool(self.with_me or self.me or traits & OBJECT)
        self.open, self.waiting = 0, False
        self.obliquely = bool(traits & (REGARD | MAKES)) or (self.with_me and not self.grammar.noun_first)
        if not speakers and self.subject == self.last == NOBODY and traits & TO_BE and not self.last_noun:
            # "After being chosen, I …": whose it is, the verb will tell.
            self.open, self.waiting = PREDICATE, True
        elif speakers:
            if traits & TO_BE:
                self.open, self.active_perfect = PREDICATE, bool(traits & HAVE)
            elif traits & FEELING:
                self.open = PREDICATE if self.with_me else 0
            elif traits & RESTS or (traits & MAKES and self.with_me):
                self.open = LIKELY

    # Gendered words.

    def _side(self, index: int, token: Token) -> bool:
        """Alone, myself: with the subject of any first-person verb, wherever in the clause it stands."""
        traits = token.traits
        before, after = self.tokens[index - 1].traits if index else 0, self._after(index)
        if traits & STANDING:
            if not before & STANDING:
                return not traits & ADJECTIVE
            self._emit(token, SIDE, PREDICATE, "word that stands with “I” or “me”")
            return True
        if not self.grammar.noun_first and traits & ADJECTIVE and not traits & PAST and self._before_noun(index):
            return True
        by_oneself = before & (AS | PRONOUN) or self.governed
        if (self.determined and not by_oneself) or (self.open and not traits & ADVERBIAL):
            return False
        # As an adverb ("only") it stands before what it restricts.
        ends = index + 1 == len(self.tokens) or after & (PUNCTUATION | COORDINATOR)
        ends = ends or (self.open and before & (_VERB | ADJECTIVE) and after & (PREPOSITION | OPENER))
        if traits & ADVERBIAL and not by_oneself and not ends:
            return True
        others = self.clitic or (self.attached and (self.subject != SPEAKER or self.making))
        if not by_oneself and others and not (self.grammar.cases and gender_of(traits, SIDE) == "masculine"):
            return True
        whose = self.subject if self.subject != NOBODY else self.last
        if whose == SPEAKER or self.with_me or self.me:
            self._emit(token, SIDE, LIKELY, "word that agrees with a first-person subject")
        elif whose == NOBODY:
            self.front.append(token)
        self.determined = self.governed = self.role = False
        return True

    def _adjective(self, index: int, token: Token) -> None:
        if index and self.tokens[index - 1].traits & HOW:
            self.measured = token
        elif self.determined or self.role:
            self._governed_adjective(index, token)
        elif self.open and not self.attached:
            self._predicate(index, token)
        elif self.said_i and self._drops_copula(index) and not self._before_noun(index):
            self._emit(token, ADJECTIVE, LIKELY, _RULES[LIKELY])
        elif self.listed and token.traits & PAST and self.tokens[index - 1].traits & (COORDINATOR | FUNCTION):
            self._emit(token, ADJECTIVE, PREDICATE, _RULES[PREDICATE])  # "have thought and said"
        elif self.grammar.cases and token.traits & PAST and self.subject == SPEAKER and not self._before_noun(index):
            self._emit(token, ADJECTIVE, LOOSE, _RULES[LOOSE])
        elif self.fresh and not self.attached and not self._before_noun(index):
            barred = self.compound or (self.me and self.grammar.cases) or token.traits & (IMPERSONAL | THING | TITLE)
            barred = barred or (self.grammar.masculine_is_plain and not token.traits & (MOOD | PAST))
            barred = barred or (index > 0 and token.word[0].isupper())  # a name
            barred = barred or not (token.traits & MOOD or token.key.endswith(self.grammar.only_first))
            if not barred and not token.key.endswith(self.grammar.never_first):
                self.front.append(token)
        elif token.traits & MOOD and self.resting and self.subject == SPEAKER and not self.attached_to & _PEOPLE:
            self._emit(token, ADJECTIVE, LOOSE, _RULES[LOOSE])
        elif self.grammar.noun_first:
            before = self.tokens[index - 1].traits if index else 0
            if self._after(index) & RELATIVE and before & CLITIC:
                self.measured = token  # "lo cansada que estoy"
            else:
                self.attached = True

    def _drops_copula(self, index: int) -> bool:
        return self.grammar.drops_copula and bool(self.tokens[index - 1].traits & (PRONOUN | FUNCTION))

    def _predicate(self, index: int, token: Token) -> None:
        traits = token.traits
        if self.grammar.cases and self.resting and self.open < PREDICATE and not traits & (MOOD | SIDE | PAST):
            return
        if self.feeling and token.key.endswith(self.grammar.adverb_too or ("\0",)):
            return
        if self._before_noun(index):
            self.attached = self.said = False
            if not self._after(index) & (COMMON | TITLE) or self.grammar.noun_first:
                return  # but in Greek the adjective shows what a common noun does not
        if not self.sure:
            things = IMPERSONAL if self.last == NOBODY else IMPERSONAL | THING
            if traits & things or self._has_late_subject(index):
                return
        if gender_of(traits, ADJECTIVE) == "masculine" and self._is_adverb(index, traits):
            self.active_perfect = False
            return
        self.active_perfect = False
        if self.with_me and self.grammar.reflexive_object and gender_of(traits, ADJECTIVE) == "masculine":
            object_follows = self._after(index) & (ARTICLE | DETERMINER) and not self._after(index) & PREPOSITION
            if traits & FULL or object_follows:
                self.said = True  # "je me suis lavé les mains"
                return
        if self.waiting:
            self.front.append(token)
        elif not traits & TITLE:
            self._emit(token, ADJECTIVE, self.open, _RULES[self.open])
        self.said = True
        if self.grammar.verbal and token.key.endswith(self.grammar.verbal) and not traits & BEEN:
            self.open, self.listed = LIKELY if traits & RESTS else 0, True
        if traits & (NOUN | PERSON):
            self.attached = self.grammar.noun_first

    def _is_adverb(self, index: int, traits: int) -> bool:
        """Whether a masculine form shows nothing here: an adverb, or the participle of a perfect ("aș fi știut")."""
        plain = self.grammar.masculine_is_plain
        if traits & ADVERBIAL and (self.open < PREDICATE or (plain and self.feeling)):
            return True
        if not plain or traits & (MOOD | SIDE):
            return False
        return bool(self.open < PREDICATE or (self.active_perfect and traits & PAST_M)) or (
            self.said and bool(self.tokens[index - 1].traits & ADJECTIVE)
        )

    def _before_noun(self, index: int) -> bool:
        """Whether the word belongs to a noun behind it."""
        if self.grammar.verbal and self.tokens[index].key.endswith(self.grammar.verbal):
            return False
        if self.grammar.noun_first and not self.tokens[index].traits & PRENOMINAL:
            return False
        follower = index + 1
        if not self.grammar.noun_first:
            gender = gender_of(self.tokens[index].traits, ADJECTIVE | SIDE | PAIR)
            while follower < len(self.tokens) and not self.tokens[follower].traits & (_NAMES_PERSON | SIDE):
                if gender_of(self.tokens[follower].traits, ADJECTIVE) != gender:
                    break
                follower += 1
        if follower == len(self.tokens):
            return False
        traits = self.tokens[follower].traits
        if traits in (0, KNOWN) and not self.grammar.noun_first:
            return self.tokens[follower].key.endswith(self.grammar.nominatives)
        return bool(traits & _NAMES_PERSON) and not traits & (FUNCTION | PREPOSITION | _VERB & ~INFINITIVE)

    def _has_late_subject(self, index: int) -> bool:
        """Whether a noun with its article follows: "porque estaba cerrada la tienda"."""
        after = self._after(index)
        return bool(after & (ARTICLE | DETERMINER)) and not (after & FUNCTION or self._after(index + 1) & DEGREE)

    def _is_given(self, index: int, traits: int) -> bool:
        """Whether "me" is "to me": by the verb, by an object behind it, or by one that the clause hangs on."""
        after = self._after(index)
        things = after & (ARTICLE | DETERMINER | INFINITIVE) and not after & PREPOSITION
        return bool(traits & DATIVE or things or self.hangs_on_noun)

    def _after_have(self, index: int, token: Token) -> None:
        """The participle of a compound tense: it agrees with nothing, or with "me" before the verb."""
        traits, gender = token.traits, gender_of(token.traits, ADJECTIVE)
        self.have, self.attached, self.compound, self.determined = False, False, True, False
        self.resting, self.making = bool(traits & RESTS), bool(traits & LEAVES)
        speakers = self.subject == SPEAKER
        if traits & LIKES:
            self.liked, self.open = self.with_me, 0
        elif traits & BEEN:
            self.open, self.feeling = PREDICATE if speakers else 0, False
        elif self.with_me and not speakers:
            if gender in self.grammar.with_object and not (gender == "masculine" and self._is_given(index, traits)):
                self._emit(token, ADJECTIVE, LIKELY, "participle that agrees with “me” before it")
            self.open = LIKELY if traits & MAKES else 0
        elif speakers and self.with_me and traits & FEELING:
            self.open, self.feeling = PREDICATE, True
        else:
            self.open = LIKELY if speakers and (self.with_me or traits & RESTS) else 0

    def _governed_adjective(self, index: int, token: Token) -> None:
        """Behind a preposition or a determiner a noun is meant, but for "as a girl", "by myself"."""
        if not self.grammar.noun_first and self._before_noun(index):
            return
        if self.role:
            self._role(token, ADJECTIVE if token.traits & ADJECTIVE else PAIR)
        elif self.before_verb and not self.governed:
            self.noun_before = True
        self.determined = self.governed = self.role = False
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

    # Nouns.

    def _article(self, index: int) -> int:
        """What an article introduces: said of the speaker where a place is open, else somebody or something else."""
        if self._after(index) & (DEGREE | HOW):
            return index + (2 if self._after(index) & DEGREE else 1)
        if self._after(index) & SIDE and self.tokens[index + 1].key.startswith("ίδι"):
            return index + 1  # Greek "η ίδια"
        weight = self.open if not self.attached and not self.waiting and not self.governed else 0
        phrase = noun_phrase(self.tokens, index)
        self.attached_to = self.tokens[phrase.end - 1].traits
        if phrase.gender is not None and (
            (weight == PREDICATE and self.sure) or (weight and phrase.named and (self.sure or self.last == SPEAKER))
        ):
            self._show(phrase.token, phrase.gender, weight, "noun phrase said of the speaker")
        elif phrase.gender is not None and self.role and phrase.common and not self.as_child and not self.clitic:
            if (self.subject or self.last) == SPEAKER or self.with_me:
                self._show(phrase.token, phrase.gender, LOOSE, "noun phrase said of the speaker")
        elif not weight and self.before_verb and not self.governed:
            self.noun_before = True
        self.determined = self.governed = self.role = self.have = self.fresh = False
        self.open, self.attached = 0, True
        return phrase.end

    def _noun(self, index: int, token: Token) -> None:
        traits, kind = token.traits, PERSON if token.traits & PERSON else PAIR
        self.attached_to = traits
        self.have = self.fresh = False
        self.noun_last = True
        if self.role and traits & COMMON and not self.as_child:
            # The adjective behind it shows what the noun does not: "como líder interina".
            self.determined = self.governed = self.attached = False
            whose = self.subject or self.last
            self.open = LIKELY if whose in (SPEAKER, NOBODY) and not self.clitic else 0
            self.waiting, self.sure = whose == NOBODY, True
            return
        if self.role and not self.grammar.noun_first and not traits & kind:
            return  # a genitive before its noun: "kaip komandos vadovė"
        if self.role:
            self._role(token, kind)
        elif self.open and self.governed and not self.grammar.noun_first:
            self.determined = self.governed = False
            return
        elif self.open and not self.determined and not self.attached:
            named = kind == PERSON or (self.open == PREDICATE and not (traits & PAIR and self._before_noun(index)))
            if traits & kind and not traits & TITLE and not self.waiting and named:
                self._emit(token, kind, self.open, "noun for what the speaker is")
            self.said, self.attached = True, self.grammar.noun_first and not traits & COMMON
            return
        elif self.before_verb and not self.governed:
            self.noun_before = True
            last = self.tokens[index - 1]
            if self.front and self.front[-1] is last and last.traits & PRENOMINAL:
                self.front.pop()  # "nice day, I thought"
        self.determined = self.governed = self.role = False
        self.attached = self.grammar.noun_first
        self._close()

    # Evidence.

    def _resolve_front(self, weight: int) -> None:
        if self.front:
            self._emit_front(weight)

    def _emit_front(self, weight: int) -> None:
        for token in self.front:
            kind = next((kind for kind in (ADJECTIVE, SIDE, PERSON, PAIR) if token.traits & kind), 0)
            self._emit(token, kind, weight, "word before the verb that agrees with its subject")
        self.front = []

    def _emit(self, token: Token, kind: int, weight: int, rule: str) -> None:
        gender = gender_of(token.traits, kind)
        if gender is not None:
            self._show(token, gender, weight, rule)

    def _show(self, token: Token, gender: Gender, weight: int, rule: str) -> None:
        self.evidence.append(Evidence(token.word, token.start, token.end, gender, rule, weight))

    def _after(self, index: int) -> int:
        return self.tokens[index + 1].traits if index + 1 < len(self.tokens) else 0


_RULES = {
    PREDICATE: "word said of the speaker after a copula",
    LIKELY: "word said of the speaker after another verb",
    LOOSE: "word said of the speaker",
}

