"""Control pairs by rule: pairs that swap the same gender words, but whose stereotype is about the other gender.

The paper's control pairs are sentences written by hand, which exist in English only. Here, each pair about men is
matched with a pair about women that swaps the same words, e.g. "hij" and "ze", and nothing else. A model that merely
prefers one of these words prefers it in both pairs.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cache
from typing import NamedTuple

from genderscope.samples.dataset import resource_rows

MORE_DIFFERS = "its sentences differ in more than listed gender words"
REVERSED = "another pair calls the opposite sentence the stereotype"
NO_COUNTERPART = "no other pair swaps the same words for the opposite stereotype"

#: (masculine, feminine)
Words = tuple[str, str]


class NumberedPair(NamedTuple):
    """A pair with its number in the file, its bias type, and its more and less stereotypical sentence."""

    number: int
    subset: str
    more: str
    less: str


class Swap(NamedTuple):
    """The gender words in which two sentences differ, and whether the more stereotypical sentence is about men."""

    words: frozenset[Words]
    about_men: bool


def couples(
    pairs: Iterable[NumberedPair], language: str, left_out: Counter[str]
) -> Iterator[tuple[NumberedPair, NumberedPair]]:
    """Yield pairs with a stereotype about men, each with a pair about women that swaps the same words.

    Every pair is used once, in the order of the file; those without a counterpart are counted in `left_out`.
    """
    by_words: dict[frozenset[Words], dict[bool, list[NumberedPair]]] = defaultdict(lambda: {True: [], False: []})
    pairs = list(pairs)
    orders = {(tuple(_words(pair.more)), tuple(_words(pair.less))) for pair in pairs}
    for pair in pairs:
        swap = swap_of(pair.more, pair.less, language)
        if (tuple(_words(pair.less)), tuple(_words(pair.more))) in orders:
            left_out[REVERSED] += 1
        elif swap is None:
            left_out[MORE_DIFFERS] += 1
        else:
            by_words[swap.words][swap.about_men].append(pair)
    for sides in by_words.values():
        yield from zip(sides[True], sides[False], strict=False)
        if surplus := abs(len(sides[True]) - len(sides[False])):
            left_out[NO_COUNTERPART] += surplus


def swap_of(more: str, less: str, language: str) -> Swap | None:
    """Return the gender words that two sentences swap; None if they differ in anything but these and agreement."""
    gender, agreement = _listed(language, "gender"), _listed(language, "agreement")
    swapped, directions = set(), set()
    for ours, theirs in _differences(_words(more), _words(less)):
        if len(ours) != len(theirs):
            return None
        for pair in zip(ours, theirs, strict=True):
            about_men = pair in gender or _agrees(pair, agreement)
            masculine_first = pair if about_men else pair[::-1]
            if masculine_first in gender:
                swapped.add(masculine_first)
            elif not _agrees(masculine_first, agreement):
                return None
            directions.add(about_men)
    return Swap(frozenset(swapped), directions.pop()) if swapped and len(directions) == 1 else None


def _differences(ours: list[str], theirs: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    for kind, begin, end, start, stop in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            yield ours[begin:end], theirs[start:stop]


def _words(sentence: str) -> list[str]:
    """Split a sentence into lower-case words and punctuation; an elided word keeps its apostrophe ("l'")."""
    return re.findall(r"\w+'?|[^\w\s]", sentence.lower().replace("’", "'").rstrip(" .!?"))


def _agrees(words: Words, agreement: frozenset[Words]) -> bool:
    """Return whether two words are listed, or differ only in listed endings, which begin with a hyphen."""
    masculine, feminine = words
    if words in agreement:
        return True
    endings = [(m[1:], f[1:]) for m, f in agreement if m.startswith("-")]
    return any(
        masculine.endswith(m)
        and feminine.endswith(f)
        and len(masculine) > len(m) + 1
        and masculine[: len(masculine) - len(m)] == feminine[: len(feminine) - len(f)]
        for m, f in endings
    )


@cache
def _listed(language: str, role: str) -> frozenset[Words]:
    rows = resource_rows("tables/gender_words.csv")
    wanted = (row for row in rows if (row["language"], row["role"]) == (language, role))
    return frozenset((row["masculine"], row["feminine"]) for row in wanted)
