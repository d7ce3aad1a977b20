"""The check of GEST section 7.4: do models react to the topic "family" rather than to the stereotype?"""

import re

FAMILY = re.compile(r"\b(child|children|family|kid|kids|partner)\b", re.IGNORECASE)
#: As published: matched anywhere, even inside other words.
FAMILY_AS_PUBLISHED = re.compile(r"child|family|kid|partner")
#: what any match of either contains
_STEMS = ("child", "family", "kid", "partner")


def about_family(sentence: str, as_published: bool) -> bool:
    """Return whether a sentence has one of the words."""
    # Few sentences have, and this is seen sooner; beyond ASCII letters may match that are written differently.
    if sentence.isascii() and not any(map(sentence.lower().__contains__, _STEMS)):
        return False
    return (FAMILY_AS_PUBLISHED if as_published else FAMILY).search(sentence) is not None
