"""Segmentation of speech into clauses, and alignment of English adjectives with the clauses that render them."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from genderscope.grammar.adjectives.readings import AskedAdjective, Form
from genderscope.grammar.adjectives.speech import PassageToken, spoken_spans, tokens

_PUNCTUATION = frozenset(".,;:!?…—–(")
_END = PassageToken(".", 0, 0)


class ParsedClause(NamedTuple):
    """Words in a clause, and the features marked by its function words."""

    words: tuple[PassageToken, ...]
    person: str | None
    negated: bool
    has_copula: bool
    introduced: bool = False
    #: whether the clause is in the first of two quotations; None unless the passage has exactly two
    first_of_two: bool | None = None


class RenderedAdjective(NamedTuple):
    """Word that renders the adjective, and the gender that the word's form marks."""

    token: PassageToken | None
    form: Form


@dataclass(frozen=True)
class Grammar:
    """Language-specific data and functions for clause analysis; function words are in lower case."""

    #: the language's word lists: `belief`, `complementizers`, `conjunctions`, `fillers`, `narration`, `negations`, …
    words: Mapping[str, frozenset[str]] = field(repr=False)
    first_person: frozenset[str]
    second_person: frozenset[str]
    copulas: frozenset[str]
    read: Callable[[ParsedClause], RenderedAdjective] = field(repr=False)
    known: Callable[[str], bool] = field(repr=False)
    #: words that mark gender even before an English word: "eres el creepy"
    articles: Mapping[str, Form] = field(default_factory=dict)
    #: conjunctions that may follow the subject and verb instead of preceding them: "vy jste ale drsná"
    second_place: frozenset[str] = frozenset()


def clauses(text: str, grammar: Grammar, *, quoted: bool = True) -> list[ParsedClause]:
    """Return the clauses that may contain a predicate, from the quotations in a passage or from the whole passage."""
    candidates: list[ParsedClause] = []
    conjunctions = grammar.words["conjunctions"]
    spans = spoken_spans(text) if quoted else []
    for start, end in spans or [(0, len(text))]:
        first = start == spans[0][0] if len(spans) == 2 else None
        words: list[PassageToken] = []
        introduced = bool(spans)
        for token in [*tokens(text, start, end), _END]:
            if token.word not in _PUNCTUATION and token.word not in conjunctions:
                words.append(token)
            elif not words:
                introduced = token.word in conjunctions
            elif len(words) == 1 and token.word == "," and _person(words[0].word, grammar):
                continue  # "and you, tall": the comma replaces the verb
            elif token.word in grammar.second_place and _only_subject_and_verb(words, token, text, grammar):
                continue
            else:
                frame = _frame(words, grammar)
                if clause := _clause(words[frame:], introduced or frame > 0, first, grammar):
                    candidates.append(clause)
                introduced = token.word in conjunctions or clause is None
                words = []
    return candidates


def _clause(words: list[PassageToken], introduced: bool, first: bool | None, grammar: Grammar) -> ParsedClause | None:
    """Build a clause from its words; return None for fillers and narration ("No", "he said")."""
    forms = {token.word for token in words}
    if forms <= grammar.words["fillers"] or not forms.isdisjoint(grammar.words["narration"]):
        return None
    has_copula = not forms.isdisjoint(grammar.copulas)
    negated = not forms.isdisjoint(grammar.words["negations"])
    person: str | None = None
    for token in words:
        if mark := _person(token.word, grammar):
            copula = token.word in grammar.copulas
            if person is None or copula:
                person = mark
            if copula or not has_copula:
                break  # a copula is most reliable, followed by the first word that marks person
    return ParsedClause(tuple(words), person, negated, has_copula, introduced, first)


def _person(word: str, grammar: Grammar) -> str | None:
    if word in grammar.first_person:
        return "I"
    return "you" if word in grammar.second_person else None


_SUBJECT_AND_VERB = 5  # "vy jste se mi ale"; bounded, so that run time is linear in text length


def _only_subject_and_verb(words: list[PassageToken], following: PassageToken, text: str, grammar: Grammar) -> bool:
    """Return whether only a subject and a verb precede the word: "vy jste ale", but not "nejsem, ale"."""
    apart = len(words) > _SUBJECT_AND_VERB or "," in text[words[-1].end : following.start]
    return not apart and all(_person(token.word, grammar) or token.word in grammar.words["fillers"] for token in words)


def _frame(words: list[PassageToken], grammar: Grammar) -> int:
    """Return the number of words in a frame such as "I think (that)", up to the complementizer or else the verb."""
    for index, token in enumerate(words[:5]):
        if token.word in grammar.copulas:
            break
        if token.word in grammar.words["belief"]:
            for offset, follower in enumerate(words[index + 1 : index + 4], start=index + 2):
                if follower.word in grammar.words["complementizers"]:
                    return offset
            return index + 1
    return 1 if words and words[0].word in grammar.words["complementizers"] else 0


