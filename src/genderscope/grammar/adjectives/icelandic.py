"""Icelandic: which word of a clause renders the adjective, and its gender."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from genderscope.grammar.adjectives.clauses import Clause, Finding, Grammar
from genderscope.grammar.adjectives.dictionaries import icelandic_inflections
from genderscope.grammar.adjectives.readings import (
    COMMON,
    COMMON_ENDING,
    FEMININE,
    FEMININE_ENDING,
    MASCULINE,
    MASCULINE_ENDING,
    NEUTER,
    NEUTER_ENDING,
    PHRASE,
    PHRASE_BY_SHAPE,
    SPLIT,
    UNREAD,
    Form,
)
from genderscope.grammar.adjectives.speech import Token
from genderscope.grammar.adjectives.wordlists import words

_FIRST_PRONOUNS = words("ég eg ek mig mér jeg")
_SECOND_PRONOUNS = words("þú þu pú pu thu thú þig þér þið þjer")
_SECOND_COPULAS = words("ert ertu sért sértu eruð séuð verður værir séir verðir")
# Weak systems misspell the subjunctive; the slips are as regular as the form.
_COPULAS = _SECOND_COPULAS | words(
    "er sé se séi séð sér séu séum séur séið séj séist erið erð seist seirð eru em vera verið væri verð verði var varst"
)
_PLURALS = words("þið þér eruð séuð séu eru")
_HAVE = words("hafi hef hefur hafir höfum")
_ACCUSATIVE = frozenset({"mig", "þig"})
_SKIPPED = words(
    "ekki mjög of svo nokkuð frekar svolítið dálítið alveg bara enn þá ennþá líka einnig aðeins fremur afar rosalega "
    "alltaf nú núna vel illa lítið mikið mun alls bæði allt nógu nóg meira minna svona dáldið pínu ansi einfaldlega "
    "orðinn orðin orðið hinn hin sá sú þó samt heldur það sig mér þér já jú nei víst einn ein búinn búin ofar dálítill "
    "sjálfur sjálf hafa hafi hef hefur og eins frá samtímis"
)
_ADVERBS = words("illa vel mjög aðeins svo")
_PREPOSITIONS = words("í á með við af til fyrir undir yfir án úr um hjá eftir gegn upp út inn að frá")


def _read(clause: Clause) -> Finding:
    """The first word that can be a predicative adjective; nouns, verbs and prepositional phrases are passed over."""
    tokens = clause.words
    case = _case(clause)
    phrase: Token | None = None
    unknown: Token | None = None
    after_preposition = False
    for index, token in enumerate(tokens):
        word = token.word
        if word == "að" and index + 1 < len(tokens):
            return Finding(tokens[index + 1], PHRASE)  # an infinitive: "ég er að vinna"
        if word in _PREPOSITIONS:
            after_preposition = True
        elif after_preposition:
            after_preposition = False
            phrase = phrase or token
        elif word not in _SKIPPED and word not in _COPULAS and word not in _PERSONS and not word.endswith("lega"):
            form = adjective_form(word, case)
            if form.gender == "unread":
                unknown = unknown or token
            elif form.strategy == "noun or verb phrase":
                phrase = phrase or token
            else:
                return Finding(token, form)
    if phrase is None and unknown is None:
        phrase = next((token for token in tokens if token.word in _ADVERBS or token.word.endswith("lega")), None)
    return Finding(phrase, PHRASE) if phrase else Finding(unknown, UNREAD)


def _case(clause: Clause) -> str:
    """What the predicate agrees with: "ég tel mig", "þið eruð", "ég hef", or the usual nominative singular."""
    for token in clause.words:
        if token.word in _ACCUSATIVE:
            return "accusative"
        if token.word in _PLURALS:
            return "plural"
        if token.word in _HAVE:
            return "supine"
    return "nominative"


@lru_cache(maxsize=65536)
def adjective_form(word: str, case: str = "nominative") -> Form:
    """The gender of one Icelandic word form in the place of a predicative adjective."""
    if "/" in word or "(" in word:
        return _split_form(word)
    _, entries = icelandic_inflections().lookup(word)
    compound = all("-" in entry.ord for entry in entries)  # put together by the dictionary, not listed in it
    if not entries or (compound and word.endswith("ill")):  # lítill, not the feminine of illur
        return _by_ending(word)
    adjectival = [entry.mark for entry in entries if entry.ofl == "lo" or entry.mark.startswith("LHÞT")]
    if form := _strong_form(adjectival, case):
        return PHRASE if case == "supine" and form is NEUTER else form
    if compound and (word.endswith(_ADJECTIVAL) or (word.endswith("ur") and not _masculine_noun(entries))):
        return _by_ending(word)
    if word.endswith("andi") or any(entry.mark.startswith("LHNT") for entry in entries):
        return COMMON  # present participles
    weak = _form_of(_genders(adjectival, "NFET")) if len(adjectival) == len(entries) else None
    return weak or PHRASE


def _masculine_noun(entries: Iterable[Any]) -> bool:
    """Whether a form in -ur can be a noun in the nominative singular; a plural is not said of one person."""
    return any(entry.ofl == "kk" and entry.mark.startswith("NFET") for entry in entries)


def _strong_form(marks: list[str], case: str) -> Form | None:
    """The gender of a comparative, or of a strong form in the case the predicate stands in."""
    if any(mark.startswith("MST") for mark in marks):
        return COMMON
    strong = [mark for mark in marks if not mark.startswith(("FVB", "EVB", "LHÞT-VB"))]
    if case == "accusative" and (form := _form_of(_genders(strong, "ÞFET"))):
        return form
    if form := _form_of(_genders(strong, "NFET")):
        return form
    if case == "plural" and (form := _form_of(_genders(strong, "NFFT"))):
        return replace(form, plural=True)
    return None


def _genders(marks: list[str], case: str) -> set[str]:
    return {gender for mark in marks if mark.endswith(case) for gender in ("KK", "KVK", "HK") if f"-{gender}-" in mark}


def _form_of(genders: set[str]) -> Form | None:
    if {"KK", "KVK"} <= genders:
        return COMMON
    if "KK" in genders:
        return MASCULINE
    # Where feminine and neuter are one form (gift, spennt), a person is meant.
    return FEMININE if "KVK" in genders else NEUTER if genders else None


# Endings that show an adjective even where a noun of the same sound could end a compound.
_ADJECTIVAL = (
    "legur", "leg", "legt", "ugur", "ug", "samur", "söm", "aður", "uð", "fullur", "lyndur", "lynd", "hærður", "hærð",
    "ískur", "ísk", "látur", "lát", "verður", "verð", "gjarn", "gjörn", "andi",
)  # fmt: skip
# The regular endings of words that the dictionary does not know; consonant + r is the old masculine (vitr, frábærr).
_ENDINGS = (
    (COMMON_ENDING, ("andi", "laus", "ari", "ri", "fær", "bær", "gæf", "ræn", "kurteis")),
    (NEUTER_ENDING, ("legt", "samt", "ugt", "að", "ið", "tt", "st", "kt")),
    (PHRASE_BY_SHAPE, ("lega", "ingur", "leikur", "leiki", "ning", "skapur", "un", "ast", "maður", "ing")),
    (MASCULINE_ENDING, ("ur", "inn", "all", "ill", "ull", "eill", "ær", "lll", "nn")),
    (MASCULINE_ENDING, ("ðr", "gr", "mr", "kr", "tr", "rr", "dr", "pr", "fr", "lr")),
    (FEMININE_ENDING, ("leg", "uð", "in", "ug", "söm", "il", "ul", "stæð", "læg", "gjörn", "rík", "full", "sk")),
    (FEMININE_ENDING, ("dd", "ld", "nd", "lát")),
)


def _by_ending(word: str) -> Form:
    if len(word) < 4:
        return UNREAD
    form = next((form for form, endings in _ENDINGS if word.endswith(endings)), UNREAD)
    if form is UNREAD and any(entry.mark == "FSB-KK-NFET" for entry in icelandic_inflections().lookup(word + "ur")[1]):
        return FEMININE_ENDING  # the bare stem, without the vowel change it should have: hugrakk for hugrökk
    return form


def _split_form(word: str) -> Form:
    if "(" in word:
        return SPLIT
    parts = [part.strip() for part in word.split("/")]
    forms = [adjective_form(part) for part in parts]
    whole_words = all(len(part) > 3 for part in parts)
    return forms[0] if whole_words and len({form.gender for form in forms}) == 1 else SPLIT


_PERSONS = _FIRST_PRONOUNS | _SECOND_PRONOUNS
GRAMMAR = Grammar(
    first_person=_FIRST_PRONOUNS | frozenset({"em"}),
    second_person=_SECOND_PRONOUNS | _SECOND_COPULAS,
    copulas=_COPULAS,
    negations=frozenset({"ekki"}),
    conjunctions=words("og en heldur eða nema"),
    complementizers=frozenset({"að", "ad"}),
    belief=words("held tel hugsa trúi ætla álít hygg finnst finnast þykir veit hold tenki tenkja þekki mæli"),
    narration=words(
        "sagði sagdi segir svaraði svaradi svarar brosti hló hlóð hlógu sögðu svöruðu mælti kvað anzaði ansaði"
    ),
    fillers=words("nei já ekki ekkert nej nei ég held að finnst mér eg sko jú neits"),
    read=_read,
    known=lambda word: bool(icelandic_inflections().lookup(word)[1]),
)
