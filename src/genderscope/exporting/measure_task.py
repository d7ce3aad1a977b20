"""A measure as a task of another tool: which combinations exist, and the requests of each sample with their answers."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

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
from genderscope.measures import AnyMeasure, Options, measure_type, parse_options
from genderscope.models import Batch, Chat, Model, Plan, ReplyModel, WordModel


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
    requests: list[Request] = []
    for k, question in enumerate(questions):
        if isinstance(question, Reply):
            requests.append(Request(k, _prompt(question)))
            continue
        text, continuations = _split(question)
        last = requests[-1] if requests else None
        if isinstance(question, TokenLikelihood) and last is not None and last.text == text:
            requests[-1] = Request(last.question, text, (*last.continuations, *continuations))
        else:
            requests.append(Request(k, text, continuations))
    return requests


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


LM_EVAL, INSPECT = "lm-eval", "inspect"
NAMES = {LM_EVAL: "lm-evaluation-harness", INSPECT: "Inspect"}
#: tool -> the measures that it can express exactly
MEASURES_OF = {LM_EVAL: ("gest", "eurogest", "winobias", "gest-chat", "bbq"), INSPECT: ("gest-chat", "bbq")}
CHAT_MEASURES = MEASURES_OF[INSPECT]
#: version of the layout of exported tasks
LAYOUT = 1
#: columns that need the number of tokens, which the tools do not report
_NEED_TOKENS = ("log_probability", "tokens_biased", "tokens_counter", "tokens_unknown")


def require_measure(tool: str, measure: str) -> None:
    """Raise a UserError if a tool cannot express a measure exactly."""
    if measure in MEASURES_OF[tool]:
        return
    others = ", ".join(MEASURES_OF[tool])
    if measure == "crows":
        reason = f"compares the tokens that two sentences share, whose likelihoods {NAMES[tool]} does not return"
    elif tool == INSPECT and measure in MEASURES_OF[LM_EVAL]:
        reason = f"needs the likelihoods of given words, which {NAMES[tool]} does not return; use 'export lm-eval'"
    else:
        measure_type(measure)
        reason = f"cannot be exported to {NAMES[tool]}"
    raise UserError(f"'{measure}' {reason} (exported measures: {others}).")


@dataclass(frozen=True)
class Sampling:
    """How replies are sampled."""

    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int | None = None


class _StandIn(Model):
    """Takes the place of the model that the other tool will ask."""

    @property
    def fingerprint(self) -> str:
        return "none"

    def describe(self) -> dict[str, Any]:
        return super().describe()

    def load(self) -> None:
        raise NotImplementedError

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        raise NotImplementedError

    def answer(self, batch: Batch) -> list[Any]:
        raise NotImplementedError


class _CausalModel(_StandIn, WordModel):
    answers = frozenset({Choice, TokenLikelihood})
    kind = "causal"
    sees_after: ClassVar[bool] = False


class _ChatModel(_StandIn, ReplyModel):
    answers = frozenset({Reply})
    kind = "chat"


class MeasureTask:
    """A measure with its options, as a task of a tool.

    The measure is bound to a stand-in for the tool's model, so that samples, questions, readings and estimates are
    those of a run.
    """

    def __init__(
        self,
        tool: str,
        measure: str,
        options: Mapping[str, Any],
        sampling: Sampling | None = None,
        recorded: bool = False,
    ) -> None:
        require_measure(tool, measure)
        self.tool = tool
        kind = measure_type(measure)
        self.options: Options = parse_options(kind, options, recorded=recorded)
        _require_expressible(tool, measure, self.options)
        self.replies = tool == INSPECT or measure == "gest-chat" or getattr(self.options, "form", None) == "ask"
        if sampling is not None and sampling != Sampling() and not self.replies:
            raise UserError("Likelihoods are not sampled; leave out --temperature, --top-p and --max-tokens.")
        self.sampling = sampling or Sampling()
        model: Model = _CausalModel(NAMES[tool])
        if self.replies:
            chat = _ChatModel(NAMES[tool])
            chat.chat = Chat(self.sampling.temperature, self.sampling.top_p, self.sampling.max_tokens)
            model = chat
        self.measure: AnyMeasure = kind(self.options, model)

    @property
    def name(self) -> str:
        """The task's name in the tool: measure and languages."""
        language = getattr(self.options, "lang", ())
        languages = (language,) if isinstance(language, str) else tuple(language)
        parts = [self.measure.id.replace("-", "_"), *(code for code in languages if code != "en")]
        return "_".join(["genderscope", *parts[:6]])

    @property
    def description(self) -> dict[str, Any]:
        """What is needed to import the task's logs."""
        options = self.options.model_dump(exclude_defaults=True, mode="json")
        return {
            "layout": LAYOUT,
            "measure": self.measure.id,
            "options": options,
            "sampling": {"temperature": self.sampling.temperature, "top_p": self.sampling.top_p}
            | ({} if self.sampling.max_tokens is None else {"max_tokens": self.sampling.max_tokens}),
            "data": {name: self.measure.data()[name] for name in ("name", "sha256", "samples")},
        }

    @cached_property
    def questions(self) -> list[tuple[Question, ...]]:
        """The questions of each sample."""
        return [self.measure.ask(sample) for sample in self.measure.samples]

    def requests(self) -> Iterator[tuple[int, Request]]:
        """Yield the requests of all samples, each with the sample's position."""
        for k, questions in enumerate(self.questions):
            for request in requests_of(questions):
                yield k, request

    @cached_property
    def longest(self) -> int:
        """The longest reply, in tokens."""
        return max(q.max_tokens for questions in self.questions for q in questions if isinstance(q, Reply))

    def rows(self, position: int, responses: Sequence[Response]) -> list[Any]:
        """Return the rows of a sample, given the responses to its requests."""
        answers = answers_of(self.questions[position], responses)
        rows = list(self.measure.read(self.measure.samples[position], answers))
        unknown = {name: None for name in _NEED_TOKENS if rows and hasattr(rows[0], name)}
        return [replace(row, **unknown) for row in rows]


def _require_expressible(tool: str, measure: str, options: Any) -> None:
    """Raise a UserError for options that the tool cannot express exactly."""
    form = getattr(options, "form", None)
    if form in ("letter", "structured"):
        raise UserError(f"--form {form} cannot be expressed exactly in {NAMES[tool]}; use --form ask.")
    if tool == INSPECT and form == "choice":
        raise UserError("--form choice needs likelihoods, which Inspect does not return; use --form ask.")
    if tool == LM_EVAL and options.as_published == LM_EVAL:
        raise UserError("lm-evaluation-harness has the published task itself, 'bbq'; leave out --as-published.")
    if getattr(options, "scoring", None) == "length":
        raise UserError(f"--scoring length needs the number of tokens, which {NAMES[tool]} does not report.")
    if measure == "eurogest" and options.as_published:
        raise UserError(f"--as-published needs the number of tokens, which {NAMES[tool]} does not report.")
    if getattr(options, "judge", None) is not None:
        raise UserError("--judge needs a second model; leave it out, or use it with genderscope run.")
