"""Servers fail: what passes is met with patience, what does not ends in a sentence, and no answer is lost."""

import json
import os
import signal
import time
from email.utils import formatdate

import pytest

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import answer_from_json, question_key
from genderscope.core.questions import Choice
from genderscope.engine import ask
from genderscope.measures.gest.templates import SENTENCE_FIRST
from genderscope.models import Remote, open_model
from genderscope.models.http.requests import RetryPolicy, TransientError, retry_after
from genderscope.models.server.transport import Transport
from genderscope.runs import Journal
from tests.prepared import Prepared
from tests.server.http_fake import HANG, PASSING, PATIENCE, HttpFake
from tests.server.language_model import ALL, TWICE
from tests.support.answers import answers_to, gest_questions
from tests.support.interruption import answered, run_until
from tests.support.keys import KEY, assert_nowhere

QUESTIONS = gest_questions(SENTENCE_FIRST)[:10]


def asked(server, journal, **options):
    """Put the questions to the server, and return what the journal holds of the answers."""
    model = open_model(server.spec, remote=Remote.model_validate(options))
    with Journal(journal) as kept:
        ask(model, QUESTIONS, kept)
        keys = [question_key(model.fingerprint, question) for question in QUESTIONS]
        found = [answer_from_json(Choice, text) for text in kept.read(keys)]
    return [answer.scores[0] - answer.scores[1] for answer in found]


@pytest.fixture(scope="module")
def calm(models):
    """What the model says where nothing goes wrong."""
    answers = answers_to(open_model(str(models("gpt2", "bytes"))), QUESTIONS)
    return pytest.approx([answer.scores[0] - answer.scores[1] for answer in answers], abs=1e-3)


@pytest.mark.parametrize("fault", PASSING)
def test_trouble_that_passes_changes_nothing(serve, calm, tmp_path, fault):
    server = serve(faults=[fault] * 5)
    assert asked(server, tmp_path / "journal", timeout=PATIENCE if fault == "hang" else 60) == calm
    assert not server.faults, "the script was not played"


def test_a_storm_of_all_faults_at_once(serve, calm, tmp_path):
    storm = ["429", "500", "reset", "truncated", "503", "429", "hang", "reset", "500", "truncated"] * 2
    assert asked(serve(faults=storm), tmp_path / "journal", timeout=PATIENCE, retries=20) == calm


@pytest.mark.long_but("401-*")
@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ("401", r"rejected the key in GENDERSCOPE_API_KEY \(HTTP 401\); has it expired\?"),
        ("403", r"rejected the key in .* \(HTTP 403\)"),
        ("404", r"refused a request for model 'tiny' \(HTTP 404\): no: \[key\]\. All answers so far are kept"),
        ("400", r"refused a request for model 'tiny' \(HTTP 400\)"),
        ("500", r"did not answer \(HTTP 500; 3 attempts\); all answers so far are kept. Run the same command"),
        ("hang", r"did not answer \(the request timed out; 3 attempts\)"),
        ("reset", r"did not answer \(the connection failed: .*; 3 attempts\)"),
        ("truncated", r"did not answer \(its response is not complete JSON; 3 attempts\)"),
    ],
)
def test_trouble_that_stays_ends_in_a_sentence_and_the_run_goes_on_later(serve, calm, key, tmp_path, fault, complaint):
    server = serve(key=key)
    options = {"concurrency": 1, "retries": 2, "timeout": PATIENCE if fault == "hang" else 60}
    fails_after(server, TWICE + 10, fault)
    with pytest.raises(UserError, match=complaint) as caught:
        asked(server, tmp_path / "journal", **options)
    assert KEY not in str(caught.value)
    with Journal(tmp_path / "journal") as journal:
        kept = len(journal)
    assert 0 < kept < len(QUESTIONS)
    server.faults.clear()
    server.requests.clear()
    assert asked(server, tmp_path / "journal") == calm
    assert len(server.asked()) == TWICE + 2 * (len(QUESTIONS) - kept), "kept answers were asked for again"
    assert_nowhere(KEY, tmp_path)


def fails_after(server, count, fault):
    """Let all go well for so many requests about questions, and nothing after that."""
    server.counts = lambda method, path, body: len(server.asked()) > count
    server.faults = [fault] * 1000


def command(server, out, *more):
    return Prepared("run", "gest", "--model", server.spec, "--data", "starter", "--limit", 32, "--out", out, *more)


def test_a_wrong_key_is_one_sentence_without_the_key(serve, key, tmp_path, monkeypatch):
    server = serve(key="another")
    done = command(server, tmp_path / "run").done()
    assert done.returncode == 2
    assert done.stderr.startswith("Error: The server at ")
    assert "has it expired?" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert KEY not in done.stdout + done.stderr
    monkeypatch.delenv("GENDERSCOPE_API_KEY")
    with pytest.raises(UserError, match=r"requires a key \(HTTP 401\); set GENDERSCOPE_API_KEY, or name"):
        open_model(server.spec).load()
    monkeypatch.setenv("GENDERSCOPE_API_KEY", "two words\n")
    with pytest.raises(UserError, match="contains invalid characters"):
        open_model(server.spec)


