"""A key goes to its own host, encrypted, and nowhere else; no file of a run and no message shows it."""

import json

import pytest

from genderscope.core.errors import UserError
from genderscope.models import Remote, open_model, without_secrets
from genderscope.models.server.transport import Transport
from tests.support.chat_server import ChatServer
from tests.support.keys import KEY
from tests.support.services import VARIABLES

OPENAI = ("https://api.openai.com/v1", "https://API.openai.com:443/v1", "https://eu.api.openai.com/v1")
OTHERS = (
    "https://api.openai.com.example.org/v1",
    "https://xapi.openai.com/v1",
    "https://example.org/api.openai.com/v1",
    "https://openai.com/v1",
    "http://127.0.0.1:9/v1",
    "http://localhost:9/v1",
)


class Listening(ChatServer):
    """A chat server that notes the headers of every request."""

    def __init__(self, **options):
        super().__init__(**options)
        self.heard = []

    def allowed(self, headers):
        self.heard.append(headers)
        return super().allowed(headers)


@pytest.fixture
def listening():
    with Listening().running() as server:
        yield server


def sent(url, **options):
    """Return the key that requests to this address carry."""
    shown = Transport(url, Remote(**options))._client.headers.get("Authorization")
    return shown and shown.removeprefix("Bearer ")


@pytest.mark.parametrize("url", OPENAI)
def test_the_key_of_openai_goes_to_its_own_hosts(monkeypatch, url):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GENDERSCOPE_API_KEY", "of-another-server")
    assert sent(url) == KEY


@pytest.mark.parametrize("url", OTHERS)
def test_the_key_of_openai_goes_to_no_other_host(monkeypatch, url):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert sent(url) is None
    monkeypatch.setenv("GENDERSCOPE_API_KEY", "of-this-server")
    assert sent(url) == "of-this-server"
    monkeypatch.setenv("MY_KEY", "mine")
    assert sent(url, key_env="MY_KEY") == "mine"


def test_a_server_that_wants_a_key_is_told_in_words_which_variable_to_set(monkeypatch, listening):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    listening.key = "another"
    with pytest.raises(UserError, match=r"GENDERSCOPE_API_KEY. OPENAI_API_KEY is sent only to OpenAI's own host"):
        open_model(listening.spec).load()
    assert listening.heard
    assert not any(KEY in value for headers in listening.heard for value in headers.values())


def test_the_key_of_servers_can_be_kept_for_some_hosts(monkeypatch, listening):
    monkeypatch.setenv("GENDERSCOPE_API_KEY", KEY)
    monkeypatch.setenv("GENDERSCOPE_API_HOST", "models.example.org")
    assert sent("https://models.example.org/v1") == KEY
    assert sent("https://elsewhere.example.org/v1") is None
    listening.key = KEY
    with pytest.raises(UserError, match="GENDERSCOPE_API_HOST does not list its host"):
        open_model(listening.spec).load()


def test_a_variable_that_is_not_set_is_named():
    with pytest.raises(UserError, match="The environment variable 'NO_SUCH', given with --key-env, is not set"):
        open_model("server:http://127.0.0.1:9#m", remote=Remote(key_env="NO_SUCH"))


@pytest.mark.parametrize("url", ["http://models.example.org/v1", "http://10.0.0.1:8000/v1", "http://api.openai.com/v1"])
def test_a_key_is_not_sent_over_plain_http_to_another_machine(monkeypatch, url):
    assert sent(url) is None  # without a key http is fine
    monkeypatch.setenv("GENDERSCOPE_API_KEY", KEY)
    with pytest.raises(UserError, match=r"The key in GENDERSCOPE_API_KEY would be sent unencrypted to '.*--allow-http"):
        sent(url)
    assert sent(url, allow_http=True) == KEY


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://[::1]:9/v1", "http://localhost:9/v1"])
def test_this_machine_may_be_reached_over_plain_http_and_past_any_proxy(monkeypatch, url):
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.org:3128")
    monkeypatch.setenv("GENDERSCOPE_API_KEY", KEY)
    transport = Transport(url, Remote())
    assert transport._client.headers["Authorization"] == f"Bearer {KEY}"
    assert transport._client._mounts == {}, "a proxy would be sent the key in plain text"


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_the_key_of_a_service_is_not_sent_over_plain_http_to_another_machine(monkeypatch, name):
    for variable, value in VARIABLES[name].items():
        monkeypatch.setenv(variable, "http://translate.example.org" if value == "URL" else value)
    with pytest.raises(UserError, match=r"would be sent unencrypted to 'translate\.example\.org'"):
        open_model(name)
    open_model(name, remote=Remote(allow_http=True))


