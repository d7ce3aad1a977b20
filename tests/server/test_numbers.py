"""What a server says is checked before it is believed: numbers that cannot be leave a question unread."""

import math
from typing import Any

import pytest

from genderscope.core.journal_codec import answer_to_json
from genderscope.core.questions import Choice, Completion, TokenLikelihood
from genderscope.models import Remote, open_model
from genderscope.models.server import tokens as plausibility
from genderscope.models.server.model import ServerModel
from tests.server.language_model import LLAMA
from tests.support.answers import SENTENCES, answers_to
from tests.support.evaluation import evaluate
from tests.support.kinds import of_kind

CHOICES = [Choice(f'"{s}", ', " said.", ("he", "she"), want_mass=True) for s in SENTENCES[:3]]
RUNGS: dict[str, dict[str, Any]] = {
    "prompt_logprobs": {"offers": ("prompt_logprobs", "logprobs", "completions")},
    "echo": {"offers": ("echo", "logprobs", "completions")},
    "top": {"offers": ("logprobs", "completions"), "top": 10**9},
    "llama.cpp": LLAMA,
}


def of_words(change):
    """Change what is said of the words that are asked for; all else is as it is."""
    return lambda text, piece, score: change(score) if piece.strip() in ("he", "she") else score


def of_she(change):
    return lambda text, piece, score: change(score) if piece.strip() == "she" else score


def of_all(change):
    return lambda text, piece, score: change(score)


FALSE = {
    "probabilities": (of_all(math.exp), {plausibility.ABOVE_ZERO}),
    "logits": (of_all(lambda score: score + 12), {plausibility.ABOVE_ZERO}),
    "a floor for both": (of_words(lambda _: -9999.0), {plausibility.FLOOR.format(-9999)}),
    "a floor for one": (of_she(lambda _: -9999.0), {plausibility.FLOOR.format(-9999)}),
    "llama.cpp's zero": (of_she(lambda _: -3.4028234663852886e38), {plausibility.FLOOR.format(-3.4028234663852886e38)}),
    "a floor of one's own": (of_words(lambda _: -50.0), {plausibility.FLOOR.format(-50)}),
    "a low floor": (of_words(lambda _: -18.42068), {plausibility.FLOOR.format(-18.42068)}),
    "minus infinity": (of_she(lambda _: -math.inf), {plausibility.NOT_FINITE}),
    "nan": (of_words(lambda _: math.nan), {plausibility.NOT_FINITE}),
    "nan for one": (of_she(lambda _: math.nan), {plausibility.NOT_FINITE}),
    "infinity": (of_she(lambda _: math.inf), {plausibility.ABOVE_ZERO}),
    "above one together": (of_words(lambda _: -0.1), {plausibility.TOGETHER, plausibility.TOO_MUCH}),
    "as text": (of_words(str), {"the server returned no log-probabilities", None}),
}


@pytest.mark.parametrize("rung", RUNGS)
def test_false_numbers_leave_the_question_unread(serve, rung):
    server = serve(**RUNGS[rung])
    model = open_model(server.spec)
    assert all(answer.scores for answer in answers_to(model, CHOICES))
    for false, (said, reasons) in FALSE.items():
        server.said = said
        for answer in answers_to(model, CHOICES):
            assert answer.scores is None, false
            assert answer.unread in reasons or (None in reasons and "is not among" in answer.unread), false
            assert b"9999" not in answer_to_json(answer).split(b'"unread"')[0]


@pytest.mark.parametrize("rung", RUNGS)
def test_a_server_that_never_tells_anything_else_is_no_other_matter(serve, rung):
    server = serve(said=of_all(math.exp), **RUNGS[rung])
    assert {answer.unread for answer in answers_to(open_model(server.spec), CHOICES)} == {plausibility.ABOVE_ZERO}