@pytest.mark.long
def test_ctrl_c_does_not_wait_for_a_server_that_hangs(serve, key, tmp_path):
    server = serve(key=key, delay=0.01)
    out = tmp_path / "run"
    fails_after(server, 40, "hang")
    process = command(server, out, "--concurrency", 3)
    assert run_until(process, out, 8)
    time.sleep(0.3)  # now all three requests hang
    os.kill(process.pid, signal.SIGINT)
    code, said = process.said(HANG / 2)
    assert code == 130
    assert f"kept in {out}" in said
    assert "Traceback" not in said
    assert KEY not in said
    kept = answered(out)
    server.faults.clear()
    server.requests.clear()
    done = command(server, out, "--json").done()
    assert json.loads(done.stdout)["coverage"] == 1.0
    assert KEY not in done.stdout + done.stderr
    assert len(server.asked()) <= 2 * (136 - kept) + TWICE, "two prompts for 32 sentences and 36 controls"
    assert_nowhere(KEY, tmp_path)


@pytest.mark.long
def test_requests_run_at_the_same_time_up_to_the_limit(serve, calm, tmp_path):
    server = serve(delay=0.03)
    assert asked(server, tmp_path / "journal", concurrency=3) == calm
    assert server.most_at_a_time == 3


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self):
        self.now, self.slept = 0.0, []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


def attempts(troubles):
    def attempt():
        if troubles:
            raise troubles.pop(0)
        return "answer"

    return attempt


def test_pauses_grow_and_are_jittered():
    clock = Clock()
    patience = RetryPolicy(8, 1.0, longest=20.0, sleep=clock.sleep, clock=lambda: clock.now)
    assert patience.call(attempts([TransientError("HTTP 500")] * 7), "It") == "answer"
    for pause, full in zip(clock.slept, (1, 2, 4, 8, 16, 20, 20), strict=True):
        assert 0.5 * full <= pause <= full
    assert len({pause / full for pause, full in zip(clock.slept, (1, 2, 4, 8, 16, 20, 20), strict=True)}) > 1


def test_the_other_side_says_how_long_to_wait_and_all_requests_do():
    clock = Clock()
    patience = RetryPolicy(3, 1.0, sleep=clock.sleep, clock=lambda: clock.now)
    assert patience.call(attempts([TransientError("HTTP 429", 7.0)]), "It") == "answer"
    assert clock.slept == [7.0]
    patience._not_before = clock.now + 5  # another thread was told to wait
    patience.call(attempts([]), "It")
    assert clock.slept == [7.0, 5.0]


@pytest.mark.parametrize("header", ["0", "-5", "0.0", formatdate(0, usegmt=True), "nan", "inf", "-inf", "1" * 200])
def test_a_wait_of_nothing_does_not_shorten_our_own_pauses(header):
    clock = Clock()
    patience = RetryPolicy(8, 1.0, longest=20.0, sleep=clock.sleep, clock=lambda: clock.now)
    troubles = [TransientError("HTTP 429", retry_after(header)) for _ in range(6)]
    assert patience.call(attempts(troubles), "It") == "answer"
    for pause, full in zip(clock.slept, (1, 2, 4, 8, 16, 20), strict=True):
        assert 0.5 * full <= pause <= full


def test_the_longer_of_both_pauses_is_kept():
    clock = Clock()
    patience = RetryPolicy(8, 4.0, sleep=clock.sleep, clock=lambda: clock.now)
    assert (
        patience.call(attempts([TransientError("HTTP 429", 1.0), TransientError("HTTP 429", 60.0)]), "It") == "answer"
    )
    assert 2 <= clock.slept[0] <= 4
    assert clock.slept[1:] == [60.0]


@pytest.mark.long
def test_a_server_that_asks_for_retries_at_once_is_left_in_peace(monkeypatch):
    class Hasty(HttpFake):
        def headers(self, status):
            return {"Retry-After": "0"}

        def reply(self, method, path, body):
            return 200, {"text": "x"}

    monkeypatch.setenv("GENDERSCOPE_BACKOFF", "0.2")
    with Hasty(faults=["429"] * 3).running() as fake:
        begun = time.monotonic()
        remote = Remote.model_validate({"retries": 6})
        assert Transport(f"{fake.url}/v1", remote).post("/completions", {}) == {"text": "x"}
    assert time.monotonic() - begun > 0.1 + 0.2 + 0.4, "half of each pause at least"


def test_a_wait_of_hours_ends_the_run_instead():
    clock = Clock()
    patience = RetryPolicy(3, 1.0, sleep=clock.sleep, clock=lambda: clock.now)
    with pytest.raises(UserError, match=r"It did not answer \(HTTP 429; 1 attempt\) and asked to wait 86,400 s"):
        patience.call(attempts([TransientError("HTTP 429", 86_400.0)]), "It")


@pytest.mark.parametrize(("header", "low", "high"), [("3", 3, 3), ("0.5", 0.5, 0.5), ("soon", None, None)])
def test_retry_after_in_seconds(header, low, high):
    found = retry_after(header)
    assert found is None if low is None else low <= found <= high


def test_retry_after_as_a_date():
    assert 50 < retry_after(formatdate(time.time() + 60, usegmt=True)) < 61
    assert retry_after(formatdate(time.time() - 60, usegmt=True)) == 0
    assert retry_after(None) is None


def test_every_offer_is_one_that_the_server_knows(serve):
    assert set(ALL) == set(serve().offers)
