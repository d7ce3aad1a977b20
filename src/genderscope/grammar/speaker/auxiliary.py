"""Reader for languages that mark the first person on an auxiliary or verb: Czech, Polish, Slovak, South Slavic."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import takewhile

from genderscope.grammar import traits as t
from genderscope.grammar.reading import Evidence, Reading, weigh
from genderscope.grammar.speaker.predicates import Predicates, before_noun, is_object, show, show_roles
from genderscope.grammar.text import Token, TokenList, clauses, own_speech, tokenize

_CLAUSE = 24  # Maximum distance to a subject, so that run time is linear in the length of the text
_TELLING = (
    t.PAST | t.ADJECTIVE | t.OBLIQUE | t.OWN | t.SIDE | t.PERSON
)  # A clause without any of these traits yields no evidence


class Stretch:
    """Clause or part of a clause, with cached predicates and participles."""

    __slots__ = ("_found_participles", "_found_predicates", "end", "places", "present", "start", "tokens")

    def __init__(self, tokens: TokenList, start: int, end: int) -> None:
        self.tokens, self.start, self.end = tokens, start, end
        self.places = range(start, end)
        #: union of the traits of all words
        self.present = 0
        for index in self.places:
            self.present |= tokens[index].traits
        self._found_predicates: Predicates | None = None
        self._found_participles: list[int] | None = None

    @property
    def predicates(self) -> Predicates:
        """The adjectives that can be predicates."""
        if self._found_predicates is None:
            self._found_predicates = Predicates(self.tokens, self.start, self.end)
        return self._found_predicates

    @property
    def _participles(self) -> list[int]:
        if self._found_participles is None:
            self._found_participles = [index for index in self.places if self._is_participle(index)]
        return self._found_participles

    def _is_participle(self, index: int) -> bool:
        traits = self.tokens[index].traits
        if not traits & t.PAST:
            return False
        if traits & t.ADJECTIVE and before_noun(self.tokens, index):
            return False  # an adjectival participle may modify a noun: Croatian "odrasla osoba" (adult)
        before = self.tokens[index - 1].traits if index > self.start else 0
        return not before & t.PREPOSITION or bool(before & t.REFLEXIVE)

    def participle_beside(self, index: int) -> int | None:
        """Return the nearest participle on either side; the preceding one if two are equally near."""
        places = self._participles
        before, after = bisect_left(places, index) - 1, bisect_right(places, index)
        left = places[before] if before >= 0 else None
        if after == len(places) or (left is not None and index - left <= places[after] - index):
            return left
        return places[after]


def read_by_auxiliary(
    text: str, look_up: Callable[[str], tuple[str, int]], disambiguate: Callable[[list[Token]], list[Token]]
) -> Reading:
    """Detect the speaker's gender from words near first-person auxiliaries, copulas and verbs."""
    evidence: list[Evidence] = []
    for tokens in own_speech(disambiguate(tokenize(text, look_up))):
        for clause in clauses(tokens):
            whole = Stretch(tokens, clause.start, clause.end)
            if whole.present & _TELLING:
                for start, end in clause.parts:
                    alone = (start, end) == (clause.start, clause.end)
                    evidence.extend(_part(whole if alone else Stretch(tokens, start, end), whole))
    return weigh(evidence)


def _part(part: Stretch, clause: Stretch) -> Iterator[Evidence]:
    present = part.present
    if present & t.OWN:
        yield from _own_forms(part)
    if present & t.AUXILIARY:
        yield from _beside_auxiliary(part, clause)
    elif present & t.PRONOUN and present & t.PAST and not present & t.OTHER_PERSON:
        yield from _beside_pronoun(part)
    elif present & t.CONDITIONAL and present & t.PAST:
        yield from _impersonal_conditional(part)
    if present & (t.COPULA | t.FEELING | t.TO_BE) and present & t.ADJECTIVE:
        yield from _said_of_speaker(part)
    elif present & t.PRONOUN and present & t.ADJECTIVE:
        yield from _without_copula(part)
    if present & t.PERSON:
        yield from show_roles(part.tokens, (part.start, part.end), not present & t.OTHER_PERSON)
    if present & (t.REGARD | t.OBJECT | t.FEELING) and present & t.OBLIQUE:
        yield from _regarded(part)
    if present & t.SIDE:
        yield from _beside_first_person(part, clause)


