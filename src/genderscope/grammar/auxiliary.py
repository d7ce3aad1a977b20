"""Reading languages that mark the first person on an auxiliary or on the verb: Czech, Polish, Slovak, South Slavic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile

from .predicates import before_noun, is_object, predicate, show
from .reading import Evidence, Reading, weigh
from .text import Clause, Token, clauses, own_speech, tokenize
from .traits import (
    ADJECTIVE,
    AS,
    AUXILIARY,
    CONDITIONAL,
    COPULA,
    FEELING,
    FIRST_PERSON,
    FUNCTION,
    NOUN,
    OBJECT,
    OBLIQUE,
    OTHER_PERSON,
    OWN,
    PAST,
    PAST_F,
    PAST_M,
    PREPOSITION,
    PRONOUN,
    REFLEXIVE,
    REGARD,
    SIDE,
    TO_BE,
    gender_of,
)

Span = tuple[int, int]


class AuxiliaryReader:
    """Reads a text by the first-person auxiliaries, copulas and verbs in it."""

    def __init__(
        self,
        look_up: Callable[[str], tuple[str, int]],
        settle: Callable[[list[Token]], list[Token]] | None = None,
    ) -> None:
        """``settle`` may decide, before clauses are cut, what an ambiguous word is among its neighbours."""
        self._look_up = look_up
        self._settle = settle

    def read(self, text: str) -> Reading:
        """The speaker's gender in a text."""
        evidence: list[Evidence] = []
        words = tokenize(text, self._look_up)
        for tokens in own_speech(self._settle(words) if self._settle else words):
            for clause in clauses(tokens):
                for part in clause.parts:
                    evidence.extend(_part(tokens, clause, part))
        return weigh(evidence)


def _part(tokens: list[Token], clause: Clause, part: Span) -> Iterator[Evidence]:
    start, end = part
    present = 0
    for index in range(start, end):
        present |= tokens[index].traits
    if present & OWN:
        yield from _own_forms(tokens, part)
    if present & AUXILIARY:
        yield from _beside_auxiliary(tokens, clause, part)
    elif present & PRONOUN and present & PAST and not present & OTHER_PERSON:
        yield from _beside_pronoun(tokens, part)
    elif present & CONDITIONAL and present & PAST:
        yield from _impersonal_conditional(tokens, part)
    if present & (COPULA | FEELING | TO_BE) and present & ADJECTIVE:
        yield from _said_of_speaker(tokens, part, present)
    if present & (REGARD | OBJECT | FEELING) and present & OBLIQUE:
        yield from _regarded(tokens, part, present)
    if present & SIDE:
        yield from _beside_first_person(tokens, clause, part, present)


def _own_forms(tokens: list[Token], part: Span) -> Iterator[Evidence]:
    for index in range(*part):
        if tokens[index].traits & OWN:
            yield from show(tokens[index], OWN, "first-person verb form", 4)


def _nearest(tokens: list[Token], span: Span, to: int, kind: int) -> int | None:
    candidates = [
        index
        for index in range(*span)
        if index != to
        and tokens[index].traits & kind
        # A participle turned adjective may belong to a noun: Croatian "odrasla osoba", a grown-up.
        and not (tokens[index].traits & ADJECTIVE and before_noun(tokens, index))
        and not (
            index > span[0] and tokens[index - 1].traits & PREPOSITION and not tokens[index - 1].traits & REFLEXIVE
        )
    ]
    return min(candidates, key=lambda index: abs(index - to), default=None)


def _beside_auxiliary(tokens: list[Token], clause: Clause, part: Span) -> Iterator[Evidence]:
    """The participle nearest to the auxiliary; where its part of the clause has none, the nearest in the clause."""
    for index in range(*part):
        if not tokens[index].traits & AUXILIARY:
            continue
        found = _nearest(tokens, part, index, PAST)
        if found is not None:
            yield from show(tokens[found], PAST, "participle beside first-person auxiliary", 4)
        elif not tokens[index].traits & COPULA or predicate(tokens, *part, index) is None:
            found = _nearest(tokens, (clause.start, clause.end), index, PAST)
            if found is not None:
                yield from show(tokens[found], PAST, "participle in the clause of a first-person auxiliary", 2)


def _beside_pronoun(tokens: list[Token], part: Span) -> Iterator[Evidence]:
    """A participle whose auxiliary is left out after "I", as spoken Czech does."""
    for index in range(*part):
        if tokens[index].traits & PRONOUN:
            found = _nearest(tokens, part, index, PAST)
            if found is not None:
                yield from show(tokens[found], PAST, "participle beside the first-person pronoun", 3)


