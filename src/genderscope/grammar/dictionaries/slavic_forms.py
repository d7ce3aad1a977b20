"""Extraction of gendered forms from a form-to-lemma dictionary without part-of-speech tags.

A lemma that ends like an infinitive is a verb; a form in -ého / -ega / -ego … yields an adjective's stem. Both genders
are derived from the stem, because the dictionary may list one of them under another lemma (Slovene čistila "cleaner").
"""

from collections.abc import Mapping
from dataclasses import dataclass

from genderscope.grammar import traits as t

_VOWELS = frozenset("aeiouyáéíóúýäěаеиіоуяї")


@dataclass(frozen=True)
class AdjectiveEndings:
    """Endings of one declension: those no noun shares, those of the nominative, and those of oblique predicates."""

    telling: tuple[str, ...]
    masculine: tuple[str, ...]
    feminine: str
    oblique_m: tuple[str, ...]
    oblique_f: tuple[str, ...]


@dataclass(frozen=True)
class FormRules:
    """Rules for deriving a language's gendered forms."""

    infinitives: tuple[str, ...] = ()
    past_m: tuple[str, ...] = ()  # endings of the masculine participle; the first is paired with past_f
    past_f: str = ""
    present: tuple[str, ...] = ()
    adjectives: tuple[AdjectiveEndings, ...] = ()
    reflexives: tuple[str, ...] = ()  # reflexive suffixes, if written as one word with the verb
    lemma_is_masculine: bool = False  # whether adjective lemmas are indefinite forms: umoran, srečen
    passives: tuple[tuple[str, str], ...] = ()  # passive participles listed under their verb: uvjeren
    adjective_lemmas: tuple[tuple[str, str], ...] = ()  # endings of adjective lemmas and of their feminine forms
    # Traits of unknown words, by endings that are nearly unambiguous; the first match counts.
    guesses: tuple[tuple[tuple[str, ...], int], ...] = ()
    keep_finite: bool = False  # whether the rules need verbs in other persons
    short_forms: bool = False  # whether adjectives have short forms: Czech unaven / unavena next to unavený


def index_forms(dictionary: Mapping[str, str], rules: FormRules) -> dict[str, int]:
    """Return the traits of every dictionary form that is relevant to the reader."""
    index = _SlavicIndex(dictionary, rules)
    nouns, verbs = [], set()
    guessable = tuple(ending for endings, _ in rules.guesses for ending in endings)
    telling = tuple(ending for declension in rules.adjectives for ending in declension.telling)
    for form, lemma in dictionary.items():
        if lemma.endswith(rules.infinitives) and len(lemma) > 2:
            verbs.add(lemma)
            index.add_verb_form(form, lemma)
        elif form == lemma and len(form) > 1:
            nouns.append(form)
            index.add_genders(form, rules.adjective_lemmas)
        if form != lemma and form.endswith(telling):
            index.add_adjective_form(form, lemma)
        if rules.lemma_is_masculine and form.endswith("na"):
            index.add_fleeting_vowel(form, lemma)
        if rules.short_forms and lemma.endswith("ý"):
            index.add_short_form(form, lemma[:-1])
        if form.endswith(guessable):
            index.add(form, t.KNOWN)
    for verb in verbs:
        index.add_regular_past(verb)
    for form in nouns:
        if not index.traits.get(form, 0) & t.ADJECTIVE_M:
            index.add(form, t.NOUN)
    return index.traits


