"""Language parameters of the agreement reader: the tables [grammar] and [noun_genders] of a language file."""

from dataclasses import dataclass

from genderscope.grammar.dictionaries.agreement_forms import Endings
from genderscope.grammar.reading import Gender

WordSet = frozenset[str]
Phrases = frozenset[tuple[str, ...]]

# Bit flags, since the nouns in a clause may differ in gender; singular adjectives never modify plural nouns.
MASCULINE, FEMININE, PLURAL, TIME = 1, 2, 4, 8
UNKNOWN = MASCULINE | FEMININE


@dataclass(frozen=True)
class NounGenders:
    """Determiners and endings that show the gender of a noun."""

    determiners_m: WordSet = frozenset()
    determiners_f: WordSet = frozenset()
    determiners_pl: WordSet = frozenset()
    either: Endings = ()
    feminine_exceptions: Endings = ()
    masculine_exceptions: Endings = ()
    feminine_endings: Endings = ()
    masculine_endings: Endings = ()
    times: WordSet = frozenset()  # nouns for periods of time that somebody may spend in a state

    def of_determiner(self, word: str) -> int:
        """Return the noun gender that a determiner or contracted preposition marks; 0 if it marks none."""
        if word in self.determiners_pl:
            return PLURAL
        if word in self.determiners_f:
            return FEMININE
        return MASCULINE if word in self.determiners_m else 0

    def of_noun(self, noun: str, is_name: bool) -> int:
        """Return the possible genders of a noun; names may have either gender."""
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
    """Syntactic parameters of a language; all endings are endings of word forms."""

    adjectives_follow_nouns: bool = True  # adjectives usually follow their noun
    pro_drop: bool = True  # verbs mark person, so that no pronoun is needed
    has_cases: bool = False  # case alone distinguishes modifiers of the subject from those of the object
    drops_copula: bool = False  # the copula may be omitted after "I"
    predicate_may_precede_verb: bool = False  # the predicate may precede the verb: "tired am I"
    splits_clitics: bool = True  # clitic pronouns and articles are split from their host: j'ai, sinto-me
    me_is_reflexive: bool = True  # "me" makes a first-person verb reflexive: me siento
    #: participles do not agree with a dative reflexive: je me suis lavé les mains
    reflexive_may_be_dative: bool = False
    #: genders in which a participle after "have" agrees with a preceding "me"
    participle_agrees_with_me: tuple[Gender, ...] = ()
    finite_verb_after_auxiliary: bool = False  # the verb after "have" looks finite: έχω νιώσει
    #: adjectives mark the gender of a person if the noun does not: καλή γιατρός
    adjective_shows_gender_of_noun: bool = False
    #: masculine adjectives may be adverbs, and masculine nouns may refer to women, as in Romanian
    masculine_is_unmarked: bool = False
    #: "as" and a role with its article may describe the subject: "como el director del coro, elijo …"
    role_takes_article: bool = False
    occupation_with_article: bool = False  # occupations are expressed as "do the waitress": faccio la cameriera
    #: participles that form a tense, so that a following noun is their object: имал
    tense_participle_endings: Endings = ()
    depictive_endings: Endings = ()  # nominative adjectives, which describe the subject after a verb of motion or rest
    #: endings of forms that are never fronted adjectives (French -ant), and of the only adjectives that may be fronted
    never_fronted_endings: Endings = ()
    fronted_endings: Endings = ("",)
    adverb_endings_f: Endings = ()  # feminine adjectives that are adverbs after a verb of feeling: ωραία
    plural_adjective_endings: Endings = ()  # plural adjectives, which precede nouns of any gender
    nominative_endings: Endings = ()  # nominative endings; an unknown word with such an ending may be a noun
    agreeing_noun_endings: Endings = ()  # nouns that may agree with an adjective; excludes neuters
    oblique_noun_endings: Endings = ()  # nouns in oblique cases, which cannot be subjects
    #: genitives, which come between an adjective and its noun: "visiška brolio priešingybė"
    genitive_endings: Endings = ()
    agent_endings: Endings = ()  # agent nouns, whose gender is marked only on the adjective
    profession_endings: Endings = ()  # nouns for occupations
    #: words such as "very": the next word is an adjective regardless of the dictionary, and its ending marks gender
    intensifiers: WordSet = frozenset()
    adjective_endings_m: Endings = ()
    adjective_endings_f: Endings = ()
    #: "whole" before an adjective: "me pongo toda nerviosa"
    whole_f: WordSet = frozenset()
    whole_m: WordSet = frozenset()
    to: WordSet = frozenset()  # prepositions between a person and an infinitive: "asked her to …"
    third_person_copulas: WordSet = frozenset()  # "is" before an infinitive: "mi defecto es ser …"
    #: "my", and words for "my" after a noun or after "alone"
    possessives: WordSet = frozenset()
    others_possessives: WordSet = frozenset()  # "your", "her": "soy su enfermera"
    enclitic_possessives: WordSet = frozenset()
    #: "as" between an adjective and its verb: "tired as I am"
    just_as: WordSet = frozenset()
    always: WordSet = frozenset()
    those_f: WordSet = frozenset()  # feminine "those": "soy de las que …"
    #: periods of time, and stems of verbs for spending them: "pasé la tarde encerrada"
    time_spans: WordSet = frozenset()
    spending_stems: Endings = ()
    adverb_phrases: Phrases = frozenset()  # multi-word adverbs: "du tout", "de verdad"
    role_phrases: Phrases = frozenset()  # multi-word equivalents of "as": "en tant que"
    #: how the gender of nouns is marked; None if inflection alone shows which noun an adjective modifies
    noun_genders: NounGenders | None = None
