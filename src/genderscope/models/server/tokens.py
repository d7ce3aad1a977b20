"""Tokens reported by a server, with log-probabilities: the tokens of a text, and the likeliest next tokens.

There is no local tokenizer, only the pieces that the server reports. They are aligned with the text from both ends.
Where they do not spell the text, as when a character is split into bytes, the tokens in between share the remaining
characters.

Some servers return probabilities or logits instead of log-probabilities, or floors such as -9999 for tokens too
unlikely to compute. To keep these out of the results, the question is marked unread with one of the reasons below.
"""

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.models.hf.token_spans import SHARES_TOKEN, Part, tokens_between, with_space
from genderscope.models.server.json_access import first_choice, listed, number, part

#: Values up to this far above 0 are rounding errors.
ROUNDING = 1e-5
#: In half precision, probabilities may sum to this much more than 1; over llama.cpp's vocabulary, they sum to 1.0002.
EXCESS = 0.02
#: Logarithm of the smallest normal single-precision number; anything lower was not computed.
LOWEST = -87.3
#: An integer at or below this is a floor: computed logarithms are not integers.
WHOLE = -20.0
#: A response's lowest score is a floor if it is at most SHARED, occurs repeatedly, and is more than GAP below the rest.
SHARED, GAP = -15.0, 2.0
#: Larger than any vocabulary, so the likeliest token has a probability of at least 1/TOKENS.
TOKENS = 2**21

NOT_FINITE = "the server returned a log-probability that is not finite"
ABOVE_ZERO = "the server returned a log-probability above 0, which is impossible"
FLOOR = "the server returned {:g}, a placeholder for unlikely tokens, as a log-probability"
TOGETHER = "the words' probabilities sum to more than 1, so the server's numbers are not log-probabilities"
TOO_MUCH = "the next tokens' probabilities sum to more than 1, so the server's numbers are not log-probabilities"
TOO_LITTLE = "even the likeliest next token is too unlikely, so the server's numbers are not log-probabilities"


class UnreadError(Exception):
    """The response is not a usable answer to the question; the message states the reason."""


def fault(score: float, floor: float | None = None) -> str | None:
    """Return why a log-probability is implausible, or None; `floor` is the response's shared floor."""
    if not math.isfinite(score):
        return NOT_FINITE
    if score > ROUNDING:
        return ABOVE_ZERO
    is_floor = score <= LOWEST or (score <= WHOLE and score.is_integer()) or score == floor
    return FLOOR.format(score) if is_floor else None


def shared_floor(scores: Sequence[float]) -> float | None:
    """Return a response's lowest score if it is a floor, shared by several tokens and far below all others."""
    finite = [score for score in scores if math.isfinite(score)]
    lowest = min(finite, default=0.0)
    if lowest > SHARED or finite.count(lowest) < 2:
        return None
    above = min((score for score in finite if score != lowest), default=math.inf)
    return lowest if above > lowest + GAP else None


def check_scores(scores: Iterable[float], every: Sequence[float]) -> None:
    """Raise `UnreadError` if a log-probability is implausible; `every` contains all scores of the response."""
    floor = shared_floor(every)
    for score in scores:
        if (reason := fault(score, floor)) is not None:
            raise UnreadError(reason)


def check_options(scores: Sequence[float]) -> None:
    """Raise `UnreadError` if the log-probabilities of mutually exclusive words are jointly implausible."""
    if _probability(scores) > 1 + EXCESS:
        raise UnreadError(TOGETHER)


def check_next(candidates: Iterable[tuple[str, float]]) -> None:
    """Raise `UnreadError` if the log-probabilities of the likeliest next tokens are implausible."""
    # The sampled token may be listed a second time, with the same score.
    scores = [score for _, score in dict.fromkeys(candidates)]
    finite = [score for score in scores if math.isfinite(score)]
    if any(score > ROUNDING for score in scores):
        raise UnreadError(ABOVE_ZERO)
    if _probability(finite) > 1 + EXCESS:
        raise UnreadError(TOO_MUCH)
    if finite and LOWEST < max(finite) < -math.log(TOKENS):
        raise UnreadError(TOO_LITTLE)


