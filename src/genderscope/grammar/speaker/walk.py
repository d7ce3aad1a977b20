"""Single pass over the tokens of a text that tracks the subject of each clause and open predicate slots."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.agreement_grammar import AgreementGrammar
from genderscope.grammar.speaker.walk_nouns import Nouns
from genderscope.grammar.speaker.walk_state import LIKELY, NOBODY, OTHER, OTHERS, PREDICATE, SPEAKER
from genderscope.grammar.text import Token, TokenList

_ENDS = frozenset(".!?;:…")
_BETWEEN = t.PUNCTUATION | t.OPENER | t.COORDINATOR | t.PRONOUN | t.OTHER_PERSON


class Walk(Nouns):
    """Walk through one stretch of speech, collecting evidence."""

    def __init__(self, tokens: TokenList, grammar: AgreementGrammar) -> None:
        super().__init__(tokens, grammar)
        skip_to = 0
        for index, token in enumerate(tokens):
            if index >= skip_to:
                skip_to = self._step(index, token) or 0
        self._end_clause()

    def _step(self, index: int, token: Token) -> int | None:
        """Process one word; return the index at which to continue, if that is not the next word."""
        traits = token.traits
        if token.key[:1].isdigit():
            return None
        if traits & t.TO_OTHERS and not traits & t.COPULA and self._is_to_somebody(index, traits):
            self.sentence.tells_somebody = self.clause.tells_somebody = True
        if traits & _BETWEEN and self._joins(index, token):
            return None
        is_me = traits & t.OBJECT and not traits & t.VERB
        if traits & t.ARTICLE:
            if not self._is_clitic(index):
                return self._article(index)
            self.verb.clitic = traits
        elif traits & t.DETERMINER:
            self._determiner(index, traits)
        elif is_me and (not traits & t.PREPOSITION or self.traits[index + 1] & t.VERB):
            self._me(index)
        elif traits & (t.PREPOSITION | t.AS):
            self._preposition(index, traits)
        else:
            self._content(index, token)
        return None

    def _is_to_somebody(self, index: int, traits: int) -> bool:
        """Return whether a form is a dative pronoun; Italian "le" before a noun is an article."""
        before = self.traits[index - 1]
        return not traits & t.CLITIC or bool((self.traits[index + 1] | before) & t.VERB & ~t.INFINITIVE)

    def _joins(self, index: int, token: Token) -> bool:
        """Process a word that separates clauses, or a subject pronoun; return whether the word is fully processed."""
        traits = token.traits
        if traits & t.SIDE and index > 1 and self.tokens[index - 1].word == "," and self.traits[index - 2] & t.PRONOUN:
            self._emit(token, t.SIDE, LIKELY, "word that agrees with a first-person subject")
        if traits & t.PUNCTUATION:
            self._pause(index, token)
        elif traits & t.OPENER:
            if traits & t.FUNCTION and self.slot.weight and self.traits[index + 1] & (t.ADJECTIVE | t.PAIR):
                return False  # French "si fatiguée"
            self._opener(index, traits)
        elif traits & t.COORDINATOR:
            if self.slot.weight:
                self.noun.takes_adjective = False
            if index and self.grammar.adjectives_follow_nouns and self.traits[index - 1] & t.DETERMINER:
                self.noun.is_expected = False  # "all of them and"
            if self.traits[index + 1] & (t.ARTICLE | t.DETERMINER) and not self.traits[index + 1] & t.CLITIC:
                self.clause.has_pronoun = False  # "I … and my boss was"
            self.noun.is_governed, self.clause.is_before_verb = self.noun.in_prepositional_phrase, True
        else:
            self._pronoun(index, traits)
        return True

    def _content(self, index: int, token: Token) -> None:
        noun = self.noun
        traits = token.traits
        if self.verb.is_auxiliary and traits & (t.ADJECTIVE | t.BEEN) and not traits & t.TO_BE:
            self._after_have(index, token)
        elif traits & t.MAYBE and self._begins(index):
            self._verb(traits | t.PRESENT, index)
        elif traits & t.OBLIQUE and self._is_oblique_predicate(index, traits):
            self._emit(token, t.OBLIQUE, self.slot.weight, "word describing the speaker in an oblique case")
            self.slot.is_filled = True
        elif traits & t.SIDE and self._side(index, token):
            pass
        elif traits & t.MAKES and self.grammar.predicate_may_precede_verb and not traits & (t.VERB | t.ADJECTIVE):
            if self.verb.with_me and self.clause.subject != SPEAKER:
                self.slot.weight, self.slot.is_oblique = LIKELY, True  # "they have seen me angry"
            self.verb.participle_precedes = True
        elif traits & t.VERB and not self._is_noun_here(index, traits) and self._is_verb(index, traits):
            self._verb(traits, index)
        elif traits & t.ADJECTIVE:
            self._adjective(index, token)
        elif traits & t.CLITIC:
            noun.is_expected, self.verb.clitic = False, traits
        elif traits & t.FUNCTION:
            noun.is_role = noun.is_role and (noun.is_regarded or not self.grammar.adjectives_follow_nouns)
            self.clause.has_always = self.clause.has_always or token.key in self.grammar.always
            if traits & t.PARTICLE:
                noun.is_expected = noun.is_governed = False
        elif not (traits & t.OBLIQUE and self.slot.weight and self.slot.is_oblique and not noun.is_expected):
            self._noun(index, token)

    def _is_oblique_predicate(self, index: int, traits: int) -> bool:
        """Return whether a word is an oblique predicate of the speaker and neither a verb nor attributive."""
        noun, slot = self.noun, self.slot
        if not (slot.weight and slot.is_oblique) or noun.is_expected or slot.awaits_subject or traits & t.ADJECTIVE:
            return False
        after = self.traits[index + 1]
        alone = not after or bool(after & ~(t.KNOWN | t.NAMES_PERSON | t.OBLIQUE | t.PAIR | t.ADJECTIVE))
        # "In this new dress" may be in the instrumental.
        elsewhere = noun.in_prepositional_phrase and traits & (t.VERB | t.OBLIQUE_M)
        return alone and not elsewhere and not (traits & t.VERB and (slot.is_filled or noun.takes_adjective))

    def _begins(self, index: int) -> bool:
        """Return whether the clause's verb may come here: after a function word, but not after a verb or subject."""
        if self.noun.is_expected or self.verb.is_seen or self.clause.has_noun_subject or self.noun.is_role:
            return False
        small = t.PUNCTUATION | t.OPENER | t.COORDINATOR | t.PRONOUN | t.CLITIC | t.OBJECT | t.FUNCTION | t.SIDE
        return not index or bool(self.traits[index - 1] & small)

    def _is_noun_here(self, index: int, traits: int) -> bool:
        """Return whether a noun-verb homograph must be a noun in this context: "each step", "hard work"."""
        before = self.traits[index - 1]
        behind_verb = self.verb.is_seen and before & (t.VERB | t.ADJECTIVE)
        return bool(traits & t.MAYBE and (before & t.DETERMINER or behind_verb))

    def _pause(self, index: int, token: Token) -> None:
        if token.word in _ENDS:
            self._end_clause()
            self.follows_other = self.sentence.last_subject == OTHER
            self._new_sentence()
        elif token.word in ",—–()-":
            after = self.traits[index + 1]
            if self._calls_somebody(index):
                self.sentence.fronted_words = []  # "calm down, mum, …"
            is_filled = self.slot.weight and self.slot.is_filled
            if is_filled and after & (t.ADJECTIVE | t.FUNCTION) and not after & (t.OPENER | t.COORDINATOR):
                self.noun.is_expected = self.noun.is_governed = False
                return  # a list: "strong, brave and honest"
            if is_filled and after & t.COORDINATOR and self._goes_on(index + 2):
                return  # "strict, but also fair"
            self._end_clause()
            tail, behind_noun = self.noun.takes_adjective or self.noun.is_last, False
            listed, saw = self.verb.is_compound, self.verb.has_seen_somebody
            if not self.grammar.adjectives_follow_nouns:
                tail, behind_noun = self._note_comma(index)
            elif self.clause.has_noun_subject and not self.verb.is_seen and after & (t.ADJECTIVE | t.FUNCTION):
                self.sentence.awaits_other = self.sentence.awaits_other or self._is_somebody(index - 1)
            self._new_clause()
            self.clause.is_tail, self.verb.is_compound, self.clause.follows_sight = tail or listed, listed, saw
            self.clause.follows_noun = behind_noun

    def _note_comma(self, index: int) -> tuple[bool, bool]:
        """Return whether a word after the comma may modify the noun before the comma, and whether a participle must."""
        verb = self.verb
        predicate = self.slot.weight == PREDICATE and self.clause.subject == SPEAKER and not self.noun.traits & t.PEOPLE
        alone = self.noun.is_last and not verb.is_seen and self.clause.subject == NOBODY
        listed = not self.slot.weight and verb.is_seen and self.traits[index - 1] & t.ADJECTIVE  # "a new, warm coat"
        self.sentence.awaits_other = self.sentence.awaits_other or (self.clause.names_person and not verb.is_seen)
        self.sentence.object_before_comma = (
            self.noun.is_last and verb.is_seen and not self.noun.in_prepositional_phrase and not self.noun.is_compared
        )
        while index > 1 and self.traits[index - 1] & t.FUNCTION:
            index -= 1
        self.sentence.word_before_comma = self.tokens[index - 1].key if index else "-"
        return self.noun.takes_adjective or (self.noun.is_last and not predicate), alone or bool(listed)

    def _is_somebody(self, index: int) -> bool:
        """Return whether a person is the subject of a later verb: "because my sister, tired, …"."""
        token, before = self.tokens[index], self.traits[index - 1]
        named = token.traits & t.DETERMINER or self.clause.is_subordinate or before & (t.DETERMINER | t.ARTICLE)
        adjective = token.traits & t.ADJECTIVE and before & (t.DETERMINER | t.ARTICLE)  # Italian "la vicina"
        person = self.noun.traits & (t.PEOPLE | t.PAIR) or adjective or token.word[0].isupper()
        return bool(named and person) and self.clause.subject == NOBODY

    def _goes_on(self, index: int) -> bool:
        """Return whether only another adjective follows."""
        if not self.grammar.noun_genders:
            return False
        while index < len(self.tokens) and self.traits[index] & t.FUNCTION:
            index += 1
        ends = index + 1 >= len(self.tokens) or self.traits[index + 1] & (t.PUNCTUATION | t.COORDINATOR | t.PREPOSITION)
        return index < len(self.tokens) and bool(self.traits[index] & t.ADJECTIVE and ends)

    def _calls_somebody(self, index: int) -> bool:
        """Return whether somebody is addressed after the comma, by an isolated noun that refers to a person."""
        alone = index + 2 >= len(self.tokens) or self.traits[index + 2] & t.PUNCTUATION
        return bool(alone and self.traits[index + 1] & (t.PERSON | t.DEAR))

    def _opener(self, index: int, traits: int) -> None:
        about_noun = traits & t.RELATIVE and self.noun.takes_adjective and not self.slot.is_filled
        if index and self.grammar.adjectives_follow_nouns and self.tokens[index - 1].word == ",":
            # "a mi hermana, que estaba …"
            about_noun = traits & t.RELATIVE and self.clause.is_fresh and self.clause.is_tail
        about_noun = about_noun and not self.traits[index - 1] & t.PREPOSITION
        self._end_clause()
        self.sentence.subordinate_start = index
        self.sentence.me_before_subordinate = self.verb.with_me or self.verb.me_precedes
        self._new_clause()
        self.clause.is_tail = True
        self.clause.is_relative, self.clause.is_subordinate = bool(about_noun), True
        # Baltic "who" is the subject, and its clause may lack a verb: "draugui, kuris pavargęs".
        who = traits & t.SIDE and self.grammar.genitive_endings and index > 1 and not self.traits[index - 2] & t.PRONOUN
        if (about_noun and self.grammar.pro_drop) or who:
            self.clause.subject = OTHER

    def _pronoun(self, index: int, traits: int) -> None:
        clause, verb, slot, grammar = self.clause, self.verb, self.slot, self.grammar
        self.noun.is_expected = False
        if traits & t.PRONOUN:
            clause.subject, self.noun.takes_adjective, clause.has_noun_subject = SPEAKER, False, False
            if not grammar.pro_drop:
                slot.weight = 0  # a new subject even without a comma: "je me lève tôt et je mange …"
            if index and self.traits[index - 1] & t.COPULA and grammar.noun_genders and grammar.pro_drop:
                # "era yo la que …"
                slot.weight, slot.is_sure, self.sentence.pending_evidence = PREDICATE, True, -1
            clause.has_pronoun = not slot.weight
            self._resolve_front(LIKELY)
        elif index and self.traits[index - 1] & t.PREPOSITION:
            self.sentence.mentions_other = True
        elif grammar.has_cases and verb.is_seen and clause.subject == SPEAKER and slot.weight and not slot.is_filled:
            pass  # an object that looks like a subject: Latvian "neesmu jūs aizmirsusi"
        else:
            clause.has_pronoun = False
            clause.subject = OTHERS if traits & t.PLURAL_PERSON else OTHER
            if grammar.adjectives_follow_nouns or not (verb.is_seen and verb.with_me):
                slot.weight = 0  # but "me has seen nobody tired"
            self._drop_front()
        self.noun.is_governed = False
