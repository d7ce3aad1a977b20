"""Icelandic nouns said of a person: which of them show a gender.

Most are masculine by grammar and said of anyone (snillingur, klaufi, atvinnumaður: a woman is a "maður" too), so they
show nothing. Those with a partner for the other gender, or said of one gender only, do: ekkja and ekkill, kona, hommi.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from genderscope.grammar.adjectives.readings import FEMININE_NOUN, MASCULINE_NOUN, Form
from genderscope.grammar.adjectives.wordlists import words

_FEMALE = words(
    "ekkja kona stelpa stúlka dama frú frænka móðir mamma systir dóttir amma lesbía lesba skækja hóra drottning "
    "prinsessa gyðja norn kerling mær meyja jómfrú ungfrú fröken eiginkona kærasta unnusta skvísa gella tík kvenmaður "
    "kvenkostur"
)
_FEMALE_ENDINGS = ("kona", "stúlka", "stelpa", "kerling", "kvenmaður", "kvennmaður", "ynja", "drottning")
_MALE = words(
    "ekkill karl karlmaður karlmenni kall strákur drengur piltur herra herramaður hommi faðir pabbi bróðir sonur afi "
    "konungur kóngur prins gaur gæi vinur kærasti unnusti eiginmaður ekkjumaður séntilmaður sjentilmaður mágur frændi "
    "sveinn piparsveinn"
)
_MALE_ENDINGS = ("karl", "strákur", "drengur", "karlmaður", "ekkjumaður")


def person_noun(entries: Iterable[Any]) -> Form | None:
    """The gender that a noun in the nominative shows of the person it is said of; `entries` are the dictionary's."""
    for entry in entries:
        if entry.ofl not in ("kk", "kvk", "hk") or not entry.mark.startswith(("NFET", "NFFT")):
            continue
        noun = entry.ord.replace("-", "")
        if noun in _FEMALE or noun.endswith(_FEMALE_ENDINGS):
            shown = FEMININE_NOUN
        elif noun in _MALE or noun.endswith(_MALE_ENDINGS):
            shown = MASCULINE_NOUN
        else:
            continue
        return replace(shown, plural=True) if entry.mark.startswith("NFFT") else shown
    return None
