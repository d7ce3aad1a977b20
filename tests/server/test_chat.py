"""Replies through a server: what is sent, what comes back, and what the server does not heed."""

import json

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import ReplyStart
from genderscope.models.server.chat_client import ANY_NUMBER, served_by
from tests.support.chat_server import HELLO, replied
from tests.support.evaluation import evaluate


def test_a_request_says_all_that_decides_the_reply(chats):
    server = chats()
    answer, _ = replied(server)
    assert answer.text == "(a)"
    body = server.asked()[-1]
    assert body["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello."}]
    wanted = {"model": "tiny", "max_tokens": 50, "temperature": 0.7, "top_p": 0.9, "seed": 5, "reasoning_effort": "low"}
    assert {name: body[name] for name in wanted} == wanted
    assert all(path != "/v1/completions" for _, path, _ in server.requests)  # nothing but chat is needed


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "(b)", "reasoning_content": "Is it (a)?"}, ("(b)", "Is it (a)?", None, None)),
        ({"content": "(b)", "reasoning": "Is it (a)?"}, ("(b)", "Is it (a)?", None, None)),
        ({"content": "<think>Is it (a)?</think>(b)"}, ("(b)", "Is it (a)?", None, None)),
        ({"content": [{"type": "text", "text": "(b)"}]}, ("(b)", None, None, None)),
        ({"content": "(b) and", "finish_reason": "length"}, ("(b) and", None, "length", None)),
        ({"content": "", "finish_reason": "length"}, ("", None, "length", None)),
        ({"content": None}, ("", None, None, None)),
        ({"content": None, "refusal": "No."}, ("No.", None, "refusal", None)),
        (
            {"content": "(b", "finish_reason": "content_filter"},
            (None, None, "filter", "stopped by the server's content filter"),
        ),
    ],
)
def test_a_reply_is_read_and_its_thoughts_are_kept_apart(chats, message, expected):
    answer, _ = replied(chats(lambda body: dict(message)))
    assert (answer.text, answer.thought, answer.ended, answer.unread) == expected


@pytest.mark.parametrize(
    "odd", [{"choices": []}, {"choices": [None]}, {"choices": [{"message": None}]}, {"choices": 5}]
)
def test_an_answer_without_a_message_is_unread(chats, odd):
    answer, _ = replied(chats(lambda body: odd))
    assert answer.unread == "the server sent no reply"


def test_what_a_server_does_not_take_is_left_out_and_said(chats):
    def refuses(body):
        if "max_tokens" in body:
            return "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return next((f"Unknown parameter: '{n}'." for n in ("seed", "temperature") if n in body), None)

    server = chats(refuses=refuses)
    answer, model = replied(server)
    assert answer.text == "(a)"
    body = server.asked()[-1]
    assert body["max_completion_tokens"] == 50
    assert not {"seed", "temperature", "max_tokens"} & set(body)
    told = " ".join(model.cautions())
    assert "does not accept 'seed', so it was omitted" in told
    assert "does not accept 'temperature', so it was omitted" in told


def test_seed_and_top_p_that_are_not_heeded_are_said(chats):
    count = iter(range(10_000))
    _, model = replied(chats(lambda body: f"{next(count)}"))
    told = " ".join(model.cautions())
    assert "so sampling is not reproducible" in told
    assert "accepts 'top_p' but ignores it" in told
    _, heeds = replied(chats(lambda body: f"{body['seed'] if body['top_p'] > 0.5 else 'one'}"))
    assert heeds.cautions() == []


def test_a_prompt_that_the_filter_stops_is_refused_not_fatal(chats):
    message = "The response was filtered due to the prompt triggering the content management policy."
    answer, _ = replied(chats(refuses=lambda body: None if ANY_NUMBER in str(body) else message))
    assert (answer.ended, answer.unread) == ("filter", "stopped by the server's content filter")
    with pytest.raises(UserError, match="refused a request for model 'tiny'"):
        replied(chats(refuses=lambda body: "bad luck"))


