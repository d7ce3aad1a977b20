"""Chat models of Anthropic and Google, in their own protocols, against local fakes of these."""

import json

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Message, Reply
from genderscope.models import Remote, open_model
from tests.support.answers import answers_to
from tests.support.evaluation import evaluate
from tests.support.vendors import KEY, PLAIN, VENDORS, FakeAnthropic, FakeGemini

HELLO = Reply((Message("system", "Be brief."), Message("user", "Hello.")), 50, 0.7, 0.9, 5, "low")


def replied(fake, question=HELLO, **options):
    model = open_model(fake.spec, remote=Remote.model_validate({"retries": 1, "yes": True, **options}))
    assert model.unanswerable(frozenset({Reply})) == frozenset()
    [answer] = answers_to(model, [question])
    return answer, model


def test_anthropic_is_sent_all_that_decides_the_reply(serves):
    fake = serves(FakeAnthropic)
    answer, model = replied(fake)
    assert answer.text == "(a)"
    assert fake.asked()[-1] == {
        "model": "claude-x-1",
        "max_tokens": 50,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Hello."}],
        "temperature": 0.7,
        "top_p": 0.9,
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "low"},
    }
    assert "Anthropic's API has no seed parameter, so sampling is not reproducible." in model.cautions()
    replied(fake, PLAIN)  # its own defaults are not sent: the newest models refuse even those
    assert set(fake.asked()[-1]) == {"model", "max_tokens", "messages"}


def test_google_is_sent_all_that_decides_the_reply(serves):
    fake = serves(FakeGemini)
    conversation = Reply((*HELLO.messages, Message("assistant", "Hi."), Message("user", "Well?")), 50, 0.7, 0.9, 5)
    answer, model = replied(fake, conversation)
    assert answer.text == "(a)"
    assert fake.asked()[-1] == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Hello."}]},
            {"role": "model", "parts": [{"text": "Hi."}]},
            {"role": "user", "parts": [{"text": "Well?"}]},
        ],
        "generationConfig": {"maxOutputTokens": 50, "candidateCount": 1, "temperature": 0.7, "topP": 0.9, "seed": 5},
    }
    assert model.cautions() == []
    replied(fake, HELLO)
    thinking = fake.asked()[-1]["generationConfig"]["thinkingConfig"]
    assert thinking == {"thinkingLevel": "low", "includeThoughts": True}


THOUGHT = {"type": "thinking", "thinking": "Is it (a)?", "signature": "x"}
SECRET = {"type": "redacted_thinking", "data": "(c)"}
TEXT = {"type": "text", "text": "(b)"}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"content": [THOUGHT, TEXT]}, ("(b)", "Is it (a)?", None, None, None)),
        ({"content": [SECRET, TEXT]}, ("(b)", None, None, None, None)),
        ({"content": [{"type": "text", "text": "("}, {"type": "text", "text": "b)"}]}, ("(b)", None, None, None, None)),
        ({"content": [THOUGHT], "stop_reason": "max_tokens"}, ("", "Is it (a)?", "length", None, None)),
        ({"content": [TEXT], "stop_reason": "max_tokens"}, ("(b)", None, "length", None, None)),
        ({"content": [TEXT], "stop_reason": "model_context_window_exceeded"}, ("(b)", None, "length", None, None)),
        ({"content": [], "stop_reason": "refusal"}, ("", None, "refusal", None, None)),
        ({"content": []}, ("", None, None, None, None)),
        ({"content": [TEXT], "model": "claude-x-1-20260101"}, ("(b)", None, None, None, None)),
        ({"content": [TEXT], "model": "claude-y"}, ("(b)", None, None, "claude-y", None)),
        ({"content": None}, (None, None, None, None, "the server sent no reply")),
        ({"content": [5, {"type": "text", "text": 5}, {"type": "tool_use"}]}, ("", None, None, None, None)),
    ],
)
def test_an_answer_of_anthropics_is_read(serves, answer, expected):
    found, _ = replied(serves(FakeAnthropic, lambda body: FakeAnthropic.answer("") | answer), PLAIN)
    assert (found.text, found.thought, found.ended, found.served_by, found.unread) == expected


def candidate(*parts, finish="STOP"):
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}]}


FILTERED = (None, None, "filter", None, "stopped by the server's content filter")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (candidate({"text": "Is it (a)?", "thought": True}, {"text": "(b)"}), ("(b)", "Is it (a)?", None, None, None)),
        (candidate({"text": "("}, {"text": "b)", "thoughtSignature": "x"}), ("(b)", None, None, None, None)),
        (candidate({"text": "(b"}, finish="MAX_TOKENS"), ("(b", None, "length", None, None)),
        (candidate(finish="MAX_TOKENS"), ("", None, "length", None, None)),
        (candidate({"text": "(b"}, finish="SAFETY"), FILTERED),
        (candidate(finish="RECITATION"), FILTERED),
        (candidate(finish="PROHIBITED_CONTENT"), FILTERED),
        ({"promptFeedback": {"blockReason": "SAFETY"}}, FILTERED),
        ({"candidates": [{"finishReason": "SAFETY"}]}, FILTERED),
        (candidate(finish="OTHER"), (None, None, None, None, "Google returned no text (OTHER)")),
        (candidate({"text": ""}), ("", None, None, None, None)),
        (candidate({"text": "(b)"}) | {"modelVersion": "gemini-y"}, ("(b)", None, None, "gemini-y", None)),
        ({"candidates": []}, (None, None, None, None, "the server sent no reply")),
        ({"candidates": [{"content": {"parts": 5}}]}, ("", None, None, None, None)),
    ],
)
def test_an_answer_of_googles_is_read(serves, answer, expected):
    found, _ = replied(serves(FakeGemini, lambda body: answer), PLAIN)
    assert (found.text, found.thought, found.ended, found.served_by, found.unread) == expected


