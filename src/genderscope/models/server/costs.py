"""Request and token counts for questions to a server."""

from collections.abc import Sequence
from math import ceil

from genderscope.core.questions import Choice, Completion, Question, TokenLikelihood, Translation
from genderscope.models.server.chat_client import Sent, in_words, sent_for, tokens_in
from genderscope.models.server.choices import Server, fill_text
from genderscope.models.server.translation import request_for


def cost_of(server: Server, template: str, questions: Sequence[Question]) -> str | None:
    """Describe the requests, tokens and cost of the questions in one sentence."""
    asked = [_sent(server, template, question) for question in questions]
    return in_words(asked, server.remote.price_in, server.remote.price_out)


def _sent(server: Server, template: str, question: Question) -> Sent:
    if (conversation := sent_for(question)) is not None:
        return conversation
    match question:
        case Translation():
            body = request_for(template, question)
            return Sent(1, tokens_in(body["messages"][0]["content"]), body["max_tokens"])
        case Choice():
            return _choice(server, question)
        case Completion() if question.search == "sample":
            return _drawn(server, question.before, question.k, question.new_tokens)
        case Completion():
            return Sent(1, tokens_in(question.before), 1)
        case TokenLikelihood():
            return Sent(1, tokens_in(question.text), 1)
    raise TypeError(f"unknown kind of question: {type(question).__name__}")


def _choice(server: Server, question: Choice) -> Sent:
    text = fill_text(question) if server.rung.through == "chat" else question.before
    if server.rung.name == "prompt":
        whole = sum(tokens_in(question.before + option + question.after) for option in question.options)
        return Sent(len(question.options), whole, len(question.options))
    if server.rung.name == "top":
        return Sent(1, tokens_in(text), 1)
    return _drawn(server, text, server.remote.samples, 4 + max(map(len, question.options)))


def _drawn(server: Server, text: str, count: int, length: int) -> Sent:
    requests = ceil(count / server.at_a_time)
    return Sent(requests, requests * tokens_in(text), count * length)
