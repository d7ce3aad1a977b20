"""One walk over the words of a text: whose clause is it, and is a place open for what is said of the speaker?"""

from __future__ import annotations

from genderscope.grammar.speaker.walk_nouns import Nouns
from genderscope.grammar.speaker.walk_state import (
    LIKELY,
    NAMES_PERSON,
    NOBODY,
    OTHER,
    OTHERS,
    PEOPLE,
    PREDICATE,
    SPEAKER,
    VERB,
    Agreement,
)
from genderscope.grammar.text import Token, Words
from genderscope.grammar.traits import (
    ADJECTIVE,
    ARTICLE,
    AS,
    BEEN,
    CLITIC,
    COORDINATOR,
    COPULA,
    DEAR,
    DETERMINER,
    FUNCTION,
    INFINITIVE,
    KNOWN,
    MAKES,
    MAYBE,
    OBJECT,
    OBLIQUE,
    OBLIQUE_M,
    OPENER,
    OTHER_PERSON,
    PAIR,
    PARTICLE,
    PERSON,
    PLURAL_PERSON,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    PUNCTUATION,
    RELATIVE,
    SIDE,
    TO_BE,
    TO_OTHERS,
)

_ENDS = frozenset(".!?;:…")


class Walk(Nouns):
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
        if token.key[:1].isdigit():
            return None
        if traits & TO_OTHERS and not traits & COPULA and self._is_to_somebody(index, traits):
            self.told = self.told_here = True
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

    def _is_to_somebody(self, index: int, traits: int) -> bool:
        """Whether "to her" is that: Italian "le" before a noun is an article."""
        before = self.tokens[index - 1].traits if index else 0
        return not traits & CLITIC or bool((self._after(index) | before) & VERB & ~INFINITIVE)

    def _joins(self, index: int, token: Token) -> bool:
        """Words between clauses, and pronouns for the subject."""
        traits = token.traits
        if (
            traits & SIDE
            and index > 1
            and self.tokens[index - 1].word == ","
            and self.tokens[index - 2].traits & PRONOUN
        ):
            self._emit(token, SIDE, LIKELY, "word that agrees with a first-person subject")
        if traits & PUNCTUATION:
            self._pause(index, token)
        elif traits & OPENER:
            if traits & FUNCTION and self.open and self._after(index) & (ADJECTIVE | PAIR):
                return False  # French "si fatiguée"
            self._opener(index, traits)
        elif traits & COORDINATOR:
            if self.open:
                self.attached = False
            if index and self.grammar.noun_first and self.tokens[index - 1].traits & DETERMINER:
                self.determined = False  # "all of them and"
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
            self._verb(traits | PRESENT, index)
        elif traits & OBLIQUE and self._is_oblique_predicate(index, traits):
            self._emit(token, OBLIQUE, self.open, "word said of the speaker in another case")
            self.said = True
        elif traits & SIDE and self._side(index, token):
            pass
        elif traits & MAKES and self.grammar.before_verb and not traits & (VERB | ADJECTIVE):
            if self.with_me and self.subject != SPEAKER:
                self.open, self.obliquely = LIKELY, True  # "they have seen me angry"
            self.seen = True
        elif traits & VERB and not self._is_noun_here(index, traits) and self._is_verb(index, traits):
            self._verb(traits, index)
        elif traits & ADJECTIVE:
            self._adjective(index, token)
        elif traits & CLITIC:
            self.determined, self.clitic = False, traits
        elif traits & FUNCTION:
            self.role = self.role and (self.regarded or not self.grammar.noun_first)
            self.always = self.always or token.key in self.grammar.always
            if traits & PARTICLE:
                self.determined = self.governed = False
        elif not (traits & OBLIQUE and self.open and self.obliquely and not self.determined):
            self._noun(index, token)

    def _is_oblique_predicate(self, index: int, traits: int) -> bool:
        """Whether the word is said of the speaker in another case, and is no verb and no adjective before its noun."""
        if not (self.open and self.obliquely) or self.determined or self.waiting or traits & ADJECTIVE:
            return False
        after = self._after(index)
        alone = not after or bool(after & ~(KNOWN | NAMES_PERSON | OBLIQUE | PAIR | ADJECTIVE))
        elsewhere = self.in_phrase and traits & (VERB | OBLIQUE_M)  # "in this new dress" in the instrumental
        return alone and not elsewhere and not (traits & VERB and (self.said or self.attached))

    def _begins(self, index: int) -> bool:
        """Whether the verb of the clause may stand here: nothing but small words came before."""
        if self.determined or self.verb_seen or self.noun_before or self.role:
            return False
        small = PUNCTUATION | OPENER | COORDINATOR | PRONOUN | CLITIC | OBJECT | FUNCTION | SIDE
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
                self.determined = self.governed = False
                return  # a list: "strong, brave and honest"
            if self.open and self.said and after & COORDINATOR and self._goes_on(index + 2):
                return  # "strict, but also fair"
            self._end_clause()
            tail, listed, saw = self.attached or self.noun_last, self.compound, self.saw
            behind_noun = False
            if not self.grammar.noun_first:
                tail, behind_noun = self._note_comma(index)
            elif self.noun_before and not self.verb_seen and after & (ADJECTIVE | FUNCTION):
                self.awaited = self.awaited or self._is_somebody(index - 1)
            self._new_clause()
            self.tail, self.compound, self.after_sight = tail or listed, listed, saw
            self.behind_noun = behind_noun

    def _note_comma(self, index: int) -> tuple[bool, bool]:
        """Whether a word behind the comma may be that of the noun before it, and whether a participle surely is."""
        predicate = self.open == PREDICATE and self.subject == SPEAKER and not self.attached_to & PEOPLE
        alone = self.noun_last and not self.verb_seen and self.subject == NOBODY
        listed = not self.open and self.verb_seen and self.tokens[index - 1].traits & ADJECTIVE  # "a new, warm coat"
        self.awaited = self.awaited or (self.named_first and not self.verb_seen)
        self.behind_object = self.noun_last and self.verb_seen and not self.in_phrase and not self.compared
        while index > 1 and self.tokens[index - 1].traits & FUNCTION:
            index -= 1
        self.last_word = self.tokens[index - 1].key if index else "-"
        return self.attached or (self.noun_last and not predicate), alone or bool(listed)

    def _is_somebody(self, index: int) -> bool:
        """Whether a person is the subject whose verb is still to come: "because my sister, tired, …", no vocative."""
        token, before = self.tokens[index], self.tokens[index - 1].traits if index else 0
        named = token.traits & DETERMINER or self.subordinate or before & (DETERMINER | ARTICLE)
        adjective = token.traits & ADJECTIVE and before & (DETERMINER | ARTICLE)  # Italian "la vicina"
        person = self.attached_to & (PEOPLE | PAIR) or adjective or token.word[0].isupper()
        return bool(named and person) and self.subject == NOBODY

    def _goes_on(self, index: int) -> bool:
        """Whether nothing but another adjective follows."""
        if not self.grammar.nouns:
            return False
        while index < len(self.tokens) and self.tokens[index].traits & FUNCTION:
            index += 1
        ends = index + 1 >= len(self.tokens) or self._after(index) & (PUNCTUATION | COORDINATOR | PREPOSITION)
        return index < len(self.tokens) and bool(self.tokens[index].traits & ADJECTIVE and ends)

    def _calls_somebody(self, index: int) -> bool:
        """Whether behind a comma somebody is addressed: a noun for a person that stands alone."""
        alone = index + 2 >= len(self.tokens) or self.tokens[index + 2].traits & PUNCTUATION
        return bool(alone and self._after(index) & (PERSON | DEAR))

    def _opener(self, index: int, traits: int) -> None:
        about_noun = traits & RELATIVE and self.attached and not self.said
        if index and self.grammar.noun_first and self.tokens[index - 1].word == ",":
            about_noun = traits & RELATIVE and self.fresh and self.tail  # "a mi hermana, que estaba …"
        about_noun = about_noun and not self.tokens[index - 1].traits & PREPOSITION
        self._end_clause()
        self.opened, self.me_before = index, self.with_me or self.me
        self._new_clause()
        self.tail = True
        self.hangs_on_noun, self.subordinate = bool(about_noun), True
        # A Baltic "who" is the subject, and its clause may have no verb: "draugui, kuris pavargęs".
        who = traits & SIDE and self.grammar.genitives and index > 1 and not self.tokens[index - 2].traits & PRONOUN
        if (about_noun and self.grammar.pro_drop) or who:
            self.subject = OTHER

    def _pronoun(self, index: int, traits: int) -> None:
        self.determined = False
        if traits & PRONOUN:
            self.subject, self.attached, self.noun_before = SPEAKER, False, False
            if not self.grammar.pro_drop:
                self.open = 0  # a new subject, though no comma stands: "je me lève tôt et je mange …"
            if index and self.tokens[index - 1].traits & COPULA and self.grammar.nouns and self.grammar.pro_drop:
                self.open, self.sure, self.pending = PREDICATE, True, -1  # "era yo la que …"
            self.said_i = not self.open
            self._resolve_front(LIKELY)
        elif index and self.tokens[index - 1].traits & PREPOSITION:
            self.third = True
        elif self.grammar.cases and self.verb_seen and self.subject == SPEAKER and self.open and not self.said:
            pass  # the object, where it looks like a subject: Latvian "neesmu jūs aizmirsusi"
        else:
            self.said_i = False
            self.subject = OTHERS if traits & PLURAL_PERSON else OTHER
            if self.grammar.noun_first or not (self.verb_seen and self.with_me):
                self.open = 0  # but "me has seen nobody tired"
            self._drop_front()
        self.governed = False