def _probability(scores: Sequence[float]) -> float:
    return math.fsum(math.exp(min(score, 0.0)) for score in scores)


#: IDs derived from pieces start here, far above any vocabulary, so that they cannot collide with token IDs.
PIECES = 2**32
NO_NUMBERS = "the server returned no log-probabilities"

#: tokens with their log-probabilities
Candidates = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A tokenized text. `special` marks tokens that the tokenizer added before the text."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    log_probabilities: tuple[float | None, ...]
    offsets: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]

    def split(self, text: str, begin: int, end: int) -> Part:
        """Split the token IDs into those before, in and after the word."""
        token_range = tokens_between(self.offsets, self.special, begin, end)
        word = text[begin:end]
        if token_range is None:
            raise UnreadError(f"the tokenizer returns no token for the word '{word}'")
        first, last = token_range
        if text[self.offsets[first][0] : begin].strip() or text[end : self.offsets[last][1]].strip():
            raise UnreadError(SHARES_TOKEN.format(word))
        first = with_space(first, begin, text, self.pieces, self.offsets, self.special)
        return self.ids[:first], self.ids[first : last + 1], self.ids[last + 1 :]


def tokens_of(response: dict[str, Any], text: str, form: str) -> Tokens:
    """Parse a prompt's tokens from a response in vLLM's format (prompt_logprobs) or the older echo format."""
    choice = first_choice(response)
    try:
        if form == "prompt_logprobs":
            return _from_prompt_logprobs(listed(choice, "prompt_logprobs"), text)
        return _from_echo(part(choice, "logprobs"), part(response, "usage").get("prompt_tokens"), text)
    except ValueError:
        raise UnreadError(NO_NUMBERS) from None


def _from_prompt_logprobs(entries: Sequence[Any], text: str) -> Tokens:
    parsed = [_entry(entry) for entry in entries]
    return _aligned(
        text, [i for i, _, _ in parsed], [piece for _, piece, _ in parsed], [score for _, _, score in parsed]
    )


def _entry(entry: Any) -> tuple[int | None, str | None, float | None]:
    """Return a token's ID, piece and score; the first token has no score because nothing precedes it."""
    if entry is None:
        return None, None, None
    if not isinstance(entry, dict) or not entry:
        raise ValueError
    name = next(iter(entry))
    if not 0 <= (token := int(name)) < PIECES:
        raise ValueError
    told = part(entry, name)
    return token, told.get("decoded_token"), _score(told.get("logprob"))


def _from_echo(logprobs: dict[str, Any], prompt_tokens: Any, text: str) -> Tokens:
    pieces = listed(logprobs, "tokens")
    scores = [None if score is None else _score(score) for score in listed(logprobs, "token_logprobs")]
    # The last token was generated, because some servers refuse to generate zero tokens.
    count = prompt_tokens if prompt_tokens is not None else len(pieces) - 1
    if not isinstance(count, int) or None in pieces or not 0 < count <= len(pieces) == len(scores):
        raise ValueError
    return _aligned(text, [None] * count, pieces[:count], scores[:count])


def _score(value: Any) -> float:
    if (score := number(value)) is None:
        raise ValueError
    return score


def _aligned(
    text: str, ids: Sequence[int | None], pieces: Sequence[str | None], scores: Sequence[float | None]
) -> Tokens:
    spelled = all(isinstance(piece, str | None) for piece in pieces)
    if not pieces or not spelled or all(score is None for score in scores):
        raise ValueError
    offsets = align(text, pieces)
    # Only tokens before the text that cover none of it were added by the tokenizer.
    first = next((k for k, (start, stop) in enumerate(offsets) if start < stop), len(offsets))
    special = tuple(k < first and scores[k] is None for k in range(len(offsets)))
    written = [text[a:b] if piece is None else piece for piece, (a, b) in zip(pieces, offsets, strict=True)]
    numbers = (_number(piece) if token is None else token for token, piece in zip(ids, written, strict=True))
    return Tokens(tuple(numbers), tuple(written), tuple(scores), tuple(offsets), special)


def _number(piece: str) -> int:
    """Derive an ID from a piece, for servers that return no token IDs; equal pieces get equal IDs."""
    return PIECES + int.from_bytes(hashlib.sha256(piece.encode()).digest()[:4], "big")


