"""Probabilities of reply beginnings, from the server's likeliest tokens."""

import math
from collections.abc import Sequence
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.questions import ChoiceAnswer, ReplyStart
from genderscope.models.server.chat_client import ChatClient, turns
from genderscope.models.server.json_access import first_choice, listed, part
from genderscope.models.server.plausibility import UnreadError, check_next
from genderscope.models.server.tokens import NO_NUMBERS, plain, scored
from genderscope.models.server.transport import RefusedError, TooLongError

#: numbers of likeliest tokens to request: OpenAI and vLLM return 20, some servers fewer
COUNTS = (20, 5)
#: an unlisted beginning is assigned its upper bound if that is at most this probability
NEGLIGIBLE = 1e-3
#: number of reply tokens to inspect: possibly a parenthesis, then a letter
LOOKED_AT = 2
NOT_TOLD = "'{}' is not among the {} likeliest tokens that the server returned"
BELOW = "a beginning that the server did not return is scored like the least likely token that it did return"

Candidates = Sequence[tuple[str, float]]


def start(chatter: ChatClient, url: str, question: ReplyStart) -> ChoiceAnswer:
    """Request a reply's first tokens and look up the beginnings among them."""
    entries = listed(part(first_choice(_asked(chatter, url, question)), "logprobs"), "content")
    if not entries:
        raise _no_numbers(url)
    places = [_candidates(entry) for entry in entries[:LOOKED_AT]]
    likeliest = places[0][0]
    if not likeliest:
        raise UnreadError(NO_NUMBERS)
    check_next(likeliest)
    scores, note = [], None
    for beginning in question.starts:
        score, least = _score(beginning.casefold(), places)
        if score is None and least > math.log(NEGLIGIBLE):
            raise UnreadError(NOT_TOLD.format(beginning, len(likeliest)))
        if score is None:
            score, note = least, BELOW
        scores.append(min(score, 0.0))
    return ChoiceAnswer(tuple(scores), log_normaliser=0.0, note=note)


def _asked(chatter: ChatClient, url: str, question: ReplyStart) -> dict[str, Any]:
    body = {"messages": turns(question.messages), "max_tokens": LOOKED_AT, "temperature": 0, "logprobs": True}
    if question.reasoning_effort is not None:
        body["reasoning_effort"] = question.reasoning_effort
    for count in COUNTS:
        if count > chatter.most_logprobs:
            continue
        try:
            return chatter.post(body | {"top_logprobs": count})
        except RefusedError as refusal:
            if isinstance(refusal, TooLongError) or "logprobs" not in refusal.message.casefold():
                raise
            chatter.most_logprobs = count - 1
    raise _no_numbers(url)


def _no_numbers(url: str) -> UserError:
    return UserError(
        f"The server at {url} returns no log-probabilities for its replies, which --form letter needs; use --form ask."
    )


def _candidates(entry: Any) -> tuple[Candidates, str]:
    """Return the likeliest tokens at one position of the reply, and the token generated there."""
    found = dict(reversed(scored([*listed(entry, "top_logprobs"), entry])))  # of equal tokens, the first counts
    taken = entry.get("token") if isinstance(entry, dict) else None
    return sorted(found.items(), key=lambda pair: -pair[1]), taken if isinstance(taken, str) else ""


def _score(text: str, places: Sequence[tuple[Candidates, str]]) -> tuple[float | None, float]:
    """Return the log-probability that a reply begins with this text, and the upper bound for an unlisted beginning."""
    found: list[float] = []
    least, before, rest = 0.0, 0.0, text
    for candidates, taken in places:
        words = [(plain(token).strip().casefold(), score) for token, score in candidates]
        found += [before + score for token, score in words if token.startswith(rest)]
        least = before + min((score for _, score in words), default=0.0)
        step = plain(taken).strip().casefold()
        if not step or not rest.startswith(step) or step == rest:
            break
        before += next((score for token, score in words if token == step), 0.0)
        rest = rest[len(step) :]
    known = [score for score in found if math.isfinite(score)]
    return (math.log(math.fsum(map(math.exp, known))) if known else None), least
