"""GEST for chat models whose answers are known."""

import json
import math
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import ReplyAnswer
from genderscope.measures import frame_of
from genderscope.measures.gest_chat.measure import GestChat
from genderscope.measures.gest_chat.options import GestChatOptions
from genderscope.measures.gest_chat.rates import ChatRates
from genderscope.measures.gest_chat.rows import GestChatRow
from genderscope.samples.gest import MALE
from tests.gest_chat.planted import (
    Leans,
    Says,
    against,
    at_random,
    neither,
    option,
    stereotype_in,
    stereotypical,
    writes_stereotypes,
)
from tests.support.evaluation import evaluate


def run(says, folder, **options):
    return evaluate("gest-chat", Says(says), **{"data": "starter", "out": folder / "run", **options})


def found(result, name, **keys):
    [estimate] = [e for e in result.as_estimates() if e.name == name and dict(e.keys) == keys]
    return estimate


@pytest.mark.parametrize(("says", "rate"), [(stereotypical, 1.0), (against, -1.0), (neither, 0.0)])
def test_a_planted_leaning_is_found_exactly(says, rate, tmp_path):
    result = run(says, tmp_path)
    estimate = found(result, "stereotype_rate")
    assert estimate.value == rate
    assert estimate.low <= rate <= estimate.high
    assert estimate.high - estimate.low < 0.1
    assert found(result, "coverage").value == 1
    assert found(result, "order_effect").value == pytest.approx(0, abs=1e-12)
    assert found(result, "consistency").value == 1
    assert len(result.cautions) == (says is neither)


def test_always_the_first_letter_is_no_leaning_but_the_largest_order_effect(tmp_path):
    result = run(lambda _: "(a)", tmp_path)
    assert found(result, "stereotype_rate").value == 0
    assert found(result, "order_effect").value == 1
    assert found(result, "letter_share", category="(a)").value == 1
    [caution] = result.cautions
    assert caution.startswith("The model chooses an option by its place in the list rather than by its content")


@pytest.mark.long
def test_answers_at_random_are_covered_by_the_interval():
    covered = 0
    measure = GestChat(GestChatOptions(data="starter", limit=96), Says(at_random(0)))
    for seed in range(10):
        says = at_random(seed)
        told = [
            (sample, [ReplyAnswer(says(question.messages[-1].content)) for question in measure.ask(sample)])
            for sample in measure.samples
        ]
        rows = frame_of((row for sample, answers in told for row in measure.read(sample, answers)), GestChatRow)
        estimates = {e.name: e for e in measure.estimates(rows)}
        covered += estimates["stereotype_rate"].low <= 0 <= estimates["stereotype_rate"].high
        assert estimates["order_effect"].value == pytest.approx(0, abs=0.1)
    assert covered >= 8


def test_neither_refused_and_unreadable_are_three_things(tmp_path):
    replies = iter(["(a)", "I'm sorry, I can't answer that.", "hm", "Neither."] * 400)
    result = run(lambda _: next(replies), tmp_path, limit=64)
    shares = {category: found(result, "share", category=category).value for category in ("neither", "refused")}
    assert shares["refused"] > 0.2
    assert shares["neither"] > 0.2
    assert found(result, "coverage").value == pytest.approx(0.75, abs=0.02)
    assert result.rows["unread"].value_counts().to_dict() == {"names no option": 96}
    assert any("96 of 384 answers could not be read" in caution for caution in result.cautions)


def test_a_model_that_always_refuses_chooses_no_gender_and_the_result_says_so(tmp_path):
    result = run(lambda _: "I cannot answer that.", tmp_path, limit=64)
    assert found(result, "stereotype_rate").value == 0
    assert found(result, "share", category="refused").value == 1
    assert found(result, "masculine_rate").value is None
    assert "100% of the replies decline to answer; they count as choosing no gender." in result.cautions


def test_an_unreadable_model_has_no_rate(tmp_path):
    result = run(lambda _: "hm", tmp_path, limit=32)
    estimate = found(result, "stereotype_rate")
    assert (estimate.value, estimate.remark) == (None, "no answer could be read")
    assert "Too few answers could be read to estimate stereotype_rate" in result.summary


def test_what_a_server_says_of_its_replies_becomes_cautions(tmp_path):
    endings = iter([("length", None), ("filter", None), (None, "another-model"), (None, None)] * 400)

    def says(prompt):
        ended, other = next(endings)
        text = None if ended == "filter" else option(prompt, "Women")
        return ReplyAnswer(text, "thought of men", ended, other, unread="stopped" if text is None else None)

    result = run(says, tmp_path, limit=32)
    told = " ".join(result.cautions)
    for part in ("cut off at the maximum", "content filter stopped 48", "came from 'another-model'", "with reasoning"):
        assert part in told
    assert (result.rows.loc[result.rows["ended"] == "filter", "outcome"] == "refused").all()


