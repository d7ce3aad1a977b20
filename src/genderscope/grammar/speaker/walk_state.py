"""The state of the walk over the words of a text (walk.py), in small groups."""

from __future__ import annotations

from dataclasses import dataclass, field

from genderscope.grammar import traits as t
from genderscope.grammar.reading import Evidence, Gender
from genderscope.grammar.speaker.agreement_grammar import AgreementGrammar
from genderscope.grammar.speaker.phrases import Phrase
from genderscope.grammar.text import Token, Words

NOBODY, SPEAKER, OTHER, OTHERS = range(4)
# Baltic datives: which go with "to me", and which no preposition governs that tells what one is.
DATIVES = ("am", "im", "ai", "ei")
# How sure a place makes us; weigh() lets the strongest decide.
PREDICATE, LIKELY, LOOSE = 3, 2, 1
RULES = {
    PREDICATE: "word said of the speaker after a copula",
    LIKELY: "word said of the speaker after another verb",
    LOOSE: "word said of the speaker",
}


def noun_gender(noun: str) -> Gender:
    """Guess an unknown noun's gender from its last letter."""
    return "feminine" if noun[-1] in "aeėηήαάая" else "masculine"


@dataclass(slots=True)
class Slot:
    """The place a verb leaves open for a word said of its subject: "I am …", "makes me …"."""

    #: how certainly the next gendered word is the speaker's; 0 if no place is open
    weight: int = 0
    #: the verb is surely first person
    is_sure: bool = True
    #: whose place it is, a verb still to come will show: "being tired, I …"
    awaits_subject: bool = False
    #: the predicate may be in another case
    is_oblique: bool = False
    #: the verb is one of feeling
    is_feeling: bool = False
    #: a word said of the subject was found
    is_filled: bool = False
    #: a participle would be that of a perfect: "aș fi știut"
    is_active_perfect: bool = False
    #: an adverb that looks like an adjective was found: "trabajo rápido y seguro"
    follows_adverb: bool = False


@dataclass(slots=True)
class NounState:
    """The noun phrase that is being read, or was read last."""

    #: traits of the last noun, and whether it was the last content word
    traits: int = 0
    is_last: bool = False
    #: an adjective behind it would be its own
    takes_adjective: bool = False
    #: a determiner or preposition precedes: a noun follows, whatever it looks like
    is_expected: bool = False
    is_governed: bool = False
    in_prepositional_phrase: bool = False
    is_indefinite: bool = False
    #: genders of the nouns behind the verb, and of the last determiner
    genders: int = 0
    determiner_gender: int = 0
    #: "as" precedes: of what one is, was as a child, or is taken for
    is_role: bool = False
    is_childhood: bool = False
    is_regarded: bool = False
    is_compared: bool = False

    def end(self) -> None:
        """End the noun phrase: the next noun needs a determiner, a preposition or "as" of its own."""
        self.is_expected = self.is_governed = self.is_role = False

    def leave_clause(self) -> None:
        """Forget the nouns of the clause, but not whether one stood right before the comma."""
        self.end()
        self.traits = self.genders = self.determiner_gender = 0
        self.takes_adjective = self.in_prepositional_phrase = self.is_compared = False


@dataclass(slots=True)
class VerbState:
    """The last verb of the clause and its objects."""

    is_seen: bool = False
    #: "have": its participle does not agree with the subject
    is_auxiliary: bool = False
    #: "me" stands before a verb to come, or belongs to the last one
    me_precedes: bool = False
    with_me: bool = False
    #: traits of an object pronoun for somebody or something else
    clitic: int = 0
    #: a compound tense: the next participle may be another of its verbs
    is_compound: bool = False
    is_listed: bool = False
    #: verbs of motion or rest, work, promising, pleasing "me"; "in order to"
    is_motion: bool = False
    is_work: bool = False
    is_promise: bool = False
    is_pleasing: bool = False
    has_purpose: bool = False
    #: the verb leaves or sees somebody; one in this clause did
    leaves_somebody: bool = False
    has_seen_somebody: bool = False
    #: a participle of "see" or "call" precedes its auxiliary: "seen they have me"
    participle_precedes: bool = False


