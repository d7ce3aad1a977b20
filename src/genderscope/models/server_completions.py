"""Completions through a server: the likeliest next tokens, or continuations drawn at random."""

from genderscope.errors import UserError
from genderscope.models.server_choices import NO_NUMBERS, NOTHING_BEFORE, TOO_LONG, Server, draw_scored
from genderscope.models.server_next import next_tokens
from genderscope.models.server_transport import RefusedError
from genderscope.questions import Completion, CompletionAnswer


def check_completion(server: Server, name: str, question: Completion) -> None:
    """Refuse what no server of this rung can do, before anything is asked."""
    if question.whole_words:
        raise UserError(f"'{name}' does not tell which tokens are whole words; leave out --whole-words.")
    if question.search == "sample":
        return
    if question.new_tokens > 1:
        raise UserError(f"'{name}' does no beam search; use --search sample, or --new-tokens 1.")
    if question.k > server.rung.top:
        raise UserError(
            f"K is {question.k}, but '{name}' tells only {server.rung.top} next tokens; "
            "lower -k or use --search sample."
        )


def complete(server: Server, question: Completion) -> CompletionAnswer:
    """Continue the text before the blank. A word's first token carries the space, so the text ends before that."""
    before = question.before.rstrip()
    if not before:
        return CompletionAnswer(None, unread=NOTHING_BEFORE)
    try:
        return _drawn(server, before, question) if question.search == "sample" else _next(server, before, question)
    except RefusedError as refusal:
        if refusal.too_long:
            return CompletionAnswer(None, unread=TOO_LONG)
        raise


def _next(server: Server, before: str, question: Completion) -> CompletionAnswer:
    body = {"prompt": before, "max_tokens": 1, "temperature": 0, "logprobs": question.k}
    found = next_tokens(server.post("/completions", body))[: question.k]
    if len(found) < question.k:
        return CompletionAnswer(None, unread=f"the server told only {len(found)} different tokens of {question.k}")
    return CompletionAnswer(tuple(token.strip() for token, _ in found), tuple(score for _, score in found))


def _drawn(server: Server, before: str, question: Completion) -> CompletionAnswer:
    body = {"prompt": before, **({"logprobs": 1} if server.rung.top else {})}
    found = draw_scored(server, "/completions", body, question.k, question.new_tokens, question.seed)
    if len(found) < question.k:
        return CompletionAnswer(None, unread=f"the server drew {len(found)} of {question.k} continuations")
    scores = tuple(score for _, score in found if score is not None)
    if server.rung.top and len(scores) < len(found):
        return CompletionAnswer(None, unread=NO_NUMBERS)
    return CompletionAnswer(tuple(text.strip() for text, _ in found), scores)