class _SlavicIndex:
    """Builder of the mapping from forms to traits."""

    def __init__(self, dictionary: Mapping[str, str], rules: FormRules) -> None:
        self.dictionary = dictionary
        self.rules = rules
        self.traits: dict[str, int] = {}

    def add(self, form: str, bits: int) -> None:
        self.traits[form] = self.traits.get(form, 0) | bits

    def add_verb_form(self, form: str, lemma: str) -> None:
        for suffix in self.rules.reflexives:
            if form.endswith(suffix) and lemma.endswith(self.rules.reflexives):
                self._add_plain_verb_form(form[: -len(suffix)], lemma[: -len(suffix)], suffix)
                return
        self._add_plain_verb_form(form, lemma)

    def _add_plain_verb_form(self, form: str, lemma: str, suffix: str = "") -> None:
        rules, masculine = self.rules, self.rules.past_m[0]
        bits = t.INTRANSITIVE if suffix else 0
        if lemma.startswith(form) and lemma[len(form) :] in rules.infinitives:
            return  # a present-tense form that looks like a participle: Slovene dela, Polish działa
        if form.endswith(rules.past_f):
            self.add(form + suffix, t.PAST_F | bits)
            self.add(form.removesuffix(rules.past_f) + masculine + suffix, t.PAST_M | bits)
        elif form.endswith(rules.past_m):
            self.add(form + suffix, t.PAST_M | bits)
            if form.endswith(masculine):
                self.add(form.removesuffix(masculine) + rules.past_f + suffix, t.PAST_F | bits)
        elif form.endswith(rules.present) and not form.startswith(lemma):
            self.add(form + suffix, t.PRESENT | bits)
        elif any(form.endswith(pair) for pair in rules.passives):
            if form + "i" != lemma:  # a clipped infinitive: Croatian radit
                self.add_genders(form, rules.passives)
        elif rules.keep_finite and not form.endswith(rules.infinitives):
            self.add(form + suffix, t.FINITE | bits)

    def add_regular_past(self, verb: str) -> None:
        """Add both participles of a verb, which the dictionary may list under a noun (opraviti, opravil)."""
        rules, ending = self.rules, self.rules.infinitives[0]
        stem = verb.removesuffix(ending)
        if verb.endswith(ending) and stem[-1:] in _VOWELS:
            self.add(stem + rules.past_m[0], t.PAST_M)
            self.add(stem + rules.past_f, t.PAST_F)
            if rules.lemma_is_masculine and stem[-1] in "ai":
                self.add(f"{stem}m", t.PRESENT)  # South Slavic: čistiti, čistim
        elif stem.endswith(rules.past_m[1:]):
            self.add(stem, t.PAST_M)
            self.add(stem + rules.past_f, t.PAST_F)

    def add_genders(self, form: str, endings: tuple[tuple[str, str], ...]) -> None:
        for masculine, feminine in endings:
            if form.endswith(masculine) and len(form) > len(masculine) + 2:
                self.add(form, t.ADJECTIVE_M)
                self.add(form.removesuffix(masculine) + feminine, t.ADJECTIVE_F)

    def add_adjective_form(self, form: str, lemma: str) -> None:
        for endings in self.rules.adjectives:
            for telling in endings.telling:
                stem = form.removesuffix(telling)
                if form.endswith(telling) and len(stem) > 1:
                    self._add_adjective(stem, self._masculine_forms(stem, lemma, endings), endings)

    def add_fleeting_vowel(self, form: str, lemma: str) -> None:
        """Add adjectives with a fleeting vowel, which nouns do not have: močan, močna."""
        if lemma.endswith(("an", "en")) and form == f"{lemma[:-2]}na":
            self.add(lemma, t.ADJECTIVE_M)
            self.add(form, t.ADJECTIVE_F)

    def _masculine_forms(self, stem: str, lemma: str, endings: AdjectiveEndings) -> list[str]:
        if not self.rules.lemma_is_masculine:
            return [stem + ending for ending in endings.masculine if stem + ending in self.dictionary]
        # An adjective lemma ends in a consonant and is not an abstract noun (sposobnost, instrumental sposobnostjo).
        if lemma[-1] in "aeiou" or (lemma.endswith(("ost", "ev", "av", "zen")) and stem.endswith(("j", "v"))):
            return []
        definite = f"{stem}i"
        return [lemma] if definite.endswith(self.rules.infinitives) else [lemma, definite]

    def _add_adjective(self, stem: str, masculine: list[str], endings: AdjectiveEndings) -> None:
        if not masculine:
            return
        for form in masculine:
            self.add(form, t.ADJECTIVE_M)
        self.add(stem + endings.feminine, t.ADJECTIVE_F)
        for ending in endings.oblique_m:
            self.add(stem + ending, t.OBLIQUE_M)
        for ending in endings.oblique_f:
            self.add(stem + ending, t.OBLIQUE_F)

    def add_short_form(self, form: str, stem: str) -> None:
        for short in {stem, stem[:-2] + "án"} if stem.endswith("an") else {stem}:
            if form == short:
                self.add(form, t.ADJECTIVE_M | t.SHORT)
            elif form == short + "a":
                self.add(form, t.ADJECTIVE_F | t.SHORT)