def align(text: str, pieces: Sequence[str | None]) -> list[tuple[int, int]]:
    """Return the character span that each piece covers; None stands for an unknown piece."""
    offsets = [(0, 0)] * len(pieces)
    end, last = len(text), len(pieces)
    while last and (span := _back(text, end, pieces[last - 1])) is not None:
        last -= 1
        if span[1] < end and last + 1 < len(pieces):  # a space that the server stripped from the next piece
            offsets[last + 1] = (span[1], offsets[last + 1][1])
        offsets[last], end = span, span[0]
    start, first = 0, 0
    while first < last and (length := _forward(text[start:end], pieces[first])) is not None:
        offsets[first] = (start, start + length)
        first, start = first + 1, start + length
    for k in range(first, last):
        offsets[k] = (start, end)
    return offsets


def _spellings(piece: str | None) -> list[str]:
    """Return the possible spellings of a piece, since some servers keep the tokenizer's space symbol."""
    if piece is None:
        return []
    return list(dict.fromkeys([piece, plain(piece).replace("Ċ", "\n")]))


def _back(text: str, end: int, piece: str | None) -> tuple[int, int] | None:
    """Return the span of a piece that ends at `end`, ignoring spaces before `end`; None if it does not match."""
    for spelling in _spellings(piece):
        for stop in (end, len(text[:end].rstrip())):
            if text[:stop].endswith(spelling):
                return stop - len(spelling), stop
            if spelling.startswith(" ") and text[:stop] == spelling[1:]:  # some tokenizers add a space at the start
                return 0, stop
    return None


def _forward(rest: str, piece: str | None) -> int | None:
    """Return how many characters at the start of `rest` the piece covers; None if it does not match."""
    for spelling in _spellings(piece):
        if spelling and rest.startswith(spelling):
            return len(spelling)
        if spelling.startswith(" ") and len(spelling) > 1 and rest.startswith(spelling[1:]):
            return len(spelling) - 1
    return None


def next_tokens(response: dict[str, Any]) -> Candidates:
    """Return the candidates for a response's first token, likeliest first.

    Non-numeric scores are dropped. Tokens with NaN or infinite scores are kept at the end, since they are not missing.
    """
    logprobs = part(first_choice(response), "logprobs")
    if content := listed(logprobs, "content"):  # chat, and llama.cpp's completions
        candidates = scored(listed(content[0], "top_logprobs"))
    else:
        tops = listed(logprobs, "top_logprobs")
        pairs = tops[0].items() if tops and isinstance(tops[0], dict) else ()
        candidates = scored([{"token": token, "logprob": score} for token, score in pairs])
    return sorted(candidates, key=lambda pair: -pair[1] if math.isfinite(pair[1]) else math.inf)


def scored(entries: Sequence[Any]) -> Candidates:
    """Return the tokens in these entries that have a numeric log-probability."""
    pairs = [(entry.get("token"), number(entry.get("logprob"))) for entry in entries if isinstance(entry, dict)]
    return [(token, score) for token, score in pairs if isinstance(token, str) and score is not None]


def plain(token: str) -> str:
    """Return a token with its space symbol replaced by a space."""
    return token.replace("\u2581", " ").replace("Ġ", " ")


def leaves_out_spaces(candidates: Candidates) -> bool:
    """Return whether the server strips leading spaces from its tokens, so that " he" and "he" look the same."""
    return not any(plain(token)[:1].isspace() for token, _ in candidates)


def score_of(word: str, candidates: Candidates) -> float | None:
    """Return the log-probability of the token equal to this word, including its leading space."""
    return next((score for token, score in candidates if plain(token) == word), None)


def score_of_reply(word: str, candidates: Candidates) -> float | None:
    """Return the log-probability that a reply begins with this word, ignoring surrounding spaces and case."""
    scores = [score for token, score in candidates if plain(token).strip().casefold() == word.casefold()]
    if len(scores) > 1:
        # A variant spelling without a computed log-probability adds nothing.
        floor = shared_floor([score for _, score in candidates])
        computed = [score for score in scores if fault(score, floor) is None]
        return math.log(math.fsum(map(math.exp, computed))) if computed else scores[0]
    return scores[0] if scores else None