def test_an_endpoint_of_amazon_in_another_variable_counts_too(monkeypatch):
    for variable, value in VARIABLES["amazon"].items():
        monkeypatch.setenv(variable, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL_TRANSLATE")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://aws.example.org")
    with pytest.raises(UserError, match=r"would be sent unencrypted to 'aws\.example\.org'"):
        open_model("amazon")


@pytest.mark.parametrize(
    ("spec", "key", "address"),
    [
        ("anthropic:claude", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        ("gemini:flash", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
    ],
)
def test_the_key_of_a_vendor_is_not_sent_over_plain_http_to_another_machine(monkeypatch, spec, key, address):
    monkeypatch.setenv(key, KEY)
    monkeypatch.setenv(address, "http://chat.example.org")
    with pytest.raises(UserError, match=f"The key in {key} would be sent unencrypted"):
        open_model(spec)


def test_a_token_of_the_hub_is_not_sent_over_plain_http_to_another_machine(monkeypatch):
    from genderscope.integrations.hub import _endpoint

    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example.org")
    with pytest.raises(UserError, match=r"The key in HF_TOKEN would be sent unencrypted to 'hub\.example\.org'"):
        _endpoint()
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:8000")
    assert _endpoint() == "http://127.0.0.1:8000"


class Behind(ChatServer):
    """A chat server behind a gateway that takes a key as part of the path."""

    secret = ""

    def reply(self, method, path, body):
        return super().reply(method, path.replace(f"/{self.secret}", ""), body)


@pytest.mark.long_but("sk-proj-*")
@pytest.mark.parametrize("secret", ["sk-proj-abcdefgh12345678", "4f9a2b7c-1d3e-4f5a-8b9c-0d1e2f3a4b5c", "Xy7" * 9])
def test_a_key_in_the_path_of_a_url_is_in_no_file_of_the_run_and_in_no_message(cli, tmp_path, secret):
    data = tmp_path / "own.csv"
    data.write_text("sentence,stereotype\nI cried.,1\nI led the team.,9\n")
    with Behind().running() as server:
        server.secret = secret
        spec = f"server:{server.url}/{secret}/v1#tiny"
        done = cli("run", "gest-chat", "--model", spec, "--data", data, "--out", tmp_path / "run")
        assert done.returncode == 0, done.stderr
        assert secret not in done.stdout + done.stderr
        shown = f"{server.url}/[key]/v1"
    for path in (tmp_path / "run").rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path
    assert json.loads((tmp_path / "run" / "run.json").read_text())["model"]["url"] == shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:word@h.org/v1?api_key=x&v=2#m", "https://[key]@h.org/v1?api_key=[key]&v=[key]#m"),
        ("https://h.org/openai/deployments/gpt-4o-mini-2024-07-18/v1", None),
        ("https://h.org/v1beta/projects/gender-in-translation/locations/europe-west4", None),
        ("https://h.org/my-own-secret-word/v1", "https://h.org/[key]/v1"),
        ("no URL: sk-abcdefgh12345678", None),
    ],
)
def test_what_is_masked_in_a_url(monkeypatch, url, shown):
    monkeypatch.setenv("MY_SERVICE_TOKEN", "my-own-secret-word")
    assert without_secrets(url) == (shown or url)


def test_the_address_in_messages_has_no_key():
    secret = "sk-proj-abcdefgh12345678"
    assert secret not in Transport(f"https://example.org/{secret}/v1", Remote()).url
