"""Drawing agreeing words out of a plain dictionary of forms and lemmas, which knows no parts of speech.

A feminine form whose lemma is its masculine partner (cansada: cansado), or whose lemma is the verb that the partner
belongs to as well, is an adjective, a participle or one noun of a pair. What is neither that nor a verb may be a noun.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ADJECTIVE_M,
    COMMON,
    EITHER,
    FINITE,
    FUNCTION,
    INFINITIVE,
    KNOWN,
    NOUN,
    OBLIQUE_F,
    OBLIQUE_M,
    PAIR_F,
    PAIR_M,
    PAST_F,
    PAST_M,
    PLURAL_PERSON,
    PRESENT,
)

Endings = tuple[str, ...]


@dataclass(frozen=True)
class Agreeing:
    """How a language builds the forms that agree, by endings."""

    #: masculine and feminine endings of adjectives and nouns in pairs
    pairs: tuple[tuple[str, str], ...]
    #: the same of participles that the dictionary files under their verb
    participles: tuple[tuple[str, str], ...] = ()
    #: the same in the case that objects and "to me" take
    oblique: tuple[tuple[str, str], ...] = ()
    infinitives: Endings = ()
    #: what the dictionary's noun of action adds to an infinitive, where no ending shows one: merge, mergere
    action: str | None = None
    #: of verb forms: first person singular; first or third; third person plural; gerund
    first: Endings = ()
    either: Endings = ()
    plural: Endings = ()
    gerunds: Endings = ()
    #: of nouns that have one form for both genders: -ista
    common: Endings = ()
    #: which of the pairs may be listed apart, each as its own lemma: bambino, bambina
    apart: tuple[tuple[str, str], ...] = (("o", "a"), ("or", "ora"))
    #: what an adverb adds to a feminine adjective that the dictionary takes for a verb form (sana: sanamente)
    adverb: str | None = None
    #: of participles in the plural, which look like other persons' verbs
    plural_participles: Endings = ()
    #: of verb forms that look like plural nouns more often than not: the second person in -s
    doubtful: Endings = ()
    #: masculine and feminine endings that show the gender whatever the lemma: superlatives, professions
    sure: tuple[tuple[str, str], ...] = ()
    #: whether the lemma of a verb is its first person
    lemma_is_first: bool = False
    #: what words can be that the dictionary does not have; the first match counts
    guesses: tuple[tuple[Endings, int], ...] = ()


def index_agreeing(dictionary: Mapping[str, str], rules: Agreeing) -> dict[str, int]:
    """Every form of the dictionary that the rules can use, with its traits."""
    traits: dict[str, int] = {}

    def add(form: str, bits: int) -> None:
        traits[form] = traits.get(form, 0) | bits

    feminine_endings = tuple({feminine for _, feminine in rules.pairs + rules.participles})
    participle_endings = tuple({ending for pair in rules.participles for ending in pair})
    for form, lemma in dictionary.items():
        if form.endswith(feminine_endings):
            for masculine in _partners(form, lemma, dictionary, rules):
                of_verb = _is_verb(dictionary.get(masculine, ""), dictionary, rules)
                add(form, ADJECTIVE_F | (PAST_F if of_verb else 0))
                add(masculine, ADJECTIVE_M | (PAST_M if of_verb else 0))
        for ending, partner in rules.sure:
            if form.endswith(ending):
                add(form, ADJECTIVE_M)
            elif form.endswith(partner):
                add(form, ADJECTIVE_F)
        for endings in rules.oblique if form != lemma else ():
            for ending, bits in zip(endings, (OBLIQUE_M, OBLIQUE_F), strict=True):
                if form.endswith(ending):
                    add(form, bits)
    for form, lemma in dictionary.items():
        if form.endswith(rules.gerunds):
            traits[form] = INFINITIVE
        elif form.endswith(rules.plural_participles) and form != lemma:
            add(form, KNOWN)
        elif _is_verb(lemma, dictionary, rules):
            # A participle is no finite verb, though its ending may look like one.
            if not (traits.get(form, 0) & ADJECTIVE and form.endswith(participle_endings)):
                add(form, _verb_bits(form, lemma, rules))
        elif rules.adverb and form.endswith(rules.adverb):
            add(form, FUNCTION)
        elif form == lemma and not traits.get(form, 0) & ADJECTIVE:
            add(form, NOUN | (COMMON if form.endswith(rules.common) else 0))
            for feminine in _perhaps_feminine(form, dictionary, rules):
                add(form, PAIR_M)
                add(feminine, PAIR_F)
        elif form not in traits:
            add(form, KNOWN)
    return traits


def _partners(form: str, lemma: str, dictionary: Mapping[str, str], rules: Agreeing) -> list[str]:
    """The masculine forms that a form is the feminine of."""
    found = []
    verb = _is_verb(lemma, dictionary, rules)
    for masculine_ending, ending in rules.pairs:
        masculine = form[: len(form) - len(ending)] + masculine_ending
        if form.endswith(ending) and len(masculine) > 1 and masculine != form:
            if lemma == masculine or (lemma == form and dictionary.get(masculine) == masculine and _adverbs(form, dictionary, rules)):
                found.append(masculine)
            elif verb and masculine in dictionary and _adverbs(form, dictionary, rules):
                found.append(masculine)
    for masculine_ending, ending in rules.participles:
        masculine = form[: len(form) - len(ending)] + masculine_ending
        # The first pair is the regular one: it needs no proof.
        known = masculine in dictionary or (verb and (masculine_ending, ending) == rules.participles[0])
        if form.endswith(ending) and len(form) > len(ending) + 1 and known:
            if masculine.endswith("o") and any(masculine[:-1] + ending in dictionary for ending in rules.infinitives):
                continue  # a present tense that looks like a participle: aiuto, penso
            partner = dictionary.get(masculine, lemma)
            if verb or partner in (lemma, masculine) or _is_verb(partner, dictionary, rules):
                found.append(masculine)
    return found


def _perhaps_feminine(form: str, dictionary: Mapping[str, str], rules: Agreeing) -> list[str]:
    """Words that may be a noun's or an adjective's feminine, though the dictionary knows them as something else.

    Some are their own lemma (bambina, but also porta), others pass for a verb form (exausta: exaustar).
    """
    stems = [form[: len(form) - len(m)] + f for m, f in rules.apart if form.endswith(m)]
    return [feminine for feminine in stems if feminine in dictionary]


def _adverbs(form: str, dictionary: Mapping[str, str], rules: Agreeing) -> bool:
    return rules.adverb is not None and form + rules.adverb in dictionary


def _is_verb(lemma: str, dictionary: Mapping[str, str], rules: Agreeing) -> bool:
    if rules.action is not None:
        return lemma + rules.action in dictionary
    return len(lemma) > 2 and lemma.endswith(rules.infinitives) and dictionary.get(lemma, lemma) == lemma


def _verb_bits(form: str, lemma: str, rules: Agreeing) -> int:
    if form == lemma and not rules.lemma_is_first:
        return INFINITIVE
    if form.endswith(rules.doubtful):
        return KNOWN
    if form.endswith(rules.first) or form == lemma:
        return PRESENT
    if form.endswith(rules.either):
        return FINITE | EITHER
    return FINITE | (PLURAL_PERSON if form.endswith(rules.plural) else 0)
