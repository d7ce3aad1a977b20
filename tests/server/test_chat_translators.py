"""Chat models as translators: prompted, and their replies unwrapped, whether local or a vendor's."""

import json

import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, Message, Reply, Translation
from genderscope.models import Remote, open_model
from genderscope.models.chat import CUT_OFF, PROMPT, TranslationPrompt, translation_in
from tests.support.answers import answers_to
from tests.support.chat_templates import TEMPLATE
from tests.support.evaluation import evaluate
from tests.support.vendors import VENDORS

CRIED = Translation("I cried.", "en", "sk")
SHORT = "{target}: {text}"


@pytest.fixture
def template(tmp_path):
    path = tmp_path / "template.jinja"
    path.write_text(TEMPLATE, encoding="utf-8")
    return str(path)


def local(folder, template, **options):
    return open_model(str(folder), remote=Remote.model_validate({"chat_template": template, **options}))


def test_a_local_chat_model_translates_as_it_replies(models, template):
    folder = models("llama", "bytes")
    texts = ["I cried.", "I was there when it all began.", "The old boat by the lake."]
    questions = [Translation(text, "en", "sk") for text in texts]
    model = local(folder, template, max_tokens=12, prompt=SHORT)
    assert model.unanswerable(frozenset({Translation})) == frozenset()
    found = answers_to(model, questions)
    asked = [Reply((Message("user", f"Slovak: {text}"),), 12, temperature=0.0) for text in texts]
    replies = answers_to(local(folder, template), asked)
    assert all(reply.text for reply in replies)
    assert found == [translation_in(reply, question) for reply, question in zip(replies, questions, strict=True)]


def test_a_reply_that_was_cut_off_is_no_translation_but_stored(models, template):
    [answer] = answers_to(local(models("llama", "bytes"), template, max_tokens=3, prompt=SHORT), [CRIED])
    assert (answer.text, answer.unread) == (None, CUT_OFF)
    assert answer.reply


def test_a_language_model_without_a_chat_template_does_not_translate(models):
    model = open_model(str(models("llama", "bytes")))
    assert model.unanswerable(frozenset({Translation})) == {Translation}
    assert model.unanswerable(frozenset({Choice})) == frozenset()
    with pytest.raises(UserError, match=r"is a causal model, which does not translate; 'gest-mt' needs one that does"):
        evaluate("gest-mt", model, to=("sk",), data="starter", limit=16)


def test_prompt_and_settings_belong_to_the_run(models, template, tmp_path):
    def run(out, **options):
        settings = {"max_tokens": 4, "prompt": SHORT, "chat_template": template} | options
        folder = str(models("llama", "bytes"))
        return evaluate("gest-mt", folder, to=("es",), data="starter", limit=16, out=out, **settings)

    first = run(tmp_path / "first")
    assert "|max_tokens:4|" in first.signature
    with pytest.raises(UserError, match="prompt"):
        run(tmp_path / "first", temperature=0.5)
    assert run(tmp_path / "second", temperature=0.5, top_p=0.9).signature != first.signature


def test_everything_that_decides_a_translation_is_hashed(tmp_path):
    system = tmp_path / "system.txt"
    system.write_text("Be brief.")
    ways = [
        {}, {"prompt": SHORT}, {"temperature": 0.5}, {"top_p": 0.9}, {"max_tokens": 5}, {"system": f"@{system}"},
        {"reasoning_effort": "low"},
    ]  # fmt: skip
    prompts = [TranslationPrompt.of(Remote.model_validate(options)) for options in ways]
    assert len({prompt.digest for prompt in prompts}) == len(ways)
    assert prompts[0].signature() == {}
    assert len({tuple(prompt.signature().items()) for prompt in prompts}) == len(ways)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_vendors_chat_model_translates(serves, vendor):
    reply = 'Sure! Here is the translation:\n\n"Plakala som."'
    fake = serves(vendor, says=lambda _: vendor.answer(reply))
    model = open_model(fake.spec, remote=Remote.model_validate({"retries": 1, "yes": True}))
    [answer] = answers_to(model, [CRIED])
    assert answer.text == "Plakala som."
    assert answer.note == "a lead-in sentence, quotation marks"
    assert answer.reply == reply
    asked = PROMPT.format(source="English", target="Slovak", text="I cried.")
    assert json.dumps(asked) in json.dumps(fake.asked()[-1])
    assert "1 requests" in (model.cost([CRIED]) or "")


def test_an_audit_translates_with_a_chat_model_on_request_only(models, template):
    model = local(models("llama", "bytes"), template)
    with pytest.raises(UserError, match=r"Name the target languages .* or a --prompt to have a chat model translate"):
        model.translates("en", ("sk", "cs"))
    prompted = local(models("llama", "bytes"), template, prompt="{text} in {target}")
    assert prompted.translates("en", ("sk", "cs")) == ("sk", "cs")
