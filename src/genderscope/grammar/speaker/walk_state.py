"""State of the token walk (walk.py), grouped by sentence, clause, verb, noun and slot."""

from dataclasses import dataclass, field

from genderscope.grammar import traits as t
from genderscope.grammar.reading import Evidence, Gender
from genderscope.grammar.speaker.agreement_grammar import AgreementGrammar
from genderscope.grammar.speaker.phrases import NounPhrase
from genderscope.grammar.text import Token, TokenList

NOBODY, SPEAKER, OTHER, OTHERS = range(4)
# Baltic dative endings, which agree with "to me" and never follow a preposition that introduces a role.
DATIVES = ("am", "im", "ai", "ei")
# Strength of evidence; weigh() uses the strongest evidence.
PREDICATE, LIKELY, LOOSE = 3, 2, 1
RULES = {
    PREDICATE: "word describing the speaker after a copula",
    LIKELY: "word describing the speaker after another verb",
    LOOSE: "word describing the speaker",
}


def noun_gender(noun: str) -> Gender:
    """Guess an unknown noun's gender from its last letter."""
    return "feminine" if noun[-1] in "aeėηήαάая" else "masculine"


@dataclass(slots=True)
class Slot:
    """Predicate slot that a verb opens: "I am …", "makes me …"."""

    weight: int = 0  # weight of the next gendered word as evidence about the speaker; 0 if no slot is open
    is_sure: bool = True  # the verb is certainly in the first person
    awaits_subject: bool = False  # a later verb determines the subject: "being tired, I …"
    is_oblique: bool = False  # the predicate may be in an oblique case
    is_feeling: bool = False  # the verb is a verb of feeling
    is_filled: bool = False  # a predicate was found
    is_active_perfect: bool = False  # a participle would form a perfect tense: "aș fi știut"
    follows_adverb: bool = False  # an adverb that looks like an adjective was found: "trabajo rápido y seguro"


@dataclass(slots=True)
class NounState:
    """Current or most recent noun phrase."""

    #: traits of the last noun, and whether it was the last content word
    traits: int = 0
    is_last: bool = False
    takes_adjective: bool = False  # a following adjective would modify the noun
    #: whether a determiner or preposition precedes, so that the next word is a noun regardless of its form
    is_expected: bool = False
    is_governed: bool = False
    in_prepositional_phrase: bool = False
    is_indefinite: bool = False
    #: genders of the nouns after the verb, and of the last determiner
    genders: int = 0
    determiner_gender: int = 0
    #: whether a preceding "as" introduces a role, a time of life, how somebody is regarded, or a comparison
    is_role: bool = False
    is_childhood: bool = False
    is_regarded: bool = False
    is_compared: bool = False

    def end(self) -> None:
        """End the noun phrase: the next noun needs a determiner, a preposition or "as" of its own."""
        self.is_expected = self.is_governed = self.is_role = False

    def leave_clause(self) -> None:
        """Reset the nouns of the clause, but remember whether a noun directly preceded the comma."""
        self.end()
        self.traits = self.genders = self.determiner_gender = 0
        self.takes_adjective = self.in_prepositional_phrase = self.is_compared = False


@dataclass(slots=True)
class VerbState:
    """Last verb of the clause and its objects."""

    is_seen: bool = False
    is_auxiliary: bool = False  # "have", whose participle does not agree with the subject
    #: whether "me" precedes the next verb, and whether it belongs to the last verb
    me_precedes: bool = False
    with_me: bool = False
    clitic: int = 0  # traits of an object pronoun for somebody or something else
    #: compound tense: the next participle may be coordinated with the last
    is_compound: bool = False
    is_listed: bool = False
    #: whether the verb expresses motion or rest, work, a promise, or pleasing "me", or follows "in order to"
    is_motion: bool = False
    is_work: bool = False
    is_promise: bool = False
    is_pleasing: bool = False
    has_purpose: bool = False
    #: this verb, or any verb in the clause, is a verb of leaving or seeing somebody
    leaves_somebody: bool = False
    has_seen_somebody: bool = False
    participle_precedes: bool = False  # a participle of "see" or "call" precedes its auxiliary: "seen they have me"


