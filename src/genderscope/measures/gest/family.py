"""The topical-bias check of GEST section 7.4: do models react to the topic "family" rather than the stereotype?"""

import re

FAMILY = re.compile(r"\b(child|children|family|kid|kids|partner)\b", re.IGNORECASE)
#: as published: matched anywhere, even inside other words
FAMILY_AS_PUBLISHED = re.compile(r"child|family|kid|partner")


def about_family(sentence: str, as_published: bool) -> bool:
    """Return whether a sentence mentions family."""
    return (FAMILY_AS_PUBLISHED if as_published else FAMILY).search(sentence) is not None
