"""Questions as requests that other tools can make: likelihoods of continuations, or replies to a prompt.

A continuation begins with the white space before its first word, because that is how the tools tokenize.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    Answer,
    Choice,
    ChoiceAnswer,
    LikelihoodAnswer,
    Question,
    Reply,
    ReplyAnswer,
    StructuredReply,
    TokenLikelihood,
)


@dataclass(frozen=True)
class Request:
    """A text with continuations to score, or, without any, a prompt to reply to."""

    #: position of the first question that the request belongs to
    question: int
    text: str
    continuations: tuple[str, ...] = ()


#: the response to a request: the log-likelihood of each continuation, or the reply
Response = tuple[float, ...] | ReplyAnswer


def requests_of(questions: Sequence[Question]) -> list[Request]:
    """Return the requests for a sample's questions; successive likelihoods after the same text share one."""
    found: list[Request] = []
    for k, question in enumerate(questions):
        if isinstance(question, Reply):
            found.append(Request(k, _prompt(question)))
            continue
        text, continuations = _split(question)
        last = found[-1] if found else None
        if isinstance(question, TokenLikelihood) and last is not None and last.text == text:
            found[-1] = Request(last.question, text, (*last.continuations, *continuations))
        else:
            found.append(Request(k, text, continuations))
    return found


def answers_of(questions: Sequence[Question], responses: Sequence[Response]) -> list[Answer]:
    """Return the answers to a sample's questions, given the responses to its requests in order."""
    flat = _flat(responses)
    return [_answer(question, flat) for question in questions]


def _flat(responses: Sequence[Response]) -> Iterator[float | ReplyAnswer]:
    for response in responses:
        if isinstance(response, ReplyAnswer):
            yield response
        else:
            yield from response


def _answer(question: Question, responses: Iterator[float | ReplyAnswer]) -> Answer:
    if isinstance(question, Reply):
        reply = next(responses)
        assert isinstance(reply, ReplyAnswer)
        return reply
    _, continuations = _split(question)
    if isinstance(question, Choice):
        scores = tuple(_number(next(responses)) for _ in continuations)
        return ChoiceAnswer(scores, log_normaliser=0.0 if question.want_mass else None)
    # The sum stands for the tokens, whose number and ids the tools do not report. Texts with the same tokens have the
    # same sum, so the sum's bits serve as the id.
    score = _number(next(responses))
    return LikelihoodAnswer((score,), continuations, (int.from_bytes(struct.pack("d", score)),))


def _number(response: float | ReplyAnswer) -> float:
    assert not isinstance(response, ReplyAnswer)
    return response


def _prompt(question: Reply) -> str:
    (message,) = question.messages
    if isinstance(question, StructuredReply) or message.role != "user":
        raise _inexpressible("a reply that the server restricts")
    return message.content


def _split(question: Question) -> tuple[str, tuple[str, ...]]:
    """Return the text before the words in question, without white space at its end, and the continuations."""
    if isinstance(question, Choice):
        before, words = question.before, question.options
    elif isinstance(question, TokenLikelihood) and question.shared_with is None and not question.piecewise:
        ((start, end),) = question.spans or ((0, len(question.text)),)
        if end != len(question.text):
            raise _inexpressible("the likelihood of words inside a text")
        before, words = question.text[:start], (question.text[start:],)
    else:
        raise _inexpressible("the likelihood of single tokens")
    text = before.rstrip()
    if not text:
        raise UserError(
            f"'{words[0][:60]}' has no text before the scored words; other tools insert a token there, which changes "
            "the likelihood. Leave such texts out (eurogest: --condition)."
        )
    return text, tuple(before[len(text) :] + word for word in words)


def _inexpressible(what: str) -> UserError:
    return UserError(f"The measure asks for {what}, which a task of another tool cannot express.")
