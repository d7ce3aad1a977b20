"""Bounds what a result warns about: a caution is given once, with a count, and lists of names are short."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

#: a result has no more different cautions than this
MOST = 40
#: so many names are listed, the most frequent first
NAMED = 5


def once_each(cautions: Iterable[str]) -> tuple[str, ...]:
    """Return each caution once, with the number of times it was given, and count those beyond the limit."""
    given = Counter(cautions)
    kept = [caution if times == 1 else f"{caution} ({times:,} times)" for caution, times in given.items()]
    if len(kept) > MOST:
        kept[MOST:] = [f"{len(kept) - MOST:,} more cautions are not listed."]
    return tuple(kept)


def most_frequent(counts: Mapping[Any, int], form: str = "{} {:,}") -> str:
    """List the most frequent names with their counts, and say how many others there are."""
    ranked = Counter(counts).most_common()
    listed = [form.format(name, count) for name, count in ranked[:NAMED]]
    if len(ranked) > NAMED:
        listed.append(f"{len(ranked) - NAMED:,} others")
    return ", ".join(listed)
