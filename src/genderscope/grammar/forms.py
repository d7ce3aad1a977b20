"""Drawing the gendered forms out of a plain dictionary of forms and lemmas, which knows no parts of speech.

A lemma that ends like an infinitive is a verb; a form in -ého / -ega / -ego … gives an adjective's stem. From a stem both
genders follow, which matters where the dictionary prefers another reading of one of them (Slovene čistila "cleaner").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .traits import ADJECTIVE_F, ADJECTIVE_M, NOUN, OBLIQUE_F, OBLIQUE_M, PAST_F, PAST_M, PRESENT, SHORT


@dataclass(frozen=True)
class AdjectiveEndings:
    """One declension: the genitive that betrays it, its nominatives, and the case of "consider myself …"."""

    genitive: str
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
    lemma_is_masculine: bool = False  # adjective lemmas are indefinite forms: umoran, srečen
    passive_under_verb: bool = False  # passive participles are filed under their verb: uvjeren → uvjeriti
    short_forms: bool = False  # Czech unaven / unavena beside unavený


def index_forms(dictionary: Mapping[str, str], rules: FormRules) -> dict[str, int]:
    """Every form of the dictionary that the rules can use, with its traits."""
    traits: dict[str, int] = {}

    def add(form: str, bits: int) -> None:
        traits[form] = traits.get(form, 0) | bits

    nouns = []
    for form, lemma in dictionary.items():
        if lemma.endswith(rules.infinitives) and len(lemma) > 2:
            _index_verb_form(form, lemma, rules, add)
        elif form == lemma and len(form) > 1:
            nouns.append(form)
        _index_adjective(form, lemma, dictionary, rules, add)
    for form in nouns:
        if not traits.get(form, 0) & ADJECTIVE_M:
            add(form, NOUN)
    return traits


def _index_verb_form(form: str, lemma: str, rules: FormRules, add) -> None:  # type: ignore[no-untyped-def]
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
    elif rules.passive_under_verb and form.endswith(("n", "t")) and form + "i" != lemma:
        add(form, ADJECTIVE_M)
        add(form + "a", ADJECTIVE_F)


def _index_adjective(form: str, lemma: str, dictionary: Mapping[str, str], rules: FormRules, add) -> None:  # type: ignore[no-untyped-def]
    for endings in rules.adjectives:
        if not form.endswith(endings.genitive) or len(form) < len(endings.genitive) + 3 or form == lemma:
            continue
        stem = form[: -len(endings.genitive)]
        masculine = [stem + ending for ending in endings.masculine if stem + ending in dictionary]
        if rules.lemma_is_masculine and not lemma.endswith(rules.infinitives):
            masculine.append(lemma)
        if not masculine:
            continue
        for known in masculine:
            add(known, ADJECTIVE_M)
        add(stem + endings.feminine, ADJECTIVE_F)
        for ending in endings.oblique_m:
            add(stem + ending, OBLIQUE_M)
        for ending in endings.oblique_f:
            add(stem + ending, OBLIQUE_F)
    if rules.short_forms and lemma.endswith("ý"):
        stem = lemma[:-1]
        stems = {stem, stem[:-2] + "án"} if stem.endswith("an") else {stem}
        for short in stems:
            if form == short:
                add(form, ADJECTIVE_M | SHORT)
            elif form == short + "a":
                add(form, ADJECTIVE_F | SHORT)
