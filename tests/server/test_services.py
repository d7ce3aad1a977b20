"""The translation services, each through its vendor's client against a fake of its API on this machine."""

import csv
import os
import pty
import subprocess
import sys

import pytest

from genderscope.core.errors import UserError
from genderscope.models import open_model
from tests.prepared import Prepared
from tests.server.http_fake import PASSING, PATIENCE
from tests.server.services_fake import translated
from tests.support.keys import KEY, assert_nowhere
from tests.support.services import SERVICES, TEXTS, opened, translations


def sent(fake, name):
    """Return the texts of each request that carried some."""
    bodies = [body for method, path, body in fake.requests if fake.counts(method, path, body)]
    return [body[{"deepl": "text", "google": "q", "amazon": "Text"}[name]] for body in bodies]


@pytest.mark.parametrize("name", SERVICES)
def test_texts_are_translated_within_the_limits_of_a_request(start, tmp_path, name):
    fake = start(name)
    texts = [*TEXTS, "é" * 9_000, "x" * 140_000, " "]
    found = translations(opened(name), tmp_path / "journal", texts)
    assert [answer.text for answer in found[:120]] == [translated(text, "sk") for text in TEXTS]
    assert (found[120].text is None) == (name == "amazon")  # 18,000 bytes
    assert "longer than" in found[121].unread
    assert found[122].unread == "empty text"
    requests = sent(fake, name)
    sizes = [1 if isinstance(each, str) else len(each) for each in requests]
    assert max(sizes) == {"deepl": 50, "google": 121, "amazon": 1}[name]
    assert len(requests) == {"deepl": 3, "google": 1, "amazon": 120}[name]


@pytest.mark.long_but("deepl-429", "amazon-500", "google-503")
@pytest.mark.parametrize("fault", PASSING)
@pytest.mark.parametrize("name", SERVICES)
def test_trouble_that_passes_changes_nothing(start, tmp_path, name, fault):
    fake = start(name, faults=[fault] * 3)
    model = opened(name, timeout=PATIENCE if fault == "hang" else 60)
    found = translations(model, tmp_path / "journal", TEXTS[:5])
    assert [answer.text for answer in found] == [translated(text, "sk") for text in TEXTS[:5]]
    assert not fake.faults, "the script was not played"


COMPLAINTS = [
    ("403", "rejected the key in .*; has it expired"),
    ("500", r"did not answer \(HTTP 500; 2 attempts\); all answers so far are kept. Run the same command"),
    ("400", r"refused a request \(HTTP 400\): .*no: \[key\]"),
]


@pytest.mark.long_but("amazon-403-*", "deepl-500-*", "google-400-*")
@pytest.mark.parametrize(("fault", "complaint"), COMPLAINTS)
@pytest.mark.parametrize("name", SERVICES)
def test_trouble_that_stays_keeps_what_is_there(start, tmp_path, name, fault, complaint):
    fake = start(name)
    options = {"retries": 1, "concurrency": 1}
    translations(opened(name), tmp_path / "journal", TEXTS[:3])
    fake.faults = [fault] * 1000
    with pytest.raises(UserError, match=complaint) as caught:
        translations(opened(name, **options), tmp_path / "journal", TEXTS[:6])
    assert KEY not in str(caught.value)
    fake.faults.clear()
    fake.requests.clear()
    found = translations(opened(name), tmp_path / "journal", TEXTS[:6])
    assert all(answer.text for answer in found)
    resent = [text for each in sent(fake, name) for text in ([each] if isinstance(each, str) else each)]
    assert sorted(resent) == sorted(TEXTS[3:6])
    assert_nowhere(KEY, tmp_path)


def test_a_quota_used_up_is_one_sentence(start, tmp_path):
    fake = start("deepl", faults=["456"])
    with pytest.raises(UserError, match="Your DeepL quota is used up; all answers so far are kept"):
        translations(opened("deepl"), tmp_path / "journal")
    fake.allowance = 100
    fake.requests.clear()
    more = [f"{text} Often." for text in TEXTS]
    counted = f"This run needs {sum(map(len, more)):,} characters, but DeepL allows only 100 more"
    with pytest.raises(UserError, match=counted):
        translations(opened("deepl"), tmp_path / "journal", more)
    assert sent(fake, "deepl") == []


