"""One walk over the words of a text: whose clause is it, and is a place open for what is said of the speaker?"""

from __future__ import annotations

from genderscope.grammar.speaker.phrases import Phrase, noun_phrase
from genderscope.grammar.speaker.walk_state import (
    LIKELY,
    LOOSE,
    NAMES_PERSON,
    NOBODY,
    OTHER,
    OTHERS,
    PREDICATE,
    SPEAKER,
    VERB,
    Agreement,
)
from genderscope.grammar.speaker.walk_words import GenderedWords
from genderscope.grammar.text import Token, Words
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ADJECTIVE_M,
    ARTICLE,
    ARTICLE_F,
    AS,
    BEEN,
    CLITIC,
    COMMON,
    COORDINATOR,
    DEAR,
    DEGREE,
    DETERMINER,
    FUNCTION,
    HAVE,
    HOW,
    INFINITIVE,
    KNOWN,
    MAYBE,
    NOUN,
    OBJECT,
    OBLIQUE,
    OPENER,
    OTHER_PERSON,
    PAIR,
    PARTICLE,
    PERSON,
    PLURAL_PERSON,
    PRENOMINAL,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    PUNCTUATION,
    REGARD,
    RELATIVE,
    SIDE,
    TITLE,
    TO_BE,
)

_ENDS = frozenset(".!?;:…")


