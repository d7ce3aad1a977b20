"""A language: who speaks in a Catalan text, a man or a woman? Read from participles after "I am", "I have been", …

"He estat promoguda" is a woman's sentence, "estic cansat" a man's. With *haver* alone ("he menjat") the participle does
not agree with the speaker, so it says nothing and the reading stays neutral.
"""

import re
from collections.abc import Callable, Iterator

from genderscope.grammar import Evidence, Gender, Reading, weigh

# "Era" and "estava" are "he was" and "she was" as well, so they are not read.
_BE = r"\b(?:sóc|soc|estic|vaig (?:ser|estar|quedar)|(?:he|havia) (?:estat|quedat)|seré|estaré)\b"
_BETWEEN = r"(?:\s+(?:mai|sempre|ja|molt|tan|més|massa|gens|una mica|ben|força))*"
_PARTICIPLE = r"\s+(\w+(?:at|it|ut|ada|ida|uda))\b"
_FIRST = re.compile(_BE + _BETWEEN + _PARTICIPLE, re.IGNORECASE)
_NEXT = re.compile(r"\s+i" + _BETWEEN + _PARTICIPLE, re.IGNORECASE)


def reader() -> Callable[[str], Reading]:
    """Catalan: sóc, estic, he estat with a participle in -at or -ada."""
    # The place to load a dictionary: this function runs once, when the language is first used.
    return read


def read(text: str) -> Reading:
    """Weigh the evidence: the strongest decides, both genders at once are a conflict, none at all is neutral."""
    return weigh(_evidence(text))


def _evidence(text: str) -> Iterator[Evidence]:
    for first in _FIRST.finditer(text):
        found: re.Match[str] | None = first
        while found:  # "estic cansada i avorrida" has two
            start, end = found.span(1)
            gender: Gender = "feminine" if text[start:end].lower().endswith("a") else "masculine"
            yield Evidence(text[start:end], start, end, gender, "ésser + participle", weight=1)
            found = _NEXT.match(text, end)
