"""Morphological dictionaries, loaded on first use."""

import importlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from genderscope.grammar.adjectives.readings import MissingDictionaryError


@lru_cache(maxsize=4)
def lemmas(language: str) -> Mapping[str, str]:
    """Return simplemma's form-to-lemma table; unlike its lemmatize(), the table does not guess unknown words."""
    factory = _package("simplemma.strategies.dictionaries.dictionary_factory", language)
    table: Mapping[str, str] = factory.DefaultDictionaryFactory().get_dictionary(language)
    return table


@lru_cache(maxsize=1)
def icelandic_inflections() -> Any:
    """Return the Database of Icelandic Morphology (BÍN)."""
    return _package("islenska", "is").Bin()


def _package(name: str, language: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingDictionaryError(
            f"Reading adjectives in '{language}' needs the package {package}: pip install 'genderscope[grammar]'."
        ) from error
