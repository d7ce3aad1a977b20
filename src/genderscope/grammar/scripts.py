"""Check that a text is in the script of its language and not English."""

import re

from genderscope.languages import LANGUAGES

_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_OF = {
    "Cyrl": re.compile(r"[\u0400-\u052f]"),
    "Grek": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
}
#: words that are frequent in English and are no words of the languages that are read
_ENGLISH = frozenset(
    ["and", "are", "been", "from", "have", "that", "the", "they", "this", "was", "were", "with", "would", "you"]
)


def in_the_language(text: str, language: str) -> bool:
    """Return whether most letters are of the language's script and most words are not English function words.

    Of other languages, which plugins read, nothing is known here: any text with letters in it will do.
    """
    letters = _LETTER.findall(text)
    if not letters:
        return False
    known = LANGUAGES.get(language)
    if known is None or not known.speaker:
        return True
    for script, pattern in _LETTERS_OF.items():
        if 2 * sum(map(bool, map(pattern.match, letters))) > len(letters):
            return script in known.scripts
    if "Latn" not in known.scripts:
        return False
    words = re.findall(r"[^\W\d_]+", text.lower())
    return sum(word in _ENGLISH for word in words) < 0.3 * len(words) or len(words) < 3
