"""What the agreement reader must know about a language besides its words: the tables [grammar] and [noun_genders]."""

from dataclasses import dataclass

from genderscope.grammar.dictionaries.agreeing import Endings
from genderscope.grammar.reading import Gender

Words = frozenset[str]
Phrases = frozenset[tuple[str, ...]]

# Bits, since the nouns of a clause may have several genders; a singular adjective never belongs to a plural noun.
MASCULINE, FEMININE, PLURAL, TIME = 1, 2, 4, 8
UNKNOWN = MASCULINE | FEMININE


@dataclass(frozen=True)
class NounGenders:
    """How determiners and endings show the gender of a noun."""

    determiners_m: Words = frozenset()
    determiners_f: Words = frozenset()
    determiners_pl: Words = frozenset()
    either: Endings = ()
    feminine_exceptions: Endings = ()
    masculine_exceptions: Endings = ()
    feminine_endings: Endings = ()
    masculine_endings: Endings = ()
    #: times that one spends in a state
    times: Words = frozenset()

    def of_determiner(self, word: str) -> int:
        """Return the gender of the noun that follows a determiner or a contracted preposition; 0 if it shows none."""
        if word in self.determiners_pl:
            return PLURAL
        if word in self.determiners_f:
            return FEMININE
        return MASCULINE if word in self.determiners_m else 0

    def of_noun(self, noun: str, is_name: bool) -> int:
        """Return the genders that a noun may have; a name may have any."""
        if is_name or noun.endswith(self.either):
            return UNKNOWN
        if noun.endswith(self.feminine_exceptions):
            return FEMININE
        if noun.endswith(self.masculine_exceptions):
            return MASCULINE
        if noun.endswith(self.feminine_endings):
            return FEMININE
        return MASCULINE if noun.endswith(self.masculine_endings) else UNKNOWN


@dataclass(frozen=True)
class AgreementGrammar:
    """How a language builds its sentences; endings are those of word forms."""

    #: adjectives follow their noun as a rule
    adjectives_follow_nouns: bool = True
    #: a verb alone shows its person, so that no pronoun is needed
    pro_drop: bool = True
    #: case alone distinguishes the subject's words from the object's
    has_cases: bool = False
    #: "I am" may be "I" alone
    drops_copula: bool = False
    #: what is said of the subject may precede the verb: "tired am I"
    predicate_may_precede_verb: bool = False
    #: pronouns and articles are split from the word they lean on: j'ai, sinto-me
    splits_clitics: bool = True
    #: "me" with a first-person verb makes it reflexive: me siento
    me_is_reflexive: bool = True
    #: a participle does not agree with a reflexive "to me": je me suis lavé les mains
    reflexive_may_be_dative: bool = False
    #: genders of a participle behind "have" that agree with "me" before it
    participle_agrees_with_me: tuple[Gender, ...] = ()
    #: the verb behind "have" looks finite: έχω νιώσει
    finite_verb_after_auxiliary: bool = False
    #: an adjective shows the gender of a person where the noun does not: καλή γιατρός
    adjective_shows_gender_of_noun: bool = False
    #: a masculine adjective may be an adverb, and masculine nouns are said of women: Romanian
    masculine_is_unmarked: bool = False
    #: one "does the waitress" for a living: faccio la cameriera
    occupation_with_article: bool = False
    #: participles that carry the tense, so that a noun behind them is their object: имал
    tense_participle_endings: Endings = ()
    #: nominative adjectives: behind a verb of motion or rest they are the subject's
    depictive_endings: Endings = ()
    #: never an adjective before its verb (French -ant), and the only adjectives that may precede it
    never_fronted_endings: Endings = ()
    fronted_endings: Endings = ("",)
    #: feminine adjectives that are adverbs behind a verb of feeling: ωραία
    adverb_endings_f: Endings = ()
    #: plural adjectives, which precede nouns of any gender
    plural_adjective_endings: Endings = ()
    #: nouns in the nominative: an unknown word with such an ending may be one
    nominative_endings: Endings = ()
    #: nouns that may agree with an adjective; neuters do not
    agreeing_noun_endings: Endings = ()
    #: nouns in cases that no subject has
    oblique_noun_endings: Endings = ()
    #: genitives, which come between an adjective and its noun: "visiška brolio priešingybė"
    genitive_endings: Endings = ()
    #: nouns for what a person does, whose gender only the adjective shows
    agent_endings: Endings = ()
    #: nouns for occupations
    profession_endings: Endings = ()
    #: behind "very" and the like a word is an adjective, whatever the dictionary says: its ending shows the gender
    intensifiers: Words = frozenset()
    adjective_endings_m: Endings = ()
    adjective_endings_f: Endings = ()
    #: "whole" before an adjective: "me pongo toda nerviosa"
    whole_f: Words = frozenset()
    whole_m: Words = frozenset()
    #: "my", and words for "my" behind a noun or behind "alone"
    possessives: Words = frozenset()
    enclitic_possessives: Words = frozenset()
    #: "as" between an adjective and its verb: "tired as I am"
    just_as: Words = frozenset()
    always: Words = frozenset()
    #: "those" for women: "soy de las que …"
    those_f: Words = frozenset()
    #: how long one does something, and stems of verbs for spending that time: "pasé la tarde encerrada"
    time_spans: Words = frozenset()
    spending_stems: Endings = ()
    #: adverbs of several words: "du tout", "de verdad"
    adverb_phrases: Phrases = frozenset()
    #: "as" in several words: "en tant que"
    role_phrases: Phrases = frozenset()
    #: how nouns show their gender; None where forms alone show whose an adjective is
    noun_genders: NounGenders | None = None
