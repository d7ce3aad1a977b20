"""A language: who speaks in an Italian text, a man or a woman? Read from participles after "I am", "I was" and so on.

"Sono stata promossa" is a woman's sentence, "ero arrivato" a man's. With *avere* ("ho mangiato") the participle does
not agree with the speaker, so it says nothing and the reading stays neutral.
"""

import re
from collections.abc import Callable, Iterator

from genderscope.grammar import Evidence, Gender, Reading, weigh

# "Sono" is "they are" as well, but then the participle is a plural in -i or -e, which is not read.
_BE = r"\b(?:sono|ero|fui|sarò|sarei|fossi)\b"
_BETWEEN = r"(?:\s+(?:mai|sempre|già|molto|così|davvero|proprio|anche|appena|quasi|troppo|tutta|tutto))*"
_PARTICIPLE = r"\s+(\w+(?:at|ut|it|st|tt|rt|nt|es|is|os|us|rs|ss)[oa])\b"
_FIRST = re.compile(_BE + _BETWEEN + _PARTICIPLE, re.IGNORECASE)
_NEXT = re.compile(_BETWEEN + _PARTICIPLE, re.IGNORECASE)


def reader() -> Callable[[str], Reading]:
    """Italian: sono, ero, sarò, sarei with a participle in -o or -a."""
    # The place to load a dictionary: this function runs once, when the language is first used.
    return read


def read(text: str) -> Reading:
    """Weigh the evidence: the strongest decides, both genders at once are a conflict, none at all is neutral."""
    return weigh(_evidence(text))


def _evidence(text: str) -> Iterator[Evidence]:
    for first in _FIRST.finditer(text):
        found: re.Match[str] | None = first
        while found:  # "sono stata promossa" has two
            start, end = found.span(1)
            gender: Gender = "feminine" if text[start:end].lower().endswith("a") else "masculine"
            yield Evidence(text[start:end], start, end, gender, "essere + participle", weight=1)
            found = _NEXT.match(text, end)
