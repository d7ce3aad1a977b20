"""Capabilities of a server, probed once with small requests from the most exact query method down.

prompt    log-probability of every token in a given text        exact, for options of any length
top       likeliest next tokens with their log-probabilities    exact, for options among them
sampled   sampled answers                                      frequencies only

A method counts only if its log-probabilities do not depend on the order of requests, as with a stale prefix cache.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Any, Literal

from genderscope.core.errors import UserError, did_you_mean
from genderscope.models.hf.token_spans import length_in_common
from genderscope.models.server.json_access import listed
from genderscope.models.server.tokens import Candidates, Tokens, UnreadError, next_tokens, tokens_of
from genderscope.models.server.transport import RefusedError, Transport

#: A text's log-probabilities, keyed by position and piece in a prompt, or by piece among next tokens.
Numbers = Mapping[tuple[int, str], float]

#: Tolerances for the difference in one log-probability, and for the root mean square of all differences. Half precision
#: is inexact: bfloat16 has steps of 0.125 between 16 and 32, the range of logits, and logits may change by a step or
#: two if the same text is part of another batch.
MOST, TYPICAL = 0.4, 0.15
#: Number of texts to repeat.
TEXTS = 4
MISSING = "numbers in one response but not in the other"


def changed_in(read: Callable[[str], Numbers | None], texts: Sequence[str]) -> str | None:
    """Query texts in one order and then in reverse; return a short description of any change."""
    first = {text: read(text) for text in texts}
    for text, other in pairwise(texts):
        if _copied(first[text], first[other]):
            return "two different texts got the same numbers"
    for text in reversed(texts):
        if change := _change(first[text], read(text)):
            return change
    return None


def _change(first: Numbers | None, second: Numbers | None) -> str | None:
    if not first or not second:
        return None if not first and not second else MISSING
    if _lost(first, second) or _lost(second, first):
        return MISSING
    pairs = [(first[key], second[key]) for key in sorted(first.keys() & second.keys())]
    differences = [_difference(*pair) for pair in pairs]
    worst = max(differences, default=0.0)
    if worst <= MOST and math.fsum(d * d for d in differences) <= TYPICAL**2 * len(differences):
        return None
    before, after = pairs[differences.index(worst)]
    return f"one log-probability changed from {before:.2f} to {after:.2f}"


def _lost(numbers: Numbers, others: Numbers) -> bool:
    """Return whether the other response lacks a token; the least likely next tokens may differ."""
    end = min(filter(math.isfinite, others.values()), default=0.0) + MOST
    return any(score > end for key, score in numbers.items() if key not in others)


def _difference(first: float, second: float) -> float:
    if math.isfinite(first) and math.isfinite(second):
        return abs(first - second)
    return 0.0 if first == second or (math.isnan(first) and math.isnan(second)) else math.inf


def _copied(first: Numbers | None, second: Numbers | None) -> bool:
    """Return whether two prompts have identical log-probabilities from the first differing token on."""
    pairs = list(zip(sorted((first or {}).items()), sorted((second or {}).items()), strict=False))
    begin = next((k for k, ((ours, _), (theirs, _)) in enumerate(pairs) if ours != theirs), len(pairs))
    numbers = {score for (_, score), _ in pairs[begin:]}
    return len(numbers) > 1 and all(ours == theirs for (_, ours), (_, theirs) in pairs[begin:])


def numbers_of_tokens(tokens: Tokens) -> Numbers:
    """Return a prompt's log-probabilities, keyed by token position and piece."""
    told = zip(tokens.pieces, tokens.log_probabilities, strict=True)
    return {(k, piece): score for k, (piece, score) in enumerate(told) if score is not None}


def numbers_of_next(candidates: Candidates) -> Numbers | None:
    """Return the next tokens' log-probabilities; None if there are none."""
    # Reversed, so that the first of identically spelled tokens is kept.
    return {(0, token): score for token, score in reversed(candidates)} or None


def alike(texts: Sequence[str]) -> list[str]:
    """Choose a few texts around the pair with the longest common prefix."""
    ordered = sorted(set(texts))
    if len(ordered) < 2:
        return ordered
    common = [length_in_common(pair) for pair in pairwise(ordered)]
    place = common.index(max(common))
    start = max(0, min(place - 1, len(ordered) - TEXTS))
    return ordered[start : start + TEXTS]


def unstable(url: str, change: str) -> str:
    """Return the error message for a server with order-dependent log-probabilities."""
    return (
        f"The server at {url} gave different log-probabilities when the same texts were sent in a different order "
        f"({change}), as with a stale prefix cache; disable that cache (vLLM: --no-enable-prefix-caching) "
        "and try again."
    )


