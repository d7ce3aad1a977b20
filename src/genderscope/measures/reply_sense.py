"""Whether a reply consists of sentences at all: small models, and high temperatures, produce word salad and loops."""

import re
from itertools import islice

from genderscope.measures.reply_words import toml_file

#: words from which a text is tested, and words of a longer one that are looked at
_LEAST, _MOST = 30, 2000
#: least share of function words; of the English texts of the tests that were written by hand, only a table has less
_LEAST_FUNCTION = 0.2
#: least share of different sequences of three words; the least in the same texts is 0.75
_LEAST_DIFFERENT = 0.5
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def why_senseless(text: str, language: str) -> str | None:
    """Return why a text says nothing, or None if it may say something. Function words are tested in English only."""
    words = [found[0].lower() for found in islice(_WORD.finditer(text), _MOST)]
    if len(words) < _LEAST:
        return None
    triples = list(zip(words, words[1:], words[2:], strict=False))
    if len(set(triples)) < _LEAST_DIFFERENT * len(triples):
        return "repeats itself"
    function = toml_file("genderscope.measures", "reply_sense.toml").get(language)
    if function and sum(word in function["words"] for word in words) < _LEAST_FUNCTION * len(words):
        return "no sentences"
    return None
