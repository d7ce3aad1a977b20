"""Croatian and Serbian: "sam" means "am" or "alone"."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.text import Token

_ALONE = t.SIDE_M | t.SHORT


def disambiguate(tokens: list[Token]) -> list[Token]:
    """Treat "sam" as "alone" next to another first-person verb unless a participle needs it, otherwise as "am"."""
    if not any(token.key == "sam" for token in tokens):
        return tokens
    resolved = list(tokens)
    start = 0
    for end in range(len(tokens) + 1):
        if end == len(tokens) or tokens[end].traits & (t.PUNCTUATION | t.OPENER | t.COORDINATOR):
            _disambiguate_part(resolved, start, end)
            start = end + 1
    return resolved


def _disambiguate_part(tokens: list[Token], start: int, end: int) -> None:
    """Resolve every "sam" in a clause part; a "sam" resolved as "alone" no longer counts as an auxiliary."""
    traits = [token.traits for token in tokens[start:end]]
    auxiliaries = sum(bool(bits & t.AUXILIARY) for bits in traits)
    verbs = any(bits & (t.PRESENT | t.FEELING) for bits in traits)
    predicates = any(bits & (t.PAST | t.ADJECTIVE) for bits in traits)
    for index in range(start, end):
        # "Sam" itself counts as an auxiliary, so it means "alone" only if there is another auxiliary.
        if tokens[index].key == "sam" and (auxiliaries > 1 or (verbs and not predicates)):
            auxiliaries -= 1
            tokens[index] = tokens[index]._replace(traits=_ALONE)


RULES = LanguageRules(disambiguate=disambiguate)
