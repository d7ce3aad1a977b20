"""Plausibility check that a text is in the expected script and not in English."""

import re

from genderscope.core.languages import LANGUAGES

_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_OF = {
    "Cyrl": re.compile(r"[\u0400-\u052f]"),
    "Grek": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
}
#: frequent English words that do not occur in the supported languages
_ENGLISH = frozenset(
    ["and", "are", "been", "from", "have", "that", "the", "they", "this", "was", "were", "with", "would", "you"]
)


def in_the_language(text: str, language: str) -> bool:
    """Return whether most letters are in the language's script and few words are English.

    For languages from plugins, any text with letters is accepted.
    """
    letters = _LETTER.findall(text)
    if not letters:
        return False
    entry = LANGUAGES.get(language)
    if entry is None or not entry.speaker:
        return True
    for script, pattern in _LETTERS_OF.items():
        if 2 * sum(map(bool, map(pattern.match, letters))) > len(letters):
            return script in entry.scripts
    if "Latn" not in entry.scripts:
        return False
    words = re.findall(r"[^\W\d_]+", text.lower())
    return sum(word in _ENGLISH for word in words) < 0.3 * len(words) or len(words) < 3
