"""Nouns and what comes with them in the walk over the words of a text (walk.py)."""

from __future__ import annotations

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.phrases import Phrase, noun_phrase
from genderscope.grammar.speaker.walk_state import DATIVES, LIKELY, LOOSE, NOBODY, OTHER, PREDICATE, RULES, SPEAKER
from genderscope.grammar.speaker.walk_words import GenderedWords
from genderscope.grammar.text import Token


class Nouns(GenderedWords):
    """Articles, determiners, prepositions and nouns: somebody or something else, or what the speaker is."""

    def _determiner(self, index: int, traits: int) -> None:
        after = self._after(index)
        if self.open and not self.attached and self._is_whole(index, after):
            return
        if traits & t.CLITIC and self._is_clitic(index):
            self.clitic = traits if not self.grammar.has_cases or traits & t.ARTICLE_F else 0
        elif not traits & t.FUNCTION or (after & t.NOUN and not after & (t.ADJECTIVE | t.PAIR) and self._may_count()):
            self.determined, self.role = True, False
            self._show_gender(self.tokens[index])
            self._close()

    def _may_count(self) -> bool:
        """Whether "much" may stand before a noun: in Romance, behind "I am" it is an adverb."""
        return self.open < PREDICATE or not self.grammar.adjectives_follow_nouns

    def _is_whole(self, index: int, after: int) -> bool:
        """Whether "whole" belongs to an adjective behind it: "je deviens toute rouge"."""
        token = self.tokens[index]
        if token.key not in self.grammar.whole_f | self.grammar.whole_m or not after & (
            t.ADJECTIVE | t.COMMON | (t.NOUN if self.open == PREDICATE else 0)
        ):
            return False
        if token.key in self.grammar.whole_f and self.sure and not self.waiting:
            self._show(token, "feminine", self.open, RULES[self.open])
        return True

    def _preposition(self, index: int, traits: int) -> None:
        if traits & t.CLITIC and self._after(index) & t.VERB & ~t.INFINITIVE:
            return  # French "j'en suis fière"
        if traits & t.DEGREE and self._after(index) & (t.ADJECTIVE | t.PAIR):
            return  # Lithuanian "per silpna", too weak
        if self.open == PREDICATE and not self.attached:
            self._one_of_those(index)
        if traits & t.PREPOSITION:
            self.determined = self.governed = self.in_phrase = True
            self.purpose = bool(traits & t.PURPOSE)
            self._show_gender(self.tokens[index])
        # "Da", "de" make a role of a word only where they do not belong to a noun before them.
        before = self.tokens[index - 1].traits if index else 0
        opens_clause = self.fresh and (self.tail or self.last != NOBODY) and not self._is_profession(index + 1)
        if self.role and before & t.AS and not before & t.PREPOSITION and traits & t.PREPOSITION:
            return  # "como a una princesa"
        self.role = bool(traits & t.AS) and not opens_clause and not before & t.PREPOSITION
        self.as_child = bool(traits & t.PREPOSITION) and not (
            self.grammar.occupation_with_article and self.fresh
        )  # but "da madre, …"
        self.compared = self.compared or bool(traits & t.AS)
        self.regarded = self._is_regarded(index, traits, before)
        if self.regarded:
            self.role, self.as_child = True, False
        self._close()

    def _one_of_those(self, index: int) -> None:
        """Show the feminine of "soy de las que …"; the masculine plural is anybody's."""
        for those in range(index, min(index + 2, len(self.tokens) - 1)):
            if self.tokens[those].key in self.grammar.those_f and self._after(those) & (t.RELATIVE | t.OTHER_PERSON):
                self._show(self.tokens[those], "feminine", PREDICATE, "noun phrase said of the speaker")

    def _article(self, index: int) -> int:
        """What an article introduces: said of the speaker where a place is open, else somebody or something else."""
        if self._after(index) & (t.DEGREE | t.HOW):
            return index + (2 if self._after(index) & t.DEGREE else 1)
        if self._after(index) & t.SIDE and self.tokens[index + 1].key.startswith("ίδι"):
            return index + 1  # Greek "η ίδια"
        weight = self.open if not self.attached and not self.waiting and not self.governed else 0
        phrase = noun_phrase(self.tokens, index)
        self.indefinite = not self.tokens[index].traits & t.DEFINITE
        self._show_gender(self.tokens[index])
        self._note_noun(max(phrase.end - 1, index))
        self.attached_to = self.tokens[phrase.end - 1].traits
        if phrase.gender is not None and self.open and self.waiting and not self.attached and not self.governed:
            shown = t.ADJECTIVE_F if phrase.gender == "feminine" else t.ADJECTIVE_M
            self.front.append(phrase.token._replace(traits=shown))  # "being the eldest, I …"
        elif phrase.gender is not None and weight and self._is_said_of_me(weight, phrase):
            self._show(phrase.token, phrase.gender, weight, "noun phrase said of the speaker")
        elif phrase.gender is not None and self.grammar.occupation_with_article and self._acts(index, phrase):
            self._show(phrase.token, phrase.gender, LIKELY, "noun for what the speaker is")
        elif phrase.gender is not None and self.role and self._is_role(phrase) and not self.clitic:
            if (self.subject or self.last) == SPEAKER or self.with_me:
                self._show(phrase.token, phrase.gender, LOOSE, "noun phrase said of the speaker")
            elif (
                self.grammar.predicate_may_precede_verb and (self.subject or self.last) == NOBODY and not self.as_child
            ):
                shown = t.ADJECTIVE_F if phrase.gender == "feminine" else t.ADJECTIVE_M
                self.front.append(phrase.token._replace(traits=shown))  # "as the eldest, I …"
        elif not weight and not self.governed and (self.before_verb or self._is_how()):
            self.noun_before = True
            self.fronted = phrase if self.subject == NOBODY and self.grammar.predicate_may_precede_verb else None
        self.determined = self.governed = self.role = self.have = self.fresh = False
        self.open, self.attached = 0, True
        if self.grammar.noun_genders and self.attached_to & t.DETERMINER:
            self.determined = True  # Portuguese "o meu parceiro": the noun is still to come
        return phrase.end

    def _is_said_of_me(self, weight: int, phrase: Phrase) -> bool:
        """Whether a noun phrase in the open place is the speaker's."""
        if weight == PREDICATE and (self.sure or (self.subordinate and self.attached_to & t.CHILD)):
            return True
        return phrase.named and (self.sure or self.last == SPEAKER)

    def _is_how(self) -> bool:
        """Whether "as" before an article is "how": "reparei como a noiva ia"."""
        return self.role and self.grammar.pro_drop and self.grammar.adjectives_follow_nouns

    def _is_regarded(self, index: int, traits: int, before: int) -> bool:
        """Whether the words before tell that "as", "for" comes with what one is: "they take me for"."""
        if self.grammar.adjectives_follow_nouns:
            return bool(before & t.REGARD) or (bool(traits & t.AS) and self._works(index, before))
        if index > 1 and before & (t.OBJECT | t.FUNCTION):
            before = self.tokens[index - 2].traits
        found = before & t.MAKES and self.with_me and not self.grammar.has_cases
        return bool(before & t.REGARD or found) or bool(traits & t.REGARD and self.open)

    def _works(self, index: int, before: int) -> bool:
        """Whether "as" comes with what one works as."""
        return bool(before & t.WORKS and self.grammar.noun_genders and not self.attached) or (
            self.working and self._is_profession(index + 1)
        )

    def _acts(self, index: int, phrase: Phrase) -> bool:
        """Whether "do the …" tells what one works as: "faccio la maestra"."""
        doing = self.tokens[index - 1].traits if index else 0
        speakers = (self.subject or self.last) == SPEAKER
        named = self.tokens[phrase.end - 1].traits & (t.PERSON | t.COMMON) and self.tokens[index].traits & t.DEFINITE
        return bool(doing & t.WORKS and named) and speakers and not self.told

    def _is_profession(self, index: int) -> bool:
        """Whether a noun is surely a person's: "worked in a bar as a waitress"."""
        if index >= len(self.tokens) or not self.grammar.profession_endings:
            return False
        token = self.tokens[index]
        return bool(token.traits & (t.PERSON | t.COMMON)) or token.key.endswith(self.grammar.profession_endings)

    def _is_role(self, phrase: Phrase) -> bool:
        """Whether the phrase behind "as" tells what the speaker is: "as a leader", "treated me like a princess"."""
        treated = self.with_me and self.obliquely and (phrase.named or self.grammar.adjectives_follow_nouns)
        eldest = self.grammar.predicate_may_precede_verb and self.last == NOBODY
        return (phrase.common or treated or eldest) and not self.as_child

    def _noun(self, index: int, token: Token) -> None:
        traits, kind = token.traits, t.PERSON if token.traits & t.PERSON else t.PAIR
        if (self.regarded or (self.role and self.with_me)) and traits & t.OBLIQUE and not token.key.endswith(DATIVES):
            kind = t.OBLIQUE
        self.indefinite = False
        self.attached_to = traits
        self.have, self.noun_last = False, True
        # "By my grandmother raised, I …": what comes first may have its genitive or its preposition before it.
        genitive = bool(self.grammar.genitive_endings) and token.key.endswith(self.grammar.genitive_endings)
        self.fresh = self.fresh and self.grammar.has_cases and (self.governed or (genitive and not traits))
        if self.role and traits & t.COMMON and not self.as_child:
            # The adjective behind it shows what the noun does not: "como líder interina".
            self.determined = self.governed = self.attached = False
            whose = self.subject or self.last
            self.open = LIKELY if whose in (SPEAKER, NOBODY) and not self.clitic else 0
            self.waiting, self.sure = whose == NOBODY, True
            return
        if self.role and self.grammar.genitive_endings and not traits & kind:
            return  # a genitive before its noun: "kaip komandos vadovė"
        if self.role:
            self._role(token, kind)
        elif self.open and self.governed and not self.grammar.adjectives_follow_nouns:
            # A plural may be an adjective whose noun is still to come: "of great deeds".
            self.determined = self.governed = not traits & t.NOUN and token.key.endswith(
                self.grammar.plural_adjective_endings
            )
            return
        elif self.open and not self.determined and not self.attached:
            self._predicate_noun(index, token, kind)
            return
        elif self._is_said_next(index, traits):
            self._emit(token, t.PERSON, PREDICATE, "noun for what the speaker is")
        elif self._comes_apart(index, traits):
            self.front.append(token)
        elif self.before_verb and not self.governed:
            self._noun_first(index, token)
        self._note_noun(index)
        self.determined = self.governed = self.role = False
        self.attached = self.grammar.adjectives_follow_nouns
        self._close()

    def _noun_first(self, index: int, token: Token) -> None:
        """A noun before the verb, which may be its subject."""
        self.noun_before = self.noun_before or not token.key.endswith(self.grammar.oblique_noun_endings or ("-",))
        self.named_first = self.named_first or bool(token.traits & t.PEOPLE)
        last = self.tokens[index - 1]
        if self.front and self.front[-1] is last and last.traits & t.PRENOMINAL:
            self.front.pop()  # "nice day, I thought"

    def _comes_apart(self, index: int, traits: int) -> bool:
        """Whether a sentence begins with what its subject is: "mother of three, I …", "little, I wanted to be …"."""
        if not traits & t.PERSON or not self.before_verb:
            return False
        if self.grammar.predicate_may_precede_verb:
            return bool(traits & t.CHILD) and not self.determined and self.last == NOBODY
        described = self._after(index) & (t.ADJECTIVE | t.PREPOSITION | t.NOUN) and not self._after(index) & t.VERB
        return bool(described and not self.governed) and not index and self._has_comma(index)

    def _has_comma(self, index: int) -> bool:
        return any(token.word == "," for token in self.tokens[index + 1 : index + 8])

    def _predicate_noun(self, index: int, token: Token, kind: int) -> None:
        """A noun in the open place: what the speaker is."""
        traits, grammar = token.traits, self.grammar
        if not self.sure and token.word[0].isupper() and self._after(index) & (t.ARTICLE | t.OTHER_PERSON):
            self.subject, self.open = OTHER, 0  # "era Ana la que …"
            return
        named = kind == t.PERSON or (self.open == PREDICATE and not (traits & t.PAIR and self._before_noun(index)))
        very = (
            index
            and self.tokens[index - 1].key in grammar.intensifiers
            and not traits & (t.COMMON | t.ANYONE | t.TITLE | t.PAIR)
        )
        if traits & kind and not traits & t.TITLE and not self.waiting and named:
            weight = self.open if kind == t.PERSON or grammar.adjectives_follow_nouns else LIKELY
            self._emit(token, kind, weight, "noun for what the speaker is")
        elif traits & t.PERSON and self.waiting:
            self.front.append(token)
        elif very:
            self._show_by_ending(token)
        described = not traits & t.COMMON
        if self.open == PREDICATE and traits & t.NOUN and grammar.noun_genders and not grammar.masculine_is_unmarked:
            described = bool(traits & t.ANYONE)  # what looks like a bare noun is an adjective: "soy feliz"
        self.said, self.attached = True, grammar.adjectives_follow_nouns and described
        self.noun_last = described or not grammar.noun_genders

    def _show_by_ending(self, token: Token) -> None:
        """Show the gender of a word that must be an adjective: "un po' donnaiolo"."""
        if self.open != PREDICATE or not self.sure or self.waiting:
            return
        if token.key.endswith(self.grammar.adjective_endings_m):
            self._show(token, "masculine", LIKELY, RULES[PREDICATE])
        elif token.key.endswith(self.grammar.adjective_endings_f):
            self._show(token, "feminine", LIKELY, RULES[PREDICATE])

    def _is_said_next(self, index: int, traits: int) -> bool:
        """Whether "I am" follows a noun for a person: "майка съм"."""
        if not (traits & t.PERSON and self.grammar.predicate_may_precede_verb) or self.determined:
            return False
        after = self._after(index)
        return self.subject in (NOBODY, SPEAKER) and bool(after & t.COPULA and not after & t.EITHER)

    def _is_clitic(self, index: int) -> bool:
        """Whether what looks like an article is a pronoun before its verb: "la conozco", "l'ho vista"."""
        if not self.tokens[index].traits & t.CLITIC or index + 1 == len(self.tokens):
            return False
        after = self.tokens[index + 1].traits
        behind = index and self.tokens[index - 1].traits & (t.VERB | t.PREPOSITION) & ~t.HAVE
        if behind and not (after & t.INFINITIVE and not self.grammar.pro_drop):
            return False
        noun = t.ADJECTIVE | t.NAMES_PERSON | (t.INFINITIVE if self.grammar.pro_drop else 0)  # but French "les rendre"
        return bool(after & (t.VERB | t.OBJECT)) and not after & noun
