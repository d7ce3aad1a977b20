"""Base classes for vendors' chat services, which send one request per reply through the server transport."""

import os
import re
from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlsplit

from genderscope.core.errors import UserError
from genderscope.core.network import host_of, require_network
from genderscope.core.questions import Answer, Message, Question, Reply, StructuredReply, Translation
from genderscope.models.base import TranslationModel
from genderscope.models.chat import TranslationPrompt, translation_in
from genderscope.models.http.keys import key_of, require_key
from genderscope.models.http.requests import confirm_cost
from genderscope.models.http.response_limits import REPLY_LIMIT
from genderscope.models.server.chat_client import ChatClient
from genderscope.models.server.chat_model import ChatModel
from genderscope.models.server.transport import Access, RefusedError
from genderscope.models.settings import Settings

_NAME = re.compile(r"[\w.:@-]+(?:/[\w.:@-]+)*")


class VendorChatClient(ChatClient):
    """Client for a vendor's protocol. `options` maps each optional field to the words that name it in errors."""

    path: str
    where = " for this model"
    options: ClassVar[dict[str, tuple[str, ...]]]

    def request(self, question: Reply) -> dict[str, Any]:
        return self.body(question)

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


class ChatService(ChatModel, TranslationModel):
    """Chat model accessed through a vendor's API; supports replies, but not their probabilities."""

    answers = frozenset({Reply, StructuredReply, Translation})
    translation: TranslationPrompt
    kind = "chat"
    announces_cost = True

    #: the vendor's name, the authentication of requests, and the API's address
    vendor: ClassVar[str]
    access: ClassVar[Access]
    address_variable: ClassVar[str]
    address: ClassVar[str]
    version: ClassVar[str]
    chatter: ClassVar[type[VendorChatClient]]

    def __init__(self, reference: str, settings: Settings) -> None:
        name = reference.strip()
        if not _NAME.fullmatch(name):
            raise UserError(f"'{name}' is not a valid {self.vendor} model name; use {self.scheme}:MODEL.")
        require_network(f"{self.vendor} is an online service")
        super().__init__(f"{self.scheme}:{name}", self._base_url(), name, settings.remote, self.access)
        self._chat_client = self.chatter(self._transport.post, name, self.vendor)
        self.translation = TranslationPrompt.of(settings.remote)

    def _base_url(self) -> str:
        given = os.environ.get(self.address_variable, "").strip()
        if not given and key_of(self.access.names) is None:
            require_key(self.vendor, *self.access.names)
        if host_of(given or self.address) is None:
            raise UserError(f"{self.address_variable} must begin with http:// or https:// and name a host.")
        parts = urlsplit(given or self.address)
        if "@" in parts.netloc or parts.query:
            raise UserError(f"{self.address_variable} contains a password or a query; remove it.")
        path = parts.path.rstrip("/")
        whole = path if path.endswith(f"/{self.version}") else f"{path}/{self.version}"
        return f"{parts.scheme}://{parts.netloc}{whole}"

    @property
    def who(self) -> str:
        return self.vendor

    def cost(self, questions: Sequence[Question]) -> str | None:
        return super().cost([self.translation.ask(q) if isinstance(q, Translation) else q for q in questions])

    def _answer(self, question: Any) -> Answer:
        if isinstance(question, Translation):
            return translation_in(self._chat_client.reply(self.translation.ask(question)), question)
        return super()._answer(question)

    def announce(self, questions: Sequence[Question]) -> None:
        if told := self.cost(questions):
            confirm_cost(f"{self.vendor} will receive {told}", self.remote.yes)


def system_and_turns(messages: Sequence[Message]) -> tuple[str | None, list[Message]]:
    """Separate the system prompt from a conversation, because these protocols have a separate field for it."""
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    return system or None, [message for message in messages if message.role != "system"]
