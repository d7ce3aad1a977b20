"""Pre-run check that repeats a few of the run's questions on the server (see `stability`)."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice

from genderscope.core.questions import Choice, Completion, Question, TokenLikelihood
from genderscope.models.server.choices import ONE_TOKEN, Server, fill_text, read_text
from genderscope.models.server.ladder import USUAL, request_next
from genderscope.models.server.plausibility import UnreadError
from genderscope.models.server.stability import Numbers, alike, changed_in, numbers_of_next, numbers_of_tokens
from genderscope.models.server.tokens import next_tokens
from genderscope.models.server.transport import TooLongError

#: The texts to repeat are chosen from this many questions at the start of the run.
FIRST = 1000


def changed_on_own_questions(server: Server, questions: Sequence[Question]) -> str | None:
    """Query a few of a run's texts in one order and then in reverse; return a description of any change."""
    first = list(islice(questions, FIRST))
    prompts = alike([*_prompts(first)]) if server.rung.name == "prompt" else []
    beginnings = alike([*_beginnings(server, first)]) if server.rung.top else []
    return changed_in(partial(_prompt, server), prompts) or changed_in(partial(_next, server), beginnings)


def _prompts(questions: Iterable[Question]) -> Iterable[str]:
    for question in questions:
        if isinstance(question, Choice):
            yield from (question.before + option + question.after for option in question.options)
        elif isinstance(question, TokenLikelihood):
            yield question.text


def _beginnings(server: Server, questions: Iterable[Question]) -> Iterable[str]:
    """Yield the texts whose next tokens are scored."""
    for question in questions:
        if isinstance(question, Choice) and server.rung.name == "top":
            text = fill_text(question) if server.rung.through == "chat" else question.before.rstrip()
        elif isinstance(question, Completion) and question.search == "beam":
            text = question.before.rstrip()
        else:
            continue
        if text:
            yield text


def _prompt(server: Server, text: str) -> Numbers | None:
    try:
        return numbers_of_tokens(read_text(server, text))
    except (UnreadError, TooLongError):
        return None


def _next(server: Server, text: str) -> Numbers | None:
    path, body = request_next(server.rung.through, text, min(server.rung.top, USUAL))
    try:
        return numbers_of_next(next_tokens(server.post(path, {**body, **ONE_TOKEN})))
    except TooLongError:
        return None