@pytest.mark.parametrize("name", SERVICES)
def test_a_language_that_the_service_lacks_is_said_before_anything_is_sent(start, tmp_path, name):
    fake = start(name)
    with pytest.raises(UserError, match="does not support 'be'; available: cs, en, es, sk, uk"):
        translations(opened(name, ["be"]), tmp_path / "journal", target="be")
    assert sent(fake, name) == []


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("deepl", "DeepL needs a key; set the environment variable DEEPL_AUTH_KEY"),
        ("google", "needs a key; .* GOOGLE_API_KEY or GOOGLE_APPLICATION_CREDENTIALS"),
        ("amazon", "Amazon Translate needs (keys|a region)"),
    ],
)
def test_without_a_key_nothing_starts(monkeypatch, name, complaint):
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with pytest.raises(UserError, match=complaint):
        open_model(name)


def test_a_credentials_file_that_google_cannot_read(monkeypatch, tmp_path):
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    with pytest.raises(UserError, match="does not name a usable credentials file"):
        open_model("google")


def test_the_cost_is_told_and_refused_where_nobody_can_be_asked(start, tmp_path, monkeypatch):
    fake = start("deepl")
    cost = rf"DeepL will receive {sum(map(len, TEXTS)):,} characters in 120 texts \(to sk\)\. Pass --yes to proceed"
    with pytest.raises(UserError, match=cost):
        translations(opened("deepl", yes=False), tmp_path / "journal")
    assert sent(fake, "deepl") == []


def translate_command(tmp_path, *more):
    (tmp_path / "in.txt").write_text("\n".join(TEXTS[:4]))
    files = (str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.csv"))
    return ["translate", "--model", "deepl", "--to", "sk", *files, *more]


@pytest.mark.long
def test_the_command_line_needs_yes_where_there_is_no_terminal(start, tmp_path):
    fake = start("deepl")
    command = translate_command(tmp_path)
    done = Prepared(*command).done()
    assert done.returncode == 2
    assert done.stderr == "Error: DeepL will receive 80 characters in 4 texts (to sk). Pass --yes to proceed.\n"
    assert sent(fake, "deepl") == []
    done = Prepared(*command, "--yes").done()
    assert done.returncode == 0
    assert done.stderr == "DeepL will receive 80 characters in 4 texts (to sk).\n"
    with (tmp_path / "out.csv").open() as file:
        assert [row["translation"] for row in csv.DictReader(file)] == [translated(text, "sk") for text in TEXTS[:4]]
    assert_nowhere(KEY, tmp_path)


@pytest.mark.long_but("n*")
@pytest.mark.parametrize(("reply", "code"), [("y\n", 0), ("n\n", 2)])
def test_on_a_terminal_the_user_is_asked(start, tmp_path, reply, code):
    fake = start("deepl")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "genderscope", *translate_command(tmp_path)]
    process = subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=theirs)
    os.close(theirs)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(ours, 1000)
    os.write(ours, reply.encode())
    try:
        while more := os.read(ours, 1000):
            shown += more
    except OSError:  # the terminal closes with its last process
        pass
    assert process.wait(60) == code
    assert b"80 characters in 4 texts" in shown
    assert (b"4 of 4 lines translated" if code == 0 else b"Nothing was sent") in shown
    assert len(sent(fake, "deepl")) == (1 if code == 0 else 0)
    os.close(ours)


def test_what_is_journaled_is_not_counted_again(start, tmp_path, capsys):
    start("deepl")
    translations(opened("deepl"), tmp_path / "journal", TEXTS[:100])
    capsys.readouterr()
    translations(opened("deepl"), tmp_path / "journal", TEXTS)
    rest = sum(map(len, TEXTS[100:]))
    assert capsys.readouterr().err == f"DeepL will receive {rest} characters in 20 texts (to sk).\n"
    translations(opened("deepl"), tmp_path / "journal", TEXTS)
    assert capsys.readouterr().err == ""