@pytest.mark.parametrize(
    ("kind", "holds", "complaint", "left_out"),
    [
        (FakeAnthropic, ("temperature", "top_p"), "`temperature` and `top_p` cannot both be specified", "temperature"),
        (FakeAnthropic, ("output_config",), "output_config: Extra inputs are not permitted", "reasoning_effort"),
        (FakeGemini, ("thinkingConfig",), "Thinking level is not supported for this model.", "reasoning_effort"),
        (FakeGemini, ("seed",), 'Unknown name "seed"', "seed"),
    ],
)
def test_what_a_model_does_not_take_is_left_out_and_said(serves, kind, holds, complaint, left_out):
    def refuses(body):
        return complaint if set(holds) <= {*body, *body.get("generationConfig", ())} else None

    answer, model = replied(serves(kind, refuses=refuses))
    assert answer.text == "(a)"
    told = " ".join(model.cautions())
    assert f"does not accept '{left_out}' for this model, so it was omitted." in told
    assert told.count("omitted") == 1


def test_draws_of_googles_that_cannot_be_repeated_are_said(serves):
    count = iter(range(100))
    _, model = replied(serves(FakeGemini, lambda body: FakeGemini.answer(str(next(count)))))
    assert "Google gave different answers to the same question with the same seed" in " ".join(model.cautions())


@pytest.mark.long_but("FakeAnthropic")
@pytest.mark.parametrize("kind", VENDORS)
def test_a_run_survives_a_busy_service_and_asks_nothing_twice(serves, kind, tmp_path, capsys):
    fake = serves(kind, faults=["429", "529", "500", "truncated", "503"])
    settings = {
        "data": "starter",
        "limit": 16,
        "controls": "none",
        "out": tmp_path / "run",
        "price_in": 1,
        "price_out": 2,
        "yes": True,
    }
    result = evaluate("gest-chat", fake.spec, **settings)
    assert "will receive 96 requests: about" in capsys.readouterr().err
    assert result.rows["outcome"].notna().all()
    assert any("its place in the list" in caution for caution in result.cautions), result.cautions
    count = len(fake.requests)
    assert evaluate("gest-chat", fake.spec, **settings).signature == result.signature
    assert len(fake.requests) == count
    text = (tmp_path / "run" / "run.json").read_text()
    assert json.loads(text)["model"]["method"] == "replies (chat)"
    assert KEY not in text


def test_google_says_in_its_message_how_long_to_wait(serves, monkeypatch):
    fake = serves(FakeGemini, faults=["429"])
    detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "4000s"}
    monkeypatch.setattr(fake, "refusal", lambda status: {"error": {"code": 429, "details": [detail]}})
    monkeypatch.setattr(fake, "headers", lambda status: {})
    with pytest.raises(UserError, match=r"HTTP 429; 1 attempt\) and asked to wait 4,000 s"):
        replied(fake)


@pytest.mark.parametrize("kind", VENDORS)
def test_what_is_wrong_is_one_sentence_without_the_key(serves, kind, monkeypatch):
    fake = serves(kind, refuses=lambda body: f"Your credit balance is too low for {KEY}.")
    with pytest.raises(
        UserError, match=r"refused a request for model .* \(HTTP 400\): Your credit balance .*\[key\]"
    ) as told:
        replied(fake)
    assert KEY not in str(told.value)
    for name in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "another-key-0123")
    with pytest.raises(UserError, match=r"rejected the key in (ANTHROPIC|GEMINI)_API_KEY"):
        replied(fake)
    for name in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", fake.variable):
        monkeypatch.delenv(name)
    with pytest.raises(UserError, match=r"needs a key; set the environment variable (ANTHROPIC|GEMINI)_API_KEY"):
        open_model(fake.spec)
    monkeypatch.setenv(fake.variable, "ftp://host")
    with pytest.raises(UserError, match="must begin with http"):
        open_model(fake.spec)


def test_nothing_paid_is_sent_without_consent(serves, tmp_path):
    fake = serves(FakeAnthropic)
    with pytest.raises(UserError, match=r"Anthropic will receive 96 requests: .* Pass --yes to proceed"):
        evaluate("gest-chat", fake.spec, data="starter", limit=16, controls="none", out=tmp_path / "run")
    assert not fake.asked()


def test_what_the_services_cannot_do_is_said(serves, tmp_path):
    fake = serves(FakeAnthropic)
    with pytest.raises(UserError, match="does not return reply probabilities, which --form letter needs"):
        evaluate("gest-chat", fake.spec, data="starter", form="letter", out=tmp_path / "run")
    with pytest.raises(UserError, match=r"--temperature is 1\.5, but Anthropic's API accepts only 0 to 1"):
        open_model(fake.spec, remote=Remote.model_validate({"temperature": 1.5}))
    with pytest.raises(UserError, match="is not a valid Anthropic model name"):
        open_model("anthropic:a b?c")
