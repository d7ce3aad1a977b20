"""How many requests are under way at a time, and in which order they are sent."""

import math
import threading
import time
from itertools import pairwise

import pytest

from genderscope.core.questions import Message, Reply, ReplyStart
from genderscope.models import Remote, open_model
from genderscope.models.http.requests import FIRST, MOST, Growth, as_they_come
from tests.support.answers import answers_to

LETTERS = ("(a", "(b", "(c")


def letters(body):
    """Reply with the probabilities of the letters that a prompt gives, such as 0.25."""
    first = float(body["messages"][-1]["content"].rsplit(" ", 1)[-1])
    top = [{"token": f"({x}", "logprob": math.log(p)} for x, p in zip("abc", (first, 0.9 - first, 0.1), strict=True)]
    entry = {**top[0], "top_logprobs": top}
    return {"choices": [{"message": {"content": "(a"}, "logprobs": {"content": [entry]}}]}


def questions(count):
    """Return questions in an order that mixes the beginnings of their prompts."""
    return [
        ReplyStart((Message("user", f"Sentence {k % 7}. {0.1 + 0.7 * k / count:.4f}"),), LETTERS) for k in range(count)
    ]


def asked(server, count, **options):
    model = open_model(server.spec, remote=Remote.model_validate({"retries": 1, **options}))
    assert not model.unanswerable(frozenset({Reply, ReplyStart}))
    return answers_to(model, questions(count))


@pytest.mark.long
def test_sixty_four_requests_are_under_way_and_every_answer_belongs_to_its_question(chats):
    together = threading.Barrier(64, timeout=30)  # replies only once 64 requests have arrived

    def says(body):
        together.wait()
        return letters(body)

    answers = asked(chats(says), 256, concurrency=64)
    for k, answer in enumerate(answers):
        assert answer.mass == pytest.approx(1, abs=1e-9)
        assert answer.scores[0] == pytest.approx(math.log(round(0.1 + 0.7 * k / 256, 4)), abs=1e-9)


@pytest.mark.long
def test_the_number_of_requests_grows_as_long_as_that_is_faster(chats):
    server = chats(letters, delay=0.2)
    asked(server, 250)
    assert server.most_at_a_time > 2 * FIRST


def test_prompts_that_begin_alike_are_sent_one_after_another(chats):
    server = chats(letters)
    asked(server, 70, concurrency=1)
    beginnings = [body["messages"][-1]["content"].split(".")[0] for body in server.asked()]
    changes = sum(a != b for a, b in pairwise(beginnings))
    assert changes == 6


def test_a_rejected_number_of_tokens_is_not_tried_again(chats):
    server = chats(letters, refuses=lambda body: "top_logprobs must be at most 5" if body["top_logprobs"] > 5 else None)
    asked(server, 30, concurrency=1)
    assert [body["top_logprobs"] for body in server.asked()] == [20] + 30 * [5]


def simulated(rate, count=1000, **options):
    """Return the limits over time if `rate` gives results per second at each limit."""
    growth = Growth(**options)
    now, limits = 0.0, []
    for _ in range(count):
        now += 1 / rate(growth.limit)
        limits.append(growth.next_limit(now))
    return limits


def test_the_limit_doubles_up_to_the_most():
    limits = simulated(lambda limit: 10.0 * limit)
    assert sorted(set(limits)) == [8, 16, 32, MOST]
    assert limits[-1] == MOST


def test_the_limit_returns_to_the_last_that_was_faster():
    limits = simulated(lambda limit: 10.0 * min(limit, 16))
    assert max(limits) == 32
    assert limits[-1] == 16
    assert simulated(lambda limit: 50.0)[-1] == FIRST


def test_a_slow_server_is_not_sent_so_many_requests_that_they_time_out():
    assert set(simulated(lambda limit: limit / 30.0, timeout=60)) == {FIRST}


def test_fewer_jobs_run_after_the_limit_returned():
    """A server with eight places: more jobs at a time only wait."""
    places, lock = threading.Semaphore(8), threading.Lock()
    running, seen = 0, []

    def work(job):
        nonlocal running
        with lock:
            running += 1
            seen.append(running)
        with places:
            time.sleep(0.005)
        with lock:
            running -= 1
        return -job

    results = dict(as_they_come(range(600), work, Growth()))
    assert results == {job: -job for job in range(600)}
    assert max(seen[-100:]) <= 8 < max(seen) <= 16


def test_replies_grow_too_and_a_number_set_by_the_user_is_kept(chats):
    server = chats(lambda body: "(a)", delay=0.02)
    model = open_model(server.spec, remote=Remote.model_validate({"concurrency": 4}))
    assert not model.unanswerable(frozenset({Reply}))
    answers_to(model, [Reply((Message("user", str(k)),), 5, temperature=0.0) for k in range(120)])
    assert server.most_at_a_time == 4