@pytest.mark.parametrize("rung", RUNGS)
def test_rounding_above_zero_is_forgiven_and_nothing_true_is_unread(serve, models, rung):
    local = answers_to(open_model(str(models("gpt2", "bytes"))), CHOICES)
    model = open_model(serve(said=of_all(lambda score: score + 1e-6), **RUNGS[rung]).spec)
    for here, there in zip(local, answers_to(model, CHOICES), strict=True):
        assert there.scores[0] - there.scores[1] == pytest.approx(here.scores[0] - here.scores[1], abs=1e-3)
        assert there.mass == pytest.approx(here.mass, rel=1e-3)


@pytest.mark.parametrize(
    ("question", "offers", "said", "reason"),
    [
        (TokenLikelihood(SENTENCES[0], (), False), "echo", of_all(math.exp), plausibility.ABOVE_ZERO),
        (TokenLikelihood(SENTENCES[0], (), False), "echo", of_all(lambda _: -9999.0), plausibility.FLOOR.format(-9999)),
        (
            TokenLikelihood(SENTENCES[0], (), False),
            "prompt_logprobs",
            of_all(lambda _: math.nan),
            plausibility.NOT_FINITE,
        ),
        (Completion("I was", "", 5), "top", of_all(math.exp), plausibility.ABOVE_ZERO),
        (Completion("I was", "", 5), "llama.cpp", of_all(lambda score: score / 9), plausibility.TOO_MUCH),
        (Completion("I was", "", 5), "llama.cpp", of_all(lambda score: score - 12), plausibility.TOO_LITTLE),
        (Completion("I was", "", 5), "llama.cpp", of_all(lambda _: math.nan), plausibility.NOT_FINITE),
        (Completion("I was", "", 5, 3, "sample"), "llama.cpp", of_all(lambda _: -1e9), plausibility.FLOOR.format(-1e9)),
        (Completion("I was", "", 5, 3, "sample"), "top", of_all(lambda score: -score), plausibility.ABOVE_ZERO),
    ],
)
def test_false_numbers_of_likelihoods_and_completions(serve, question, offers, said, reason):
    [answer] = answers_to(open_model(serve(said=said, **RUNGS[offers]).spec), [question])
    assert answer.unread == reason
    assert not getattr(answer, "scores", ())


@pytest.mark.parametrize(
    ("top", "reason"),
    [
        ({"he": 0.4, "she": 0.3}, plausibility.ABOVE_ZERO),
        ({"he": -0.1, "she": -0.2}, plausibility.TOO_MUCH),
        ({"he": -0.5, "she": -9999}, plausibility.FLOOR.format(-9999)),
        ({"he": -9999, "she": -9999}, plausibility.FLOOR.format(-9999)),
        ({"he": -0.5, "she": math.nan}, plausibility.NOT_FINITE),
        ({"he": -0.5, "she": None}, "'she' is not among the 1 likeliest next tokens"),
        ({"he": -0.5, "she": 10**400}, plausibility.ABOVE_ZERO),
        ({"he": -0.5, "she": True}, "'she' is not among the 1 likeliest next tokens"),
    ],
)
def test_false_numbers_of_a_chat(serve, top, reason):
    server = serve(offers=("chat", "chat_logprobs"), chat=lambda _: {"content": "he", "top": top})
    [answer] = answers_to(open_model(server.spec), CHOICES[:1])
    assert answer.unread == reason.replace(
        "the 1 ", f"the {of_kind(open_model(server.spec), ServerModel).query_method.top} "
    )


def test_equal_numbers_of_half_precision_are_no_floor():
    assert plausibility.shared_floor([-0.5, -8.125, -8.125]) is None
    assert plausibility.shared_floor([-0.5, -12.0, -16.25, -16.5, -16.5]) is None
    assert plausibility.shared_floor([-0.01, -40.3125]) is None


