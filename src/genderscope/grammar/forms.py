"""Drawing the gendered forms out of a plain dictionary of forms and lemmas, which knows no parts of speech.

A lemma that ends like an infinitive is a verb; a form in -ého / -ega / -ego … gives an adjective's stem. From a stem both
genders follow, which matters where the dictionary prefers another reading of one of them (Slovene čistila "cleaner").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .traits import (
    ADJECTIVE_F,
    ADJECTIVE_M,
    FINITE,
    INTRANSITIVE,
    KNOWN,
    NOUN,
    OBLIQUE_F,
    OBLIQUE_M,
    PAST_F,
    PAST_M,
    PRESENT,
    SHORT,
)

_VOWELS = frozenset("aeiouyáéíóúýäěаеиіоуяї")

Adder = Callable[[str, int], None]


@dataclass(frozen=True)
class AdjectiveEndings:
    """One declension: endings that no noun shares and so betray it, its nominatives, and the oblique predicate cases."""

    telling: tuple[str, ...]
    masculine: tuple[str, ...]
    feminine: str
    oblique_m: tuple[str, ...]
    oblique_f: tuple[str, ...]


@dataclass(frozen=True)
class FormRules:
    """How a language builds the forms that the rules need."""

    infinitives: tuple[str, ...]
    past_m: tuple[str, ...]  # endings of the masculine participle; the first pairs with past_f[0]
    past_f: str
    present: tuple[str, ...]
    adjectives: tuple[AdjectiveEndings, ...]
    reflexives: tuple[str, ...] = ()  # endings of reflexive verbs, where they are one word with it
    lemma_is_masculine: bool = False  # adjective lemmas are indefinite forms: umoran, srečen
    passives: tuple[
        tuple[str, str], ...
    ] = ()  # where passive participles are filed under their verb: uvjeren → uvjeriti
    adjective_lemmas: tuple[
        tuple[str, str], ...
    ] = ()  # endings that make a lemma an adjective, with the feminine ending
    # What words unknown to the dictionary can be, by endings that hardly anything else has; the first match counts.
    guesses: tuple[tuple[tuple[str, ...], int], ...] = ()
    keep_finite: bool = False  # whether the rules ask for other persons' verbs
    short_forms: bool = False  # Czech unaven / unavena beside unavený


def index_forms(dictionary: Mapping[str, str], rules: FormRules) -> dict[str, int]:
    """Every form of the dictionary that the rules can use, with its traits."""
    traits: dict[str, int] = {}

    def add(form: str, bits: int) -> None:
        traits[form] = traits.get(form, 0) | bits

    nouns, verbs = [], set()
    guessable = tuple(ending for endings, _ in rules.guesses for ending in endings)
    for form, lemma in dictionary.items():
        if lemma.endswith(rules.infinitives) and len(lemma) > 2:
            verbs.add(lemma)
            _index_verb_form(form, lemma, rules, add)
        elif form == lemma and len(form) > 1:
            nouns.append(form)
            _add_genders(form, rules.adjective_lemmas, add)
        _index_adjective(form, lemma, dictionary, rules, add)
        if form.endswith(guessable):
            add(form, KNOWN)
    for verb in verbs:
        _add_regular_past(verb, rules, add)
    for form in nouns:
        if not traits.get(form, 0) & ADJECTIVE_M:
            add(form, NOUN)
    return traits


def _index_verb_form(form: str, lemma: str, rules: FormRules, add: Adder) -> None:
    for suffix in rules.reflexives:
        if form.endswith(suffix) and lemma.endswith(rules.reflexives):
            plain = form[: len(form) - len(suffix)], lemma[:-2]
            _index_verb_form(*plain, rules, lambda word, bits, suffix=suffix: add(word + suffix, bits | INTRANSITIVE))  # type: ignore[misc]
            return
    if any(form + ending == lemma for ending in rules.infinitives):
        return  # a present tense that looks like a participle: Slovene dela, Polish działa
    masculine = rules.past_m[0]
    if form.endswith(rules.past_f):
        stem = form[: -len(rules.past_f)]
        add(form, PAST_F)
        add(stem + masculine, PAST_M)
    elif form.endswith(rules.past_m):
        add(form, PAST_M)
        if form.endswith(masculine):
            add(form[: len(form) - len(masculine)] + rules.past_f, PAST_F)
    elif form.endswith(rules.present) and not form.startswith(lemma):
        add(form, PRESENT)
    elif any(form.endswith(pair) for pair in rules.passives):
        if form + "i" != lemma:  # a clipped infinitive: Croatian radit
            _add_genders(form, rules.passives, add)
    elif rules.keep_finite and not form.endswith(rules.infinitives):
        add(form, FINITE)


def _add_regular_past(verb: str, rules: FormRules, add: Adder) -> None:
    """Participles of an infinitive in a vowel, which the dictionary may have hidden behind a noun: opraviti, opravil."""
    for ending in rules.infinitives[:1]:
        stem = verb[: len(verb) - len(ending)]
        if verb.endswith(ending) and stem[-1:] in _VOWELS:
            add(stem + rules.past_m[0], PAST_M)
            add(stem + rules.past_f, PAST_F)
        elif stem.endswith(rules.past_m[1:]):
            add(stem, PAST_M)
            add(stem + rules.past_f, PAST_F)


def _add_genders(form: str, endings: tuple[tuple[str, str], ...], add: Adder) -> None:
    for masculine, feminine in endings:
        if form.endswith(masculine) and len(form) > len(masculine) + 2:
            add(form, ADJECTIVE_M)
            add(form[: len(form) - len(masculine)] + feminine, ADJECTIVE_F)


def _index_adjective(form: str, lemma: str, dictionary: Mapping[str, str], rules: FormRules, add: Adder) -> None:
    for endings in rules.adjectives:
        if form == lemma or not form.endswith(endings.telling):
            continue
        for telling in endings.telling:
            stem = form[: len(form) - len(telling)]
            if form.endswith(telling) and len(stem) > 1:
                _add_adjective(stem, lemma, endings, dictionary, rules, add)
    if rules.lemma_is_masculine and lemma.endswith(("an", "en")) and form == f"{lemma[:-2]}na":
        add(lemma, ADJECTIVE_M)  # the vowel that comes and goes tells močan, močna from a noun
        add(form, ADJECTIVE_F)
    if rules.short_forms and lemma.endswith("ý"):
        _add_short_form(form, lemma, add)


def _add_adjective(
    stem: str, lemma: str, endings: AdjectiveEndings, dictionary: Mapping[str, str], rules: FormRules, add: Adder
) -> None:
    if rules.lemma_is_masculine:
        # The lemma of an adjective ends in a consonant and is no abstract noun (sposobnost, instrumental sposobnostjo).
        if lemma[-1] in "aeiou" or (lemma.endswith(("ost", "ev", "av", "zen")) and stem.endswith(("j", "v"))):
            return
        masculine = [lemma]
        if not (stem + "i").endswith(rules.infinitives):
            masculine.append(stem + "i")
    else:
        masculine = [stem + ending for ending in endings.masculine if stem + ending in dictionary]
    if not masculine:
        return
    for known in masculine:
        add(known, ADJECTIVE_M)
    add(stem + endings.feminine, ADJECTIVE_F)
    for ending in endings.oblique_m:
        add(stem + ending, OBLIQUE_M)
    for ending in endings.oblique_f:
        add(stem + ending, OBLIQUE_F)


def _add_short_form(form: str, lemma: str, add: Adder) -> None:
    stem = lemma[:-1]
    for short in {stem, stem[:-2] + "án"} if stem.endswith("an") else {stem}:
        if form == short:
            add(form, ADJECTIVE_M | SHORT)
        elif form == short + "a":
            add(form, ADJECTIVE_F | SHORT)
