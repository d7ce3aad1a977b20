"""Servers and services that answer nonsense: a question is unread or the run ends in a sentence, never in a traceback.

Every node of a valid answer becomes each of a dozen other values in turn, on every way in which systems are asked.
"""

import math
from collections import Counter
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, Completion, Question, TokenLikelihood, Translation
from genderscope.models import Remote, open_model
from tests.server.language_model import LLAMA
from tests.server.odd import variants
from tests.support.answers import answers_to
from tests.support.services import SERVICES, opened

CHOICE = Choice('"I was there.", ', " said.", ("he", "she"), want_mass=True)
LIKELIHOOD = TokenLikelihood("I was there.", (), False)
TOP = {"offers": ("logprobs", "completions"), "top": 10**9}
CHAT_TOP = {
    "offers": ("chat", "chat_logprobs"),
    "chat": lambda _: {"content": "he", "top": {"he": -1.0, "she": -2.0, "x": -2.5}},
}
WAYS: dict[str, tuple[dict[str, Any], Question]] = {
    "prompt_logprobs": ({"offers": ("prompt_logprobs", "completions")}, CHOICE),
    "echo": ({"offers": ("echo", "logprobs", "completions")}, CHOICE),
    "likelihood": ({"offers": ("echo", "logprobs", "completions")}, LIKELIHOOD),
    "top": (TOP, CHOICE),
    "llama.cpp": (LLAMA, CHOICE),
    "next tokens": (LLAMA, Completion("I was", "", 3)),
    "continuations": (TOP, Completion("I was", "", 2, 2, "sample")),
    "chat with numbers": (CHAT_TOP, CHOICE),
    "chat": ({"offers": ("chat",), "chat": lambda _: "he"}, CHOICE),
    "translation": ({"offers": ("chat",)}, Translation("I cried.", "en", "sk")),
}
ONCE = Remote.model_validate({"retries": 0, "samples": 2, "timeout": 60})


def outcomes(model, questions, fake, answers):
    """Put questions to a fake that gives each of these answers in turn; count what comes of it."""
    counts: Counter[str] = Counter()
    for odd in answers:
        fake.reply = lambda *_, odd=odd: (200, odd)
        try:
            found = answers_to(model, questions)
        except UserError as error:
            sentence = str(error)
        else:
            sentence = ""
            for answer in found:
                assert_sane(answer)
                counts["unread" if answer.unread else "read"] += 1
        counts["refused"] += bool(sentence)
        assert not sentence or ("did not answer (its response" in sentence and "\n" not in sentence), odd
    return counts


@pytest.mark.long_but("echo", "chat", "translation")
@pytest.mark.parametrize("way", WAYS)
def test_every_odd_answer_of_a_server_is_unread_or_one_sentence(serve, way):
    options, question = WAYS[way]
    server = serve(**options)
    model = open_model(server.spec, remote=ONCE)
    seen = []
    server.instead = lambda body, answer: seen.append(answer) or answer
    answers_to(model, [question])
    counts = outcomes(model, [question], server, variants(trimmed(seen[-1])))
    assert counts["refused"]
    assert counts["unread"]


def trimmed(answer):
    """Shorten the long lists of candidates, so that there are fewer nodes to change."""
    for choice in answer["choices"]:
        for each in (choice.get("logprobs") or {}).get("content") or []:
            each["top_logprobs"] = [t for t in each["top_logprobs"] if t["token"].strip() in ("he", "she", "x", "the")]
    return answer


def assert_sane(answer):
    """Whatever is told is a number that a log-probability can be, or a text."""
    told = getattr(answer, "scores", None) or getattr(answer, "log_probabilities", None) or ()
    assert all(score is None or (math.isfinite(score) and score <= 0) for score in told)
    assert getattr(answer, "mass", None) is None or answer.mass <= 1.02
    texts = answer.texts or () if hasattr(answer, "texts") else (getattr(answer, "text", None),)
    assert all(text is None or isinstance(text, str) for text in texts)
    assert answer.unread is not None or told or any(text is not None for text in texts)


NO_JSON = (b"", b"<html>Not found</html>", b'{"a": ', b"[" * 100_000, b"\xff\xfe")


@pytest.mark.parametrize("name", SERVICES)
def test_every_odd_answer_of_a_service_is_unread_or_one_sentence(start, name):
    fake = start(name)
    model = opened(name, retries=0, timeout=60)
    questions = [Translation("I was there.", "en", "sk"), Translation("I cried.", "en", "sk")]
    seen, true_reply = [], fake.reply
    fake.reply = lambda *request: seen.append(true_reply(*request)) or seen[-1]
    assert all(answer.text for answer in answers_to(model, questions))
    counts = outcomes(model, questions, fake, [*variants(seen[-1][1]), *NO_JSON])
    assert counts["refused"]
    assert counts["unread"]


def refused(call):
    """Tell whether a call ends in one sentence."""
    try:
        call()
    except UserError as error:
        sentence = str(error)
    else:
        return False
    assert "\n" not in sentence
    return True


@pytest.mark.parametrize("name", SERVICES)
def test_odd_lists_of_languages_and_quotas_of_services(start, name):
    fake = start(name)
    model = opened(name, retries=0, timeout=60)
    path = {"deepl": "/v2/languages"}.get(name, "/language/translate/v2/languages")
    asked = [(model.targets, fake.reply("GET", path, {})[1])]
    asked += [(model.left, fake.reply("GET", "/v2/usage", {})[1])] if name == "deepl" else []
    for ask, valid in asked:
        odd = [*variants(valid), *NO_JSON]
        answers = iter(odd)
        fake.reply = lambda *_, answers=answers: (200, next(answers))
        assert sum(refused(lambda ask=ask: model.ask(ask)) for _ in odd)
