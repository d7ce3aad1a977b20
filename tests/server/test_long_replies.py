"""Replies that are too long: what is kept of them, what is said about it, and how much memory they may take."""

import contextlib
import gc
import itertools
import threading
import time
import weakref
from typing import Any

import pytest

from genderscope.core.errors import MOST, most_frequent, once_each
from genderscope.core.journal_codec import CUT, CUT_TRANSLATION, TOO_LONG, answer_from_json, answer_to_json
from genderscope.core.questions import (
    LONGEST_TEXT,
    Completion,
    CompletionAnswer,
    Message,
    Reply,
    ReplyAnswer,
    Translation,
    TranslationAnswer,
)
from genderscope.models import Remote, open_model
from genderscope.models.http.requests import WAITING, as_they_come
from genderscope.models.http.response_limits import CHUNK, REPLY_LIMIT, TooLargeError, body_of, within
from genderscope.models.server.chat_client import ChatClient
from tests.support.answers import answers_to
from tests.support.chat_server import replied
from tests.support.evaluation import evaluate
from tests.support.vendors import PLAIN, VENDORS

LARGE = "(a) Women. " + "word " * (REPLY_LIMIT // 5)
LONG = "(a) Women. " + "word " * 20_000
STARTER: dict[str, Any] = {"data": "starter", "limit": 16, "controls": "none", "yes": True}


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (ReplyAnswer(LONG, "thought"), ReplyAnswer(LONG[:LONGEST_TEXT], "thought", CUT)),
        (ReplyAnswer(LONG, None, "length"), ReplyAnswer(LONG[:LONGEST_TEXT], None, CUT)),
        (ReplyAnswer(LONG, None, "refusal"), ReplyAnswer(LONG[:LONGEST_TEXT], None, "refusal")),
        (ReplyAnswer("(a)", LONG), ReplyAnswer("(a)", LONG[:LONGEST_TEXT])),
        (ReplyAnswer(None, None, "filter", None, "stopped"), ReplyAnswer(None, None, "filter", None, "stopped")),
        (TranslationAnswer(LONG), TranslationAnswer(LONG[:LONGEST_TEXT], note=CUT_TRANSLATION)),
        (
            TranslationAnswer(LONG, note="markup"),
            TranslationAnswer(LONG[:LONGEST_TEXT], note=f"markup, {CUT_TRANSLATION}"),
        ),
        (TranslationAnswer("x" * LONGEST_TEXT), TranslationAnswer("x" * LONGEST_TEXT)),
        (CompletionAnswer(("a", LONG)), CompletionAnswer(None, unread=TOO_LONG)),
    ],
)
def test_only_the_beginning_of_a_text_is_kept_and_that_is_said(answer, kept):
    question = {ReplyAnswer: Reply, TranslationAnswer: Translation, CompletionAnswer: Completion}
    assert answer_from_json(question[type(answer)], answer_to_json(answer)) == kept


@pytest.mark.long
def test_what_is_read_is_what_is_kept(chats, tmp_path):
    # Read whole, the replies would name two letters.
    server = chats(lambda body: f"(a) {'word ' * 20_000} Wait, it is (b).")
    first = evaluate("gest-chat", server.spec, out=tmp_path / "run", **(STARTER | {"limit": 2}))
    rows = first.rows
    assert set(rows["reply"].str.len()) == {LONGEST_TEXT}
    assert set(rows["ended"]) == {CUT}
    assert set(rows["letter"]) == {"a"}
    said = f"12 answers were longer than {LONGEST_TEXT:,} characters; the rest was not read."
    assert first.cautions.count(said) == 1
    asked = len(server.requests)
    (tmp_path / "run" / "result.json").unlink()
    again = evaluate("gest-chat", server.spec, out=tmp_path / "run", **(STARTER | {"limit": 2}))
    assert len(server.asked()) == 12
    assert len(server.requests) <= asked + 5, "only the probes are repeated"
    assert again.rows.equals(rows)
    assert said in again.cautions


