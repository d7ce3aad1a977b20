"""What a word form can be, as bits: a form can be several things at once."""

from __future__ import annotations

from genderscope.grammar.reading import Gender

# Gendered forms.
PAST_M = 1 << 0  # l-participle or past tense, masculine singular
PAST_F = 1 << 1
ADJECTIVE_M = 1 << 2  # nominative adjective or passive participle, long or short
ADJECTIVE_F = 1 << 3
OBLIQUE_M = 1 << 4  # the case a predicate takes after "consider myself", "become" (instrumental or accusative)
OBLIQUE_F = 1 << 5
OWN_M = 1 << 6  # carries both first person and gender: Polish -łem, powinienem
OWN_F = 1 << 7
SIDE_M = 1 << 8  # goes with the subject of any verb: glad, alone, first
SIDE_F = 1 << 9
# Who acts.
PRONOUN = 1 << 10  # "I"
AUXILIARY = 1 << 11  # first-person auxiliary that takes a participle
COPULA = 1 << 12  # first-person verb that takes a nominative predicate: am, shall be, stay
FEELING = 1 << 13  # the same, but only with a reflexive beside it: feel
REGARD = 1 << 14  # first-person verb whose predicate is oblique: consider myself, become
PRESENT = 1 << 15  # any other first-person singular verb
OTHER_PERSON = 1 << 16  # shows that the clause is about somebody else
CONDITIONAL = 1 << 17  # shows a conditional, but no person
NOUN = 1 << 18  # nominative singular noun
# How words are joined.
OPENER = 1 << 19  # opens a clause even where no comma stands
COORDINATOR = 1 << 20
REFLEXIVE = 1 << 21
FUNCTION = 1 << 22  # adverb, particle, preposition, pronoun: never a noun that an adjective belongs to
PREPOSITION = 1 << 23
PUNCTUATION = 1 << 24
FULL = 1 << 25  # adjective with a complement of its own: full of, worth, sure of
OBJECT = 1 << 26  # "me": the speaker is not the subject here
SHORT = 1 << 27  # short adjective: always a predicate, never before its noun
TO_BE = 1 << 28  # infinitive of a copula: its predicate agrees with whoever wants, tries or has to be
AS = 1 << 29  # the word before an oblique predicate: "consider me AS strong"
KNOWN = 1 << 30  # in the dictionary, though of no use to the rules: endings must not guess at it
FEMININE = 1 << 31  # of a noun: feminine; nouns without it are masculine
FINITE = 1 << 32  # any finite verb
OBJECTLIKE = 1 << 33  # a nominative noun that may as well be the object: Russian inanimate masculines
INTRANSITIVE = 1 << 34  # a verb that takes no object, so a noun after it is its subject
DATIVE = 1 << 35  # "to me"
TO_OTHERS = 1 << 36  # "to nobody", "to others": whoever is allowed or told to be something
INFINITIVE = 1 << 37
MINE = 1 << 38  # forms of "my"
# What the languages need whose verbs show the person and whose adjectives show the gender (agreement.py).
ARTICLE = 1 << 39
ARTICLE_M = 1 << 40
ARTICLE_F = 1 << 41
DETERMINER = 1 << 42  # my, this, every: a noun follows that is not said of the speaker
EITHER = 1 << 43  # of a verb: first or third person
MAKES = 1 << 44  # with "me", takes a predicate: makes me, leaves me
RESTS = 1 << 45  # a predicate may follow: live, go, come back (alone, tired)
BEEN = 1 << 46  # participle of a copula, invariable after "have"
HAVE = 1 << 47  # the participle that follows does not agree with its subject
ADVERBIAL = 1 << 48  # the masculine form is an adverb too
IMPERSONAL = 1 << 49  # said of "it" as a rule: necessary, obvious
PERSON_M = 1 << 50  # noun for a man
PERSON_F = 1 << 51
COMMON = 1 << 52  # noun for a person, of one form for both genders: the article tells
ANYONE = 1 << 53  # noun of one gender for men and women alike, with its own agreement
TITLE = 1 << 54  # masculine title that women use too: no evidence
MOST = 1 << 55  # makes a superlative after the article
RELATIVE = 1 << 56  # after a noun it opens a clause about that noun
PLURAL_PERSON = 1 << 57  # of a verb: third person plural, or a pronoun: no singular adjective is theirs
CLITIC = 1 << 58  # may be an unstressed object pronoun: what follows it is a verb
DEFINITE = 1 << 60  # of an article
ALSO = 1 << 61  # in a language's list: what the dictionary says holds as well
PRENOMINAL = 1 << 62  # an adjective that may stand before its noun, where most follow it
PAIR_M = 1 << 63  # perhaps one of a pair of nouns for persons, perhaps a thing: bambino, but porto
PAIR_F = 1 << 64
DEGREE = 1 << 65  # "bit" in "a bit"
BEST = 1 << 66  # a superlative in one word, before its noun: the best
CHILD = 1 << 67  # what one was: "de niña", "da piccola"
THING = 1 << 68  # said of things as often as of persons: dirty, closed
LIKES = 1 << 69  # with "me", a verb whose experience is the speaker's: pleases me
HOW = 1 << 70  # before an adjective whose verb follows: "how tired I am"
MOOD = 1 << 71  # what only persons are: convinced, tired, drunk
LEAVES = 1 << 72  # leaves somebody (alone)
PARTICLE = 1 << 73  # "to" before a finite verb: να
PURPOSE = 1 << 76  # "in order to": what follows is the subject's
PROMISES = 1 << 77  # a verb whose infinitive is the subject's, though somebody is told: promise
MAYBE = 1 << 75  # at the beginning of a clause a first-person verb, elsewhere a noun: Spanish tomo
DEAR = 1 << 74  # how one calls somebody: darling
WORKS = 1 << 79  # with "as", takes a role: work as a waitress
SAYS = 1 << 78  # says, answers: behind a comma, what came before it is somebody else's speech
STANDING = 1 << 59  # shows the gender after "I" or "me": myself

PAST = PAST_M | PAST_F
ADJECTIVE = ADJECTIVE_M | ADJECTIVE_F
OBLIQUE = OBLIQUE_M | OBLIQUE_F
OWN = OWN_M | OWN_F
SIDE = SIDE_M | SIDE_F
FIRST_PERSON = PRONOUN | AUXILIARY | COPULA | FEELING | REGARD | PRESENT | OWN

PERSON = PERSON_M | PERSON_F
PAIR = PAIR_M | PAIR_F
VERB = COPULA | PRESENT | FINITE | TO_BE | INFINITIVE | HAVE
PEOPLE = PERSON | COMMON | ANYONE | TITLE
NAMES_PERSON = PEOPLE | NOUN

MASCULINE = PAST_M | ADJECTIVE_M | OBLIQUE_M | OWN_M | SIDE_M | PERSON_M | PAIR_M


def gender_of(traits: int, kind: int) -> Gender | None:
    """Return the gender a form shows within one kind (PAST, ADJECTIVE, …); None if it shows both or neither."""
    shown = traits & kind
    masculine, feminine = bool(shown & MASCULINE), bool(shown & ~MASCULINE)
    if masculine == feminine:
        return None
    return "masculine" if masculine else "feminine"


#: single traits by the names that language files use
BY_NAME = {
    name.lower(): bits
    for name, bits in list(globals().items())
    if name.isupper() and isinstance(bits, int) and bits & (bits - 1) == 0
}
