"""Models on OpenAI-compatible servers: `server:URL#MODEL` (vLLM, llama.cpp, TGI and others)."""

import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import ceil
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    ANSWER_TO,
    Answer,
    Choice,
    Completion,
    Question,
    ReplyStart,
    TokenLikelihood,
    Translation,
)
from genderscope.models.base import Plan, TranslationModel, WordModel
from genderscope.models.chat import CONVERSATION, TranslationPrompt, translation_in
from genderscope.models.digest import short_hash
from genderscope.models.http.keys import without_secrets
from genderscope.models.server.batches import OpenAIBatches
from genderscope.models.server.capabilities import FORMS, QueryMethod, has_chat, probe, unstable
from genderscope.models.server.chat_client import (
    TOO_LONG,
    ChatClient,
    Sent,
    in_words,
    sent_for,
    served_by,
    start,
    tokens_in,
)
from genderscope.models.server.chat_model import ChatModel
from genderscope.models.server.choices import (
    FILL,
    SEED,
    Server,
    changed_on_own_questions,
    check_completion,
    choose,
    complete,
    fill_text,
    likelihood,
)
from genderscope.models.server.tokens import UnreadError
from genderscope.models.server.transport import TooLongError, server_url
from genderscope.models.settings import Remote, Settings

SAMPLED = (
    "The server returns no log-probabilities, so ratios are based on frequencies in {} sampled answers. Questions with "
    "a word that was never sampled count as unread, which biases the remaining ones towards neutral."
)
TOP = (
    "The server returns only the {} most likely next tokens. Questions with any other word count as unread, "
    "so only sentences with two likely words remain."
)
WHOLE = "The server returns probabilities of the next token only, so questions with multi-token words count as unread."
PASSED_OVER = (
    "The server's {} changed when the same texts were sent again in a different order, as with a stale prefix cache, "
    "so they were not used; disable that cache (vLLM: --no-enable-prefix-caching) to use them."
)
#: what a plan assumes about a server that it does not query
ASSUMED = QueryMethod("prompt", "completions", FORMS[0])
NOT_PROBED = (
    "Nothing was sent to the server, so the plan assumes that it can do everything; --time asks it and leaves out what "
    "it does not support."
)
#: All samples for a question are requested at once until the server refuses.
DRAWN_AT_A_TIME = 10_000
#: More next tokens than this count as the whole vocabulary.
VOCABULARY = 5000
#: kinds of questions sent to the chat endpoint
BY_CHAT: frozenset[type[Question]] = frozenset({Translation}) | CONVERSATION
CHAT = (
    "The server offers only chat, so it was prompted to fill the blanks; "
    "the results are not comparable with log-probabilities."
)


def open_server(reference: str, settings: Settings) -> "ServerModel":
    """Open a model on a server from a reference of the form URL#MODEL."""
    url, _, model = reference.partition("#")
    if not model.strip():
        raise UserError("Name a model on the server: server:URL#MODEL, such as server:http://localhost:8000/v1#model.")
    return ServerModel(server_url(url), model.strip(), settings.remote)


