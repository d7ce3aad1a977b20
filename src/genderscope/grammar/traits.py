"""Traits of word forms as bit flags, since a form may be ambiguous."""

from genderscope.grammar.reading import Gender

# Gendered forms.
PAST_M = 1 << 0  # l-participle or past tense, masculine singular
PAST_F = 1 << 1
ADJECTIVE_M = 1 << 2  # nominative adjective or passive participle, long or short
ADJECTIVE_F = 1 << 3
OBLIQUE_M = 1 << 4  # in the case that predicates take after "consider myself", "become" (instrumental or accusative)
OBLIQUE_F = 1 << 5
OWN_M = 1 << 6  # marks both first person and gender: Polish -łem, powinienem
OWN_F = 1 << 7
SIDE_M = 1 << 8  # agrees with the subject of any verb: glad, alone, first
SIDE_F = 1 << 9
# Person.
PRONOUN = 1 << 10  # "I"
AUXILIARY = 1 << 11  # first-person auxiliary that takes a participle
COPULA = 1 << 12  # first-person verb that takes a nominative predicate: am, shall be, stay
FEELING = 1 << 13  # first-person verb that takes a nominative predicate only with a reflexive: feel
REGARD = 1 << 14  # first-person verb whose predicate is oblique: consider myself, become
PRESENT = 1 << 15  # any other first-person singular verb
OTHER_PERSON = 1 << 16  # indicates that the clause is about somebody else
CONDITIONAL = 1 << 17  # marks the conditional, but not person
NOUN = 1 << 18  # nominative singular noun
# Syntax.
OPENER = 1 << 19  # opens a clause even without a comma
COORDINATOR = 1 << 20
REFLEXIVE = 1 << 21
FUNCTION = 1 << 22  # adverb, particle, preposition, pronoun: never a noun modified by an adjective
PREPOSITION = 1 << 23
PUNCTUATION = 1 << 24
FULL = 1 << 25  # adjective that takes a complement: full of, worth, sure of
OBJECT = 1 << 26  # "me": the speaker is not the subject
SHORT = 1 << 27  # short adjective: always predicative, never attributive
TO_BE = 1 << 28  # infinitive of a copula: its predicate agrees with the subject of the governing verb
AS = 1 << 29  # introduces an oblique predicate: "consider me AS strong"
KNOWN = 1 << 30  # in the dictionary but irrelevant to the rules; prevents guessing by ending
FEMININE = 1 << 31  # feminine noun; nouns without this trait are masculine
FINITE = 1 << 32  # any finite verb
OBJECTLIKE = 1 << 33  # nominative noun identical to the accusative: Russian inanimate masculines
INTRANSITIVE = 1 << 34  # intransitive verb, so a noun after it is its subject
DATIVE = 1 << 35  # "to me"
TO_OTHERS = 1 << 36  # "to nobody", "to others": another person is allowed or told to be something
INFINITIVE = 1 << 37
MINE = 1 << 38  # forms of "my"
# For languages that mark person on verbs and gender on adjectives (agreement_reader.py).
ARTICLE = 1 << 39
ARTICLE_M = 1 << 40
ARTICLE_F = 1 << 41
DETERMINER = 1 << 42  # my, this, every: the following noun does not describe the speaker
EITHER = 1 << 43  # verb in the first or third person
MAKES = 1 << 44  # verb that takes a predicate with "me": makes me, leaves me
RESTS = 1 << 45  # verb that may take a predicate: live, go, come back (alone, tired)
BEEN = 1 << 46  # participle of a copula, invariable after "have"
HAVE = 1 << 47  # auxiliary whose participle does not agree with the subject
ADVERBIAL = 1 << 48  # adjective whose masculine form is also an adverb
IMPERSONAL = 1 << 49  # adjective that usually describes "it": necessary, obvious
PERSON_M = 1 << 50  # noun for a man
PERSON_F = 1 << 51
COMMON = 1 << 52  # common-gender noun for a person: only the article marks gender
ANYONE = 1 << 53  # epicene noun: one grammatical gender for men and women
TITLE = 1 << 54  # masculine title that is also used for women, so it is no evidence
MOST = 1 << 55  # forms a superlative after the article
RELATIVE = 1 << 56  # opens a relative clause after a noun
PLURAL_PERSON = 1 << 57  # third-person plural verb or pronoun, which takes no singular adjective
CLITIC = 1 << 58  # possible unstressed object pronoun: a verb follows
DEFINITE = 1 << 60  # definite article
ALSO = 1 << 61  # listed traits are added to those in the dictionary instead of replacing them
PRENOMINAL = 1 << 62  # adjective that may precede its noun in languages where most adjectives follow it
PAIR_M = 1 << 63  # one of a possible pair of nouns, which refers to a person (bambino) or to a thing (porto)
PAIR_F = 1 << 64
DEGREE = 1 << 65  # "bit" in "a bit"
BEST = 1 << 66  # one-word superlative before its noun: the best
CHILD = 1 << 67  # word for a child: "de niña", "da piccola"
THING = 1 << 68  # adjective that describes things as often as people: dirty, closed
LIKES = 1 << 69  # verb whose experiencer is "me": pleases me
HOW = 1 << 70  # precedes an adjective whose verb follows: "how tired I am"
MOOD = 1 << 71  # adjective that describes only people: convinced, tired, drunk
LEAVES = 1 << 72  # verb of leaving or seeing somebody (alone)
PARTICLE = 1 << 73  # "to" before a finite verb: να
PURPOSE = 1 << 76  # "in order to": the infinitive has the same subject
PROMISES = 1 << 77  # verb with subject control despite an addressee: promise
MAYBE = 1 << 75  # clause-initially a first-person verb, elsewhere a noun: Spanish tomo
DEAR = 1 << 74  # term of address: darling
WORKS = 1 << 79  # verb that takes a role with "as": work as a waitress
SAYS = 1 << 78  # says, answers: if a comma precedes the verb, the words before it are somebody else's speech
STANDING = 1 << 59  # marks gender after "I" or "me": myself

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
    """Return the gender of a form by one kind of trait (PAST, ADJECTIVE, …); None if the form marks both or neither."""
    shown = traits & kind
    masculine, feminine = bool(shown & MASCULINE), bool(shown & ~MASCULINE)
    if masculine == feminine:
        return None
    return "masculine" if masculine else "feminine"


#: single traits by their name in language files
BY_NAME = {
    name.lower(): bits
    for name, bits in list(globals().items())
    if name.isupper() and isinstance(bits, int) and bits & (bits - 1) == 0
}
