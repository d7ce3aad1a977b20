"""Russian: past tense with я or without subject, short forms, instrumental predicates; words from pymorphy3."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import Any

from genderscope.cache import cache_folder
from genderscope.grammar.dictionaries.lexicon import INDEX_FORMAT
from genderscope.grammar.dictionaries.memory import remembered
from genderscope.grammar.dictionaries.vocabulary import vocabulary
from genderscope.grammar.problems import MissingDictionary
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.subject import SubjectReader
from genderscope.grammar.traits import (
    ADJECTIVE_F,
    ADJECTIVE_M,
    AS,
    COORDINATOR,
    COPULA,
    DATIVE,
    FEMININE,
    FINITE,
    FUNCTION,
    INFINITIVE,
    INTRANSITIVE,
    KNOWN,
    MINE,
    NOUN,
    OBJECT,
    OBJECTLIKE,
    OBLIQUE_F,
    OBLIQUE_M,
    OPENER,
    OTHER_PERSON,
    PAST_F,
    PAST_M,
    PREPOSITION,
    PRESENT,
    PRONOUN,
    REGARD,
    SHORT,
    SIDE_F,
    SIDE_M,
    TO_BE,
    TO_OTHERS,
    word_table,
)

WORDS = word_table(
    ("я", PRONOUN),
    ("мой моя моё мое мои моего моей моему моим моими моих мою моём моем", MINE | FUNCTION),
    ("меня", OBJECT | FUNCTION),
    ("мне мной мною", DATIVE | FUNCTION),
    ("никому кому-то другим людям им ему ей вам тебе", TO_OTHERS | FUNCTION),
    ("себя себе собой собою", FUNCTION),
    ("он", OTHER_PERSON | NOUN),
    ("она", OTHER_PERSON | NOUN | FEMININE),
    ("оно они ты вы мы это то", OTHER_PERSON),
    ("кто никто кто-то кто-нибудь некто каждый всякий", OTHER_PERSON | NOUN),
    ("который которая которое которые", OTHER_PERSON | OPENER),
    ("сам", SIDE_M | FUNCTION),
    ("сама", SIDE_F | FUNCTION),
    ("один", SIDE_M),
    ("одна", SIDE_F),
    ("одного самого", OBLIQUE_M),
    ("одну саму", OBLIQUE_F),
    ("первым последним", OBLIQUE_M),
    ("первой последней", OBLIQUE_F),
    ("тот", ADJECTIVE_M),
    ("та", ADJECTIVE_F),
    ("первый последний", SIDE_M | ADJECTIVE_M),
    ("первая последняя", SIDE_F | ADJECTIVE_F),
    ("должен обязан рад прав", ADJECTIVE_M | SHORT),
    ("должна обязана рада права", ADJECTIVE_F | SHORT),
    ("буду стану считаю чувствую являюсь остаюсь останусь становлюсь кажусь выгляжу ощущаю бываю", REGARD | PRESENT),
    ("почувствую", REGARD | PRESENT),
    ("буду стану", COPULA),
    ("финиширую прихожу заканчиваю возвращаюсь хожу сплю живу", REGARD | PRESENT | COPULA),
    ("быть стать казаться оставаться остаться", TO_BE | FUNCTION | INFINITIVE),
    ("и а но или да либо", COORDINATOR | FUNCTION),
    ("что чтобы если когда потому поскольку хотя пока будто где куда поэтому", OPENER | FUNCTION),
    ("как", AS | FUNCTION),
    ("в во на с со из к ко о об от до по при для под над перед между без через против кроме благодаря", PREPOSITION),
    ("из-за у за", PREPOSITION),
    ("вместо вокруг около среди про ради насчет насчёт после", PREPOSITION),
    ("самым самой такой таким тем чем каким какой этим этой", FUNCTION),
    ("очень слишком так не уже ещё еще всегда никогда часто иногда тоже также только лишь даже просто всё", FUNCTION),
    ("все", FUNCTION),
    ("день час год месяц вечер ночь неделя минута почти", FUNCTION),
    ("ученый учёный взрослый взрослая рабочий больной больная знакомый знакомая ведущий ведущая", NOUN),
    ("тут там здесь сейчас сегодня вчера завтра раз теперь потом тогда дома самый самая такой такая бы б", FUNCTION),
    ("же ли ведь", FUNCTION),
    ("весь вся ни свой своя твой твоя наш наша ваш ваша этот эта другой другая", FUNCTION),
    ("более менее довольно вполне совсем абсолютно достаточно немного", FUNCTION),
)
# Parses that pymorphy3 gives less weight than this are homonyms hardly met.
_LEAST_SCORE = 0.05
# Oblique and plural endings that no form the rules need shares; parsing is the slow part of reading.
_NEVER_NEEDED = ("ами", "ями", "ого", "его", "ому", "ему", "ыми", "ими", "ые", "ие", "ию", "ии")
# pymorphy3 fails on letters that Unicode has no name for, and nothing but Cyrillic shows a Russian form.
_CYRILLIC = re.compile(r"[а-яёіїєґў'-]+")
_CASES = {"nomn": (ADJECTIVE_M, ADJECTIVE_F), "ablt": (OBLIQUE_M, OBLIQUE_F)}


def reader() -> Callable[[str], Reading]:
    """The function that reads a Russian text."""
    try:
        version = metadata.version("pymorphy3-dicts-ru")
    except metadata.PackageNotFoundError:
        raise MissingDictionary("pymorphy3", "ru") from None
    kept = cache_folder("grammar") / f"ru-pymorphy3-{version}-{INDEX_FORMAT}.json"
    return SubjectReader(vocabulary(WORDS, remembered(pymorphy_traits("ru"), kept)), reads_bare_past=True).read


def pymorphy_traits(language: str) -> Callable[[str], int]:
    """What pymorphy3 knows of a form, as traits."""
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
            return KNOWN
        # Most forms are in the dictionary and all their analyses show the same traits: no need to weigh them, which
        # is what makes a full analysis slow.
        places = dictionary.words.get(form)
        if places is None:  # perhaps it is written without its ё
            found = dictionary.words.similar_items(form, analyzer.char_substitutes)
            places = [place for _, places in found for place in places]
        quick = {traits_at(*place, form.endswith("ь")) for place in places}
        if len(quick) == 1:
            return KNOWN | quick.pop()
        traits = KNOWN
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
        traits = (ADJECTIVE_F if feminine else ADJECTIVE_M) | SHORT
    elif part in ("ADJF", "PRTF") and gendered and tag.case in _CASES:
        traits = _CASES[tag.case][feminine]
    elif part == "NOUN" and tag.case == "nomn" and (gendered or (singular and "ms-f" in tag)):  # коллега is either
        objectlike = OBJECTLIKE if tag.animacy == "inan" and (not feminine or soft) else 0
        traits = NOUN | objectlike | (FEMININE if feminine else 0)
    return traits


_OF_PART = dict.fromkeys(("ADVB", "PRCL", "CONJ", "PRED", "COMP", "GRND"), FUNCTION) | {"INFN": FUNCTION | INFINITIVE}


def _of_verb(tag: Any, singular: bool, feminine: bool) -> int:
    if tag.tense == "past" and singular and tag.gender in ("masc", "femn"):
        return (PAST_F if feminine else PAST_M) | (INTRANSITIVE if tag.transitivity == "intr" else 0)
    if tag.mood == "impr":  # also how adverbs look: почти
        return 0
    return PRESENT if tag.person == "1per" and singular else FINITE
