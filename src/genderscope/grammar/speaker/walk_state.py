"""What the walk over the words of a text keeps in mind (walk.py), and what it must know of a language."""

from __future__ import annotations

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
    """The gender of a noun that nobody knows, by its last letter."""
    return "feminine" if noun[-1] in "aeėηήαάая" else "masculine"


class State:
    """What the walk keeps in mind, clause by clause, and the evidence it has found."""

    # What a sentence does not begin anew, because every verb or comma sets it before it is asked for.
    tail = said = waiting = regarded = noun_last = obliquely = False
    as_child = last_noun = active_perfect = feeling = working = promised = caused = indefinite = adverbially = False
    sure = True
    #: the word before the last comma
    last_word = "-"
    #: an object stood there
    behind_object = False
    measured: Token | None = None
    #: where the last subordinate clause began, and whether the one before it had "me"
    opened, me_before = 0, False

    def __init__(self, tokens: Words, grammar: AgreementGrammar) -> None:
        self.tokens, self.grammar = tokens, grammar
        self.evidence: list[Evidence] = []
        self._new_sentence()

    def _new_sentence(self) -> None:
        self.last = NOBODY
        #: somebody else was mentioned by a pronoun: a verb without subject may be theirs
        self.third = False
        self.front: list[Token] = []
        #: somebody was told or asked: what they should be is not the speaker's
        self.told = False
        #: where the sentence's evidence begins, and that of a clause whose subject may yet turn out to be another
        self.since, self.pending = len(self.evidence), -1
        #: somebody was named whose verb did not come yet: "the man, whom I met, …"
        self.awaited = False
        #: what pleases was said in the clause before: "I like to joke, not to be …"
        self.liked_before = False
        #: the last main clause was about somebody else
        self.left_to_others = False
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
        #: a pronoun for somebody or something else is the object: its traits
        self.clitic = 0
        #: a compound tense came before: the next participle may be another of its verbs
        self.compound = False
        self.fresh = True
        self.liked = self.resting = self.listed = False
        self.hangs_on_noun = self.making = self.subordinate = False
        #: the subject is what one is: "being a mother …"
        self.by_being = False
        #: somebody was seen or left, in this clause and in the one before the comma
        self.saw = self.after_sight = False
        #: "in order to" came before; somebody was told in this very clause
        self.purpose = self.told_here = False
        #: a participle of "see" or "call" came before its auxiliary: "seen they have me"
        self.seen = False
        #: "as", "like" came before
        self.compared = False
        #: "I" was said, and its verb is still to come
        self.said_i = False
        #: a noun phrase that may turn out to be said of the speaker: "the eldest am I"
        self.fronted: Phrase | None = None
        #: the traits of the last noun
        self.attached_to = 0
        #: genders of the nouns behind the verb, and what the last determiner shows
        self.nouns = self.shown = 0
        #: "always" came before what is said: ", always cheerful"
        self.always = False
        #: that noun is the speaker's: "my dream is to be …"
        self.mine = False
        #: the noun that the clause begins with
        self.first_noun: Token | None = None
        #: a noun for a person stands before the verb
        self.named_first = False
        #: the clause before the comma was but a noun, to which a participle behind it belongs
        self.behind_noun = False

    def _end_clause(self) -> None:
        """Words before the verb that never came: "…, tired and sad." are the last subject's."""
        if self.front and not self.verb_seen and (self.subject == NOBODY or self.grammar.adjectives_follow_nouns):
            if self.last == SPEAKER and not self.after_sight and not self.awaited:
                self.front = [token for token in self.front if not self.tail or self.always or self._is_persons(token)]
                self._emit_front(LOOSE)
            elif self.left_to_others and self.grammar.predicate_may_precede_verb:
                self.front = []  # "the child fell asleep, tired, and I …"
        if self.subject != NOBODY:
            self.liked_before = self.liked
            self.last = SPEAKER if self.liked else self.subject
            if not self.subordinate:
                self.left_to_others = self.last != SPEAKER

    def _is_persons(self, token: Token) -> bool:
        """Whether a word behind a noun and a comma is none of the noun's: by its meaning, or by its case."""
        subjects = self.grammar.has_cases and token.key.endswith(self.grammar.tense_participle_endings)
        if self.grammar.adjective_shows_gender_of_noun and token.key.endswith(self.grammar.fronted_endings):
            neuter = self.last_word.endswith("ματα")
            subjects = neuter or t.gender_of(token.traits, t.ADJECTIVE) != noun_gender(self.last_word)
        mood = token.traits & t.MOOD and not (self.behind_object and self._may_be_objects(token))
        if not self.grammar.has_cases and not self.grammar.adjectives_follow_nouns:
            passive = token.key.endswith(self.grammar.depictive_endings or ("-",))
            subjects = passive and not self.behind_noun and not self._may_be_objects(token)
        return bool(mood) or subjects

    def _may_be_objects(self, token: Token) -> bool:
        """Whether a word behind an object and a comma may be the object's, where no case tells: "met him, angry"."""
        if self.grammar.adjectives_follow_nouns or self.grammar.genitive_endings:
            return False
        feminine = t.gender_of(token.traits, t.ADJECTIVE) == "feminine"
        if self.grammar.has_cases:
            return feminine and noun_gender(self.last_word) == "feminine"
        return self.last_word.endswith(("а", "я")) if feminine else not self.last_word.endswith(("та", "о", "е", "и"))

    def _resolve_front(self, weight: int) -> None:
        if self.front:
            self._emit_front(weight)

    def _drop_front(self) -> None:
        """Somebody else is the subject; in a clause of its own that says nothing of the words before it."""
        if not self.subordinate:
            self.front = []

    def _emit_front(self, weight: int) -> None:
        for token in self.front:
            kind = next((kind for kind in (t.ADJECTIVE, t.SIDE, t.PERSON, t.PAIR) if token.traits & kind), 0)
            self._emit(token, kind, weight, "word before the verb that agrees with its subject")
        self.front = []

    def _emit(self, token: Token, kind: int, weight: int, rule: str) -> None:
        gender = t.gender_of(token.traits, kind)
        if gender is not None:
            if token.traits & t.CHILD:
                self.pending = -1  # "when I was a girl, my mother …"
            self._show(token, gender, weight, rule)

    def _show(self, token: Token, gender: Gender, weight: int, rule: str) -> None:
        self.evidence.append(Evidence(token.word, token.start, token.end, gender, rule, weight))

    def _is_participle(self, token: Token) -> bool:
        verbal = self.grammar.tense_participle_endings
        return bool(token.traits & t.PAST) or (bool(verbal) and token.key.endswith(verbal))

    def _after(self, index: int) -> int:
        return self.tokens[index + 1].traits if index + 1 < len(self.tokens) else 0

    def _close(self) -> None:
        """A noun phrase takes the open place, unless its case tells that it is none of the subject's."""
        if self.grammar.adjectives_follow_nouns:
            self.open = 0