_UNANSWERED = -4.0
# Breaks ties in favour of the same turn of a dialogue if only one of two occurrences of "you are" was translated.
_SAME_HALF = 0.1
_NEVER = float("-inf")
#: maximum number of adjective-clause pairs for exact alignment; a passage of fiction has about a hundred
_MOST_PAIRS = 100_000
#: linked list of choices: the earlier ones, and the last one
_Choices = tuple[Any, ParsedClause | None] | None
_Best = tuple[float, _Choices]


def align(asked: Sequence[AskedAdjective], candidates: Sequence[ParsedClause]) -> list[ParsedClause | None]:
    """Return, for each adjective in order, the clause that renders it; None if the translation omits the adjective."""
    if len(asked) == len(candidates) and all(
        clause.person == question.referent for question, clause in zip(asked, candidates, strict=True)
    ):
        return list(candidates)
    costs = [_cost_of_passing(clause) for clause in candidates]
    # Dynamic programming: after i adjectives, row.best[j] is the best score for the first j clauses, with its choices.
    row = _Row(0, [(0.0, None)])
    for cost in costs[: _window(0, asked, candidates).stop - 1]:
        row.best.append((row.best[-1][0] + cost, None))
    for number, question in enumerate(asked, 1):
        asked_first = number <= len(asked) // 2
        row = _next_row(row, question, asked_first, candidates, costs, _window(number, asked, candidates))
    matched: list[ParsedClause | None] = []
    rest = row.best[-1][1]
    while rest is not None:
        rest, answer = rest
        matched.append(answer)
    return _with_reversed_order(asked, candidates, matched[::-1])


class _Row(NamedTuple):
    """Row of the alignment table: the best score for each number of clauses used, starting at ``start``."""

    start: int
    best: list[_Best]

    def at(self, clauses: int) -> _Best:
        index = clauses - self.start
        return self.best[index] if 0 <= index < len(self.best) else (_NEVER, None)


def _window(number: int, asked: Sequence[AskedAdjective], candidates: Sequence[ParsedClause]) -> range:
    """Return the clause counts to consider after `number` adjectives, limited only for book-length texts."""
    if len(asked) * len(candidates) <= _MOST_PAIRS:
        return range(len(candidates) + 1)
    reach = max(8, _MOST_PAIRS // (2 * len(asked)), -(-len(candidates) // len(asked)))
    middle = number * len(candidates) // len(asked)
    return range(max(0, middle - reach), min(len(candidates), middle + reach) + 1)


def _next_row(
    before: _Row,
    question: AskedAdjective,
    asked_first: bool,
    candidates: Sequence[ParsedClause],
    costs: Sequence[float],
    window: range,
) -> _Row:
    row: list[_Best] = []
    for count in window:
        best, choices = before.at(count)
        unanswered = best + _UNANSWERED
        if count == 0:
            row.append((unanswered, (choices, None)))
            continue
        clause = candidates[count - 1]
        passed = row[-1][0] + costs[count - 1] if row else _NEVER
        score, earlier = before.at(count - 1)
        matched = score + _fit(question, clause, candidates[count - 2] if count > 1 else None)
        if clause.first_of_two == asked_first:
            matched += _SAME_HALF
        if matched >= passed and matched >= unanswered:
            row.append((matched, (earlier, clause)))
        elif passed >= unanswered:
            row.append((passed, row[-1][1]))
        else:
            row.append((unanswered, (choices, None)))
    return _Row(window.start, row)


def _with_reversed_order(
    asked: Sequence[AskedAdjective], candidates: Sequence[ParsedClause], matched: Sequence[ParsedClause | None]
) -> list[ParsedClause | None]:
    """Match remaining adjectives with unused clauses in the same person, since translations may reverse their order."""
    used = {id(answer) for answer in matched}
    unused: dict[str, deque[ParsedClause]] = {}
    for clause in candidates:
        if clause.person and id(clause) not in used:
            unused.setdefault(clause.person, deque()).append(clause)
    answers = list(matched)
    for index, question in enumerate(asked):
        if answers[index] is None and (waiting := unused.get(question.referent)):
            answers[index] = waiting.popleft()
    return answers


def _cost_of_passing(clause: ParsedClause) -> float:
    if clause.person is not None:
        return -3.0 if clause.has_copula else -1.0
    return -1.0 if clause.has_copula else 0.0


def _fit(question: AskedAdjective, clause: ParsedClause, previous: ParsedClause | None) -> float:
    score = 2.0 if clause.has_copula else 0.0
    if clause.person == question.referent:
        score += 4.0
    elif clause.person is not None:
        score -= 6.0
    elif previous is not None and previous.person == question.referent:
        score += 1.0  # the subject is carried over: "no soy alta, pero sí fuerte"
    elif not clause.introduced and not clause.has_copula:
        score -= 6.0  # nothing suggests that this clause renders the adjective
    score += 1.0 if clause.negated == question.negated else -1.0
    return score