PROBE, SAY = '"I was there.", he said.', "Say yes."
#: Texts with a common prefix longer than the blocks of a prefix cache (16 tokens in vLLM).
_BEGINNING = '"In the evening we sat by the river and told each other what the summer had been like, day after day.", '
STEADY = (f"{_BEGINNING}he said.", f"{_BEGINNING}she said.", PROBE)
FORMS = ("prompt_logprobs", "echo")
#: Every server that returns next tokens supports one of these counts or states its maximum (OpenAI completions: 5).
USUAL, FEW = 20, 5
#: Larger than any vocabulary: llama.cpp then returns all tokens, other servers refuse and state their maximum.
ALL = 1_000_000
#: Servers, by the name they report, that crash when asked for more tokens than they can return.
FRAGILE = ("sglang",)
#: Status codes for a missing endpoint.
NO_ENDPOINT = (404, 405, 501)
#: A list of all next tokens takes up megabytes, but most words are among this many top tokens.
MOST_OFTEN_ENOUGH = 1000

EXPLAINED = {
    "prompt": "prompt log-probabilities",
    "top": "next-token top log-probabilities",
    "sampled": "sampled answers",
}


@dataclass(frozen=True)
class QueryMethod:
    """Query method for a server: the numbers it returns, the endpoint, the format and the number of next tokens.

    If `every` is set, the server is asked for all next tokens and returns `top` of them. `passed_over` names a more
    exact method that proved unreliable.
    """

    name: Literal["prompt", "top", "sampled"]
    through: Literal["completions", "chat"]
    form: str | None = None
    top: int = 0
    every: bool = False
    passed_over: str | None = None

    def __str__(self) -> str:
        how = f"{self.through}, {self.form}" if self.form else self.through
        return f"{EXPLAINED[self.name]} ({how}{f', the {self.top} likeliest' if self.name == 'top' else ''})"

    def as_json(self) -> dict[str, Any]:
        """Return a JSON-serialisable dict for the run's records."""
        return {"explained": str(self), **asdict(self)}

    @classmethod
    def from_json(cls, recorded: Mapping[str, Any]) -> "QueryMethod":
        """Return the query method that a run recorded."""
        return cls(**{field.name: recorded[field.name] for field in fields(cls) if field.name in recorded})

    def counts(self) -> Iterator[int]:
        """Yield the numbers of next tokens to request: first one that usually suffices, then the maximum."""
        if self.top > MOST_OFTEN_ENOUGH:
            yield MOST_OFTEN_ENOUGH
        yield ALL if self.every else self.top


def probe(transport: Transport, model: str) -> QueryMethod:
    """Return the best query method that the server supports for this model with reproducible numbers."""
    transport.require_listener()
    ask = _Asker(transport, model)
    count, every = ask.most("completions")
    passed_over = changed = None
    for form in FORMS:
        if ask.gives_prompt(form):
            changed = changed_in(partial(ask.prompt, form), STEADY)
            if changed is None:
                return QueryMethod("prompt", "completions", form, count, every, passed_over)
            passed_over = passed_over or f"{EXPLAINED['prompt']} ({form})"
    if count:
        return ask.steady(QueryMethod("top", "completions", None, count, every, passed_over))
    if changed:
        raise UserError(unstable(transport.url, changed))
    if ask.answers(*request_next("completions", PROBE)):
        return QueryMethod("sampled", "completions")
    count, every = ask.most("chat")
    if count:
        return ask.steady(QueryMethod("top", "chat", None, count, every))
    if ask.answers(*request_next("chat", SAY)):
        return QueryMethod("sampled", "chat")
    raise UserError(_complaint(transport, model, ask.refusals))


def has_chat(transport: Transport, model: str) -> bool:
    """Return whether the server has a chat endpoint, even if that endpoint refuses the probe request."""
    ask = _Asker(transport, model)
    return ask.answers(*request_next("chat", SAY)) is not None or ask.refusals[-1].status not in NO_ENDPOINT


