"""No answer is endless, in size or in time, and no key goes where it was not meant to go, or is ever shown."""

import gzip
import json
import time
import tracemalloc

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Translation
from genderscope.models import Remote, open_model
from genderscope.models.http import response_limits
from genderscope.models.http.keys import masked
from genderscope.models.http.requests import TransientError
from genderscope.models.server.transport import Transport
from tests.server.http_fake import PATIENCE, HttpFake
from tests.support.answers import CHOICE
from tests.support.keys import KEY
from tests.support.services import SERVICES, TEXTS, VARIABLES, opened, translations

ENDLESS = {
    "bomb": "sent a response larger than 64 MiB; is that the right address",
    "drip": r"did not answer \(the request timed out; 1 attempt\)",
    "drip-headers": r"did not answer \(the request timed out; 1 attempt\)",
}


class Answering(HttpFake):
    """Answers what it is told, as it is told; remembers the headers it got."""

    def __init__(self, content=None, status=200, headers=None, **options):
        super().__init__(**options)
        self.content = {"text": "x" * 4000} if content is None else content
        self.status, self.more = status, headers or {}
        self.got = []

    def reply(self, method, path, body):
        return self.status, self.content

    def headers(self, status):
        return self.more

    def allowed(self, headers):
        self.got.append(headers)
        return True


def posted(fake, **options):
    remote = Remote.model_validate({"retries": 0, "timeout": 60, **options})
    return Transport(f"{fake.url}/v1", remote).post("/completions", {"prompt": "I was there."})


@pytest.mark.long_but("bomb")
@pytest.mark.parametrize("fault", ENDLESS)
def test_an_endless_answer_of_a_server_ends(fault):
    with Answering(faults=[fault]).running() as fake:
        begun = time.monotonic()
        with pytest.raises(UserError, match=ENDLESS[fault]):
            posted(fake, timeout=60 if fault == "bomb" else PATIENCE)
        assert time.monotonic() - begun < 60, "it drips for 200 seconds"


@pytest.mark.long_but("deepl-bomb")
@pytest.mark.parametrize("fault", ENDLESS)
@pytest.mark.parametrize("name", SERVICES)
def test_an_endless_answer_of_a_service_ends(start, tmp_path, name, fault):
    start(name, faults=[fault])
    model = opened(name, retries=0)
    model.load()
    if fault != "bomb":
        model.remote = model.remote.model_copy(update={"timeout": PATIENCE})
    long = ["I was there. " * 200]
    begun = time.monotonic()
    with pytest.raises(UserError, match=ENDLESS[fault]):
        translations(model, tmp_path / "journal", long)
    assert time.monotonic() - begun < 60, "it drips for 130 seconds"


def test_a_bomb_is_defused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(response_limits, "LIMIT", 2**20)
    bomb = gzip.compress(bytes(2**26))
    chunks = [bomb[k : k + 4096] for k in range(0, len(bomb), 4096)]
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match="It sent a response larger than 1 MiB"):
            response_limits.body_of(chunks, "gzip", time.monotonic() + 60, "It")
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["gzip", "br", "gzip, gzip", "zstd"])
def test_packed_answers_are_unpacked_where_they_were_asked_for(encoding):
    data = gzip.compress(json.dumps({"text": "čaj"}).encode())
    with Answering(data, headers={"Content-Encoding": encoding}).running() as fake:
        if encoding == "gzip":
            assert posted(fake) == {"text": "čaj"}
        else:
            with pytest.raises(UserError, match=f"its response is encoded as '{encoding}', which was not requested"):
                posted(fake)
    assert fake.got[0]["Accept-Encoding"] == "gzip, deflate"


def test_half_a_packed_answer_is_tried_again():
    data = gzip.compress(json.dumps({"text": "x" * 10_000}).encode())
    with Answering(data[:-20], headers={"Content-Encoding": "gzip"}).running() as fake:
        with pytest.raises(UserError, match="its response is not complete JSON"):
            posted(fake)
        fake.content = b"no gzip at all"
        with pytest.raises(UserError, match="its response cannot be decompressed"):
            posted(fake)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"[]", b"null", b"", b"<html>", b'"text"', b"\xff\xfe", b'{"a": NaN'])
def test_what_is_no_json_object_is_one_sentence(body):
    with (
        Answering(body).running() as fake,
        pytest.raises(UserError, match=r"its response is not (complete JSON|a JSON object)"),
    ):
        posted(fake)


def test_an_error_that_is_called_a_success_is_a_refusal(serve):
    server = serve()
    model = open_model(server.spec)
    model.load()
    server.reply = lambda *_: (200, {"error": {"message": "Provider returned error", "code": 502}})
    with pytest.raises(UserError, match=r"refused a request for model 'tiny' \(HTTP 200\): Provider returned error"):
        model.plan([CHOICE], None)


