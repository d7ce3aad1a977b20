"""Icelandic: the gender of a single word form in predicative position."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from genderscope.grammar.adjectives import readings as r
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.dictionaries import icelandic_inflections
from genderscope.grammar.adjectives.icelandic_nouns import person_noun
from genderscope.grammar.adjectives.icelandic_spelling import meant_marks
from genderscope.grammar.adjectives.readings import Form

WORDS = word_lists("is")


@lru_cache(maxsize=65536)
def adjective_form(word: str, case: str = "nominative") -> Form:
    """Return the gender of an Icelandic word form used as a predicative adjective."""
    if "/" in word:
        return r.form_of_words(word, adjective_form)
    entries = entries_of(word)
    made = all(not entry.bin_id for entry in entries)  # compounds that the dictionary derives but does not list
    misleading = made and (word.endswith("ill") or all(entry.ord.endswith("-óður") for entry in entries))
    if not entries or word.endswith("lauss") or misleading:
        return _by_ending(word)  # lítill is not a feminine of illur, krullótt not a neuter of óður
    adjectival = [entry.mark for entry in entries if entry.ofl == "lo" or entry.mark.startswith("LHÞT")]
    if form := _strong_form(adjectival, case):
        return r.PHRASE if case == "supine" and form is r.NEUTER else form
    if shown := person_noun(entries) or _pronoun(entries):
        return shown
    return _other_form(word, entries, adjectival, made)


def _other_form(word: str, entries: list[Any], adjectival: list[str], made: bool) -> Form:
    """Return the gender of a form that is not the strong nominative of a known adjective."""
    article = all(entry.mark.endswith("gr") for entry in entries) and word.endswith(("in", "ið"))
    if (made and (article or word.endswith(_ADJECTIVAL))) or (word.endswith("ur") and _made_up(word, entries, made)):
        return _by_ending(word)
    negated = all(entry.ord.startswith("ó-") for entry in entries) and not word.endswith(_OF_PERSONS)
    if negated or _no_person(word, entries):
        return _by_ending(word)  # ókýr, "no cow": nouns are rarely negated this way
    if word.endswith("andi") or any(entry.mark.startswith("LHNT") for entry in entries):
        return r.COMMON  # present participles
    if all(entry.ofl == "so" and "-BH-" in entry.mark for entry in entries):
        return r.UNREAD  # a bare stem that looks like an imperative: einbeit for einbeitt
    if not adjectival or (made and len(adjectival) < len(entries)) or any(map(other_predicate, entries)):
        return r.PHRASE
    return _wrong_case(adjectival)


_OF_PERSONS = ("maður", "menn", "ingur", "ingar", "fólk")


def plural_form(word: str) -> Form | None:
    """Return the gender of a plural adjective, even if it looks like a verb: "þú ert frægir"."""
    marks = [entry.mark for entry in entries_of(word) if entry.ofl == "lo" and entry.mark.startswith("FSB")]
    form = _form_of(_genders(marks, "NFFT"))
    return replace(form, plural=True) if form and form.gender != "neutral" else None


def weak_form(word: str) -> Form | None:
    """Return the gender of a weak or wrongly inflected adjective that looks like a verb: "ég er skýra"."""
    entries = entries_of(word)
    marks = [entry.mark for entry in entries if entry.ofl == "lo"]
    return _wrong_case(marks) if marks and all(entry.ofl in ("lo", "so") for entry in entries) else None


def entries_of(word: str) -> list[Any]:
    """Return the dictionary entries for this exact spelling; by default, the dictionary also tries s in place of z."""
    key, entries = icelandic_inflections().lookup(word)
    return list(entries) if key == word else []


def other_predicate(entry: Any) -> bool:
    """Return whether a form may be a finite verb, an adverb or a nominative noun instead of an adjective."""
    if entry.ofl == "so":
        return "-FH-" in entry.mark  # subjunctives (vitri, "to dawn on") do not count
    return entry.ofl != "lo" and not _oblique_noun(entry)


def _oblique_noun(entry: Any) -> bool:
    """Return whether an entry is a noun in an oblique case, in which predicates do not occur."""
    return entry.ofl in ("kk", "kvk", "hk") and not entry.mark.startswith("NF")


def _wrong_case(marks: list[str]) -> Form:
    """Return the gender of an adjective that is not in the strong nominative singular, if the form is unambiguous."""
    strong = [mark for mark in marks if not mark.startswith(_WEAK)]
    if form := _form_of(_genders(strong, "NFFT")):
        return replace(form, plural=True)  # "þú ert grimmir"
    if form := _form_of(_genders(marks, "NFET")) or _form_of(_genders(strong, "ÞFET")):
        return form
    genders = {gender for mark in marks for gender in ("KK", "KVK", "HK") if f"-{gender}-" in mark}
    return r.UNREAD if len(genders) > 1 else _form_of(genders) or r.UNREAD


def _pronoun(entries: Iterable[Any]) -> Form | None:
    """Return the gender of a pronoun used as an adjective: annar, önnur; slíkur, slík."""
    marks = [f"-{entry.mark}" for entry in entries if entry.ofl == "fn" and entry.ord in ("annar", "slíkur")]
    if form := _form_of(_genders(marks, "NFET")):
        return form
    plural = _form_of(_genders(marks, "NFFT"))
    return replace(plural, plural=True) if plural else None


def _made_up(word: str, entries: Iterable[Any], made: bool) -> bool:
    """Return whether a form in -ur is an invented adjective: a derived compound, or listed only as a plural noun."""
    if any(entry.ofl == "kk" and entry.mark.startswith("NFET") for entry in entries):
        return False
    plural = all(entry.ofl in ("kk", "kvk", "hk") and "FT" in entry.mark for entry in entries)
    return made or (plural and not word.endswith("endur"))


def _no_person(word: str, entries: Iterable[Any]) -> bool:
    """Return whether a form only looks like a definite noun: vælin comes from a verb, auðinn would be oblique."""
    if word.endswith("inn"):
        return all(map(_oblique_noun, entries))
    plural = all(entry.ofl == "hk" and entry.mark.endswith("FTgr") for entry in entries)
    return word.endswith("in") and plural and any(entry.ofl == "so" for entry in entries_of(word[:-2] + "a"))


def _strong_form(marks: list[str], case: str) -> Form | None:
    """Return the gender of a comparative, or of a strong form in the predicate's case."""
    if compared := [mark for mark in marks if mark.startswith("MST")]:
        return r.NEUTER if _genders(compared, "NFET") == {"HK"} else r.COMMON
    strong = [mark for mark in marks if not mark.startswith(_WEAK)]
    if case == "accusative" and (form := _form_of(_genders(strong, "ÞFET"))):
        # "ég tel mig vera háð": a feminine nominative rather than a neuter
        return r.FEMININE if form is r.NEUTER and _form_of(_genders(strong, "NFET")) is r.FEMININE else form
    if form := _form_of(_genders(strong, "NFET")):
        return form
    if case == "plural" and (form := _form_of(_genders(strong, "NFFT"))):
        return replace(form, plural=True)
    return None


