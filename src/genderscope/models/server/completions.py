"""Completions from a server: the likeliest next tokens, or sampled continuations."""

import math

from genderscope.core.errors import UserError
from genderscope.core.questions import Completion, CompletionAnswer
from genderscope.models.server.choices import (
    NO_NUMBERS,
    NOTHING_BEFORE,
    ONE_TOKEN,
    TOO_LONG,
    Server,
    draw_scored,
    first_fault,
)
from genderscope.models.server.ladder import request_next
from genderscope.models.server.plausibility import fault_of_next
from genderscope.models.server.tokens import next_tokens
from genderscope.models.server.transport import TooLongError


def check_completion(server: Server, name: str, question: Completion) -> None:
    """Raise if the server's rung does not support this completion, before any request is sent."""
    if question.whole_words:
        raise UserError(f"'{name}' does not say which tokens are whole words; leave out --whole-words.")
    if question.search == "sample":
        return
    if question.new_tokens > 1:
        raise UserError(f"'{name}' does not support beam search; use --search sample, or --new-tokens 1.")
    if question.k > server.rung.top:
        raise UserError(
            f"K is {question.k}, but '{name}' returns only {server.rung.top} next tokens; "
            "lower -k or use --search sample."
        )


def complete(server: Server, question: Completion) -> CompletionAnswer:
    """Continue the text before the blank, stripped of its final space, which belongs to the next word's first token."""
    before = question.before.rstrip()
    if not before:
        return CompletionAnswer(None, unread=NOTHING_BEFORE)
    try:
        return _drawn(server, before, question) if question.search == "sample" else _next(server, before, question)
    except TooLongError:
        return CompletionAnswer(None, unread=TOO_LONG)


def _next(server: Server, before: str, question: Completion) -> CompletionAnswer:
    path, body = request_next("completions", before, question.k)
    told = next_tokens(server.post(path, {**body, **ONE_TOKEN}))
    every = [score for _, score in told]
    found = told[: question.k]
    if reason := fault_of_next(told) or first_fault((score for _, score in found), every):
        return CompletionAnswer(None, unread=reason)
    if len(found) < question.k:
        return CompletionAnswer(None, unread=f"the server returned only {len(found)} different tokens of {question.k}")
    return CompletionAnswer(tuple(token.strip() for token, _ in found), tuple(min(score, 0.0) for _, score in found))


def _drawn(server: Server, before: str, question: Completion) -> CompletionAnswer:
    path, body = request_next("completions", before, 1 if server.rung.top else 0)
    found = draw_scored(server, path, body, question.k, question.new_tokens, question.seed)
    texts = tuple(text.strip() for text, _ in found)
    if len(found) < question.k:
        return CompletionAnswer(None, unread=f"the server returned {len(found)} of {question.k} continuations")
    if not server.rung.top:
        return CompletionAnswer(texts)
    scores = []
    for _, told in found:
        known = [score for score in told if score is not None]
        if not known or len(known) < len(told):
            return CompletionAnswer(None, unread=NO_NUMBERS)
        if reason := first_fault(known, known):
            return CompletionAnswer(None, unread=reason)
        scores.append(min(math.fsum(known), 0.0))
    return CompletionAnswer(texts, tuple(scores))