@pytest.mark.parametrize(
    ("asked", "told", "other"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", None),
        ("gpt-4o", "gpt-4o-mini", "gpt-4o-mini"),
        ("org/name", "name", None),
        ("name", "/models/name", None),
        ("name", "Name", None),
        ("name", "other", "other"),
        ("name", None, None),
        ("name", 5, None),
        ("llama3", "llama3:latest", None),
        ("llama3:latest", "llama3", None),
        ("gpt-4o-mini", "gpt-4o", "gpt-4o"),
        ("claude-sonnet-4", "claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", None),
        ("gemini-2.0-flash", "gemini-2.0-flash-001", None),
    ],
)
def test_another_model_than_was_asked_for_is_named(asked, told, other):
    assert served_by(asked, told) == other


def test_a_run_tells_tokens_and_cost_resumes_and_asks_nothing_twice(chats, tmp_path, capsys):
    def says(body):
        return {"model": "other", "choices": [{"message": {"content": "(a)"}, "finish_reason": "stop"}]}

    server = chats(says, faults=[*(["429"] * 3), "500"])
    settings = {
        "data": "starter",
        "limit": 16,
        "controls": "none",
        "out": tmp_path / "run",
        "price_in": 1,
        "price_out": 2,
        "concurrency": 16,
    }
    result = evaluate("gest-chat", server.spec, **settings)
    told = capsys.readouterr().err
    assert "96 requests: about" in told
    assert "at most 28,800 output tokens, costing between 0.01 and 0.06 at the given prices." in told
    assert 1 < server.most_at_a_time <= 16
    assert any("96 of 96 replies came from 'other'" in caution for caution in result.cautions)
    count = len(server.requests)
    assert evaluate("gest-chat", server.spec, **settings).signature == result.signature
    assert len(server.requests) == count
    described = json.loads((tmp_path / "run" / "run.json").read_text())["model"]
    assert described["method"] == "replies (chat)"


def letters(body):
    """Answer as a model that writes a parenthesis, then a letter."""
    first = [{"token": "(", "logprob": -0.1}, {"token": "I", "logprob": -3.0}]
    then = [{"token": t, "logprob": s} for t, s in (("a", -0.5), ("b", -1.5), ("c", -2.5), ("d", -9.0))]
    content = [{**tops[0], "top_logprobs": tops[: body["top_logprobs"]]} for tops in (first, then)]
    return {"choices": [{"message": {"content": "(a"}, "logprobs": {"content": content}}]}


def test_the_letters_are_read_behind_the_parenthesis(chats):
    server = chats(letters)
    question = ReplyStart(HELLO.messages, ("(a", "(b", "(c"))
    answer, _ = replied(server, question)
    assert answer.scores == pytest.approx((-0.6, -1.6, -2.6))
    assert server.asked()[-1]["max_tokens"] == 2
    fewer = chats(letters, refuses=lambda body: "top_logprobs must be at most 5" if body["top_logprobs"] > 5 else None)
    assert replied(fewer, question)[0].scores == pytest.approx(answer.scores)


def test_a_server_without_numbers_is_refused_for_letters(chats):
    question = ReplyStart(HELLO.messages, ("(a", "(b", "(c"))
    for server in (chats(), chats(refuses=lambda body: "logprobs are not supported" if "logprobs" in body else None)):
        with pytest.raises(UserError, match="returns no log-probabilities for its replies, which --form letter needs"):
            replied(server, question)


def test_the_plan_of_an_audit_tells_what_a_server_will_cost_and_asks_nothing_for_it(chats, cli, monkeypatch):
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)
    server = chats()
    options = ("--option", "gest-chat.data=starter", "--option", "gest-chat.limit=16")
    given = ("--model", server.spec, "--measure", "gest-chat", *options, "--price-in", "1", "--price-out", "2")
    planned = cli("audit", *given, "--plan")
    assert planned.returncode == 0, planned.stderr
    said = " ".join(planned.stdout.split())
    assert "input tokens and at most" in said
    assert "at the given prices); the time is unknown." in said
    assert not server.asked()
    done = cli("audit", *given)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("at the given prices") == 2, "in the plan, and once for all measures before it begins"
    assert len(server.asked()) >= 16
