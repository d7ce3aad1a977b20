"""Portuguese adjectives made small, which agree as what they are made of: quietinha, fraquinho."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from genderscope.grammar.traits import ADJECTIVE_F, ADJECTIVE_M, ADVERBIAL, KNOWN, PAIR_F, PAIR_M

_SMALL = (("zinho", "zinha"), ("inho", "inha"))
# How the last consonant is written before "i".
_SPELLINGS = (("qu", "c"), ("gu", "g"))


def with_diminutives(words: Mapping[str, int], lexicon: Callable[[str], int]) -> Callable[[str], int]:
    """A dictionary that takes "-inho", "-inha" for an adjective where it has that without the ending."""

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        if traits not in (0, KNOWN) or not form.endswith(("inho", "inha")):
            return traits
        feminine = form.endswith("a")
        agreeing = ADJECTIVE_F | PAIR_F if feminine else ADJECTIVE_M | PAIR_M
        for base in _bases(form):
            found = words.get(base, 0) or lexicon(base)
            if found & agreeing:
                return (ADJECTIVE_F if feminine else ADJECTIVE_M) | (found & ADVERBIAL)
        return traits

    return traits_of


def _bases(form: str) -> list[str]:
    """What a small one may be made of: quieta, or (bonitão)zinho."""
    found = []
    for ending in (ending for pair in _SMALL for ending in pair if form.endswith(ending)):
        stem = form.removesuffix(ending)
        found += [stem, stem + form[-1]]
        for written, said in _SPELLINGS:
            if stem.endswith(written):
                found.append(stem.removesuffix(written) + said + form[-1])
    return found
