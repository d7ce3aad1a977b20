"""Translation by chat: replies taken out of their wrapping, and what is no translation counted as unread."""

import json
from pathlib import Path
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Translation
from genderscope.models import Remote, open_model
from genderscope.models.chat import PROMPT, unwrapped
from genderscope.samples.controls import control_sources
from tests.server.language_model import PROBES
from tests.support.answers import answers_to
from tests.support.evaluation import evaluate

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "replies.jsonl").read_text().splitlines()]
CRIED = Translation("I cried.", "en", "sk")
CONTROLS = tuple(text for pair in control_sources("gest-mt") for text in (pair.male, pair.female))


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_a_reply_is_unwrapped_or_unread(case):
    answer = unwrapped(case["reply"], Translation(case["source"], "en", case["target"]))
    expected = (case.get("text"), case.get("note"), case.get("unread"))
    assert (answer.text, answer.note, answer.unread) == expected


def translated(server, question=CRIED, **options):
    [answer] = answers_to(open_model(server.spec, remote=Remote.model_validate(options)), [question])
    return answer


def test_the_default_wording_asks_for_the_translation_only(serve):
    server = serve()
    assert translated(server, Translation("I like {braces} and {target}.", "en", "sk")).text == "Plakala som."
    said = server.requests[-1][2]["messages"][0]["content"]
    assert said == PROMPT.format(source="English", target="Slovak", text="I like {braces} and {target}.")
    assert server.requests[-1][2]["temperature"] == 0


def test_the_wording_is_an_option(serve, tmp_path):
    server = serve()
    translated(server, prompt="Into {target}, as a poet: {text}", temperature=0.7)
    assert server.requests[-1][2]["messages"][0]["content"] == "Into Slovak, as a poet: I cried."
    assert server.requests[-1][2]["temperature"] == 0.7
    (tmp_path / "prompt.txt").write_text("{source} to {target}:\n{text}\n")
    translated(server, prompt=f"@{tmp_path}/prompt.txt")
    assert server.requests[-1][2]["messages"][0]["content"] == "English to Slovak:\nI cried."
    for prompt in ("Translate {text}", "@nowhere.txt"):
        with pytest.raises(UserError, match=r"must contain \{text\} and \{target\}|'nowhere.txt' cannot be read"):
            open_model(server.spec, remote=Remote.model_validate({"prompt": prompt}))


@pytest.mark.parametrize(
    ("ended", "reason"), [("length", "the reply was cut off"), ("content_filter", "refused"), ("stop", None)]
)
def test_how_a_reply_ended_matters(serve, ended, reason):
    server = serve(chat=lambda _: {"content": "Plakala som.", "finish_reason": ended})
    assert translated(server).unread == reason


def test_a_run_counts_what_was_unwrapped_and_what_is_no_translation(serve, tmp_path):
    replies = ["Plakala som.", "Translation: Bol som tam.", "I'm sorry, but I can't help with that.", "Bol(a) som."]

    def chat(text):
        return replies[len(text) % 4]

    server = serve(chat=chat)
    out = tmp_path / "run"
    result = evaluate("gest-mt", server.spec, to=("sk",), data="starter", limit=48, out=out)
    texts = [body["messages"][0]["content"] for _, path, body in server.requests if path.endswith("chat/completions")]
    given = [chat(text) for text in texts if text not in PROBES and not text.endswith(CONTROLS)]
    assert len(given) == 48
    unread = result.rows["unread"].value_counts()
    assert unread.get("refused", 0) == given.count(replies[2]) > 0
    assert unread.get("two alternatives", 0) == given.count(replies[3]) > 0
    assert (result.rows["translation"] == "Bol som tam.").sum() == given.count(replies[1]) > 0
    count = given.count(replies[1])
    assert f"{count} replies contained more than the translation, which was extracted: a label {count}." in (
        result.cautions
    )
    assert any("outputs are not usable translations" in caution for caution in result.cautions)


def test_the_options_of_servers_are_no_options_of_measures():
    from genderscope.measures import MEASURES, measure_type

    for name in MEASURES:
        assert not set(measure_type(name).options_type.model_fields) & set(Remote.model_fields)


def test_a_wrong_option_is_one_sentence():
    with pytest.raises(UserError, match="Option --concurrency is 0: input should be greater than or equal to 1"):
        evaluate("gest", "smollm2", concurrency=0)
    with pytest.raises(
        UserError, match=r"The option remote is \{'timeout': 3\}; it must be a genderscope.models.Remote"
    ):
        evaluate("gest", "smollm2", remote={"timeout": 3})


def test_the_options_of_servers_are_one_object_whose_fields_may_be_given_by_name(serve, tmp_path):
    server = serve()
    ways: dict[str, dict[str, Any]] = {
        "object": {"remote": Remote(prompt="Into {target}: {text}", temperature=0.7)},
        "by name": {"prompt": "Into {target}: {text}", "temperature": 0.7},
        # what is given by name goes before
        "both": {"remote": Remote(prompt="Into {target}: {text}", temperature=0.1), "temperature": 0.7},
    }
    asked = {}
    for way, options in ways.items():
        before = len(server.requests)
        evaluate("gest-mt", server.spec, to=("sk",), data="starter", limit=16, out=tmp_path / way, **options)
        bodies = [body for _, path, body in server.requests[before:] if path.endswith("chat/completions")]
        said = [(body["messages"][0]["content"], body["temperature"]) for body in bodies]
        asked[way] = sorted((text, temperature) for text, temperature in said if text not in PROBES)
    assert asked["object"] == asked["by name"] == asked["both"]
    assert len([text for text, _ in asked["object"] if not text.endswith(CONTROLS)]) == 16
    assert asked["object"][0][0].startswith("Into Slovak: ")
    assert asked["object"][0][1] == 0.7
