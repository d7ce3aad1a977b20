"""A server whose numbers depend on what was asked before is found out before a run begins, and named."""

import json
import random
import threading
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, Completion, TokenLikelihood
from genderscope.models import open_model
from tests.server.language_model import LLAMA, PROBES, TWICE, text_of
from tests.support.answers import SENTENCES, answers_to
from tests.support.evaluation import evaluate

CHOICES = [Choice(f'"{s}", ', " said.", ("he", "she")) for s in SENTENCES[1:7]]
NAMED = (
    r"gave different log-probabilities when the same texts were sent in a different order \(.+\), "
    r"as with a stale prefix cache; "
    r"disable that cache \(vLLM: --no-enable-prefix-caching\) and try again\."
)


class StaleCache:
    """Gives a text the numbers of an earlier one that begins alike; `keeps` the first such text, or the last."""

    def __init__(self, keeps, shared=24, forms=("prompt_logprobs", "echo", "logprobs"), only=lambda text: True):
        self.keeps, self.shared, self.forms, self.only = keeps, shared, forms, only
        self.kept = {}
        self.lock = threading.Lock()

    def __call__(self, body, answer):
        text = text_of(body)
        if not self.only(text) or not set(self.forms) & set(body) or len(text) < self.shared:
            return answer
        with self.lock:
            stale = self.kept.get(text[: self.shared])
            if stale is None or self.keeps == "last":
                self.kept[text[: self.shared]] = numbers_in(answer)
        return answer if stale is None else with_numbers(answer, stale)


def places_of_numbers(node):
    """Find every log-probability in an answer: the object or list that holds it, and where."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "logprob":
                yield node, key
            elif key == "token_logprobs":
                yield from ((value, k) for k in range(len(value)))
            else:
                yield from places_of_numbers(value)
    elif isinstance(node, list):
        for value in node:
            yield from places_of_numbers(value)


def numbers_in(answer):
    return [holder[place] for holder, place in places_of_numbers(answer)]


def with_numbers(answer, numbers):
    for (holder, place), number in zip(list(places_of_numbers(answer)), numbers, strict=False):
        holder[place] = number
    return answer


FORMS: dict[str, dict[str, Any]] = {
    "prompt_logprobs": {"offers": ("prompt_logprobs", "completions")},
    "echo": {"offers": ("echo", "logprobs", "completions"), "top": 1},
    "llama.cpp": LLAMA,
}


@pytest.mark.parametrize("keeps", ["first", "last"])
@pytest.mark.parametrize("form", ["prompt_logprobs", "echo", "llama.cpp"])
def test_a_stale_cache_is_found_and_named(serve, form, keeps):
    server = serve(**FORMS[form])
    # What continues a text has no numbers of its own place, so only the last kept can show there.
    server.instead = StaleCache("last" if form == "llama.cpp" else keeps, shared=8 if form == "llama.cpp" else 24)
    with pytest.raises(UserError, match=NAMED):
        answers_to(open_model(server.spec), CHOICES)


@pytest.mark.parametrize(
    "questions", [CHOICES, [TokenLikelihood(c.before + "he" + c.after, (), False) for c in CHOICES]]
)
def test_one_that_shows_on_a_runs_own_texts_only_is_found_before_the_run(serve, questions):
    server = serve(offers=("prompt_logprobs", "completions"))
    server.instead = StaleCache("last", shared=4, only=lambda text: text not in PROBES)
    with pytest.raises(UserError, match=NAMED):
        answers_to(open_model(server.spec), questions)
    assert len(server.asked()) <= TWICE


def test_next_tokens_are_asked_twice_too(serve):
    server = serve(**LLAMA)
    asked = []

    def answered(body, answer):
        text = text_of(body)
        asked.append(text)
        again = asked.count(text) > 1 and text not in PROBES
        return with_numbers(answer, [number - 1 for number in numbers_in(answer)]) if again else answer

    server.instead = answered
    with pytest.raises(UserError, match=NAMED):
        answers_to(open_model(server.spec), [Completion(f"{s} Then", "", 3) for s in SENTENCES[:3]])


def test_a_way_that_is_steady_is_taken_instead_and_the_run_says_so(serve, tmp_path):
    server = serve(offers=("prompt_logprobs", "logprobs", "completions"), top=10**9)
    server.instead = StaleCache("last", forms=("prompt_logprobs",))
    result = evaluate("gest", server.spec, data="starter", limit=2, out=tmp_path / "run")
    ladder = json.loads((tmp_path / "run" / "run.json").read_text())["model"]["ladder"]
    assert (ladder["name"], ladder["passed_over"]) == ("top", "prompt log-probabilities (prompt_logprobs)")
    assert any("changed when the same texts were sent again in a different order" in each for each in result.cautions)
    assert open_model(server.spec).fingerprint != open_model(serve(offers=("logprobs", "completions")).spec).fingerprint


@pytest.mark.parametrize("form", ["prompt_logprobs", "llama.cpp"])
def test_the_noise_of_half_precision_is_no_change(serve, form):
    noise = random.Random(0)
    server = serve(said=lambda text, piece, score: min(0.0, score + noise.gauss(0, 0.05)), **FORMS[form])
    assert all(answer.scores for answer in answers_to(open_model(server.spec), CHOICES))


def test_a_resumed_run_asks_again_since_the_server_may_have_been_started_anew(serve):
    server = serve(offers=("prompt_logprobs", "completions"))
    model = open_model(server.spec)
    answers_to(model, CHOICES)
    once = len(server.asked())
    assert once == TWICE + 2 * len(CHOICES)
    answers_to(model, CHOICES)
    assert len(server.asked()) == once + 2 * len(CHOICES), "one start, one check"
    answers_to(open_model(server.spec), CHOICES[:1])
    assert len(server.asked()) == once + 2 * len(CHOICES) + 4 + 2
