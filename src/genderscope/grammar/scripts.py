"""Is a text in the script of its language, and not plainly English?"""

import re

from genderscope.languages import LANGUAGES

_LETTER = re.compile(r"[^\W\d_]")
_CYRILLIC_LETTER = re.compile(r"[\u0400-\u052f]")
#: words that are frequent in English and are no words of the nine languages
_ENGLISH = frozenset(
    ["and", "are", "been", "from", "have", "that", "the", "they", "this", "was", "were", "with", "would", "you"]
)


def in_the_language(text: str, language: str) -> bool:
    """Tell whether most letters are of the language's script and most words are not English function words.

    Of other languages, which plugins read, nothing is known here: any text with letters in it will do.
    """
    letters = _LETTER.findall(text)
    if not letters:
        return False
    cyrillic = sum(map(bool, map(_CYRILLIC_LETTER.match, letters))) / len(letters)
    known = LANGUAGES.get(language)
    if known is None or not known.speaker:
        return True
    if "Latn" not in known.scripts:
        return cyrillic > 0.5
    if "Cyrl" not in known.scripts and cyrillic > 0.5:
        return False
    words = re.findall(r"[^\W\d_]+", text.lower())
    return sum(word in _ENGLISH for word in words) < 0.3 * len(words) or len(words) < 3
