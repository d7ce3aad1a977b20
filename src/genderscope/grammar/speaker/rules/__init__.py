"""What a language needs beyond its file in `data/`: rules that only Python can express."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from genderscope.grammar.text import Token, lookup_key

#: traits of a word form, 0 if unknown
Dictionary = Callable[[str], int]


@dataclass(frozen=True)
class LanguageRules:
    """The Python rules of one language, each optional; a module here defines them as `RULES`."""

    #: change the traits of ambiguous words by their neighbours, before the sentence is read
    disambiguate: Callable[[list[Token]], list[Token]] | None = None
    #: wrap the dictionary, which gets the language's own words as well
    extend_dictionary: Callable[[Dictionary, Mapping[str, int]], Dictionary] | None = None
    #: add inflected forms to the language's own words
    inflect_words: Callable[[dict[str, int]], dict[str, int]] | None = None
    #: return the form under which a word is looked up
    lookup_form: Callable[[str], str] = lookup_key


def language_rules(code: str) -> LanguageRules:
    """Return the rules of a language; most need none."""
    name = f"{__name__}.{code}"
    if find_spec(name) is None:
        return LanguageRules()
    rules: LanguageRules = import_module(name).RULES
    return rules
