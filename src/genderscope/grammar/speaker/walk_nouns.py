"""Nouns and what comes with them in the walk over the words of a text (walk.py)."""

from __future__ import annotations

from genderscope.grammar.speaker.phrases import Phrase, noun_phrase
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
)
from genderscope.grammar.speaker.walk_words import GenderedWords
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ADJECTIVE_M,
    ANYONE,
    ARTICLE,
    ARTICLE_F,
    AS,
    CHILD,
    CLITIC,
    COMMON,
    COPULA,
    DEFINITE,
    DEGREE,
    DETERMINER,
    EITHER,
    FUNCTION,
    HAVE,
    HOW,
    INFINITIVE,
    MAKES,
    NOUN,
    OBJECT,
    OBLIQUE,
    OTHER_PERSON,
    PAIR,
    PERSON,
    PRENOMINAL,
    PREPOSITION,
    PURPOSE,
    REGARD,
    RELATIVE,
    SIDE,
    TITLE,
    WORKS,
)


class Nouns(GenderedWords):
    """Articles, determiners, prepositions and nouns: somebody or something else, or what the speaker is."""

    def _determiner(self, index: int, traits: int) -> None:
        after = self._after(index)
        if self.open and not self.attached and self._is_whole(index, after):
            return
        if traits & CLITIC and self._is_clitic(index):
            self.clitic = traits if not self.grammar.cases or traits & ARTICLE_F else 0
        elif not traits & FUNCTION or (after & NOUN and not after & (ADJECTIVE | PAIR) and self._may_count()):
            self.determined, self.role = True, False
            self._show_gender(self.tokens[index])
            self._close()

    def _may_count(self) -> bool:
        """Whether "much" may stand before a noun: in Romance, behind "I am" it is an adverb."""
        return self.open < PREDICATE or not self.grammar.noun_first

    def _is_whole(self, index: int, after: int) -> bool:
        """Whether "whole" belongs to an adjective behind it: "je deviens toute rouge"."""
        token = self.tokens[index]
        if token.key not in self.grammar.whole_f | self.grammar.whole_m or not after & (
            ADJECTIVE | COMMON | (NOUN if self.open == PREDICATE else 0)
        ):
            return False
        if token.key in self.grammar.whole_f and self.sure and not self.waiting:
            self._show(token, "feminine", self.open, RULES[self.open])
        return True

    def _preposition(self, index: int, traits: int) -> None:
        if traits & CLITIC and self._after(index) & VERB & ~INFINITIVE:
            return  # French "j'en suis fière"
        if traits & DEGREE and self._after(index) & (ADJECTIVE | PAIR):
            return  # Lithuanian "per silpna", too weak
        if self.open == PREDICATE and not self.attached:
            self._one_of_those(index)
        if traits & PREPOSITION:
            self.determined = self.governed = self.in_phrase = True
            self.purpose = bool(traits & PURPOSE)
            self._show_gender(self.tokens[index])
        # "Da", "de" make a role of a word only where they do not belong to a noun before them.
        before = self.tokens[index - 1].traits if index else 0
        opens_clause = self.fresh and (self.tail or self.last != NOBODY) and not self._is_profession(index + 1)
        if self.role and before & AS and not before & PREPOSITION and traits & PREPOSITION:
            return  # "como a una princesa"
        self.role = bool(traits & AS) and not opens_clause and not before & PREPOSITION
        self.as_child = bool(traits & PREPOSITION) and not (self.grammar.acts and self.fresh)  # but "da madre, …"
        self.compared = self.compared or bool(traits & AS)
        self.regarded = self._is_regarded(index, traits, before)
        if self.regarded:
            self.role, self.as_child = True, False
        self._close()

    def _one_of_those(self, index: int) -> None:
        """Show the feminine of "soy de las que …"; the masculine plural is anybody's."""
        for those in range(index, min(index + 2, len(self.tokens) - 1)):
            if self.tokens[those].key in self.grammar.those and self._after(those) & (RELATIVE | OTHER_PERSON):
                self._show(self.tokens[those], "feminine", PREDICATE, "noun phrase said of the speaker")

    def _article(self, index: int) -> int:
        """What an article introduces: said of the speaker where a place is open, else somebody or something else."""
        if self._after(index) & (DEGREE | HOW):
            return index + (2 if self._after(index) & DEGREE else 1)
        if self._after(index) & SIDE and self.tokens[index + 1].key.startswith("ίδι"):
            return index + 1  # Greek "η ίδια"
        weight = self.open if not self.attached and not self.waiting and not self.governed else 0
        phrase = noun_phrase(self.tokens, index)
        self.indefinite = not self.tokens[index].traits & DEFINITE
        self._show_gender(self.tokens[index])
        self._note_noun(max(phrase.end - 1, index))
        self.attached_to = self.tokens[phrase.end - 1].traits
        if phrase.gender is not None and self.open and self.waiting and not self.attached and not self.governed:
            shown = ADJECTIVE_F if phrase.gender == "feminine" else ADJECTIVE_M
            self.front.append(phrase.token._replace(traits=shown))  # "being the eldest, I …"
        elif phrase.gender is not None and weight and self._is_said_of_me(weight, phrase):
            self._show(phrase.token, phrase.gender, weight, "noun phrase said of the speaker")
        elif phrase.gender is not None and self.grammar.acts and self._acts(index, phrase):
            self._show(phrase.token, phrase.gender, LIKELY, "noun for what the speaker is")
        elif phrase.gender is not None and self.role and self._is_role(phrase) and not self.clitic:
            if (self.subject or self.last) == SPEAKER or self.with_me:
                self._show(phrase.token, phrase.gender, LOOSE, "noun phrase said of the speaker")
            elif self.grammar.before_verb and (self.subject or self.last) == NOBODY and not self.as_child:
                shown = ADJECTIVE_F if phrase.gender == "feminine" else ADJECTIVE_M
                self.front.append(phrase.token._replace(traits=shown))  # "as the eldest, I …"
        elif not weight and not self.governed and (self.before_verb or self._is_how()):
            self.noun_before = True
            self.fronted = phrase if self.subject == NOBODY and self.grammar.before_verb else None
        self.determined = self.governed = self.role = self.have = self.fresh = False
        self.open, self.attached = 0, True
        if self.grammar.nouns and self.attached_to & DETERMINER:
            self.determined = True  # Portuguese "o meu parceiro": the noun is still to come
        return phrase.end

    def _is_said_of_me(self, weight: int, phrase: Phrase) -> bool:
        """Whether a noun phrase in the open place is the speaker's."""
        if weight == PREDICATE and (self.sure or (self.subordinate and self.attached_to & CHILD)):
            return True
        return phrase.named and (self.sure or self.last == SPEAKER)

    def _is_how(self) -> bool:
        """Whether "as" before an article is "how": "reparei como a noiva ia"."""
        return self.role and self.grammar.pro_drop and self.grammar.noun_first

    def _is_regarded(self, index: int, traits: int, before: int) -> bool:
        """Whether the words before tell that "as", "for" comes with what one is: "they take me for"."""
        if self.grammar.noun_first:
            return bool(before & REGARD) or (bool(traits & AS) and self._works(index, before))
        if index > 1 and before & (OBJECT | FUNCTION):
            before = self.tokens[index - 2].traits
        found = before & MAKES and self.with_me and not self.grammar.cases
        return bool(before & REGARD or found) or bool(traits & REGARD and self.open)

    def _works(self, index: int, before: int) -> bool:
        """Whether "as" comes with what one works as."""
        return bool(before & WORKS and self.grammar.nouns and not self.attached) or (
            self.working and self._is_profession(index + 1)
        )

    def _acts(self, index: int, phrase: Phrase) -> bool:
        """Whether "do the …" tells what one works as: "faccio la maestra"."""
        doing = self.tokens[index - 1].traits if index else 0
        speakers = (self.subject or self.last) == SPEAKER
        named = self.tokens[phrase.end - 1].traits & (PERSON | COMMON) and self.tokens[index].traits & DEFINITE
        return bool(doing & WORKS and named) and speakers and not self.told

    def _is_profession(self, index: int) -> bool:
        """Whether a noun is surely a person's: "worked in a bar as a waitress"."""
        if index >= len(self.tokens) or not self.grammar.professions:
            return False
        token = self.tokens[index]
        return bool(token.traits & (PERSON | COMMON)) or token.key.endswith(self.grammar.professions)

    def _is_role(self, phrase: Phrase) -> bool:
        """Whether the phrase behind "as" tells what the speaker is: "as a leader", "treated me like a princess"."""
        treated = self.with_me and self.obliquely and (phrase.named or self.grammar.noun_first)
        eldest = self.grammar.before_verb and self.last == NOBODY
        return (phrase.common or treated or eldest) and not self.as_child

    def _noun(self, index: int, token: Token) -> None:
        traits, kind = token.traits, PERSON if token.traits & PERSON else PAIR
        if (self.regarded or (self.role and self.with_me)) and traits & OBLIQUE and not token.key.endswith(DATIVES):
            kind = OBLIQUE
        self.indefinite = False
        self.attached_to = traits
        self.have, self.noun_last = False, True
        # "By my grandmother raised, I …": what comes first may have its genitive or its preposition before it.
        genitive = bool(self.grammar.genitives) and token.key.endswith(self.grammar.genitives)
        self.fresh = self.fresh and self.grammar.cases and (self.governed or (genitive and not traits))
        if self.role and traits & COMMON and not self.as_child:
            # The adjective behind it shows what the noun does not: "como líder interina".
            self.determined = self.governed = self.attached = False
            whose = self.subject or self.last
            self.open = LIKELY if whose in (SPEAKER, NOBODY) and not self.clitic else 0
            self.waiting, self.sure = whose == NOBODY, True
            return
        if self.role and self.grammar.genitives and not traits & kind:
            return  # a genitive before its noun: "kaip komandos vadovė"
        if self.role:
            self._role(token, kind)
        elif self.open and self.governed and not self.grammar.noun_first:
            # A plural may be an adjective whose noun is still to come: "of great deeds".
            self.determined = self.governed = not traits & NOUN and token.key.endswith(self.grammar.plurals)
            return
        elif self.open and not self.determined and not self.attached:
            self._predicate_noun(index, token, kind)
            return
        elif self._is_said_next(index, traits):
            self._emit(token, PERSON, PREDICATE, "noun for what the speaker is")
        elif self._comes_apart(index, traits):
            self.front.append(token)
        elif self.before_verb and not self.governed:
            self._noun_first(index, token)
        self._note_noun(index)
        self.determined = self.governed = self.role = False
        self.attached = self.grammar.noun_first
        self._close()

    def _noun_first(self, index: int, token: Token) -> None:
        """A noun before the verb, which may be its subject."""
        self.noun_before = self.noun_before or not token.key.endswith(self.grammar.elsewhere or ("-",))
        self.named_first = self.named_first or bool(token.traits & PEOPLE)
        last = self.tokens[index - 1]
        if self.front and self.front[-1] is last and last.traits & PRENOMINAL:
            self.front.pop()  # "nice day, I thought"

    def _comes_apart(self, index: int, traits: int) -> bool:
        """Whether a sentence begins with what its subject is: "mother of three, I …", "little, I wanted to be …"."""
        if not traits & PERSON or not self.before_verb:
            return False
        if self.grammar.before_verb:
            return bool(traits & CHILD) and not self.determined and self.last == NOBODY
        described = self._after(index) & (ADJECTIVE | PREPOSITION | NOUN) and not self._after(index) & VERB
        return bool(described and not self.governed) and not index and self._has_comma(index)

    def _has_comma(self, index: int) -> bool:
        return any(token.word == "," for token in self.tokens[index + 1 : index + 8])

    def _predicate_noun(self, index: int, token: Token, kind: int) -> None:
        """A noun in the open place: what the speaker is."""
        traits, grammar = token.traits, self.grammar
        if not self.sure and token.word[0].isupper() and self._after(index) & (ARTICLE | OTHER_PERSON):
            self.subject, self.open = OTHER, 0  # "era Ana la que …"
            return
        named = kind == PERSON or (self.open == PREDICATE and not (traits & PAIR and self._before_noun(index)))
        very = index and self.tokens[index - 1].key in grammar.very and not traits & (COMMON | ANYONE | TITLE | PAIR)
        if traits & kind and not traits & TITLE and not self.waiting and named:
            weight = self.open if kind == PERSON or grammar.noun_first else LIKELY
            self._emit(token, kind, weight, "noun for what the speaker is")
        elif traits & PERSON and self.waiting:
            self.front.append(token)
        elif very:
            self._show_by_ending(token)
        described = not traits & COMMON
        if self.open == PREDICATE and traits & NOUN and grammar.nouns and not grammar.masculine_is_plain:
            described = bool(traits & ANYONE)  # what looks like a bare noun is an adjective: "soy feliz"
        self.said, self.attached = True, grammar.noun_first and described
        self.noun_last = described or not grammar.nouns

    def _show_by_ending(self, token: Token) -> None:
        """Show the gender of a word that must be an adjective: "un po' donnaiolo"."""
        for ending, gender in self.grammar.by_ending:
            if token.key.endswith(ending) and self.open == PREDICATE and self.sure and not self.waiting:
                self._show(token, gender, LIKELY, RULES[PREDICATE])

    def _is_said_next(self, index: int, traits: int) -> bool:
        """Whether "I am" follows a noun for a person: "майка съм"."""
        if not (traits & PERSON and self.grammar.before_verb) or self.determined:
            return False
        after = self._after(index)
        return self.subject in (NOBODY, SPEAKER) and bool(after & COPULA and not after & EITHER)

    def _is_clitic(self, index: int) -> bool:
        """Whether what looks like an article is a pronoun before its verb: "la conozco", "l'ho vista"."""
        if not self.tokens[index].traits & CLITIC or index + 1 == len(self.tokens):
            return False
        after = self.tokens[index + 1].traits
        behind = index and self.tokens[index - 1].traits & (VERB | PREPOSITION) & ~HAVE
        if behind and not (after & INFINITIVE and not self.grammar.pro_drop):
            return False
        noun = ADJECTIVE | NAMES_PERSON | (INFINITIVE if self.grammar.pro_drop else 0)  # but French "les rendre"
        return bool(after & (VERB | OBJECT)) and not after & noun
