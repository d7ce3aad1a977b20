"""A baseline for the reader of written characters: the kind of pronoun that a text has most of."""

import re
from collections import Counter

from genderscope.measures.characters.words import people_of


def pronoun_majority(text, language):
    """The most frequent kind of pronoun, "several" for a tie, and "no pronoun" if there is none."""
    kinds = people_of(language).pronoun_of
    counts = Counter(kinds[word] for word in re.findall(r"[^\W\d_]+", text.lower()) if word in kinds).most_common(2)
    if not counts:
        return "no pronoun"
    return "several" if len(counts) > 1 and counts[0][1] == counts[1][1] else counts[0][0]
