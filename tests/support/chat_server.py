"""A local server that speaks the chat protocol."""

import pytest

from genderscope.core.questions import Message, Reply
from genderscope.models import Remote, open_model
from genderscope.models.server.chat_client import ANY_NUMBER
from tests.server.http_fake import HttpFake
from tests.support.answers import answers_to

HELLO = Reply((Message("system", "Be brief."), Message("user", "Hello.")), 50, 0.7, 0.9, 5, "low")


class ChatServer(HttpFake):
    """A server that only chats; `says` makes a message, or a whole answer, of a request's body."""

    def __init__(self, says=lambda body: "(a)", refuses=None, **options):
        super().__init__(**options)
        self.says, self.refuses = says, refuses or (lambda body: None)

    @property
    def spec(self):
        return f"server:{self.url}/v1#tiny"

    def counts(self, method, path, body):
        return method == "POST" and ANY_NUMBER not in str(body)

    def reply(self, method, path, body):
        if path != "/v1/chat/completions":
            return 404, {"error": {"message": "Not Found"}}
        if (refused := self.refuses(body)) is not None:
            return 400, {"error": {"message": refused}}
        said = self.says(body)
        if isinstance(said, dict) and "choices" in said:
            return 200, said
        message = said if isinstance(said, dict) else {"content": said}
        ended = message.pop("finish_reason", "stop")
        return 200, {
            "model": "tiny",
            "choices": [{"message": {"role": "assistant", **message}, "finish_reason": ended}],
        }

    def asked(self):
        return [body for _, path, body in self.requests if "chat" in path and ANY_NUMBER not in str(body)]


@pytest.fixture
def chats():
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(ChatServer(*args, **options).running())


def replied(server, question=HELLO, **options):
    model = open_model(server.spec, remote=Remote.model_validate({"retries": 1, **options}))
    assert model.unanswerable(frozenset({Reply})) == frozenset()
    [answer] = answers_to(model, [question])
    return answer, model
