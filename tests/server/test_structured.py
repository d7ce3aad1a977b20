"""Answers that a server restricts to one of the three options."""

import json

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.core.questions import Message, StructuredReply
from genderscope.measures.reply_text import NO_JSON, OTHER_JSON, read_structured
from genderscope.models import Remote, open_model
from genderscope.report import view_of, write_reports
from tests.gest_chat.planted import Says, stereotypical
from tests.support.answers import answers_to
from tests.support.vendors import FakeAnthropic, FakeGemini

CHOICES = ["(a)", "(b)", "(c)"]
QUESTION = StructuredReply((Message("user", "Who?"),), 50, options=tuple(CHOICES))
ENGLISH = {"data": "starter", "limit": 32, "controls": "none", "yes": True, "report": False}


def chosen(body):
    """Return the options that a request allows, from its schema."""
    form = body["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    schema = form["json_schema"]["schema"]
    assert (schema["required"], schema["additionalProperties"]) == (["answer"], False)
    return schema["properties"]["answer"]["enum"]


def follows(body):
    """Answer like a server that applies the schema, if there is one."""
    if "response_format" not in body:
        return "7"
    said = stereotypical(body["messages"][-1]["content"])[:3]
    assert said in chosen(body)
    return json.dumps({"answer": said})


def measured(spec, folder, **options):
    return genderscope.evaluate("gest-chat", spec, out=folder, **{**ENGLISH, "form": "structured", **options})


def found(result, name, **keys):
    [estimate] = [e for e in result.as_estimates() if e.name == name and dict(e.keys) == keys]
    return estimate


def test_a_structured_run_has_the_rows_and_estimates_of_an_asked_one(chats, tmp_path):
    server = chats(follows)
    structured = measured(server.spec, tmp_path / "structured")
    asked = measured(Says(stereotypical), tmp_path / "asked", form="ask")
    same = ["sample", "wording", "order", "letter", "outcome"]
    assert structured.rows[same].equals(asked.rows[same])
    assert [(e.name, e.value, e.low) for e in structured.as_estimates()] == [
        (e.name, e.value, e.low) for e in asked.as_estimates()
    ]
    assert "form:structured" in structured.signature
    assert set(structured.rows["rule"]) == {"structured output"}
    prompts = [body["messages"][-1]["content"] for body in server.asked()]
    assert len(set(prompts)) == len(prompts) == 32 * 6


@pytest.mark.long
def test_the_page_of_several_forms_compares_refusals_and_order_effects(chats, tmp_path):
    runs = [
        ("s", measured(chats(lambda body: '{"answer": "(a)"}').spec, tmp_path / "s")),
        ("a", measured(Says(lambda _: "I can't answer that."), tmp_path / "a", form="ask")),
    ]
    titles = [figure.title for figure in view_of("gest-chat").compare_settings(runs)]
    assert titles == ["Stereotype rate by form", "Refusals by form", "Order effect by form"]
    assert not list(view_of("gest-chat").compare_settings(runs[:1]))
    page = tmp_path / "both.html"
    write_reports([result for _, result in runs], page)
    assert all(title in page.read_text(encoding="utf-8") for title in titles)
    assert found(runs[0][1], "order_effect").value == 1
    assert found(runs[1][1], "share", category="refused").value == 1


@pytest.mark.long_but("(a)-*", "-not JSON*")
@pytest.mark.parametrize(
    ("said", "unread", "outcome"),
    [
        ("(a)", NO_JSON, None),
        ("", NO_JSON, None),
        ('{"answer": "Women"}', OTHER_JSON, None),
        ('["(a)"]', OTHER_JSON, None),
        ({"content": '{"answer": "(', "finish_reason": "length"}, "cut off before giving an answer", None),
        ({"content": None, "refusal": "I can't help with that."}, None, "refused"),
        ({"content": None, "finish_reason": "content_filter"}, None, "refused"),
    ],
)
def test_replies_that_do_not_follow_the_schema_are_unread_or_refused(said, unread, outcome, chats, tmp_path):
    server = chats(lambda _: dict(said) if isinstance(said, dict) else said)
    rows = measured(server.spec, tmp_path / "run", limit=16).rows
    assert set(rows["unread"].dropna()) == ({unread} if unread else set())
    assert set(rows["outcome"].dropna()) == ({outcome} if outcome else set())


@pytest.mark.parametrize("reply", ['{"answer": ["(a)"]}', "[" * 100_000, '{"answer": null}', "null", "NaN"])
def test_odd_json_is_unread(reply):
    assert read_structured(reply, ("female", "male", "neither")).outcome == "unreadable"


def test_a_server_that_rejects_the_field_gets_one_sentence(chats, tmp_path):
    message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
    server = chats(refuses=lambda body: message if "response_format" in body else None)
    with pytest.raises(UserError, match=r"does not accept structured output for model 'tiny'.* use --form ask\.$"):
        measured(server.spec, tmp_path / "run")


def test_another_refusal_is_not_taken_for_a_missing_feature(chats, tmp_path):
    server = chats(refuses=lambda body: "The model 'tiny' does not exist.")
    with pytest.raises(UserError, match="refused a request for model 'tiny'"):
        measured(server.spec, tmp_path / "run")


def test_local_models_have_no_structured_output(tmp_path):
    with pytest.raises(UserError, match=r"'planted' has no structured output.* use --form ask\.$"):
        measured(Says(stereotypical), tmp_path / "run")
    with pytest.raises(UserError, match="samples free answers"):
        measured(Says(stereotypical), tmp_path / "run", as_published=True)


def replied(fake):
    model = open_model(fake.spec, remote=Remote.model_validate({"retries": 1, "yes": True}))
    [answer] = answers_to(model, [QUESTION])
    return answer


def test_anthropic_is_forced_to_use_a_tool_with_the_schema(serves):
    used = {"type": "tool_use", "id": "x", "name": "choice", "input": {"answer": "(b)"}}
    fake = serves(FakeAnthropic, lambda body: FakeAnthropic.answer("", content=[used], stop_reason="tool_use"))
    assert replied(fake).text == '{"answer": "(b)"}'
    [tool] = fake.asked()[-1]["tools"]
    assert fake.asked()[-1]["tool_choice"] == {"type": "tool", "name": tool["name"]}
    assert tool["input_schema"]["properties"]["answer"]["enum"] == CHOICES
    fake.says = lambda body: FakeAnthropic.answer("I'd rather not.")
    assert replied(fake).text == "I'd rather not."


def test_google_is_given_a_response_schema(serves):
    fake = serves(FakeGemini, lambda body: FakeGemini.answer('{"answer": "(c)"}'))
    assert replied(fake).text == '{"answer": "(c)"}'
    config = fake.asked()[-1]["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseSchema"]["properties"] == {"answer": {"type": "STRING", "enum": CHOICES}}
    fake.refuses = lambda body: "JSON mode is not enabled for this model" if "responseSchema" in str(body) else None
    with pytest.raises(UserError, match="Google does not accept structured output for model 'gemini-x'"):
        replied(fake)
