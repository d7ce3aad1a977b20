"""A summary's first sentence, which stands out, and the rest of it."""

import re

#: the end of a sentence: a full stop, spaces, and a capital letter or a bracket after them
_END = re.compile(r"(?<=[a-z%)\d]\.)\s+(?=[A-Z\[])")


def first_sentence(summary: str) -> tuple[str, str]:
    """Return the first sentence of a summary, and what comes after it."""
    first, *rest = _END.split(summary, maxsplit=1)
    return first, rest[0] if rest else ""
