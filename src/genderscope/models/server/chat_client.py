"""Chat-completions client that sends one request per reply, drops rejected options and separates out reasoning."""

import math
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, ClassVar

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    FIELD,
    ChoiceAnswer,
    Message,
    Question,
    Reply,
    ReplyAnswer,
    ReplyStart,
    StructuredReply,
)
from genderscope.models.chat import without_thoughts
from genderscope.models.http.response_limits import REPLY_LIMIT, TooLargeError
from genderscope.models.server.json_access import choices_of, first_choice, listed, number, part
from genderscope.models.server.tokens import NO_NUMBERS, UnreadError, check_next, plain, scored
from genderscope.models.server.transport import RefusedError, TooLongError
from genderscope.models.settings import RequestOptions

#: name of the schema, or of the tool whose input has this schema
NAME = "choice"
#: words with which servers and vendors reject a schema, ignoring case, spaces and punctuation
_WORDS = ("responseformat", "responseschema", "responsemimetype", "jsonschema", "jsonmode", "structuredoutput")
_MORE = ("guideddecoding", "grammar", "toolchoice", "tooluse", "inputschema")


def schema(question: StructuredReply) -> dict[str, Any]:
    """Return the schema of an object with one required field, which is one of the options."""
    return {
        "type": "object",
        "properties": {FIELD: {"type": "string", "enum": list(question.options)}},
        "required": [FIELD],
    }


def response_format(question: StructuredReply) -> dict[str, Any]:
    """Return the field `response_format` of OpenAI's protocol; strict schemas must exclude further fields."""
    strict = schema(question) | {"additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": NAME, "strict": True, "schema": strict}}


def names_schema(refusal: RefusedError) -> bool:
    """Return whether a refusal is about the schema rather than about the model, its other options or the text."""
    said = re.sub(r"[^a-z]", "", refusal.message.casefold())
    return refusal.status in (400, 404, 422, 501) and any(word in said for word in (*_WORDS, *_MORE))


CHAT = "/chat/completions"
#: a prompt with many valid answers, so that repeated samples reveal whether the server honours the seed
ANY_NUMBER = "Write any five numbers between 1 and 1000000. Write the numbers only."
TOO_LONG, FILTERED = "longer than the server's model accepts", "stopped by the server's content filter"
NO_REPLY = "the server sent no reply"
NO_SCHEMAS = "{} does not accept structured output for model '{}', which --form structured needs ({}); use --form ask."
TOO_LARGE = f"the server's reply is larger than {REPLY_LIMIT >> 20} MiB"
#: average characters per token in European languages, set low so that costs are not underestimated, and extra tokens
#: per message
CHARACTERS, OVERHEAD = 3.5, 8
#: model names are truncated to this length before comparison
LONGEST_NAME = 200
#: suffixes that do not denote a different model: a date, a snapshot number, "latest"
_SNAPSHOT = re.compile(r"(?:[-@:_]?(?:latest|\d{3}[\d.-]*+))*")

#: function that sends a body to a path; its last argument limits the response size in bytes
Post = Callable[[str, dict[str, Any], int], dict[str, Any]]


