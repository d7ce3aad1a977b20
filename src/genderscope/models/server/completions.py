"""Completions from a server: the likeliest next tokens, or sampled continuations."""

import math

from genderscope.core.errors import UserError
from genderscope.core.questions import Completion, CompletionAnswer
from genderscope.models.server.choices import NOTHING_BEFORE, ONE_TOKEN, Server, draw_scored
from genderscope.models.server.ladder import request_next
from genderscope.models.server.plausibility import UnreadError, check_next, check_scores
from genderscope.models.server.tokens import NO_NUMBERS, next_tokens


def check_completion(server: Server, name: str, question: Completion) -> None:
    """Raise if the server's rung does not support this completion, before any request is sent."""
    if question.whole_words:
        raise UserError(f"'{name}' does not report which tokens are whole words; omit --whole-words.")
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
        raise UnreadError(NOTHING_BEFORE)
    return _drawn(server, before, question) if question.search == "sample" else _next(server, before, question)


def _next(server: Server, before: str, question: Completion) -> CompletionAnswer:
    path, body = request_next("completions", before, question.k)
    candidates = next_tokens(server.post(path, {**body, **ONE_TOKEN}))
    best = candidates[: question.k]
    check_next(candidates)
    check_scores((score for _, score in best), [score for _, score in candidates])
    if len(best) < question.k:
        raise UnreadError(f"the server returned only {len(best)} of {question.k} tokens")
    return CompletionAnswer(tuple(token.strip() for token, _ in best), tuple(min(score, 0.0) for _, score in best))


def _drawn(server: Server, before: str, question: Completion) -> CompletionAnswer:
    path, body = request_next("completions", before, 1 if server.rung.top else 0)
    samples = draw_scored(server, path, body, question.k, question.new_tokens, question.seed)
    texts = tuple(text.strip() for text, _ in samples)
    if len(samples) < question.k:
        raise UnreadError(f"the server returned only {len(samples)} of {question.k} continuations")
    if not server.rung.top:
        return CompletionAnswer(texts)
    scores = []
    for _, token_scores in samples:
        known = [score for score in token_scores if score is not None]
        if not known or len(known) < len(token_scores):
            raise UnreadError(NO_NUMBERS)
        check_scores(known, known)
        scores.append(min(math.fsum(known), 0.0))
    return CompletionAnswer(texts, tuple(scores))
