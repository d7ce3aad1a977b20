"""Noun phrases, part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.phrases import noun_phrase
from genderscope.grammar.speaker.walk_roles import Roles
from genderscope.grammar.speaker.walk_state import DATIVES, LIKELY, LOOSE, NOBODY, OTHER, PREDICATE, RULES, SPEAKER
from genderscope.grammar.text import Token


class Nouns(Roles):
    """Handling of articles, determiners, prepositions and nouns, which may or may not describe the speaker."""

    def _determiner(self, index: int, traits: int) -> None:
        after = self.traits[index + 1]
        if self.slot.weight and not self.noun.takes_adjective and self._is_whole(index, after):
            return
        # "Much" may be a determiner; in Romance languages, it is an adverb after "I am".
        may_count = self.slot.weight < PREDICATE or not self.grammar.adjectives_follow_nouns
        if traits & t.CLITIC and self._is_clitic(index):
            self.verb.clitic = traits if not self.grammar.has_cases or traits & t.ARTICLE_F else 0
        elif not traits & t.FUNCTION or (after & t.NOUN and not after & (t.ADJECTIVE | t.PAIR) and may_count):
            if self.tokens[index].key in self.grammar.others_possessives:
                self._belongs_to_others(index)
            self.noun.is_expected, self.noun.is_role = True, False
            self._show_gender(self.tokens[index])
            self._close()

    def _is_whole(self, index: int, after: int) -> bool:
        """Return whether "whole" modifies a following adjective: "je deviens toute rouge"."""
        token = self.tokens[index]
        if token.key not in self.grammar.whole_f | self.grammar.whole_m or not after & (
            t.ADJECTIVE | t.COMMON | (t.NOUN if self.slot.weight == PREDICATE else 0)
        ):
            return False
        if token.key in self.grammar.whole_f and self.slot.is_sure and not self.slot.awaits_subject:
            self._show(token, "feminine", self.slot.weight, RULES[self.slot.weight])
        return True

    def _preposition(self, index: int, traits: int) -> None:
        if traits & t.CLITIC and self.traits[index + 1] & t.VERB & ~t.INFINITIVE:
            return  # French "j'en suis fière"
        if traits & t.DEGREE and self.traits[index + 1] & (t.ADJECTIVE | t.PAIR):
            return  # Lithuanian "per silpna", too weak
        if self.slot.weight == PREDICATE and not self.noun.takes_adjective:
            self._one_of_those(index)
        if traits & t.PREPOSITION:
            self.noun.is_expected = self.noun.is_governed = self.noun.in_prepositional_phrase = True
            self.verb.has_purpose = bool(traits & t.PURPOSE)
            self._show_gender(self.tokens[index])
        # "Da" and "de" introduce a role only if they do not attach to a preceding noun.
        before = self.traits[index - 1]
        opens_clause = self.clause.is_fresh and (self.clause.is_tail or self.sentence.last_subject != NOBODY)
        opens_clause = opens_clause and not (self._is_profession(index + 1) or self._follows_i(index))
        if self.noun.is_role and before & t.AS and not before & t.PREPOSITION and traits & t.PREPOSITION:
            return  # "como a una princesa"
        self.noun.is_role = bool(traits & t.AS) and not opens_clause and not before & t.PREPOSITION
        da_madre = self.grammar.occupation_with_article and self.clause.is_fresh  # "da madre, …"
        self.noun.is_childhood = bool(traits & t.PREPOSITION) and not da_madre
        self.noun.is_compared = self.noun.is_compared or bool(traits & t.AS)
        self.noun.is_regarded = self._is_regarded(index, traits, before)
        if self.noun.is_regarded:
            self.noun.is_role, self.noun.is_childhood = True, False
        self._close()

    def _one_of_those(self, index: int) -> None:
        """Record the feminine in "soy de las que …"; the masculine plural is generic."""
        for those in range(index, min(index + 2, len(self.tokens) - 1)):
            follows = self.traits[those + 1] & (t.RELATIVE | t.OTHER_PERSON)
            if self.tokens[those].key in self.grammar.those_f and follows:
                self._show(self.tokens[those], "feminine", PREDICATE, "noun phrase describing the speaker")

    def _article(self, index: int) -> int:
        """Process a noun phrase with an article, which describes the speaker if a slot is open; return its end."""
        if self.traits[index + 1] & (t.DEGREE | t.HOW):
            return index + (2 if self.traits[index + 1] & t.DEGREE else 1)
        if self.traits[index + 1] & t.SIDE and self.tokens[index + 1].key.startswith("ίδι"):
            return index + 1  # Greek "η ίδια"
        is_free = not self.noun.takes_adjective and not self.noun.is_governed
        weight = self.slot.weight if is_free and not self.slot.awaits_subject else 0
        phrase = noun_phrase(self.tokens, index, self.grammar.role_takes_article)
        self.noun.is_indefinite = not self.traits[index] & t.DEFINITE
        self._show_gender(self.tokens[index])
        self._note_noun(max(phrase.end - 1, index))
        self.noun.traits = self.traits[phrase.end - 1]
        # "As" before an article may mean "how": "reparei como a noiva ia".
        is_how = self.noun.is_role and self.grammar.pro_drop and self.grammar.adjectives_follow_nouns
        if phrase.gender is not None and is_free and self.slot.weight and self.slot.awaits_subject:
            self._front(phrase)  # "being the eldest, I …"
        elif phrase.gender is not None and weight and self._is_said_of_me(weight, phrase):
            self._show(phrase.token, phrase.gender, weight, "noun phrase describing the speaker")
        elif phrase.gender is not None and self.grammar.occupation_with_article and self._acts(index, phrase):
            self._show(phrase.token, phrase.gender, LIKELY, "noun describing the speaker")
        elif self.noun.is_role and self._fronts_role(index, phrase):
            self._front(phrase)
            self.clause.fronts_role = self.sentence.fronts_role = True
        elif phrase.gender is not None and self._is_apposition(index) and self._is_persons_role(phrase):
            self._show(phrase.token, phrase.gender, LIKELY, "noun describing the speaker")
        elif phrase.gender is not None and self.noun.is_role and self._is_role(phrase) and not self.verb.clitic:
            if self._topic == SPEAKER or self.verb.with_me:
                self._show(phrase.token, phrase.gender, LOOSE, "noun phrase describing the speaker")
            elif self.grammar.predicate_may_precede_verb and self._topic == NOBODY and not self.noun.is_childhood:
                self._front(phrase)  # "as the eldest, I …"
        elif not weight and not self.noun.is_governed and (self.clause.is_before_verb or is_how):
            self.clause.has_noun_subject = True
            may_front = self.clause.subject == NOBODY and self.grammar.predicate_may_precede_verb
            self.clause.fronted_phrase = phrase if may_front else None
        self.noun.end()
        self.verb.is_auxiliary = self.clause.is_fresh = False
        self.slot.weight, self.noun.takes_adjective = 0, True
        if self.grammar.noun_genders and self.noun.traits & t.DETERMINER:
            self.noun.is_expected = True  # Portuguese "o meu parceiro": the noun follows
        return phrase.end

    def _noun(self, index: int, token: Token) -> None:
        clause, noun = self.clause, self.noun
        traits, kind = token.traits, t.PERSON if token.traits & t.PERSON else t.PAIR
        is_regarded = noun.is_regarded or (noun.is_role and self.verb.with_me)
        if is_regarded and traits & t.OBLIQUE and not token.key.endswith(DATIVES):
            kind = t.OBLIQUE
        noun.is_indefinite = False
        noun.traits = traits
        self.verb.is_auxiliary, noun.is_last = False, True
        # "By my grandmother raised, I …": a genitive or prepositional phrase may precede a fronted word.
        genitive = bool(self.grammar.genitive_endings) and token.key.endswith(self.grammar.genitive_endings)
        clause.is_fresh = clause.is_fresh and self.grammar.has_cases and (noun.is_governed or (genitive and not traits))
        if noun.is_role and traits & t.COMMON and not noun.is_childhood:
            # The following adjective marks the gender, since the noun does not: "como líder interina".
            noun.is_expected = noun.is_governed = noun.takes_adjective = False
            whose = self._topic
            self.slot.weight = LIKELY if whose in (SPEAKER, NOBODY) and not self.verb.clitic else 0
            self.slot.awaits_subject, self.slot.is_sure = whose == NOBODY, True
            return
        if noun.is_role and self.grammar.genitive_endings and not traits & kind:
            return  # a genitive before its noun: "kaip komandos vadovė"
        if noun.is_role:
            self._role(token, kind)
        elif self.slot.weight and noun.is_governed and not self.grammar.adjectives_follow_nouns:
            # A plural may be an adjective whose noun follows: "of great deeds".
            noun.is_expected = noun.is_governed = not traits & t.NOUN and token.key.endswith(
                self.grammar.plural_adjective_endings
            )
            return
        elif self.slot.weight and not noun.is_expected and not noun.takes_adjective:
            self._predicate_noun(index, token, kind)
            return
        elif self._is_said_next(index, traits):
            self._emit(token, t.PERSON, PREDICATE, "noun describing the speaker")
        elif self._comes_apart(index, traits):
            self.sentence.fronted_words.append(token)
        elif traits & t.PERSON and self._is_apposition(index):
            self._emit(token, t.PERSON, LIKELY, "noun describing the speaker")
        elif clause.is_before_verb and not noun.is_governed:
            self._noun_first(index, token)
        self._note_noun(index)
        noun.end()
        noun.takes_adjective = self.grammar.adjectives_follow_nouns
        self._close()

    def _noun_first(self, index: int, token: Token) -> None:
        """Process a noun that precedes the verb and may be its subject."""
        self.clause.has_noun_subject = self.clause.has_noun_subject or not token.key.endswith(
            self.grammar.oblique_noun_endings or ("-",)
        )
        self.clause.names_person = self.clause.names_person or bool(token.traits & t.PEOPLE)
        last = self.tokens[index - 1]
        if self.sentence.fronted_words and self.sentence.fronted_words[-1] is last and last.traits & t.PRENOMINAL:
            self.sentence.fronted_words.pop()  # "nice day, I thought"

    def _comes_apart(self, index: int, traits: int) -> bool:
        """Return whether a sentence begins with an apposition to its subject: "mother of three, I …"."""
        if not traits & t.PERSON or not self.clause.is_before_verb:
            return False
        if self.grammar.predicate_may_precede_verb:
            return bool(traits & t.CHILD) and not self.noun.is_expected and self.sentence.last_subject == NOBODY
        after = self.traits[index + 1]
        described = after & (t.ADJECTIVE | t.PREPOSITION | t.NOUN) and not after & t.VERB
        has_comma = any(token.word == "," for token in self.tokens[1:8])
        return bool(described and not self.noun.is_governed) and not index and has_comma

    def _predicate_noun(self, index: int, token: Token, kind: int) -> None:
        """Process a noun that fills the slot and so describes the speaker."""
        slot = self.slot
        traits, grammar = token.traits, self.grammar
        if not slot.is_sure and token.word[0].isupper() and self.traits[index + 1] & (t.ARTICLE | t.OTHER_PERSON):
            self.clause.subject, slot.weight = OTHER, 0  # "era Ana la que …"
            return
        named = kind == t.PERSON or (slot.weight == PREDICATE and not (traits & t.PAIR and self._before_noun(index)))
        very = (
            index
            and self.tokens[index - 1].key in grammar.intensifiers
            and not traits & (t.COMMON | t.ANYONE | t.TITLE | t.PAIR)
        )
        if traits & kind and not traits & t.TITLE and not slot.awaits_subject and named:
            weight = slot.weight if kind == t.PERSON or grammar.adjectives_follow_nouns else LIKELY
            self._emit(token, kind, weight, "noun describing the speaker")
        elif traits & t.PERSON and slot.awaits_subject:
            self.sentence.fronted_words.append(token)
        elif very:
            self._show_by_ending(token)
        described = not traits & t.COMMON
        if slot.weight == PREDICATE and traits & t.NOUN and grammar.noun_genders and not grammar.masculine_is_unmarked:
            described = bool(traits & t.ANYONE)  # an apparent bare noun is an adjective: "soy feliz"
        slot.is_filled, self.noun.takes_adjective = True, grammar.adjectives_follow_nouns and described
        self.noun.is_last = described or not grammar.noun_genders

    def _show_by_ending(self, token: Token) -> None:
        """Record the gender marked by the ending of a word that must be an adjective: "un po' donnaiolo"."""
        if self.slot.weight != PREDICATE or not self.slot.is_sure or self.slot.awaits_subject:
            return
        if token.key.endswith(self.grammar.adjective_endings_m):
            self._show(token, "masculine", LIKELY, RULES[PREDICATE])
        elif token.key.endswith(self.grammar.adjective_endings_f):
            self._show(token, "feminine", LIKELY, RULES[PREDICATE])

    def _is_said_next(self, index: int, traits: int) -> bool:
        """Return whether "I am" follows a noun that refers to a person: "майка съм"."""
        if not (traits & t.PERSON and self.grammar.predicate_may_precede_verb) or self.noun.is_expected:
            return False
        after = self.traits[index + 1]
        return self.clause.subject in (NOBODY, SPEAKER) and bool(after & t.COPULA and not after & t.EITHER)

    def _is_clitic(self, index: int) -> bool:
        """Return whether an apparent article is a pronoun before its verb: "la conozco", "l'ho vista"."""
        if not self.traits[index] & t.CLITIC or index + 1 == len(self.tokens):
            return False
        after = self.traits[index + 1]
        behind = index and self.traits[index - 1] & (t.VERB | t.PREPOSITION) & ~t.HAVE
        if behind and not (after & t.INFINITIVE and not self.grammar.pro_drop):
            return False
        noun = t.ADJECTIVE | t.NAMES_PERSON | (t.INFINITIVE if self.grammar.pro_drop else 0)  # but French "les rendre"
        return bool(after & (t.VERB | t.OBJECT)) and not after & noun