def test_a_reply_of_megabytes_is_unread_and_the_run_goes_on(chats, serves):
    answer, _ = replied(chats(lambda body: LARGE))
    assert answer == ReplyAnswer(None, unread="the server's reply is larger than 4 MiB")
    for kind in VENDORS:
        fake = serves(kind, lambda body, kind=kind: kind.answer(LARGE))
        [answer] = answers_to(open_model(fake.spec), [PLAIN])
        assert answer.unread == "the server's reply is larger than 4 MiB"


def test_a_translation_of_megabytes_is_unread_and_the_run_goes_on(serve):
    server = serve(offers=("chat",), chat=lambda text: "Plakala som." if "cried" in text else LARGE)
    model = open_model(server.spec, remote=Remote.model_validate({"retries": 0}))
    found = answers_to(model, [Translation("I was there.", "en", "sk"), Translation("I cried.", "en", "sk")])
    assert [answer.unread for answer in found] == ["the server's reply is larger than 4 MiB", None]


def test_no_more_of_an_endless_reply_is_taken_than_may_be_kept():
    taken = itertools.count()
    chunks = (bytes(CHUNK) for _ in taken)
    with pytest.raises(TooLargeError, match="It sent a response larger than 4 MiB"):
        body_of(chunks, None, time.monotonic() + 60, "It", REPLY_LIMIT)
    assert next(taken) <= REPLY_LIMIT // CHUNK + 2


def test_a_body_that_is_given_up_leaves_the_memory_at_once():
    class Body:
        pass

    held = []

    def call():
        body = Body()
        held.append(weakref.ref(body))
        raise TooLargeError("It sends too much.")

    gc.disable()
    try:
        with contextlib.suppress(TooLargeError):
            within(5, call)
        end = time.monotonic() + 5
        while held[0]() is not None and time.monotonic() < end:
            time.sleep(0.01)  # the thread ends a moment later
        assert held[0]() is None
    finally:
        gc.enable()


def test_results_that_nobody_takes_are_not_piled_up():
    done, lock = [], threading.Lock()

    def work(job):
        with lock:
            done.append(job)
        return job

    results = as_they_come(range(1000), work, 4)
    next(results)
    time.sleep(0.5)  # the threads could have done all of it
    assert len(done) <= WAITING * 4 + 1
    assert len(list(results)) == 999
    assert sorted(done) == list(range(1000))


def test_threads_that_wait_for_room_end_with_the_run():
    before = threading.active_count()
    results: Any = as_they_come(range(1000), lambda job: job, 8)
    next(results)
    results.close()
    end = time.monotonic() + 20
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert threading.active_count() <= before


def test_a_server_that_never_names_the_same_model_gets_one_caution(chats, tmp_path):
    count = itertools.count()

    def says(body):
        return {"model": f"model {next(count)}", "choices": [{"message": {"content": "(a)"}, "finish_reason": "stop"}]}

    result = evaluate("gest-chat", chats(says).spec, out=tmp_path / "run", **STARTER)
    (told,) = (caution for caution in result.cautions if "The server says" in caution)
    assert "96 of 96 replies came from 96 models, none of which is the requested one: 'model " in told
    assert told.endswith(", 91 others.")


def test_a_caution_is_given_once_with_a_count_and_there_are_not_too_many():
    assert once_each(["One.", "Two.", "One."]) == ("One. (2 times)", "Two.")
    told = once_each(f"Caution {k}." for k in range(5_000))
    assert len(told) == MOST + 1
    assert told[-1] == f"{5_000 - MOST:,} more cautions are not listed."
    assert most_frequent({"a": 1, "b": 2_000}) == "b 2,000, a 1"


@pytest.mark.parametrize(("tokens", "reason", "ended"), [(20, None, "length"), (19, None, None), (20, "stop", None)])
def test_a_reply_of_maximum_length_is_cut_unless_the_server_says_otherwise(tokens, reason, ended):
    response = {
        "choices": [{"message": {"role": "assistant", "content": "(a)"}, "finish_reason": reason}],
        "usage": {"completion_tokens": tokens},
    }
    client = ChatClient(lambda path, body, limit: response, "m")
    assert client.reply(Reply((Message("user", "Who?"),), max_tokens=20)).ended == ended
