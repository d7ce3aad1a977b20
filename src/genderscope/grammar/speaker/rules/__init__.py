"""Language-specific rules that cannot be expressed in the language files in `data/`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from genderscope.grammar.text import Token, lookup_key

#: function from a word form to its traits; 0 if unknown
Dictionary = Callable[[str], int]


@dataclass(frozen=True)
class LanguageRules:
    """Python rules for one language, all optional; each module in this package defines them as `RULES`."""

    #: changes the traits of ambiguous words based on their context, before the text is analysed
    disambiguate: Callable[[list[Token]], list[Token]] = lambda tokens: tokens
    #: wraps the dictionary, given the words of the language file
    extend_dictionary: Callable[[Dictionary, Mapping[str, int]], Dictionary] | None = None
    #: adds inflected forms to the words of the language file
    inflect_words: Callable[[dict[str, int]], dict[str, int]] | None = None
    lookup_form: Callable[[str], str] = lookup_key  # returns the lookup form of a word


def language_rules(code: str) -> LanguageRules:
    """Return the rules of a language; empty if it has none."""
    name = f"{__name__}.{code}"
    if find_spec(name) is None:
        return LanguageRules()
    rules: LanguageRules = import_module(name).RULES
    return rules
