"""Adjectives that an English line of dialogue predicates of its speaker or listener."""

import re
from dataclasses import dataclass
from functools import lru_cache

_PREDICATION = re.compile(
    r"\b(?P<subject>I|you)(?:['’](?:m|re)|\s+am|\s+are)\s+(?P<negation>not\s+)?"
    r"(?:(?:very|so|really|quite|rather|too|pretty(?=\s+(?!and\b|but\b)[a-z])|a\s+bit|just)\s+)*(?:an?\s+)?"
    r"(?P<adjective>[a-z]+(?:-[a-z]+)*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Predication:
    """Adjective predicated of "I" or "you" in the source."""

    adjective: str
    referent: str
    negated: bool
    start: int


@lru_cache(maxsize=8192)
def predications(source: str) -> tuple[Predication, ...]:
    """Return every adjective that follows I'm, I am, you're or you are, in source order."""
    return tuple(
        Predication(
            adjective=match["adjective"],
            referent="you" if match["subject"].lower() == "you" else "I",
            negated=match["negation"] is not None,
            start=match.start("adjective"),
        )
        for match in _PREDICATION.finditer(source)
    )