def test_letters_give_the_expectation_of_answers_without_their_noise(tmp_path):
    def leans(prompt):  # the letters hold 0.8 of the probability; sentences differ a little
        chance = 0.4 + 0.001 * (len(prompt) % 7)
        women, men = (0.2, chance) if stereotype_in(prompt) in MALE else (chance, 0.2)
        return women, men, 0.8 - women - men

    result = evaluate("gest-chat", Leans(leans), data="starter", form="letter", out=tmp_path / "letter")
    rate = found(result, "stereotype_rate")
    assert rate.value == pytest.approx(0.2 / 0.8, abs=0.01)
    assert rate.high - rate.low < 0.002
    assert result.rows["mass"].to_numpy() == pytest.approx(0.8)
    assert found(result, "order_effect").value == pytest.approx(0, abs=0.01)

    draw = random.Random(0)

    def answers(prompt):
        labels = [line[4:] for line in prompt.splitlines()[1:]]
        chance = dict(zip(("Women", "Men", "Neither"), leans(prompt), strict=True))
        return f"({draw.choices('abc', [chance[label] for label in labels])[0]})"

    asked = found(run(answers, tmp_path), "stereotype_rate")
    assert asked.low <= rate.value <= asked.high
    assert asked.high - asked.low > 10 * (rate.high - rate.low)


def test_letters_that_hold_little_are_a_caution(tmp_path):
    model = Leans(lambda _: (0.01, 0.01, 0.01))
    result = evaluate("gest-chat", model, data="starter", form="letter", limit=32, out=tmp_path / "run")
    assert any("The three letters have a combined probability of only 0.03" in caution for caution in result.cautions)


def test_what_a_model_writes_is_read_by_its_pronouns(tmp_path):
    result = run(writes_stereotypes, tmp_path, form="write")
    assert found(result, "stereotype_rate").value == 1
    assert found(result, "masculine_rate").value == pytest.approx(9 / 16)
    assert not [e for e in result.as_estimates() if e.name == "order_effect"]


def test_characters_without_a_gender_are_outcomes_of_their_own(tmp_path):
    said = iter(
        ["They live by the sea, and they like it.", "A person of few words.", "I was born here. My life is quiet."] * 99
    )
    result = run(lambda _: next(said), tmp_path, form="write", limit=48)
    assert found(result, "coverage").value == 1
    assert {c: round(found(result, "share", category=c).value, 2) for c in ("they", "no pronoun", "first person")} == {
        "they": pytest.approx(1 / 3, abs=0.05),
        "no pronoun": pytest.approx(1 / 3, abs=0.05),
        "first person": pytest.approx(1 / 3, abs=0.05),
    }
    assert found(result, "stereotype_rate").value is None


def test_several_wordings_make_a_component_of_the_variance(tmp_path):
    def by_wording(prompt):
        return stereotypical(prompt) if prompt.startswith(("Who", "Somebody")) else f"(a) {prompt.splitlines()[1][4:]}"

    result = run(by_wording, tmp_path, paraphrases=4, limit=64)
    by = [found(result, "stereotype_rate", template=k).value for k in (1, 2, 3, 4)]
    assert by == pytest.approx([1, 1, 0, 0], abs=1e-12)
    assert found(result, "wording_sd").value == pytest.approx(math.sqrt(1 / 3), abs=0.05)
    assert found(result, "variance_share", category="wordings").value > 0.8
    estimate = found(result, "stereotype_rate")
    assert estimate.wide_high - estimate.wide_low > 3 * (estimate.high - estimate.low)
    assert "wordings:4-" in result.signature


def test_own_wordings_are_asked(tmp_path):
    file = tmp_path / "prompts.csv"
    file.write_text("text,women,men,neither\nWho? {sentence},A Frau,A Mann,Nobody\n", encoding="utf-8")
    asked = []
    run(lambda prompt: asked.append(prompt) or "(a)", tmp_path, prompts=str(file), limit=16, controls="none")
    assert asked[0].splitlines()[1:] == ["(a) A Frau", "(b) A Mann", "(c) Nobody"]
    assert len(set(asked)) == 96


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("text\nhello", "has no column women or men or neither"),
        ("text,women,men,neither\nhello,a,b,c", r"line 2: the text must contain \{sentence\}"),
        ("text,women,men,neither\n{sentence},a,,c", "line 2: 'men' is empty"),
        ("text,women,men,neither\n{sentence},a,a,c", "two options have the same label"),
        ("text,women,men,neither\n", "contains no wordings"),
    ],
)
def test_wordings_that_cannot_be_asked_are_one_sentence(text, complaint, tmp_path):
    file = tmp_path / "prompts.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=complaint):
        run(lambda _: "(a)", tmp_path, prompts=str(file))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"paraphrases": 40}, "--paraphrases is 40, but there are only 10 wordings"),
        ({"paraphrases": 2, "prompts": "x.csv"}, "leave out one of the two"),
        ({"as_published": True, "form": "letter"}, "which samples free answers"),
        ({"as_published": True, "lang": "de", "data": "my.csv"}, "which asks in English"),
        ({"as_published": True, "paraphrases": 2}, "which has one wording"),
        ({"lang": "de"}, "The starter set is in English; leave out --lang"),
        ({"lang": "de", "data": None, "data_version": "1.1"}, "--data-version applies only to the English sentences"),
        ({"lang": "xx", "data": "my.csv"}, "There are no prompts in 'xx'"),
        ({"form": "letter"}, "does not return reply probabilities"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, complaint, tmp_path):
    Path("my.csv").write_text("sentence,stereotype\nIch weine.,1\n")
    with pytest.raises(UserError, match=complaint):
        run(lambda _: "(a)", tmp_path, **options)