class _Asker:
    """Sends small probe requests to a server and records its refusals."""

    def __init__(self, transport: Transport, model: str) -> None:
        self.transport, self.model = transport, model
        self.refusals: list[RefusedError] = []

    def answers(self, path: str, body: dict[str, Any], needed: bool = True) -> dict[str, Any] | None:
        """Return the server's response to a small request, or None if it refuses."""
        whole = {"model": self.model, "max_tokens": 1, "temperature": 0, **body}
        try:
            return self.transport.post(path, whole) if needed else self.transport.if_possible("POST", path, whole)
        except RefusedError as refusal:
            self.refusals.append(refusal)
            return None

    def next(self, through: str, count: int, text: str | None = None, needed: bool = True) -> Candidates:
        """Request the `count` likeliest next tokens after a text."""
        response = self.answers(*request_next(through, text or (SAY if through == "chat" else PROBE), count), needed)
        return [] if response is None else next_tokens(response)

    def most(self, through: str) -> tuple[int, bool]:
        """Return the maximum number of next tokens, and whether the server accepts a request for all of them."""
        if not self._tells(through, USUAL):
            return next((count for count in (*self._stated(USUAL), FEW) if self._tells(through, count)), 0), False
        if self._breaks():
            return (MOST_OFTEN_ENOUGH if self._tells(through, MOST_OFTEN_ENOUGH, needed=False) else USUAL), False
        if candidates := self.next(through, ALL, needed=False):
            return len(candidates), True
        larger = (count for count in self._stated(ALL) if count > USUAL)
        return next((count for count in larger if self._tells(through, count, needed=False)), USUAL), False

    def _tells(self, through: str, count: int, needed: bool = True) -> bool:
        # A chat model may be certain of its first word; a continuation always has alternatives.
        return len(self.next(through, count, needed=needed)) > (0 if through == "chat" else 1)

    def _breaks(self) -> bool:
        """Return whether this is a server that crashes when asked for more tokens than it can return."""
        named = (entry.get("owned_by") for entry in _models(self.transport) if isinstance(entry, dict))
        return any(name in FRAGILE for name in named)

    def _stated(self, asked: int) -> list[int]:
        """Return the largest numbers in the last refusal that are below the requested count, in descending order."""
        words = self.refusals[-1].message if self.refusals else ""
        numbers = {int(digits) for digits in re.findall(r"\d{1,7}", words)}
        return sorted((n for n in numbers if FEW < n < asked), reverse=True)[:3]

    def gives_prompt(self, form: str) -> bool:
        """Return whether the server returns every token of a prompt, spelled as in the prompt."""
        tokens = self._tokens(form, PROBE)
        covered = [] if tokens is None else [span for span in tokens.offsets if span[0] < span[1]]
        return len(covered) > 2 and covered[0][0] == 0 and covered[-1][1] == len(PROBE)

    def prompt(self, form: str, text: str) -> Numbers | None:
        """Return a prompt's log-probabilities; None if the server returned none."""
        tokens = self._tokens(form, text)
        return None if tokens is None else numbers_of_tokens(tokens)

    def _tokens(self, form: str, text: str) -> Tokens | None:
        try:
            return tokens_of(self.answers("/completions", {"prompt": text, **prompt_options(form)}) or {}, text, form)
        except UnreadError:
            return None

    def steady(self, query_method: QueryMethod) -> QueryMethod:
        """Return the query method if its next-token log-probabilities are reproducible; raise otherwise."""
        count = min(query_method.top, USUAL)
        changed = changed_in(lambda text: numbers_of_next(self.next(query_method.through, count, text)), STEADY[1:])
        if changed:
            raise UserError(unstable(self.transport.url, changed))
        return query_method


def prompt_options(form: str) -> dict[str, Any]:
    """Return the additional request fields for prompt log-probabilities."""
    return {"prompt_logprobs": 0} if form == "prompt_logprobs" else {"echo": True, "logprobs": 1}


def request_next(through: str, text: str, count: int = 0) -> tuple[str, dict[str, Any]]:
    """Return the path and body of a request to continue a text and list the `count` likeliest next tokens."""
    if through == "chat":
        message = {"messages": [{"role": "user", "content": text}]}
        return "/chat/completions", {**message, **({"logprobs": True, "top_logprobs": count} if count else {})}
    return "/completions", {"prompt": text, **({"logprobs": count} if count else {})}


def _complaint(transport: Transport, model: str, refusals: list[RefusedError]) -> str:
    """Explain why no query method works; the usual cause is a wrong model name."""
    names = [str(entry["id"]) for entry in _models(transport) if isinstance(entry, dict) and "id" in entry]
    said = refusals[-1].message if refusals else "it returned no answers"
    if names and model not in names:
        return (
            f"The server at {transport.url} has no model '{model}'; it has: {', '.join(names[:10])}."
            f"{did_you_mean(model, names)}"
        )
    return f"The server at {transport.url} cannot answer with model '{model}': {said}"


def _models(transport: Transport) -> list[Any]:
    """Return the server's list of models; empty if it has none."""
    try:
        return listed(transport.if_possible("GET", "/models"), "data")
    except RefusedError:
        return []