@pytest.mark.long
def test_a_server_of_false_numbers_gives_a_run_without_any_that_can_be_given_again(serve, tmp_path):
    server = serve(said=of_all(lambda _: math.nan), **LLAMA)
    for _ in range(2):
        result = evaluate("gest", server.spec, data="starter", limit=4, out=tmp_path / "run")
        assert set(result.rows["unread"]) == {plausibility.NOT_FINITE}
        assert result.rows["log_ratio"].isna().all()
        (tmp_path / "run" / "result.json").unlink()  # as if the run had been stopped before its end


def test_llama_cpp_is_asked_for_as_many_next_tokens_as_it_gives(serve, models):
    server = serve(**LLAMA)
    model = of_kind(open_model(server.spec), ServerModel)
    assert (model.query_method.name, model.query_method.top, model.query_method.every) == (
        "top",
        len(server.tokenizer),
        True,
    )
    local = answers_to(open_model(str(models("gpt2", "bytes"))), CHOICES)
    for here, there in zip(local, answers_to(model, CHOICES), strict=True):
        assert there.scores[0] - there.scores[1] == pytest.approx(here.scores[0] - here.scores[1], abs=1e-3)
    capped = answers_to(open_model(serve(offers=("logprobs", "completions")).spec), CHOICES)
    assert all("is not among the 20 likeliest" in answer.unread for answer in capped)


def test_all_next_tokens_are_asked_for_only_where_the_likeliest_do_not_suffice(serve, monkeypatch):
    monkeypatch.setattr("genderscope.models.server.capabilities.MOST_OFTEN_ENOUGH", 100)
    server = serve(**LLAMA)
    model = open_model(server.spec)
    found = answers_to(model, CHOICES)
    assert all(answer.scores for answer in found)
    asked = [body["logprobs"] for body in server.asked()[-len(CHOICES) * 2 :] if body["logprobs"] > 20]
    assert asked.count(100) == len(CHOICES) >= asked.count(10**6) > 0


@pytest.mark.parametrize(
    ("top", "refusal", "expected"),
    [
        (20, "Requested sample logprobs of {asked}, which is greater than max allowed: {top}", 20),
        (100, "Requested sample logprobs of {asked}, which is greater than max allowed: {top}", 100),
        (5, "Expected a value <= {top}, but got {asked} instead.", 5),
        (7, "HTTP 400: at most {top} of 20", 7),
        (5, "no", 5),
    ],
)
def test_a_server_that_tells_fewer_is_asked_for_as_many_as_it_tells(serve, top, refusal, expected):
    server = serve(offers=("logprobs", "completions"), top=top)
    server.too_many = refusal
    assert of_kind(open_model(server.spec), ServerModel).query_method.top == expected


def test_a_server_that_breaks_when_asked_for_all_is_asked_for_fewer(serve):
    server = serve(offers=("logprobs", "completions"), top=10**9, faults=["500"] * 3)
    server.counts = lambda method, path, body: body.get("logprobs", 0) > 1000
    model = of_kind(open_model(server.spec), ServerModel)
    assert (model.query_method.top, model.query_method.every) == (20, False)
    assert not server.faults


def test_a_server_that_would_not_survive_it_is_not_asked_for_all(serve):
    server = serve(offers=("logprobs", "completions"), top=10**9)
    true_reply = server.reply
    models = {"data": [{"id": "tiny", "owned_by": "sglang"}]}
    server.reply = lambda method, path, body: (200, models) if path == "/v1/models" else true_reply(method, path, body)
    assert of_kind(open_model(server.spec), ServerModel).query_method.top == 1000
    assert max(body.get("logprobs", 0) for _, _, body in server.requests) == 1000


def test_continuations_are_drawn_one_by_one_where_the_server_draws_no_more(serve):
    server = serve(**LLAMA)
    questions = [Completion(f"{s} Then", "", 4, 3, "sample") for s in SENTENCES[:2]]
    for answer in answers_to(open_model(server.spec, remote=Remote.model_validate({"concurrency": 1})), questions):
        assert len(answer.texts) == len(answer.scores) == 4
    assert [body["n"] for body in server.asked() if "n" in body] == [4] + [1] * 8