@dataclass(slots=True)
class ClauseState:
    """Whose clause it is, and what it began with."""

    subject: int = NOBODY
    #: "I" was read, and its verb is still to come
    has_pronoun: bool = False
    #: a noun that comes now may be the subject; one did come
    is_before_verb: bool = True
    has_noun_subject: bool = False
    first_noun: Token | None = None
    names_person: bool = False
    #: "my dream is to be …"
    has_possessive: bool = False
    #: only small words so far
    is_fresh: bool = True
    #: a noun phrase that may turn out to be said of the speaker: "the eldest am I"
    fronted_phrase: Phrase | None = None
    #: ", always cheerful"
    has_always: bool = False
    is_subordinate: bool = False
    is_relative: bool = False
    #: the subject is what one is: "being a mother …"
    is_about_being: bool = False
    tells_somebody: bool = False
    #: behind a comma: a noun, nothing but a noun, or somebody who was seen came before it
    is_tail: bool = False
    follows_noun: bool = False
    follows_sight: bool = False


@dataclass(slots=True)
class SentenceState:
    """What is kept from one clause of a sentence to the next."""

    #: where the sentence's evidence begins, and that of a clause whose subject is not yet certain
    evidence_start: int
    pending_evidence: int = -1
    last_subject: int = NOBODY
    #: a pronoun mentioned somebody else: a verb without subject may be theirs
    mentions_other: bool = False
    #: words before their verb that agree with its subject
    fronted_words: list[Token] = field(default_factory=list)
    #: somebody was told or asked: what they should be is not the speaker's
    tells_somebody: bool = False
    #: somebody was named whose verb is still to come: "the man, whom I met, …"
    awaits_other: bool = False
    #: the clause before said what pleases: "I like to joke, not to be …"
    was_pleasing: bool = False
    #: the last main clause was about somebody else
    is_about_others: bool = False
    #: an adjective before its verb, and whether it gives the cause: "how tired I am", "de tão nervosa que estava"
    measured_word: Token | None = None
    gives_cause: bool = False
    #: the word before the last comma, and whether an object stood there
    word_before_comma: str = "-"
    object_before_comma: bool = False
    #: where the last subordinate clause began, and whether the one before it had "me"
    subordinate_start: int = 0
    me_before_subordinate: bool = False