def _own_forms(part: Stretch) -> Iterator[Evidence]:
    for index in part.places:
        if part.tokens[index].traits & t.OWN:
            yield from show(part.tokens[index], t.OWN, "first-person verb form", 4)


def _beside_auxiliary(part: Stretch, clause: Stretch) -> Iterator[Evidence]:
    """Yield evidence from the participle nearest to the auxiliary in the clause part or, failing that, the clause."""
    tokens = part.tokens
    for index in part.places:
        if not tokens[index].traits & t.AUXILIARY:
            continue
        participle = part.participle_beside(index)
        if participle is not None:
            yield from show(tokens[participle], t.PAST, "participle next to a first-person auxiliary", 4)
        elif not tokens[index].traits & t.COPULA or part.predicates.of(index) is None:
            participle = clause.participle_beside(index)
            nearest = [] if participle is None else tokens[max(part.end, participle - _CLAUSE) : participle]
            before = takewhile(lambda token: not token.traits & t.COORDINATOR, reversed(nearest))
            # A participle of a later part may have a subject of its own: "am an aunt and the letter surprised me".
            if participle is not None and not any(_may_be_subject(word, tokens[participle], False) for word in before):
                yield from show(tokens[participle], t.PAST, "participle in a clause with a first-person auxiliary", 2)


def _beside_pronoun(part: Stretch) -> Iterator[Evidence]:
    """Yield evidence from a participle whose auxiliary is omitted after "I", as in spoken Czech."""
    for index in part.places:
        if part.tokens[index].traits & t.PRONOUN:
            participle = part.participle_beside(index)
            if participle is not None:
                yield from show(part.tokens[participle], t.PAST, "participle next to the first-person pronoun", 3)


def _impersonal_conditional(part: Stretch) -> Iterator[Evidence]:
    """Yield evidence from a conditional without person marking, unless another subject is possible."""
    words = part.tokens[part.start : part.end]
    place = next(index for index, token in enumerate(words) if token.traits & t.PAST)
    verb = words[place]
    # Words after "than" or "as" are compared with the speaker and are not the subject.
    after = list(takewhile(lambda token: not token.traits & t.AS, words[place + 1 :]))
    if any(token.traits & (t.OTHER_PERSON | t.OBJECT | t.DATIVE) for token in [*words[:place], *after]):
        return
    if words[0].traits & t.OPENER and _has_subject_before(part, verb):
        return
    # A masculine object looks like a subject, but usually follows the verb.
    subjects = [*words[:place], *after] if verb.traits & t.PAST_F else words[:place]
    behind = next((place for place, token in enumerate(words) if token.traits & t.CONDITIONAL), len(words))
    if not any(_may_be_subject(token, verb, token.start > words[behind].start) for token in subjects):
        yield from show(verb, t.PAST, "conditional without another subject", 1)


def _has_subject_before(part: Stretch, verb: Token) -> bool:
    """Return whether the preceding clause has a subject that agrees with the verb: "mama pravi, da bi šla"."""
    nearest = part.tokens[max(0, part.start - _CLAUSE) : max(0, part.start - 1)]
    before = list(takewhile(lambda token: not token.traits & t.PUNCTUATION, reversed(nearest)))
    if any(token.traits & (t.FIRST_PERSON | t.OBJECT | t.DATIVE) for token in before):
        return False
    return any(_may_be_subject(token, verb, behind=False) for token in before)