def _impersonal_conditional(tokens: list[Token], part: Span) -> Iterator[Evidence]:
    """A conditional without person, unless another subject is in sight: a person word, or a noun in agreement."""
    words = tokens[part[0] : part[1]]
    place = next(index for index, token in enumerate(words) if token.traits & PAST)
    verb = words[place]
    # What stands after "than, as" is compared with the speaker, and is not the subject.
    after = list(takewhile(lambda token: not token.traits & AS, words[place + 1 :]))
    if any(token.traits & (OTHER_PERSON | OBJECT) for token in [*words[:place], *after]):
        return
    # A masculine object looks like a subject, but as a rule it follows the verb.
    subjects = [*words[:place], *after] if verb.traits & PAST_F else words[:place]
    behind = next((place for place, token in enumerate(words) if token.traits & CONDITIONAL), len(words))
    if not any(_may_be_subject(token, verb, token.start > words[behind].start) for token in subjects):
        yield from show(verb, PAST, "conditional without another subject", 1)


def _may_be_subject(token: Token, verb: Token, behind: bool) -> bool:
    """A nominative noun, or behind the conditional a word that no dictionary knows, whose ending agrees."""
    if token is verb or not token.key.isalpha() or token.traits & (PAST | PREPOSITION | FIRST_PERSON | FUNCTION):
        return False
    if not token.traits & NOUN and (token.traits or not behind):
        return False
    feminine = token.key.endswith(("a", "ost"))
    return (
        feminine if verb.traits & PAST_F and not verb.traits & PAST_M else not feminine and token.key[-1] not in "oeiu"
    )


def _said_of_speaker(tokens: list[Token], part: Span, present: int) -> Iterator[Evidence]:
    for index in range(*part):
        traits = tokens[index].traits
        if traits & COPULA or (traits & FEELING and present & REFLEXIVE) or (traits & TO_BE and present & FIRST_PERSON):
            found = predicate(tokens, *part, index)
            if found is not None and not (traits & AUXILIARY and present & PAST):
                yield from show(tokens[found], ADJECTIVE, "adjective said of the speaker", 3)


def _regarded(tokens: list[Token], part: Span, present: int) -> Iterator[Evidence]:
    """Consider myself strong, makes me happy: an oblique adjective with no noun of its own and no stray preposition."""
    for index in range(part[0] + 1, part[1]):
        if not tokens[index].traits & OBLIQUE or gender_of(tokens[index].traits, OBLIQUE) is None:
            continue
        first = _phrase_start(tokens, part[0], index)
        before = tokens[first - 1].traits if first > part[0] else 0
        direct = is_object(tokens, part) or (present & (REGARD | FEELING) and present & REFLEXIVE)
        if before & AS or (direct and not before & (PREPOSITION | OBLIQUE)):
            if not before_noun(tokens, index, OBLIQUE, any_case=True):
                yield from show(tokens[index], OBLIQUE, "adjective said of me or myself", 2)
            return


def _phrase_start(tokens: list[Token], start: int, index: int) -> int:
    """Where the phrase of an adjective begins: its intensifiers ("very", "quite") stand before it."""
    while (
        index > start and tokens[index - 1].traits & FUNCTION and not tokens[index - 1].traits & (PREPOSITION | OBJECT)
    ):
        index -= 1
    return index


def _beside_first_person(tokens: list[Token], clause: Clause, part: Span, present: int) -> Iterator[Evidence]:
    """Glad, alone, first: with the subject of any first-person verb near them."""
    if not present & FIRST_PERSON:
        around = 0
        for index in range(clause.start, clause.end):
            around |= tokens[index].traits
        wished = around & CONDITIONAL and not around & OTHER_PERSON
        afraid_to_be = around & OBJECT and around & TO_BE  # "it scares me to be alone"
        if not (around & FIRST_PERSON or wished or afraid_to_be):
            return
    for index in range(*part):
        token = tokens[index]
        if not token.traits & SIDE or token.traits & AUXILIARY or before_noun(tokens, index, any_case=True):
            continue
        # An ordinal may follow its noun as well: Polish "po raz pierwszy", for the first time.
        if not (token.traits & ADJECTIVE and index > part[0] and tokens[index - 1].traits & NOUN):
            yield from show(token, SIDE, "word that agrees with a first-person subject", 2)
