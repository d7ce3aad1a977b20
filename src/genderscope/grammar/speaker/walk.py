"""One walk over the words of a text: whose clause is it, and is a place open for what is said of the speaker?"""

from __future__ import annotations

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.agreement_grammar import AgreementGrammar
from genderscope.grammar.speaker.walk_nouns import Nouns
from genderscope.grammar.speaker.walk_state import LIKELY, NOBODY, OTHER, OTHERS, PREDICATE, SPEAKER
from genderscope.grammar.text import Token, Words

_ENDS = frozenset(".!?;:…")


class Walk(Nouns):
    """The walk over one stretch of speech."""

    def __init__(self, tokens: Words, grammar: AgreementGrammar) -> None:
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
        if traits & t.TO_OTHERS and not traits & t.COPULA and self._is_to_somebody(index, traits):
            self.told = self.told_here = True
        if traits & (t.PUNCTUATION | t.OPENER | t.COORDINATOR | t.PRONOUN | t.OTHER_PERSON) and self._joins(
            index, token
        ):
            return None
        if traits & t.ARTICLE:
            if not self._is_clitic(index):
                return self._article(index)
            self.clitic = traits
        elif traits & t.DETERMINER:
            self._determiner(index, traits)
        elif (
            traits & t.OBJECT
            and not traits & t.VERB
            and not (traits & t.PREPOSITION and not self._after(index) & t.VERB)
        ):
            self._me(index)
        elif traits & (t.PREPOSITION | t.AS):
            self._preposition(index, traits)
        else:
            self._content(index, token)
        return None

    def _is_to_somebody(self, index: int, traits: int) -> bool:
        """Whether "to her" is that: Italian "le" before a noun is an article."""
        before = self.tokens[index - 1].traits if index else 0
        return not traits & t.CLITIC or bool((self._after(index) | before) & t.VERB & ~t.INFINITIVE)

    def _joins(self, index: int, token: Token) -> bool:
        """Words between clauses, and pronouns for the subject."""
        traits = token.traits
        if (
            traits & t.SIDE
            and index > 1
            and self.tokens[index - 1].word == ","
            and self.tokens[index - 2].traits & t.PRONOUN
        ):
            self._emit(token, t.SIDE, LIKELY, "word that agrees with a first-person subject")
        if traits & t.PUNCTUATION:
            self._pause(index, token)
        elif traits & t.OPENER:
            if traits & t.FUNCTION and self.open and self._after(index) & (t.ADJECTIVE | t.PAIR):
                return False  # French "si fatiguée"
            self._opener(index, traits)
        elif traits & t.COORDINATOR:
            if self.open:
                self.attached = False
            if index and self.grammar.adjectives_follow_nouns and self.tokens[index - 1].traits & t.DETERMINER:
                self.determined = False  # "all of them and"
            if self._after(index) & (t.ARTICLE | t.DETERMINER) and not self._after(index) & t.CLITIC:
                self.said_i = False  # "I … and my boss was"
            self.governed, self.before_verb = self.in_phrase, True
        else:
            self._pronoun(index, traits)
        return True

    def _content(self, index: int, token: Token) -> None:
        traits = token.traits
        if self.have and traits & (t.ADJECTIVE | t.BEEN) and not traits & t.TO_BE:
            self._after_have(index, token)
        elif traits & t.MAYBE and self._begins(index):
            self._verb(traits | t.PRESENT, index)
        elif traits & t.OBLIQUE and self._is_oblique_predicate(index, traits):
            self._emit(token, t.OBLIQUE, self.open, "word said of the speaker in another case")
            self.said = True
        elif traits & t.SIDE and self._side(index, token):
            pass
        elif traits & t.MAKES and self.grammar.predicate_may_precede_verb and not traits & (t.VERB | t.ADJECTIVE):
            if self.with_me and self.subject != SPEAKER:
                self.open, self.obliquely = LIKELY, True  # "they have seen me angry"
            self.seen = True
        elif traits & t.VERB and not self._is_noun_here(index, traits) and self._is_verb(index, traits):
            self._verb(traits, index)
        elif traits & t.ADJECTIVE:
            self._adjective(index, token)
        elif traits & t.CLITIC:
            self.determined, self.clitic = False, traits
        elif traits & t.FUNCTION:
            self.role = self.role and (self.regarded or not self.grammar.adjectives_follow_nouns)
            self.always = self.always or token.key in self.grammar.always
            if traits & t.PARTICLE:
                self.determined = self.governed = False
        elif not (traits & t.OBLIQUE and self.open and self.obliquely and not self.determined):
            self._noun(index, token)

    def _is_oblique_predicate(self, index: int, traits: int) -> bool:
        """Whether the word is said of the speaker in another case, and is no verb and no adjective before its noun."""
        if not (self.open and self.obliquely) or self.determined or self.waiting or traits & t.ADJECTIVE:
            return False
        after = self._after(index)
        alone = not after or bool(after & ~(t.KNOWN | t.NAMES_PERSON | t.OBLIQUE | t.PAIR | t.ADJECTIVE))
        elsewhere = self.in_phrase and traits & (t.VERB | t.OBLIQUE_M)  # "in this new dress" in the instrumental
        return alone and not elsewhere and not (traits & t.VERB and (self.said or self.attached))

    def _begins(self, index: int) -> bool:
        """Whether the verb of the clause may stand here: nothing but small words came before."""
        if self.determined or self.verb_seen or self.noun_before or self.role:
            return False
        small = t.PUNCTUATION | t.OPENER | t.COORDINATOR | t.PRONOUN | t.CLITIC | t.OBJECT | t.FUNCTION | t.SIDE
        return not index or bool(self.tokens[index - 1].traits & small)

    def _is_noun_here(self, index: int, traits: int) -> bool:
        """Whether a form that is a noun as well as a verb stands where only the noun can: "each step", "hard work"."""
        before = self.tokens[index - 1].traits if index else 0
        behind_verb = self.verb_seen and before & (t.VERB | t.ADJECTIVE)
        return bool(traits & t.MAYBE and (before & t.DETERMINER or behind_verb))

    def _pause(self, index: int, token: Token) -> None:
        if token.word in _ENDS:
            self._end_clause()
            self._new_sentence()
        elif token.word in ",—–()-":
            after = self._after(index)
            if self._calls_somebody(index):
                self.front = []  # "calm down, mum, …"
            if (
                self.open
                and self.said
                and after & (t.ADJECTIVE | t.FUNCTION)
                and not after & (t.OPENER | t.COORDINATOR)
            ):
                self.determined = self.governed = False
                return  # a list: "strong, brave and honest"
            if self.open and self.said and after & t.COORDINATOR and self._goes_on(index + 2):
                return  # "strict, but also fair"
            self._end_clause()
            tail, listed, saw = self.attached or self.noun_last, self.compound, self.saw
            behind_noun = False
            if not self.grammar.adjectives_follow_nouns:
                tail, behind_noun = self._note_comma(index)
            elif self.noun_before and not self.verb_seen and after & (t.ADJECTIVE | t.FUNCTION):
                self.awaited = self.awaited or self._is_somebody(index - 1)
            self._new_clause()
            self.tail, self.compound, self.after_sight = tail or listed, listed, saw
            self.behind_noun = behind_noun

    def _note_comma(self, index: int) -> tuple[bool, bool]:
        """Whether a word behind the comma may be that of the noun before it, and whether a participle surely is."""
        predicate = self.open == PREDICATE and self.subject == SPEAKER and not self.attached_to & t.PEOPLE
        alone = self.noun_last and not self.verb_seen and self.subject == NOBODY
        listed = not self.open and self.verb_seen and self.tokens[index - 1].traits & t.ADJECTIVE  # "a new, warm coat"
        self.awaited = self.awaited or (self.named_first and not self.verb_seen)
        self.behind_object = self.noun_last and self.verb_seen and not self.in_phrase and not self.compared
        while index > 1 and self.tokens[index - 1].traits & t.FUNCTION:
            index -= 1
        self.last_word = self.tokens[index - 1].key if index else "-"
        return self.attached or (self.noun_last and not predicate), alone or bool(listed)

    def _is_somebody(self, index: int) -> bool:
        """Whether a person is the subject whose verb is still to come: "because my sister, tired, …", no vocative."""
        token, before = self.tokens[index], self.tokens[index - 1].traits if index else 0
        named = token.traits & t.DETERMINER or self.subordinate or before & (t.DETERMINER | t.ARTICLE)
        adjective = token.traits & t.ADJECTIVE and before & (t.DETERMINER | t.ARTICLE)  # Italian "la vicina"
        person = self.attached_to & (t.PEOPLE | t.PAIR) or adjective or token.word[0].isupper()
        return bool(named and person) and self.subject == NOBODY

    def _goes_on(self, index: int) -> bool:
        """Whether nothing but another adjective follows."""
        if not self.grammar.noun_genders:
            return False
        while index < len(self.tokens) and self.tokens[index].traits & t.FUNCTION:
            index += 1
        ends = index + 1 >= len(self.tokens) or self._after(index) & (t.PUNCTUATION | t.COORDINATOR | t.PREPOSITION)
        return index < len(self.tokens) and bool(self.tokens[index].traits & t.ADJECTIVE and ends)

    def _calls_somebody(self, index: int) -> bool:
        """Whether behind a comma somebody is addressed: a noun for a person that stands alone."""
        alone = index + 2 >= len(self.tokens) or self.tokens[index + 2].traits & t.PUNCTUATION
        return bool(alone and self._after(index) & (t.PERSON | t.DEAR))

    def _opener(self, index: int, traits: int) -> None:
        about_noun = traits & t.RELATIVE and self.attached and not self.said
        if index and self.grammar.adjectives_follow_nouns and self.tokens[index - 1].word == ",":
            about_noun = traits & t.RELATIVE and self.fresh and self.tail  # "a mi hermana, que estaba …"
        about_noun = about_noun and not self.tokens[index - 1].traits & t.PREPOSITION
        self._end_clause()
        self.opened, self.me_before = index, self.with_me or self.me
        self._new_clause()
        self.tail = True
        self.hangs_on_noun, self.subordinate = bool(about_noun), True
        # A Baltic "who" is the subject, and its clause may have no verb: "draugui, kuris pavargęs".
        who = (
            traits & t.SIDE
            and self.grammar.genitive_endings
            and index > 1
            and not self.tokens[index - 2].traits & t.PRONOUN
        )
        if (about_noun and self.grammar.pro_drop) or who:
            self.subject = OTHER

    def _pronoun(self, index: int, traits: int) -> None:
        self.determined = False
        if traits & t.PRONOUN:
            self.subject, self.attached, self.noun_before = SPEAKER, False, False
            if not self.grammar.pro_drop:
                self.open = 0  # a new subject, though no comma stands: "je me lève tôt et je mange …"
            if (
                index
                and self.tokens[index - 1].traits & t.COPULA
                and self.grammar.noun_genders
                and self.grammar.pro_drop
            ):
                self.open, self.sure, self.pending = PREDICATE, True, -1  # "era yo la que …"
            self.said_i = not self.open
            self._resolve_front(LIKELY)
        elif index and self.tokens[index - 1].traits & t.PREPOSITION:
            self.third = True
        elif self.grammar.has_cases and self.verb_seen and self.subject == SPEAKER and self.open and not self.said:
            pass  # the object, where it looks like a subject: Latvian "neesmu jūs aizmirsusi"
        else:
            self.said_i = False
            self.subject = OTHERS if traits & t.PLURAL_PERSON else OTHER
            if self.grammar.adjectives_follow_nouns or not (self.verb_seen and self.with_me):
                self.open = 0  # but "me has seen nobody tired"
            self._drop_front()
        self.governed = False