def redirecting(elsewhere, status=307):
    return {"content": b"", "status": status, "headers": {"Location": f"{elsewhere.url}/v1/completions?key={KEY}"}}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_server_that_sends_on_gets_no_key_carried_there(key, status):
    with Answering().running() as elsewhere, Answering(**redirecting(elsewhere, status)).running() as fake:
        with pytest.raises(UserError, match=rf"redirects requests to {elsewhere.url}/v1/completions \(HTTP {status}\)"):
            posted(fake)
        with pytest.raises(UserError, match="redirects requests to") as caught:
            open_model(f"server:{fake.url}#m").load()
        assert elsewhere.requests == []
        assert KEY not in str(caught.value)


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_sends_on_gets_no_key_carried_there(start, tmp_path, name):
    fake = start(name)
    with Answering().running() as elsewhere:
        fake.reply = lambda *_: (307, b"")
        fake.headers = lambda status: {"Location": f"{elsewhere.url}/language/translate/v2"} if status == 307 else {}
        with pytest.raises(UserError, match=r"redirects requests to another address \(HTTP 307\)"):
            opened(name).load()
        assert elsewhere.requests == []


FORMS = [KEY, KEY.upper(), f"'{KEY}'", KEY[:12] + "…", "…" + KEY[-9:], KEY.replace("-", "%2D"), f"{KEY}\\n", f" {KEY} "]


@pytest.mark.parametrize("form", FORMS)
def test_a_key_is_masked_whole_in_part_and_escaped(form):
    shown = masked(f"Incorrect API key provided: {form}. Find yours at home.", [f" {KEY}\n"])
    assert shown.startswith("Incorrect API key provided: ")
    assert shown.endswith(". Find yours at home.")
    assert not any(KEY[k : k + 8] in shown.lower() for k in range(len(KEY) - 7))
    assert "[key]" in shown or "%2D" in form


def test_what_holds_no_key_stays_as_it_is():
    assert masked("The model does not exist.\n Try another.", [KEY, ""]) == "The model does not exist. Try another."
    percent = "a+b/c=" * 4
    assert masked("bad key a%2Bb%2Fc%3Da%2Bb%2Fc%3Da%2Bb%2Fc%3Da%2Bb%2Fc%3D!", [percent]) == "bad key [key]!"


@pytest.mark.parametrize("endpoint", ["http://me:secret@127.0.0.1:9", "http://127.0.0.1:9?key=secret", "127.0.0.1:9"])
@pytest.mark.parametrize("name", SERVICES)
def test_an_endpoint_holds_no_secrets(monkeypatch, name, endpoint):
    for variable, value in VARIABLES[name].items():
        monkeypatch.setenv(variable, endpoint if value == "URL" else value)
    with pytest.raises(UserError, match=r"contains a password or a query|must begin with http") as caught:
        open_model(name)
    assert "secret" not in str(caught.value)


NAMES = [(name, variable) for name in SERVICES for variable, value in VARIABLES[name].items() if KEY in value]


@pytest.mark.parametrize(("name", "variable"), [*NAMES, ("server:http://127.0.0.1:9#m", "GENDERSCOPE_API_KEY")])
@pytest.mark.parametrize("broken", ["{}\ninner", "{} {}", "{}\x00", "{}\u2028x", "{}é"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(monkeypatch, name, variable, broken):
    for other, value in VARIABLES.get(name, {}).items():
        monkeypatch.setenv(other, "http://127.0.0.1:9" if value == "URL" else value)
    if "\x00" in broken:  # no environment can hold it
        broken = "{}\x01"
    monkeypatch.setenv(variable, broken.format(KEY, KEY))
    with pytest.raises(UserError, match=rf"The key in {variable} contains invalid characters") as caught:
        open_model(name)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("name", ["deepl", "google"])
def test_a_line_break_at_the_end_of_a_key_does_no_harm(start, tmp_path, monkeypatch, name):
    start(name)
    variable = next(variable for variable, value in VARIABLES[name].items() if value == KEY)
    monkeypatch.setenv(variable, f"{KEY}\n")
    assert translations(opened(name), tmp_path / "journal", TEXTS[:1])[0].text


@pytest.mark.parametrize("name", SERVICES)
def test_an_error_of_the_vendor_that_repeats_the_key_is_masked(start, tmp_path, name):
    fake = start(name, faults=["400"])
    quoted = json.dumps(f"{KEY}-secret\n")[1:-1]
    words = f"no: {KEY[:10]}… and {quoted} and {KEY.upper()}"
    fake.refusal = lambda status: {
        "message": words,
        "error": {"code": 400, "message": words},
        "__type": "InvalidRequestException",
    }
    with pytest.raises(UserError, match=r"refused a request \(HTTP 400\): .*\[key\]") as caught:
        translations(opened(name), tmp_path / "journal", TEXTS[:1])
    assert not any(KEY[k : k + 8] in str(caught.value).lower() for k in range(len(KEY) - 7))


def test_what_takes_too_long_is_given_up():
    with pytest.raises(TransientError, match="the request timed out"):
        response_limits.within(0.05, lambda: time.sleep(2))
    assert response_limits.within(5, lambda: "whole") == "whole"
    with pytest.raises(ZeroDivisionError):
        response_limits.within(5, lambda: 1 / 0)


def test_translations_of_a_server_are_bounded_too(serve):
    server = serve(offers=("chat",))
    model = open_model(server.spec, remote=Remote.model_validate({"retries": 0}))
    model.load()
    server.faults, server.counts = ["bomb"], lambda *_: True
    plan = model.plan([Translation("I cried.", "en", "sk")], None)
    [answer] = model.answer(plan.batches[0])
    assert answer.unread == "the server's reply is larger than 4 MiB"
