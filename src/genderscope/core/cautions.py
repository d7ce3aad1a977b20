"""Deduplicated, length-limited lists of a result's cautions and of the names in a caution."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

MOST = 40  # maximum number of distinct cautions per result
NAMED = 5  # maximum number of names in a list, most frequent first


class SeriousCaution(str):
    """A caution that must not be overlooked; it is listed before the others."""

    __slots__ = ()


def once_each(cautions: Iterable[str]) -> tuple[str, ...]:
    """Deduplicate the cautions, append counts to repeated ones, and state how many more there are beyond the limit.

    Serious cautions come first; otherwise the order is kept.
    """
    given = Counter(cautions)
    ordered = sorted(given.items(), key=lambda entry: not isinstance(entry[0], SeriousCaution))
    kept = [str(caution) if times == 1 else f"{caution} ({times:,} times)" for caution, times in ordered]
    if len(kept) > MOST:
        kept[MOST:] = [f"{len(kept) - MOST:,} more cautions are not listed."]
    return tuple(kept)


def most_frequent(counts: Mapping[Any, int], form: str = "{} {:,}") -> str:
    """List the most frequent names with their counts, followed by the number of remaining names."""
    ranked = Counter(counts).most_common()
    listed = [form.format(name, count) for name, count in ranked[:NAMED]]
    if len(ranked) > NAMED:
        listed.append(f"{len(ranked) - NAMED:,} others")
    return ", ".join(listed)