class ServerModel(WordModel, ChatModel, TranslationModel):
    """Completion or chat model on an HTTP server, whose capabilities are probed on first use."""

    kind = scheme = "server"
    batch_api = OpenAIBatches
    sees_after = False

    def __init__(self, url: str, model: str, remote: Remote) -> None:
        super().__init__(f"server:{without_secrets(url)}#{model}", url, model, remote)
        self.at_a_time = DRAWN_AT_A_TIME
        self._prompt = TranslationPrompt.of(remote)
        self._asked_twice = False
        self._chat_client = ChatClient(self.post, model)
        #: whether all questions are conversations, which do not need a query method
        self._chats = False

    @property
    def announces_cost(self) -> bool:  # type: ignore[override]
        """Whether to print the expected number of tokens before the run."""
        return self._chats

    def assume_capabilities(self, earlier: Sequence[Mapping[str, Any]] = ()) -> str | None:
        query_methods = (run["ladder"] for run in earlier if run.get("name") == self.name and "ladder" in run)
        recorded = next(map(QueryMethod.from_json, query_methods), None)
        self.__dict__.setdefault("query_method", recorded or ASSUMED)
        self.__dict__.setdefault("has_chat", True)
        return None if recorded else NOT_PROBED

    def unanswerable(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        self._chats = kinds <= CONVERSATION
        if self._chats and "query_method" not in self.__dict__:
            return frozenset()
        return kinds - (self.answers if kinds & BY_CHAT else self._by_query_method)

    def announce(self, questions: Sequence[Question]) -> None:
        if told := self.cost(questions):
            print(told, file=sys.stderr)

    def cost(self, questions: Sequence[Question]) -> str | None:
        return in_words([_sent(self, self._prompt, question) for question in questions], self.remote)

    @cached_property
    def query_method(self) -> QueryMethod:
        """Best query method that the server supports, probed once."""
        return probe(self._transport, self.model)

    @cached_property
    def has_chat(self) -> bool:
        """Whether the server has a chat endpoint, probed once unless the query method already uses chat."""
        return self.query_method.through == "chat" or has_chat(self._transport, self.model)

    @property
    def answers(self) -> frozenset[type[Question]]:  # type: ignore[override]
        """Kinds of questions supported by the query method and the endpoints."""
        return self._by_query_method | (BY_CHAT if self.has_chat else frozenset())

    @property
    def _by_query_method(self) -> frozenset[type[Question]]:
        """Kinds of questions supported by the query method alone."""
        kinds: set[type[Question]] = {Choice}
        if self.query_method.through == "completions":
            kinds.add(Completion)
        if self.query_method.name == "prompt":
            kinds.add(TokenLikelihood)
        return frozenset(kinds)

    @property
    def fingerprint(self) -> str:
        if self._chats:
            return super().fingerprint
        # The server's weights are hidden; the fingerprint covers the visible settings and the query method.
        parts = (
            self.kind,
            self._address,
            self.model,
            self.query_method.as_json(),
            self._prompt.digest,
            FILL,
            *self._drawing(),
        )
        return short_hash(repr(parts))

    def _drawing(self) -> tuple[Any, ...]:
        return self.remote.samples, self.remote.temperature, SEED

    def describe(self) -> dict[str, Any]:
        described = super().describe()
        if self._chats:
            return described
        samples, temperature, seed = self._drawing()
        del described["method"]
        return described | {
            "ladder": self.query_method.as_json(),
            "method": str(self.query_method),
            "samples": samples if self.query_method.name == "sampled" else None,
            "temperature": temperature,
            "seed": seed,
            "prompt": self._prompt.template,
        }

    def signature(self) -> dict[str, str]:
        if self._chats:
            return {}
        counts = {"prompt": "", "top": f"-{self.query_method.top}", "sampled": f"-{self.remote.samples}"}
        shown = {"rung": f"{self.query_method.name}-{self.query_method.through}{counts[self.query_method.name]}"}
        if self.remote.temperature is not None:
            shown["temperature"] = f"{self.remote.temperature:g}"
        return shown | self._prompt.signature()

    def cautions(self) -> list[str]:
        if self._chats:
            return super().cautions()
        cautions: list[str] = []
        if self.query_method.name == "sampled":
            cautions.append(SAMPLED.format(self.remote.samples))
        if self.query_method.name == "top":
            cautions.append(WHOLE if self.query_method.top > VOCABULARY else TOP.format(self.query_method.top))
        if self.query_method.passed_over:
            cautions.append(PASSED_OVER.format(self.query_method.passed_over))
        return [*cautions, CHAT] if self.query_method.through == "chat" else cautions

    def load(self) -> None:
        """Probe the server; there are no weights to load."""
        if self._chats:
            super().load()
        else:
            _ = self.query_method

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        plan = super().plan(questions, batch_size)
        self._ask_twice(questions)
        self.check_questions(questions)
        return plan

    def check_questions(self, questions: Sequence[Question]) -> None:
        for question in questions:
            if isinstance(question, Completion):
                check_completion(self, self.name, question)

    def _ask_twice(self, questions: Sequence[Question]) -> None:
        """Raise if the server's numbers depend on earlier requests: it may have been restarted since it was probed."""
        if self._asked_twice or self._chats:
            return
        with self._refusals_explained():
            if change := changed_on_own_questions(self, questions):
                raise UserError(unstable(self.url, change))
        self._asked_twice = True

    def _answer(self, question: Any) -> Answer:
        try:
            return self._read(question)
        except UnreadError as error:
            reason = str(error)
        except TooLongError:
            if isinstance(question, ReplyStart):
                raise
            reason = TOO_LONG
        return ANSWER_TO[type(question)](None, unread=reason)

    def _read(self, question: Any) -> Answer:
        match question:
            case Choice():
                return choose(self, question)
            case TokenLikelihood():
                return likelihood(self, question)
            case Completion():
                return complete(self, question)
            case Translation():
                return translation_in(self._chat_client.reply(self._prompt.ask(question)), question)
            case ReplyStart():
                return start(self._chat_client, self.url, question)
        return super()._answer(question)

    def post(self, path: str, body: dict[str, Any], most: int | None = None) -> dict[str, Any]:
        """Send a request for this model, accepting a response of at most `most` bytes."""
        response = self._transport.post(path, {"model": self.model, **body}, most)
        self.note_served_by(served_by(self.model, response.get("model")))
        return response


def _sent(server: Server, prompt: TranslationPrompt, question: Question) -> Sent:
    asked = prompt.ask(question) if isinstance(question, Translation) else question
    if (conversation := sent_for(asked)) is not None:
        return conversation
    match question:
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
    text = fill_text(question) if server.query_method.through == "chat" else question.before
    if server.query_method.name == "prompt":
        whole = sum(tokens_in(question.before + option + question.after) for option in question.options)
        return Sent(len(question.options), whole, len(question.options))
    if server.query_method.name == "top":
        return Sent(1, tokens_in(text), 1)
    return _drawn(server, text, server.remote.samples, 4 + max(map(len, question.options)))


def _drawn(server: Server, text: str, count: int, length: int) -> Sent:
    requests = ceil(count / server.at_a_time)
    return Sent(requests, requests * tokens_in(text), count * length)
