"""Icelandic nouns that refer to people, and the gender they mark.

Most are grammatically masculine but epicene (snillingur, klaufi, atvinnumaður: a woman is a "maður" too), so they do
not mark the person's gender. Nouns that have a counterpart for the other gender (ekkja, ekkill), or that are used for
one gender only (kona, hommi), do.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.readings import FEMININE_NOUN, MASCULINE_NOUN, Form

WORDS = word_lists("is")
_FEMALE_ENDINGS = tuple(WORDS["female_endings"])
_MALE_ENDINGS = tuple(WORDS["male_endings"])


def person_noun(entries: Iterable[Any]) -> Form | None:
    """Return the gender that a nominative noun marks if it refers to a person, judging by its dictionary entries."""
    for entry in entries:
        if entry.ofl not in ("kk", "kvk", "hk") or not entry.mark.startswith(("NFET", "NFFT")):
            continue
        noun = entry.ord.replace("-", "")
        if noun in WORDS["female"] or noun.endswith(_FEMALE_ENDINGS):
            shown = FEMININE_NOUN
        elif noun in WORDS["male"] or noun.endswith(_MALE_ENDINGS):
            shown = MASCULINE_NOUN
        else:
            continue
        return replace(shown, plural=True) if entry.mark.startswith("NFFT") else shown
    return None
