"""Chat vendors played by local servers."""

from collections.abc import Callable
from typing import Any

import pytest

from genderscope.core.questions import Message, Reply
from genderscope.models.server.chat_client import ANY_NUMBER
from tests.server.http_fake import HttpFake

KEY = "sk-not-a-real-key-7f3a9"

PLAIN = Reply((Message("user", "Hello."),), 50)


class Fake(HttpFake):
    """A vendor's service; `says` makes an answer of a request's body, `refuses` a complaint or nothing."""

    path: str
    header: str
    answer: Callable[..., dict[str, Any]]

    def __init__(self, says=None, refuses=lambda body: None, **options):
        super().__init__(key=KEY, **options)
        self.says, self.refuses = says or (lambda body: self.answer("(a)")), refuses

    def counts(self, method, path, body):
        return method == "POST" and ANY_NUMBER not in str(body)

    def allowed(self, headers):
        return {name.lower(): value for name, value in headers.items()}.get(self.header) == self.key

    def reply(self, method, path, body):
        if method != "POST" or path != self.path:
            return 404, {"error": {"type": "not_found_error", "message": "model: none"}}
        if (refused := self.refuses(body)) is not None:
            return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": refused}}
        return 200, self.says(body)

    def asked(self):
        return [body for method, _, body in self.requests if method == "POST" and ANY_NUMBER not in str(body)]


class FakeAnthropic(Fake):
    spec, path, header, variable = "anthropic:claude-x-1", "/v1/messages", "x-api-key", "ANTHROPIC_BASE_URL"

    @staticmethod
    def answer(text, **more):
        block = {"type": "text", "text": text}
        return {"type": "message", "model": "claude-x-1", "content": [block], "stop_reason": "end_turn", **more}


class FakeGemini(Fake):
    spec, header, variable = "gemini:gemini-x", "x-goog-api-key", "GOOGLE_GEMINI_BASE_URL"
    path = "/v1beta/models/gemini-x:generateContent"

    @staticmethod
    def answer(text, finish="STOP", **more):
        content = {"role": "model", "parts": [{"text": text}]}
        return {"candidates": [{"content": content, "finishReason": finish}], "modelVersion": "gemini-x-001", **more}


VENDORS = (FakeAnthropic, FakeGemini)


@pytest.fixture
def serves(monkeypatch):
    """Start a fake and point the program to it."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def start(kind, *args, **options):
            fake = stack.enter_context(kind(*args, **options).running())
            monkeypatch.setenv(fake.variable, fake.url)
            for name in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
                monkeypatch.setenv(name, KEY)
            return fake

        yield start
