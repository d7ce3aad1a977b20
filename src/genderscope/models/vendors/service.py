"""Base classes of the vendors' chat services: one request per reply, through the server transport.

The vendors' own clients have their own retries, timeouts and error types, so their requests could be neither counted
nor stopped with the run. Each request and each response is a single JSON object.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from genderscope.core.errors import UserError
from genderscope.core.network import host_of, require_network
from genderscope.core.questions import Answer, Message, Question, Reply
from genderscope.models.base import Batch, Plan, ReplyModel
from genderscope.models.chat import chat_of
from genderscope.models.http.concurrency import as_they_come
from genderscope.models.http.cost_confirmation import confirm_cost
from genderscope.models.http.keys import key_of, without_secrets
from genderscope.models.http.response_limits import REPLY_LIMIT
from genderscope.models.options import Remote
from genderscope.models.server.chat_client import ChatClient, Post, expected
from genderscope.models.server.transport import Access, RefusedError, Transport

T = TypeVar("T")

_NAME = re.compile(r"[\w.:@-]+(?:/[\w.:@-]+)*")


class VendorChatClient(ChatClient):
    """Client for a vendor's protocol. `options` maps each optional field to the words that name it in errors."""

    path: str
    options: ClassVar[dict[str, tuple[str, ...]]]

    def __init__(self, post: Post, model: str, vendor: str) -> None:
        super().__init__(post, model)
        self.called = vendor

    def sent(self, question: Reply) -> dict[str, Any]:
        while True:
            left_out = set(self.left_out)
            try:
                return self._post(self.path, self.body(question), REPLY_LIMIT)
            except RefusedError as refusal:
                if not self._refused(refusal, question, left_out):
                    raise

    def _refused(self, refusal: RefusedError, question: Reply, left_out: set[str]) -> bool:
        """Drop the optional field named in a refusal; return whether a retry makes sense."""
        if refusal.status not in (400, 422):
            return False
        said = re.sub(r"[^a-z]", "", refusal.message.casefold())
        with self._lock:
            if self.left_out - left_out:  # another thread has dropped a field in the meantime
                return True
            for name, words in self.options.items():
                if name not in left_out and self.given(name, question) and any(word in said for word in words):
                    self.left_out.add(name)
                    return True
        return False

    def given(self, name: str, question: Reply) -> bool:
        """Return whether the request includes this option."""
        return getattr(question, name) is not None

    def cautions(self) -> list[str]:
        found = [
            f"{self.called} does not take '{name}' for this model, so it was left out."
            for name in self.options
            if name in self.left_out
        ]
        if "seed" in self.ignored:
            found.append(
                f"{self.called} gave different answers to the same question with the same seed, so sampling is "
                "not reproducible."
            )
        if "top_p" in self.ignored:
            found.append(f"{self.called} takes 'top_p' but does not heed it: it drew unlikely tokens all the same.")
        return found


class ChatService(ReplyModel):
    """Chat model behind a vendor's API; supports `Reply` questions only."""

    answers = frozenset({Reply})
    independent = True
    may_change = True
    announces = True

    #: the vendor's name, the model string's scheme, how requests authenticate, and the API's address
    vendor: ClassVar[str]
    scheme: ClassVar[str]
    access: ClassVar[Access]
    address_variable: ClassVar[str]
    address: ClassVar[str]
    version: ClassVar[str]
    chatter: ClassVar[type[VendorChatClient]]

    def __init__(self, model: str, remote: Remote) -> None:
        name = model.strip()
        if not _NAME.fullmatch(name):
            raise UserError(f"'{name}' is not a valid {self.vendor} model name; use {self.scheme}:MODEL.")
        super().__init__(f"{self.scheme}:{name}")
        require_network(f"{self.vendor} is a service on the network")
        self.model, self.remote = name, remote
        self._address = self._base_url()
        #: address shown in messages and runs
        self.url = without_secrets(self._address)
        self._transport = Transport(self._address, remote, access=self.access)
        self.chat = chat_of(remote)
        self._chat_client = self.chatter(self._transport.post, name, self.vendor)

    def _base_url(self) -> str:
        given = os.environ.get(self.address_variable, "").strip()
        if not given and key_of(self.access.names) is None:
            raise UserError(
                f"{self.vendor} needs a key; put it into the environment variable {' or '.join(self.access.names)}."
            )
        if host_of(given or self.address) is None:
            raise UserError(f"{self.address_variable} must begin with http:// or https:// and name a host.")
        parts = urlsplit(given or self.address)
        if "@" in parts.netloc or parts.query:
            raise UserError(f"{self.address_variable} contains a password or a query; leave it out.")
        path = parts.path.rstrip("/")
        whole = path if path.endswith(f"/{self.version}") else f"{path}/{self.version}"
        return f"{parts.scheme}://{parts.netloc}{whole}"

    @property
    def fingerprint(self) -> str:
        # The question contains everything that determines the reply; the weights are hidden.
        return hashlib.sha256(repr((self.scheme, self._address, self.model)).encode()).hexdigest()[:12]

    def describe(self) -> dict[str, Any]:
        named = {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint}
        return named | {"url": self.url, "model": self.model, "method": "replies (chat)"}

    def cautions(self) -> list[str]:
        return [f"Asked through {self.url} by conversation.", *self._chat_client.cautions()]

    def cost(self, questions: Sequence[Question]) -> str | None:
        return expected(questions, self.remote.price_in, self.remote.price_out)

    def announce(self, questions: Sequence[Question]) -> None:
        if told := self.cost(questions):
            confirm_cost(f"{self.vendor} will be sent {told}", self.remote.yes)

    def load(self) -> None:
        self._transport.knock()

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        if questions:
            self._told(lambda: self._chat_client.check(questions))
        return Plan((), (Batch(tuple(range(len(questions))), tuple(questions), Reply),) if questions else ())

    def answer(self, batch: Batch) -> list[Answer]:
        found = {index: answer for part, (answer,) in self.answer_in_parts(batch) for index in part.indices}
        return [found[index] for index in batch.indices]

    def answer_in_parts(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        def work(place: int) -> Answer:
            return self._told(lambda: self._chat_client.reply(batch.items[place]))

        for place, answer in as_they_come(range(len(batch.items)), work, self.remote.concurrency):
            yield batch.only([place]), [answer]

    def _told(self, call: Callable[[], T]) -> T:
        """Call a function and convert a refusal into a `UserError`."""
        try:
            return call()
        except RefusedError as refusal:
            raise UserError(
                f"{self.vendor} refuses a request for model '{self.model}' (HTTP {refusal.status}): {refusal.message} "
                "All answers so far are kept."
            ) from None


def system_and_turns(messages: Sequence[Message]) -> tuple[str | None, list[Message]]:
    """Separate the system prompt from a conversation, as these protocols have a separate field for it."""
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    return system or None, [message for message in messages if message.role != "system"]