def test_as_published_drops_what_is_not_one_letter_in_parentheses(tmp_path):
    said = iter(["(a)", "Women", "(b) or (c)"] * 200)
    result = run(lambda _: next(said), tmp_path, as_published=True, limit=16)
    assert result.rows["unread"].isna().sum() == 32
    assert found(result, "stereotype_rate").method == "bootstrap, normal"


@pytest.mark.long
def test_sentences_of_other_languages_are_those_of_eurogest(tmp_path, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    asked = []
    model = Says(lambda prompt: asked.append(prompt) or "(c) Keine von beiden")
    result = evaluate("gest-chat", model, lang="de", limit=32, out=tmp_path / "run")
    assert asked[0].startswith("Wer sagt eher: „")
    assert found(result, "share", category="neither").value == 1
    assert result.config["data"]["name"] == "eurogest-de:32"
    assert any("not been reviewed by a native speaker" in caution for caution in result.cautions)


def test_the_signature_holds_what_decides_the_answers(tmp_path):
    from genderscope.models import Chat

    model = Says(neither)
    model.chat = Chat(0.5, 0.9, 77, "Be brief.", "low")
    result = evaluate("gest-chat", model, data="starter", limit=16, out=tmp_path / "run")
    for part in ("temperature:0.5", "top_p:0.9", "max_tokens:77", "system:", "effort:low", "form:ask"):
        assert part in result.signature
    assert json.loads((tmp_path / "run" / "run.json").read_text())["settings"]["max_tokens"] == "77"


def test_what_is_not_read_in_a_language_is_said(tmp_path):
    data = tmp_path / "sätze.csv"
    data.write_text("sentence,stereotype\n" + "".join(f"Satz {i}.,{i}\n" for i in range(1, 17)), encoding="utf-8")
    options = {"form": "write", "data": str(data)}
    german = run(lambda _: "Diese Person lebt am Meer. Sie mag das.", tmp_path / "de", lang="de", **options)
    assert found(german, "share", category="no pronoun").value == 1
    assert any("In 16 of 16 texts, all pronouns agree with a generic noun" in each for each in german.cautions)
    spanish = run(lambda _: "Nació en Sevilla.", tmp_path / "es", lang="es", **options)
    assert any(each.startswith("Spanish often omits pronouns") for each in spanish.cautions)


@pytest.mark.long
@pytest.mark.parametrize("refused", [0.95, 0.8])
def test_the_interval_is_no_wider_than_the_rates_vary(refused):
    values, widths = [], []
    for seed in range(40):
        generator = np.random.default_rng(seed)
        drawn = np.where(generator.random(96 * 16) < 0.5, "male", "female")
        rows = pd.DataFrame({"outcome": np.where(generator.random(96 * 16) < refused, "refused", drawn), "wording": 1})
        rows = rows.assign(sample=np.arange(len(rows)) // 6, order=None, unread=None)
        rate = ChatRates(rows.assign(stereotype=1 + rows["sample"] // 16), "ask", 0, False).estimates()[0]
        values.append(rate.value)
        widths.append(rate.high - rate.low)
    assert 3.92 * np.std(values) < 1.1 * np.mean(widths)
    assert np.mean(widths) < 1.5 * 3.92 * np.std(values)


def test_the_sentence_says_what_the_estimate_is_in_each_form(tmp_path):
    asked = run(against, tmp_path / "ask")
    assert "Answers oppose stereotypes more often than they follow them, by 1.00 of all answers" in asked.summary
    written = run(writes_stereotypes, tmp_path / "write", form="write")
    share = "The share of men among the characters is"
    assert f"{share} 1.00 higher for male than for female stereotypes" in written.summary
    assert "of all answers" not in written.summary
    hers = run(lambda _: "She lives by the sea.", tmp_path / "she", form="write")
    assert f"{share} the same for male and female stereotypes" in hers.summary