@dataclass(slots=True)
class ClauseState:
    """Subject and beginning of the current clause."""

    subject: int = NOBODY
    has_pronoun: bool = False  # "I" was found, but not yet its verb
    #: whether the next noun may be the subject, and whether a noun subject was found
    is_before_verb: bool = True
    has_noun_subject: bool = False
    first_noun: Token | None = None
    names_person: bool = False
    has_possessive: bool = False  # "my dream is to be …"
    is_fresh: bool = True  # only function words so far
    fronts_role: bool = False  # the clause begins with "as the director"
    fronted_phrase: NounPhrase | None = (
        None  # a noun phrase that may turn out to describe the speaker: "the eldest am I"
    )
    #: "always" was found, as in ", always cheerful"
    has_always: bool = False
    is_subordinate: bool = False
    is_relative: bool = False
    #: the subject is an infinitive copula with its predicate: "being a mother …"
    is_about_being: bool = False
    tells_somebody: bool = False
    #: the clause follows a comma after a noun, after nothing but a noun, or after a mention of somebody who was seen
    is_tail: bool = False
    follows_noun: bool = False
    follows_sight: bool = False


@dataclass(slots=True)
class SentenceState:
    """State carried over between the clauses of a sentence."""

    #: start of the sentence's evidence, and of the evidence from a clause whose subject is still uncertain
    evidence_start: int
    pending_evidence: int = -1
    last_subject: int = NOBODY
    mentions_other: bool = False  # a pronoun mentioned somebody else, who may be the implicit subject of a later verb
    fronted_words: list[Token] = field(default_factory=list)  # words before their verb that agree with its subject
    fronts_role: bool = False  # "as the director, …": a fronted word is a role
    noun_genders: int = 0  # genders of the nouns after the verbs of earlier clauses
    tells_somebody: bool = False  # somebody was told or asked to be something, which does not describe the speaker
    awaits_other: bool = False  # somebody was named as the subject of a later verb: "the man, whom I met, …"
    was_pleasing: bool = False  # the preceding clause had a verb of pleasing: "I like to joke, not to be …"
    is_about_others: bool = False  # the last main clause was about somebody else
    #: an adjective before its verb, and whether it gives the cause: "how tired I am", "de tão nervosa que estava"
    measured_word: Token | None = None
    gives_cause: bool = False
    #: the word before the last comma, and whether it was an object
    word_before_comma: str = "-"
    object_before_comma: bool = False
    #: start of the last subordinate clause, and whether the preceding clause contained "me"
    subordinate_start: int = 0
    me_before_subordinate: bool = False


class State:
    """State of the walk and evidence found so far."""

    def __init__(self, tokens: TokenList, grammar: AgreementGrammar) -> None:
        self.tokens, self.grammar = tokens, grammar
        #: padded, so that the neighbours of the first and last word have no traits
        self.traits = [token.traits for token in tokens] + [0, 0, 0]
        self.evidence: list[Evidence] = []
        self.follows_other = False  # the preceding sentence was about somebody else
        self._new_sentence()

    @property
    def _topic(self) -> int:
        """The subject of the clause or, if it has none yet, of the preceding clause."""
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
        """End the clause; attribute words without a verb ("…, tired and sad.") to the last subject."""
        sentence = self.sentence
        if self.verb.is_seen or not self.noun.in_prepositional_phrase:
            sentence.noun_genders |= self.noun.genders
        if (
            sentence.fronted_words
            and not self.verb.is_seen
            and (self.clause.subject == NOBODY or self.grammar.adjectives_follow_nouns)
        ):
            if sentence.last_subject == SPEAKER and not self.clause.follows_sight and not sentence.awaits_other:
                sentence.fronted_words = [
                    token
                    for token in sentence.fronted_words
                    if not self.clause.is_tail or self.clause.has_always or self._is_persons(token)
                ]
                self._emit_front(LOOSE)
            elif sentence.is_about_others and self.grammar.predicate_may_precede_verb:
                sentence.fronted_words = []  # "the child fell asleep, tired, and I …"
        if self.clause.subject != NOBODY:
            sentence.was_pleasing = self.verb.is_pleasing
            sentence.last_subject = SPEAKER if self.verb.is_pleasing else self.clause.subject
            if not self.clause.is_subordinate:
                sentence.is_about_others = sentence.last_subject != SPEAKER

    def _is_persons(self, token: Token) -> bool:
        """Return whether a word after a noun and a comma cannot modify the noun, judging by meaning or case."""
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
        """Return whether a word after an object and a comma may describe the object: "met him, angry"."""
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
        """Drop fronted words, unless the current clause is subordinate."""
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
        """Close the slot after a noun phrase in languages where adjectives follow nouns."""
        if self.grammar.adjectives_follow_nouns:
            self.slot.weight = 0
