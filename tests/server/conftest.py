import pytest

from tests.server.language_model import LanguageModelServer
from tests.support.chat_server import chats  # noqa: F401 - a fixture
from tests.support.keys import KEY
from tests.support.services import start  # noqa: F401 - a fixture
from tests.support.vendors import serves  # noqa: F401 - a fixture


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """No keys of the user's, and pauses that do not keep tests waiting."""
    names = ("OPENAI_API_KEY", "GENDERSCOPE_API_KEY", "DEEPL_AUTH_KEY", "DEEPL_SERVER_URL", "GOOGLE_API_KEY")
    more = ("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_TRANSLATE_ENDPOINT", "AWS_ENDPOINT_URL_TRANSLATE")
    chat = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL")
    for name in (
        *names,
        *more,
        *chat,
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_PROFILE",
        "GENDERSCOPE_API_HOST",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GENDERSCOPE_BACKOFF", "0.01")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def serve(models):
    """Start a server of a tiny model: serve("bytes", offers=…), stopped when the test ends."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def start(tokenizer="bytes", architecture="gpt2", folder=None, **options):
            place = folder or models(architecture, tokenizer)
            return stack.enter_context(LanguageModelServer(place, **options).running())

        yield start


@pytest.fixture
def key(monkeypatch):
    """A key in the environment."""
    monkeypatch.setenv("GENDERSCOPE_API_KEY", KEY)
    return KEY
