"""What a plan says will be sent is what is sent: requests to servers, characters to translation services."""

import re
from collections.abc import Collection
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, Completion, Message, Reply, TokenLikelihood, Translation
from genderscope.models import Remote, TranslationModel, open_model
from tests.server.http_fake import HttpFake
from tests.server.language_model import LLAMA, PROBES, text_of
from tests.support.answers import answers_to
from tests.support.kinds import of_kind

TEXTS = [f"I was there {k} times." for k in range(6)]
QUESTIONS: dict[str, list[Any]] = {
    "choice": [Choice(f'"{text}", ', " said.", ("he", "she")) for text in TEXTS],
    "likelihood": [TokenLikelihood(text, (), False) for text in TEXTS],
    "continuations": [Completion(f"{text} And ", "", 3, 2, "sample") for text in TEXTS],
    "next tokens": [Completion(f"{text} And ", "", 3, 1) for text in TEXTS],
    "translation": [Translation(text, "en", "sk") for text in TEXTS],
    "reply": [Reply((Message("user", text),), 5, 0.0) for text in TEXTS],
}
SERVERS: dict[str, tuple[dict[str, Any], Collection[str]]] = {
    "all": ({}, QUESTIONS.keys()),
    "next tokens": (LLAMA, ("choice", "continuations", "next tokens")),
    "samples": ({"offers": ("completions", "many")}, ("choice", "continuations")),
    "one sample at a time": ({"offers": ("completions", "one")}, ("choice", "continuations")),
    "chat": ({"offers": ("chat", "many")}, ("choice", "translation", "reply")),
    "chat without n": ({"offers": ("chat",)}, ("choice", "translation", "reply")),
}


@pytest.mark.parametrize(("name", "kind"), [(n, kind) for n, (_, kinds) in SERVERS.items() for kind in kinds])
def test_requests_are_counted_as_they_are_sent(serve, name, kind):
    server = serve(**SERVERS[name][0])
    model = open_model(server.spec, remote=Remote.model_validate({"samples": 3}))
    questions = QUESTIONS[kind]
    assert not model.unanswerable(frozenset({type(questions[0])}))
    answers_to(model, questions[:1])  # only then is it known how many samples a request returns
    before = len(server.requests)
    answers_to(model, questions[1:])
    sent = [body for _, _, body in server.requests[before:] if body and text_of(body) not in PROBES]
    [requests] = re.findall(r"^([\d,]+) requests: about", model.cost(questions[1:]))
    assert int(requests) == len(sent)


def test_a_server_that_does_not_chat_neither_translates_nor_replies(serve):
    model = open_model(serve(**LLAMA).spec)
    assert model.unanswerable(frozenset({Translation})) == {Translation}
    assert model.unanswerable(frozenset({Reply})) == {Reply}
    with pytest.raises(UserError, match="does not support beam search"):
        model.check_questions([Completion("I was ", "", 3, 2)])


class Counting(HttpFake):
    """Stands for DeepL, and counts the characters that it is sent."""

    sent = 0

    def reply(self, method, path, body):
        if path == "/v2/languages":
            return 200, [{"language": "SK", "name": "SK", "supports_formality": False}]
        if path == "/v2/usage":
            return 200, {"character_count": 0, "character_limit": 1_000_000}
        self.sent += sum(map(len, body["text"]))
        found = [{"text": "x", "detected_source_language": "EN", "billed_characters": len(t)} for t in body["text"]]
        return 200, {"translations": found}


def test_characters_are_those_that_a_service_is_sent(monkeypatch):
    texts = [*TEXTS, " ", "x" * 200_000, "é" * 50]
    questions = [Translation(text, "en", "sk") for text in texts]
    with Counting().running() as service:
        monkeypatch.setenv("DEEPL_AUTH_KEY", "not-a-real-key")
        monkeypatch.setenv("DEEPL_SERVER_URL", service.url)
        model = of_kind(open_model("deepl", remote=Remote.model_validate({"yes": True})), TranslationModel)
        told = model.characters(questions)
        answers_to(model, questions)
    assert told == service.sent == sum(map(len, TEXTS)) + 50
