"""Czech nouns that refer to people (hlupák, hlupačka), and the gender they mark.

A noun marks gender if it has a counterpart for the other gender (vítěz, vítězka), as most such nouns do, or if it is
used for one gender only (vdovec, švihák). Epicene nouns (člověk, blázen) do not mark gender.
"""

from dataclasses import replace
from functools import lru_cache

from genderscope.grammar.adjectives import readings as r
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.dictionaries import lemmas
from genderscope.grammar.adjectives.readings import Form

WORDS = word_lists("cs")
# Epicene or common-gender nouns, which are used for both men and women, including nouns for animals and things.
ANYONE = WORDS["anyone"]
_MALE = WORDS["male"]
_FEMALE = WORDS["female"]
_FEMININE_BY_ENDING = replace(r.FEMININE_ENDING, noun=True)
_MASCULINE_BY_ENDING = replace(r.MASCULINE_ENDING, noun=True)
_MASCULINE_PLURAL = replace(r.MASCULINE_NOUN, plural=True)
# Endings of nouns that refer to people; "of unknown" means only for words that are not in the dictionary.
_MALE_ENDINGS = tuple(WORDS["male_endings"])
_MALE_ENDINGS_OF_UNKNOWN = tuple(WORDS["male_endings_if_unknown"])
_FEMALE_ENDINGS = tuple(WORDS["female_endings"])
_FEMALE_ENDINGS_OF_UNKNOWN = tuple(WORDS["female_endings_if_unknown"])
# Endings of masculine nouns whose feminine adds -ka to the stem: vítěz, hrdina, cizinec, zrzek, hlupák, lenoch.
_STEMS = (("", ""), ("", "a"), ("", "ec"), ("", "ek"), ("č", "k"), ("š", "ch"), ("ž", "h"))


@lru_cache(maxsize=65536)
def person_noun(word: str) -> Form | None:
    """Return the gender marked by a nominative or instrumental noun that refers to a person; None if it marks none."""
    table = lemmas("cs")
    lemma = table.get(word, "")
    if word in ANYONE or lemma in ANYONE or lemma.endswith("ý"):
        return None
    is_listed = word in table
    if _female(word):
        return r.FEMININE_NOUN if is_listed or word in _FEMALE else _FEMININE_BY_ENDING
    if _male(word):
        return r.MASCULINE_NOUN if is_listed or word in _MALE else _MASCULINE_BY_ENDING
    return _instrumental(word) if word.endswith(("em", "ou")) else _plural(word)


def _plural(word: str) -> Form | None:
    """Return the form of a polite-plural noun that refers to one person: vítězové, hlupáci, lotři."""
    singular = lemmas("cs").get(word)
    if singular is not None:
        return _MASCULINE_PLURAL if word.endswith(("i", "ové", "é")) and _male(singular) else None
    is_male = any(noun in _MALE for noun in (word[:-1], word[:-2] + "r"))
    return _MASCULINE_PLURAL if word.endswith(("isti", "isté", "áci")) or (is_male and word.endswith("i")) else None


def _instrumental(word: str) -> Form | None:
    """Return the form of a noun in the instrumental, a case that Czech predicates may take: vdovcem, profesionálkou."""
    if word.endswith("ou"):
        return r.FEMININE_NOUN if _female(word[:-2] + "a") else None
    stem = word[:-2]
    lemma = lemmas("cs").get(word, "")
    return r.MASCULINE_NOUN if _male(lemma) or _male(stem) or _male(f"{stem[:-1]}e{stem[-1:]}") else None


def _male(word: str) -> bool:
    if word in _MALE or word.endswith(_MALE_ENDINGS):
        return word not in ANYONE and word not in _FEMALE
    table = lemmas("cs")
    if word not in table:
        return len(word) > 4 and word.endswith(_MALE_ENDINGS_OF_UNKNOWN)
    # Only animate nouns have a dative in -ovi; for nouns in -a, such a form may belong to a surname.
    return word not in ANYONE and any(f"{stem}ovi" in table for stem in _stems(word))


def _stems(word: str) -> tuple[str, ...]:
    if word.endswith("eček"):
        return word, word[:-4] + "c"  # stařeček: stařec, stařcovi
    if word.endswith(("ec", "ek")):
        return word, word[:-2] + word[-1]
    return (word,)


def _female(word: str) -> bool:
    if word in _FEMALE or word.endswith(_FEMALE_ENDINGS):
        return word not in ANYONE
    if word.endswith("ka") and any(_is_feminine_of(word, word[:-2], *change) for change in _STEMS):
        return True
    if word.endswith("ice") and any(word[:-3] + ending in lemmas("cs") for ending in ("ík", "ec")):
        return True
    return word not in lemmas("cs") and word.endswith(_FEMALE_ENDINGS_OF_UNKNOWN) and not _diminutive(word)


def _is_feminine_of(word: str, stem: str, ending: str, masculine: str) -> bool:
    """Return whether a noun in -ka is derived from a masculine one that refers to people and may have a long vowel."""
    if not stem.endswith(ending) or len(stem) < 3:
        return False
    base = stem.removesuffix(ending)
    bases = {base, base[:-1] + _LONG.get(base[-1:], base[-1:])}
    table = lemmas("cs")
    return any((noun in table or noun in _MALE) and _male(noun) for noun in (base + masculine for base in bases))


_LONG = {"a": "á", "i": "í"}


def _diminutive(word: str) -> bool:
    """Return whether a word in -ička is a diminutive of another noun: hvězda, hvězdička."""
    return word.endswith("ička") and any(word[:-4] + ending in lemmas("cs") for ending in ("a", "e", "ice"))