class State:
    """The state of the walk and the evidence found so far."""

    def __init__(self, tokens: Words, grammar: AgreementGrammar) -> None:
        self.tokens, self.grammar = tokens, grammar
        #: padded, so that the neighbours of the first and the last word have no traits
        self.traits = [token.traits for token in tokens] + [0, 0, 0]
        self.evidence: list[Evidence] = []
        self._new_sentence()

    @property
    def _topic(self) -> int:
        """Return the subject of the clause or, if it has none yet, of the clause before."""
        return self.clause.subject or self.sentence.last_subject

    def _new_sentence(self) -> None:
        self.sentence = SentenceState(len(self.evidence))
        self.verb, self.noun, self.slot = VerbState(), NounState(), Slot()
        self._new_clause()

    def _new_clause(self) -> None:
        self.clause = ClauseState()
        self.verb = VerbState(is_work=self.verb.is_work, is_promise=self.verb.is_promise)
        self.noun.leave_clause()
        self.slot.weight = 0

    def _end_clause(self) -> None:
        """End the clause; words that waited for a verb ("…, tired and sad.") are the last subject's."""
        if (
            self.sentence.fronted_words
            and not self.verb.is_seen
            and (self.clause.subject == NOBODY or self.grammar.adjectives_follow_nouns)
        ):
            if (
                self.sentence.last_subject == SPEAKER
                and not self.clause.follows_sight
                and not self.sentence.awaits_other
            ):
                self.sentence.fronted_words = [
                    token
                    for token in self.sentence.fronted_words
                    if not self.clause.is_tail or self.clause.has_always or self._is_persons(token)
                ]
                self._emit_front(LOOSE)
            elif self.sentence.is_about_others and self.grammar.predicate_may_precede_verb:
                self.sentence.fronted_words = []  # "the child fell asleep, tired, and I …"
        if self.clause.subject != NOBODY:
            self.sentence.was_pleasing = self.verb.is_pleasing
            self.sentence.last_subject = SPEAKER if self.verb.is_pleasing else self.clause.subject
            if not self.clause.is_subordinate:
                self.sentence.is_about_others = self.sentence.last_subject != SPEAKER

    def _is_persons(self, token: Token) -> bool:
        """Return whether a word behind a noun and a comma is none of the noun's: by its meaning, or by its case."""
        subjects = self.grammar.has_cases and token.key.endswith(self.grammar.tense_participle_endings)
        if self.grammar.adjective_shows_gender_of_noun and token.key.endswith(self.grammar.fronted_endings):
            neuter = self.sentence.word_before_comma.endswith("ματα")
            subjects = neuter or t.gender_of(token.traits, t.ADJECTIVE) != noun_gender(self.sentence.word_before_comma)
        mood = token.traits & t.MOOD and not (self.sentence.object_before_comma and self._may_be_objects(token))
        if not self.grammar.has_cases and not self.grammar.adjectives_follow_nouns:
            passive = token.key.endswith(self.grammar.depictive_endings or ("-",))
            subjects = passive and not self.clause.follows_noun and not self._may_be_objects(token)
        return bool(mood) or subjects

    def _may_be_objects(self, token: Token) -> bool:
        """Return whether a word behind an object and a comma may be the object's: "met him, angry"."""
        if self.grammar.adjectives_follow_nouns or self.grammar.genitive_endings:
            return False
        feminine = t.gender_of(token.traits, t.ADJECTIVE) == "feminine"
        if self.grammar.has_cases:
            return feminine and noun_gender(self.sentence.word_before_comma) == "feminine"
        return (
            self.sentence.word_before_comma.endswith(("а", "я"))
            if feminine
            else not self.sentence.word_before_comma.endswith(("та", "о", "е", "и"))
        )

    def _resolve_front(self, weight: int) -> None:
        if self.sentence.fronted_words:
            self._emit_front(weight)

    def _drop_front(self) -> None:
        """Drop words that waited for a verb, unless the verb is that of a subordinate clause."""
        if not self.clause.is_subordinate:
            self.sentence.fronted_words = []

    def _emit_front(self, weight: int) -> None:
        for token in self.sentence.fronted_words:
            kind = next((kind for kind in (t.ADJECTIVE, t.SIDE, t.PERSON, t.PAIR) if token.traits & kind), 0)
            self._emit(token, kind, weight, "word before the verb that agrees with its subject")
        self.sentence.fronted_words = []

    def _emit(self, token: Token, kind: int, weight: int, rule: str) -> None:
        gender = t.gender_of(token.traits, kind)
        if gender is not None:
            if token.traits & t.CHILD:
                self.sentence.pending_evidence = -1  # "when I was a girl, my mother …"
            self._show(token, gender, weight, rule)

    def _show(self, token: Token, gender: Gender, weight: int, rule: str) -> None:
        self.evidence.append(Evidence(token.word, token.start, token.end, gender, rule, weight))

    def _is_participle(self, token: Token) -> bool:
        verbal = self.grammar.tense_participle_endings
        return bool(token.traits & t.PAST) or (bool(verbal) and token.key.endswith(verbal))

    def _close(self) -> None:
        """Close the slot, which a noun phrase has filled, unless case shows that it is not the subject's."""
        if self.grammar.adjectives_follow_nouns:
            self.slot.weight = 0
