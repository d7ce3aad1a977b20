"""Serbian: the same rules as for Croatian, with Cyrillic words transliterated."""

from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.speaker.rules.hr import disambiguate
from genderscope.grammar.text import lookup_key

_LATIN = str.maketrans(
    dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš", strict=True))
    | {"љ": "lj", "њ": "nj", "џ": "dž"}
)


def _latin_form(word: str) -> str:
    return lookup_key(word).translate(_LATIN)


RULES = LanguageRules(disambiguate=disambiguate, lookup_form=_latin_form)