def _may_be_subject(token: Token, verb: Token, behind: bool) -> bool:
    """Return whether a noun, or an unknown word after the conditional, agrees with the verb."""
    excluded = t.PAST | t.PREPOSITION | t.FIRST_PERSON | t.FUNCTION
    if token is verb or not token.key.isalpha() or token.traits & excluded:
        return False
    if not token.traits & t.NOUN and (token.traits or not behind):
        return False
    feminine = token.key.endswith(("a", "ost"))
    if verb.traits & t.PAST_F and not verb.traits & t.PAST_M:
        return feminine
    return not feminine and token.key[-1] not in "oeiu"


def _said_of_speaker(part: Stretch) -> Iterator[Evidence]:
    present = part.present
    for index in part.places:
        traits = part.tokens[index].traits
        is_feeling = traits & t.FEELING and present & t.REFLEXIVE
        if traits & t.COPULA or is_feeling or (traits & t.TO_BE and present & t.FIRST_PERSON):
            predicate = part.predicates.of(index)
            if predicate is not None and not (traits & t.AUXILIARY and present & t.PAST):
                yield from show(part.tokens[predicate], t.ADJECTIVE, "adjective describing the speaker", 3)


def _without_copula(part: Stretch) -> Iterator[Evidence]:
    """Yield evidence from an adjective after "I" if an adjective precedes: "the house was clean, and I content"."""
    tokens, last = part.tokens, part.end - 1
    small = t.FUNCTION | t.ADJECTIVE
    first = next((index for index in range(last, part.start, -1) if not tokens[index].traits & small), part.start)
    before = Predicates(tokens, max(0, part.start - _CLAUSE), part.start)
    if tokens[first].traits & t.PRONOUN and before.of(part.start) is not None:
        yield from show(tokens[last], t.ADJECTIVE, "adjective describing the speaker", 2)


def _regarded(part: Stretch) -> Iterator[Evidence]:
    """Yield evidence from an oblique adjective that modifies no noun: "consider myself strong", "makes me happy"."""
    tokens, present = part.tokens, part.present
    direct = is_object(tokens, (part.start, part.end)) or (present & (t.REGARD | t.FEELING) and present & t.REFLEXIVE)
    # Traits of the word before the adjective phrase, which includes intensifiers ("very", "quite").
    before = 0
    for index in part.places:
        traits = tokens[index].traits
        shown = index > part.start and traits & t.OBLIQUE and t.gender_of(traits, t.OBLIQUE) is not None
        if shown and (before & t.AS or (direct and not before & (t.PREPOSITION | t.OBLIQUE))):
            if not before_noun(tokens, index, t.OBLIQUE, any_case=True):
                yield from show(tokens[index], t.OBLIQUE, "adjective describing “me” or “myself”", 2)
            return
        if not traits & t.FUNCTION or traits & (t.PREPOSITION | t.OBJECT):
            before = traits


def _beside_first_person(part: Stretch, clause: Stretch) -> Iterator[Evidence]:
    """Yield evidence from "glad", "alone" and "first" near a first-person verb."""
    if not part.present & t.FIRST_PERSON:
        around = clause.present
        wished = around & t.CONDITIONAL and not around & t.OTHER_PERSON
        afraid_to_be = around & t.OBJECT and around & t.TO_BE  # "it scares me to be alone"
        if not (around & t.FIRST_PERSON or wished or afraid_to_be):
            return
    tokens = part.tokens
    for index in part.places:
        token = tokens[index]
        if not token.traits & t.SIDE or token.traits & t.AUXILIARY or before_noun(tokens, index, any_case=True):
            continue
        # An ordinal may also follow its noun: Polish "po raz pierwszy" (for the first time).
        if not (token.traits & t.ADJECTIVE and index > part.start and tokens[index - 1].traits & t.NOUN):
            yield from show(token, t.SIDE, "word that agrees with a first-person subject", 2)