_WEAK = ("FVB", "EVB", "LHÞT-VB")


def _genders(marks: list[str], case: str) -> set[str]:
    return {gender for mark in marks if mark.endswith(case) for gender in ("KK", "KVK", "HK") if f"-{gender}-" in mark}


def _form_of(genders: set[str]) -> Form | None:
    if {"KK", "KVK"} <= genders:
        return r.COMMON
    if "KK" in genders:
        return r.MASCULINE
    # If feminine and neuter coincide (gift, spennt), the form is feminine, since it refers to a person.
    return r.FEMININE if "KVK" in genders else r.NEUTER if genders else None


# Endings that indicate an adjective even if a compound could end in a noun of the same form.
_ADJECTIVAL = tuple(WORDS["adjectival_endings"])
# Regular endings for unknown words; consonant + r is the archaic masculine (vitr, frábærr).
_ENDINGS = (
    (r.PHRASE_BY_SHAPE, ("ari",)),  # an agent noun; comparatives derive from adjectives that the dictionary lists
    (r.COMMON_ENDING, ("andi", "laus", "ri", "fær", "bær", "gæf", "ræn", "kurteis", "ell", "viss", "vís")),
    (r.MASCULINE_ENDING, ("lauss",)),
    (r.FEMININE_ENDING, ("ótt",)),  # krullóttur; the neuter is identical, but the form refers to a person
    (r.NEUTER_ENDING, ("legt", "samt", "ugt", "að", "ið", "tt", "st", "kt")),
    (r.PHRASE_BY_SHAPE, ("lega", "ingur", "leikur", "leiki", "ning", "skapur", "un", "ast", "maður", "ing")),
    (r.MASCULINE_ENDING, ("ur", "inn", "all", "ill", "ull", "eill", "ær", "lll", "nn", "úll", "áll", "æll", "gjarn")),
    (r.MASCULINE_ENDING, ("ðr", "gr", "mr", "kr", "tr", "rr", "dr", "pr", "fr", "lr", "nr", "sr")),
    (r.FEMININE_ENDING, ("leg", "lég", "uð", "öð", "in", "ug", "söm", "il", "ul", "stæð", "læg", "gjörn", "rík")),
    (r.FEMININE_ENDING, ("full", "sk")),
    (r.FEMININE_ENDING, ("dd", "ld", "nd", "md", "rð", "gð", "fð", "lát", "ív", "veik", "sjúk", "sýk", "sæl", "úl")),
)


def _by_ending(word: str) -> Form:
    if len(word) < 4:
        return r.UNREAD
    listed_only = word.endswith(("að", "ið"))  # also neuter endings, which are likelier for compounds
    stems = [entry for entry in entries_of(word + "ur") if entry.bin_id or not listed_only]
    if any(entry.mark == "FSB-KK-NFET" for entry in stems) and not word.endswith(("ill", "all", "ull")):
        return r.FEMININE_ENDING  # the bare stem without the required vowel change: hugrakk for hugrökk
    return next((form for form, endings in _ENDINGS if word.endswith(endings)), r.UNREAD)


def misspelt_form(word: str) -> Form:
    """Return the gender of a misspelt adjective if all possible corrections agree."""
    form = _strong_form(meant_marks(word), "nominative") or person_noun(entries_of(f"{word}a"))  # lesbí
    return replace(form, how="ending") if form else r.UNREAD