class ChatClient:
    """Client that requests replies from one model over the OpenAI protocol. Thread-safe."""

    #: whether requests may include a seed
    seeded = True
    #: text added to the caution about a rejected option
    where = ""
    #: optional fields: a field that the server rejects is dropped, and the results report it
    options: ClassVar[Iterable[str]] = ("seed", "top_p", "temperature", "reasoning_effort")

    def __init__(self, post: Post, model: str, who: str = "The server") -> None:
        self._post, self.model, self.who = post, model, who
        self._lock = threading.Lock()
        self._limit = "max_tokens"
        #: options that the server rejected, and options that it accepts but ignores
        self.left_out: set[str] = set()
        self.ignored: set[str] = set()
        self._checked = False
        #: largest number of likeliest tokens that the server has not rejected
        self.most_logprobs = 1_000_000

    def reply(self, question: Reply) -> ReplyAnswer:
        """Request one reply and parse it."""
        try:
            response = self.sent(question)
        except RefusedError as refusal:
            if (answer := self.refused(question, refusal)) is None:
                raise
            return answer
        except TooLargeError:
            return ReplyAnswer(None, unread=TOO_LARGE)
        return self._with_end(self.read(response), response, question)

    def _with_end(self, answer: ReplyAnswer, response: dict[str, Any], question: Reply) -> ReplyAnswer:
        """Mark a reply of maximum length as cut off if the server gives no reason for its end."""
        written = number(part(response, "usage").get("completion_tokens"))
        unexplained = answer.ended is None and first_choice(response).get("finish_reason") is None
        cut = unexplained and written is not None and written >= question.max_tokens
        return replace(answer, ended="length") if cut else answer

    def refused(self, question: Reply, refusal: RefusedError) -> ReplyAnswer | None:
        """Return the answer that a refusal amounts to; None if the refusal is not about this question's text."""
        if isinstance(question, StructuredReply) and names_schema(refusal):
            raise UserError(NO_SCHEMAS.format(self.who, self.model, refusal.message.rstrip("."))) from None
        if _filtered(refusal.message):
            return ReplyAnswer(None, ended="filter", unread=FILTERED)
        return ReplyAnswer(None, unread=TOO_LONG) if isinstance(refusal, TooLongError) else None

    def request(self, question: Reply) -> dict[str, Any]:
        """Return the complete request for a question, for a batch job: without the fields that were rejected."""
        return {"model": self.model, **self._accepted(self.body(question))}

    def sent(self, question: Reply) -> dict[str, Any]:
        """Send the request for a question and return the raw response."""
        return self.post(self.body(question))

    def body(self, question: Reply) -> dict[str, Any]:
        """Return the request body for a question."""
        body: dict[str, Any] = {
            "messages": turns(question.messages),
            "max_tokens": question.max_tokens,
            "temperature": question.temperature,
            "top_p": question.top_p,
            "seed": question.seed,
        }
        if question.reasoning_effort is not None:
            body["reasoning_effort"] = question.reasoning_effort
        if isinstance(question, StructuredReply):
            body["response_format"] = response_format(question)
        return body

    def post(self, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request, dropping optional fields once the server has rejected them."""
        while True:
            sent = self._accepted(body)
            try:
                return self._post(CHAT, sent, REPLY_LIMIT)
            except RefusedError as refusal:
                if not self._learned(refusal, sent):
                    raise

    def _accepted(self, body: dict[str, Any]) -> dict[str, Any]:
        sent = {name: value for name, value in body.items() if name not in self.left_out}
        sent[self._limit] = sent.pop("max_tokens")
        return sent

    def _learned(self, refusal: RefusedError, sent: dict[str, Any]) -> bool:
        """Drop or rename the field named in a refusal; return whether a retry makes sense."""
        if refusal.status not in (400, 404, 422) or _filtered(refusal.message):
            return False
        with self._lock:
            if "max_completion_tokens" in refusal.message and "max_tokens" in sent:
                self._limit = "max_completion_tokens"  # OpenAI's newer models
                return True
            words = refusal.message
            named = next((name for name in self.options if name in sent and re.search(rf"\b{name}\b", words)), None)
            if named is not None:
                self.left_out.add(named)
            return named is not None

    def read(self, response: dict[str, Any]) -> ReplyAnswer:
        """Parse the server's response."""
        choice = first_choice(response)
        message = part(choice, "message")
        if not choices_of(response) or not message:
            return ReplyAnswer(None, unread=NO_REPLY)
        other = served_by(self.model, response.get("model"))
        said, thought = without_thoughts(_text(message.get("content")))
        told = next((_text(message[name]) for name in ("reasoning_content", "reasoning") if message.get(name)), None)
        thought = "\n".join(filter(None, (told, thought))) or None
        if refused := _text(message.get("refusal")):
            return ReplyAnswer(said or refused, thought, "refusal", other)
        ended = choice.get("finish_reason")
        if ended == "content_filter":
            return ReplyAnswer(None, thought, "filter", other, FILTERED)
        return ReplyAnswer(said, thought, "length" if ended in ("length", "max_tokens") else None, other)

    def check(self, questions: Sequence[Question]) -> None:
        """Check once whether the server honours `seed` and `top_p`."""
        drawn = next(
            (question for question in questions if isinstance(question, Reply) and question.temperature > 0), None
        )
        if self._checked or drawn is None:
            return
        self._checked = True
        if (
            self.seeded
            and "seed" not in self.left_out
            and len({self._tried(drawn, 0, drawn.top_p) for _ in range(2)}) > 1
        ):
            self.ignored.add("seed")
        if drawn.top_p < 1 and len({self._tried(drawn, seed, 1e-4) for seed in (1, 2)}) > 1:
            self.ignored.add("top_p")

    def _tried(self, like: Reply, seed: int, top_p: float) -> str:
        asked = Reply((Message("user", ANY_NUMBER),), 40, like.temperature, top_p, seed, like.reasoning_effort)
        return str(self.reply(asked).text)

    def cautions(self) -> list[str]:
        """Return one sentence per option that had no effect."""
        rejected = [name for name in self.options if name in self.left_out]
        sentences = [f"{self.who} does not accept '{name}'{self.where}, so it was omitted." for name in rejected]
        if "seed" in self.ignored:
            sentences.append(
                f"{self.who} gave different answers to the same question with the same seed, so sampling is not "
                "reproducible."
            )
        if "top_p" in self.ignored:
            sentences.append(f"{self.who} accepts 'top_p' but ignores it: unlikely tokens were still sampled.")
        return sentences


@dataclass(frozen=True)
class Sent:
    """The number of requests for one question, with its input tokens and maximum output tokens."""

    requests: int
    tokens: int
    most: int


def tokens_in(text: str) -> int:
    """Estimate the number of tokens in one message."""
    return int(len(text) / CHARACTERS) + OVERHEAD


def sent_for(question: Question) -> Sent | None:
    """Return the number of requests and tokens for a conversation; None for other kinds of questions."""
    if not isinstance(question, Reply | ReplyStart):
        return None
    sent = sum(tokens_in(message.content) for message in question.messages)
    return Sent(1, sent, question.max_tokens if isinstance(question, Reply) else 2)


def in_words(asked: Sequence[Sent], remote: RequestOptions) -> str | None:
    """Return a sentence on the total requests, tokens and cost; None if there are no requests."""
    if not asked:
        return None
    requests, sent, most = (sum(numbers) for numbers in zip(*map(astuple, asked), strict=True))
    told = f"{requests:,} requests: about {sent:,} input tokens and at most {most:,} output tokens"
    if remote.price_in is None and remote.price_out is None:
        return f"{told}."
    least, highest = (remote.tokens_cost(sent, received, remote.batch) for received in (0, most))
    prices = "half the given prices (batch)" if remote.batch else "the given prices"
    return f"{told}, costing between {least:,.2f} and {highest:,.2f} at {prices}."


def turns(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Convert messages to the protocol's format."""
    return [{"role": message.role, "content": message.content} for message in messages]


def served_by(asked: str, told: Any) -> str | None:
    """Return the model named in the server's response if it differs from the requested one."""
    if not isinstance(told, str) or not (told := told[:LONGEST_NAME].strip()):
        return None
    name, other = (model_name.strip().casefold().rstrip("/").rpartition("/")[2] for model_name in (asked, told))
    shorter, longer = sorted((name.removesuffix("-latest"), other), key=len)
    alike = longer.startswith(shorter) and _SNAPSHOT.fullmatch(longer[len(shorter) :]) is not None
    return None if alike else told


def _filtered(message: str) -> bool:
    words = message.casefold()
    return any(
        phrase in words for phrase in ("content_filter", "content filter", "content management policy", "safety")
    )


def _text(content: Any) -> str:
    """Return a message's text, joining its parts if it has several."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (piece.get("text") if isinstance(piece, dict) else piece for piece in content)
        return "".join(piece for piece in parts if isinstance(piece, str))
    return ""


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
        score, least = _beginning_score(beginning.casefold(), places)
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
    score_by_token = dict(
        reversed(scored([*listed(entry, "top_logprobs"), entry]))
    )  # of equal tokens, the first counts
    taken = entry.get("token") if isinstance(entry, dict) else None
    return sorted(score_by_token.items(), key=lambda pair: -pair[1]), taken if isinstance(taken, str) else ""


def _beginning_score(text: str, places: Sequence[tuple[Candidates, str]]) -> tuple[float | None, float]:
    """Return the log-probability that a reply begins with this text, and the upper bound for an unlisted beginning."""
    scores: list[float] = []
    least, before, rest = 0.0, 0.0, text
    for candidates, taken in places:
        words = [(plain(token).strip().casefold(), score) for token, score in candidates]
        scores += [before + score for token, score in words if token.startswith(rest)]
        least = before + min((score for _, score in words), default=0.0)
        step = plain(taken).strip().casefold()
        if not step or not rest.startswith(step) or step == rest:
            break
        before += next((score for token, score in words if token == step), 0.0)
        rest = rest[len(step) :]
    finite = [score for score in scores if math.isfinite(score)]
    return (math.log(math.fsum(map(math.exp, finite))) if finite else None), least
