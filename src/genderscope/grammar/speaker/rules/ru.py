"""Russian: traits of word forms from pymorphy3."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any

from genderscope.core.user_cache import cache_folder
from genderscope.grammar import traits as t
from genderscope.grammar.dictionaries.answer_cache import remembered
from genderscope.grammar.dictionaries.lexicon import INDEX_FORMAT
from genderscope.grammar.problems import MissingDictionary
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules

_LEAST_SCORE = 0.05  # Parses with a lower pymorphy3 score are rare homonyms
# Oblique and plural endings that are never relevant; skipping words with these endings avoids slow parsing.
_NEVER_NEEDED = ("ами", "ями", "ого", "его", "ому", "ему", "ыми", "ими", "ые", "ие", "ию", "ии")
# pymorphy3 fails on characters without a Unicode name, and only Cyrillic words are Russian.
_CYRILLIC = re.compile(r"[а-яёіїєґў'-]+")
_CASES = {"nomn": (t.ADJECTIVE_M, t.ADJECTIVE_F), "ablt": (t.OBLIQUE_M, t.OBLIQUE_F)}


def pymorphy_traits(language: str) -> Dictionary:
    """Return a lookup function from word forms to traits, based on pymorphy3."""
    try:
        import pymorphy3

        analyzer = pymorphy3.MorphAnalyzer(lang=language)
    except (ImportError, ValueError):
        raise MissingDictionary("pymorphy3", language) from None

    dictionary = analyzer.dictionary

    @cache
    def traits_at(paradigm: int, index: int, soft: bool) -> int:
        return _of_tag(dictionary.build_tag_info(paradigm, index), soft)

    def traits_of(form: str) -> int:
        if form.endswith(_NEVER_NEEDED) or not _CYRILLIC.fullmatch(form):
            return t.KNOWN
        # Most forms are listed, and all their analyses have the same traits, so that a full analysis with its slow
        # scoring is not needed.
        places = dictionary.words.get(form)
        if places is None:  # possibly written with е instead of ё
            similar = dictionary.words.similar_items(form, analyzer.char_substitutes)
            places = [place for _, places in similar for place in places]
        quick = {traits_at(*place, form.endswith("ь")) for place in places}
        if len(quick) == 1:
            return t.KNOWN | quick.pop()
        traits = t.KNOWN
        for parse in analyzer.parse(form):
            if parse.score >= _LEAST_SCORE:
                traits |= _of_tag(parse.tag, form.endswith("ь"))
        return traits

    return traits_of


def _of_tag(tag: Any, soft: bool) -> int:
    part, singular, feminine = tag.POS, tag.number == "sing", tag.gender == "femn"
    gendered = singular and tag.gender in ("masc", "femn")
    traits = _OF_PART.get(part, 0)
    if part == "VERB":
        traits = _of_verb(tag, singular, feminine)
    elif part in ("ADJS", "PRTS") and gendered:
        traits = (t.ADJECTIVE_F if feminine else t.ADJECTIVE_M) | t.SHORT
    elif part in ("ADJF", "PRTF") and gendered and tag.case in _CASES:
        traits = _CASES[tag.case][feminine]
    elif part == "NOUN" and tag.case == "nomn" and (gendered or (singular and "ms-f" in tag)):  # common gender: коллега
        objectlike = t.OBJECTLIKE if tag.animacy == "inan" and (not feminine or soft) else 0
        traits = t.NOUN | objectlike | (t.FEMININE if feminine else 0)
    return traits


_OF_PART = dict.fromkeys(("ADVB", "PRCL", "CONJ", "PRED", "COMP", "GRND"), t.FUNCTION) | {
    "INFN": t.FUNCTION | t.INFINITIVE
}


def _of_verb(tag: Any, singular: bool, feminine: bool) -> int:
    if tag.tense == "past" and singular and tag.gender in ("masc", "femn"):
        return (t.PAST_F if feminine else t.PAST_M) | (t.INTRANSITIVE if tag.transitivity == "intr" else 0)
    if tag.mood == "impr":  # some adverbs look like imperatives: почти
        return 0
    return t.PRESENT if tag.person == "1per" and singular else t.FINITE


def _pymorphy_dictionary(_lexicon: Dictionary, _words: Mapping[str, int]) -> Dictionary:
    try:
        version = metadata.version("pymorphy3-dicts-ru")
    except metadata.PackageNotFoundError:
        raise MissingDictionary("pymorphy3", "ru") from None
    path = cache_folder("grammar") / f"ru-pymorphy3-{version}-{INDEX_FORMAT}.json"
    return remembered(pymorphy_traits("ru"), path)


RULES = LanguageRules(extend_dictionary=_pymorphy_dictionary)