class Walk(GenderedWords):
    """The walk over one stretch of speech."""

    def __init__(self, tokens: Words, grammar: Agreement) -> None:
        super().__init__(tokens, grammar)
        skip_to = 0
        for index, token in enumerate(tokens):
            if index >= skip_to:
                skip_to = self._step(index, token) or 0
        self._end_clause()

    def _step(self, index: int, token: Token) -> int | None:
        """Take one word in; the place to go on at, where that is not the next word."""
        traits = token.traits
        if traits & (PUNCTUATION | OPENER | COORDINATOR | PRONOUN | OTHER_PERSON) and self._joins(index, token):
            return None
        if traits & ARTICLE:
            if not self._is_clitic(index):
                return self._article(index)
            self.clitic = traits
        elif traits & DETERMINER:
            self._determiner(index, traits)
        elif traits & OBJECT and not traits & VERB and not (traits & PREPOSITION and not self._after(index) & VERB):
            self._me(index)
        elif traits & (PREPOSITION | AS):
            self._preposition(index, traits)
        else:
            self._content(index, token)
        return None

    def _joins(self, index: int, token: Token) -> bool:
        """Words between clauses, and pronouns for the subject."""
        traits = token.traits
        if traits & PUNCTUATION:
            self._pause(index, token)
        elif traits & OPENER:
            if traits & FUNCTION and self.open and self._after(index) & (ADJECTIVE | PAIR):
                return False  # French "si fatiguée"
            self._opener(index, traits)
        elif traits & COORDINATOR:
            if self.open:
                self.attached = False
            if self._after(index) & (ARTICLE | DETERMINER) and not self._after(index) & CLITIC:
                self.said_i = False  # "I … and my boss was"
            self.governed, self.before_verb = self.in_phrase, True
        else:
            self._pronoun(index, traits)
        return True

    def _content(self, index: int, token: Token) -> None:
        traits = token.traits
        if self.have and traits & (ADJECTIVE | BEEN) and not traits & TO_BE:
            self._after_have(index, token)
        elif traits & MAYBE and self._begins(index):
            self._verb(traits | PRESENT)
        elif traits & SIDE and self._side(index, token):
            pass
        elif traits & VERB and not self._is_noun_here(index, traits) and self._is_verb(index, traits):
            self._verb(traits)
        elif traits & ADJECTIVE:
            self._adjective(index, token)
        elif traits & CLITIC:
            self.determined, self.clitic = False, traits
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

    def _begins(self, index: int) -> bool:
        """Whether the verb of the clause may stand here: nothing but small words came before."""
        if self.determined or self.verb_seen or self.noun_before or self.role:
            return False
        small = PUNCTUATION | OPENER | COORDINATOR | PRONOUN | CLITIC | OBJECT | FUNCTION
        return not index or bool(self.tokens[index - 1].traits & small)

    def _is_noun_here(self, index: int, traits: int) -> bool:
        """Whether a form that is a noun as well as a verb stands where only the noun can: "each step", "hard work"."""
        before = self.tokens[index - 1].traits if index else 0
        behind_verb = self.verb_seen and before & (VERB | ADJECTIVE)
        return bool(traits & MAYBE and (before & DETERMINER or behind_verb))

    def _pause(self, index: int, token: Token) -> None:
        if token.word in _ENDS:
            self._end_clause()
            self._new_sentence()
        elif token.word in ",—–()-":
            after = self._after(index)
            if self._calls_somebody(index):
                self.front = []  # "calm down, mum, …"
            if self.open and self.said and after & (ADJECTIVE | FUNCTION) and not after & (OPENER | COORDINATOR):
                return  # a list: "strong, brave and honest"
            self._end_clause()
            tail, listed, saw = self.attached or self.noun_last, self.compound, self.saw
            self._new_clause()
            self.tail, self.compound, self.after_sight = tail or listed, listed, saw

    def _calls_somebody(self, index: int) -> bool:
        """Whether behind a comma somebody is addressed: a noun for a person that stands alone."""
        alone = index + 2 >= len(self.tokens) or self.tokens[index + 2].traits & PUNCTUATION
        return bool(alone and self._after(index) & (PERSON | DEAR))

    def _is_clitic(self, index: int) -> bool:
        """Whether what looks like an article is a pronoun before its verb: "la conozco", "l'ho vista"."""
        if not self.tokens[index].traits & CLITIC or index + 1 == len(self.tokens):
            return False
        if index and self.tokens[index - 1].traits & (VERB | PREPOSITION) & ~HAVE:
            return False
        after = self.tokens[index + 1].traits
        return bool(after & (VERB | OBJECT)) and not after & (ADJECTIVE | NAMES_PERSON | INFINITIVE)

    def _opener(self, index: int, traits: int) -> None:
        about_noun = traits & RELATIVE and self.attached and not self.said
        about_noun = about_noun and not self.tokens[index - 1].traits & PREPOSITION
        self._end_clause()
        self._new_clause()
        self.tail = True
        self.hangs_on_noun, self.subordinate = bool(about_noun), True
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
            self.subject, self.open = (OTHERS if traits & PLURAL_PERSON else OTHER), 0
            self._drop_front()
        self.governed = False

    def _determiner(self, index: int, traits: int) -> None:
        after = self._after(index)
        if traits & CLITIC and self._is_clitic(index):
            self.clitic = traits if not self.grammar.cases or traits & ARTICLE_F else 0
        elif not traits & FUNCTION or (after & NOUN and not after & (ADJECTIVE | PAIR)):
            self.determined, self.role = True, False
            self._close()

    def _preposition(self, index: int, traits: int) -> None:
        if traits & CLITIC and self._after(index) & VERB & ~INFINITIVE:
            return  # French "j'en suis fière"
        if traits & DEGREE and self._after(index) & (ADJECTIVE | PAIR):
            return  # Lithuanian "per silpna", too weak
        if traits & PREPOSITION:
            self.determined = self.governed = self.in_phrase = True
        # "Da", "de" make a role of a word only where they do not belong to a noun before them.
        before = self.tokens[index - 1].traits if index else 0
        opens_clause = self.fresh and (self.tail or self.last != NOBODY)
        if self.role and before & AS and not before & PREPOSITION and traits & PREPOSITION:
            return  # "como a una princesa"
        self.role = bool(traits & AS) and not opens_clause and not before & PREPOSITION
        self.as_child = bool(traits & PREPOSITION)
        self.regarded = bool(before & REGARD)
        if self.regarded:
            self.role, self.as_child = True, False
        self._close()

    def _article(self, index: int) -> int:
        """What an article introduces: said of the speaker where a place is open, else somebody or something else."""
        if self._after(index) & (DEGREE | HOW):
            return index + (2 if self._after(index) & DEGREE else 1)
        if self._after(index) & SIDE and self.tokens[index + 1].key.startswith("ίδι"):
            return index + 1  # Greek "η ίδια"
        weight = self.open if not self.attached and not self.waiting and not self.governed else 0
        phrase = noun_phrase(self.tokens, index)
        self.attached_to = self.tokens[phrase.end - 1].traits
        if phrase.gender is not None and self.open and self.waiting and not self.attached and not self.governed:
            shown = ADJECTIVE_F if phrase.gender == "feminine" else ADJECTIVE_M
            self.front.append(phrase.token._replace(traits=shown))  # "being the eldest, I …"
        elif phrase.gender is not None and (
            (weight == PREDICATE and self.sure) or (weight and phrase.named and (self.sure or self.last == SPEAKER))
        ):
            self._show(phrase.token, phrase.gender, weight, "noun phrase said of the speaker")
        elif phrase.gender is not None and self.role and self._is_role(phrase) and not self.clitic:
            if (self.subject or self.last) == SPEAKER or self.with_me:
                self._show(phrase.token, phrase.gender, LOOSE, "noun phrase said of the speaker")
        elif not weight and self.before_verb and not self.governed:
            self.noun_before = True
        self.determined = self.governed = self.role = self.have = self.fresh = False
        self.open, self.attached = 0, True
        return phrase.end

    def _is_role(self, phrase: Phrase) -> bool:
        """Whether the phrase behind "as" tells what the speaker is: "as a leader", "treated me like a princess"."""
        treated = phrase.named and self.with_me and self.obliquely
        return (phrase.common or treated) and not self.as_child

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
            elif traits & PERSON and self.waiting:
                self.front.append(token)
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
