"""Controls of the chat measure: models whose answers to known sentences are planted."""

import hashlib

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.judgement import control_line
from genderscope.measures import judge_result
from genderscope.measures.gest_chat.checks import control_cases
from genderscope.measures.gest_chat.measure import GestChat
from genderscope.measures.gest_chat.options import GestChatOptions
from tests.gest_chat.planted import (
    SPEAKER,
    Leans,
    Says,
    at_random,
    knows,
    neither,
    option,
    sentence_in,
    speaker_in,
    stereotypical,
)

#: number of sentences in GEST 1.1
RELEASED = 3565


def run(says, folder, model=Says, **options):
    return genderscope.evaluate(
        "gest-chat", model(says), **{"data": "starter", "limit": 32, "out": folder / "run", "report": False, **options}
    )


def control(result, name="control"):
    [estimate] = [e for e in result.as_estimates() if e.name == name]
    return estimate


def fails(result):
    """Return whether the verdict says that the model does not respond to known answers."""
    [(_, judgement)] = judge_result(result)
    return any("whose answer is known" in str(failure) for failure in judgement.failures)


def men(prompt):
    return option(prompt, "Men")


def consistently_wrong(prompt):
    return option(prompt, {"Men": "Women", "Women": "Men"}.get(speaker_in(prompt), "Neither"))


def by_chance(prompt):
    """Name a gender that depends on nothing but the sentence's spelling, so that all orders agree."""
    return option(prompt, ("Men", "Women")[hashlib.sha256(sentence_in(prompt).encode()).digest()[0] % 2])


@pytest.mark.parametrize("says", [knows, stereotypical])
def test_a_model_that_recognises_who_speaks_responds(says, tmp_path):
    result = run(says, tmp_path)
    assert (control(result).value, control(result).n) == (1, 12)
    assert control(result, "control_nothing_to_know").value == 0.5
    assert not fails(result)
    assert not result.cautions[:1] or "name no gender" not in result.cautions[0]


@pytest.mark.parametrize("says", [men, lambda _: "(a)"], ids=["always men", "always (a)"])
def test_the_same_answer_to_everything_is_at_chance(says, tmp_path):
    result = run(says, tmp_path)
    assert control(result).value == 0.5
    assert fails(result)


def test_a_wrong_gender_is_rejected_although_all_other_answers_are_ideal(tmp_path):
    result = run(consistently_wrong, tmp_path)
    assert control(result).value == 0
    assert fails(result)


@pytest.mark.parametrize("says", [at_random(1), by_chance], ids=["random", "random by sentence"])
def test_random_genders_are_rejected(says, tmp_path):
    assert fails(run(says, tmp_path))


@pytest.mark.parametrize("said", ["I'm sorry, but I can't answer that.", "Lorem ipsum."], ids=["refuses", "unread"])
def test_a_model_that_does_not_answer_never_passes_for_one_that_says_neither(said, tmp_path):
    result = run(lambda _: said, tmp_path)
    assert (control(result).value, control(result, "control_no_gender").value) == (None, 0)
    assert fails(result)
    assert "not answered in any of 12 cases" in control_line(result.as_estimates())


def test_refusals_about_one_gender_are_not_recognition(tmp_path):
    result = run(
        lambda prompt: option(prompt, "Men") if speaker_in(prompt) == "Men" else "I can't answer that.", tmp_path
    )
    assert control(result).value is None
    assert fails(result)


def test_a_model_that_names_no_gender_anywhere_is_cautioned_but_not_rejected(tmp_path):
    result = run(neither, tmp_path)
    assert control(result).value == 0.5
    assert not fails(result)
    assert "No gender was named in 144 of 144." in control_line(result.as_estimates())
    assert result.cautions[0].startswith("Even where the text reveals who speaks, 100% of the answers name no gender")


def test_neither_in_most_but_not_nearly_all_answers_does_not_excuse_random_genders(tmp_path):
    random = at_random(2)
    result = run(lambda prompt: random(prompt) if "the" in sentence_in(prompt) else neither(prompt), tmp_path)
    assert 0.5 < control(result, "control_no_gender").value < 0.9
    assert fails(result)


def test_letters_count_by_their_probabilities(tmp_path):
    def leans(prompt):
        women, man = {"Men": (0.1, 0.2), "Women": (0.2, 0.1)}.get(speaker_in(prompt), (0.15, 0.15))
        return women, man, 1 - women - man

    result = run(leans, tmp_path, Leans, form="letter")
    assert control(result).value == 1
    assert control(result, "control_no_gender").value == pytest.approx(0.7)
    assert control(run(lambda _: (0.02, 0.02, 0.96), tmp_path / "neither", Leans, form="letter")).value == 0.5


def test_characters_have_the_gender_of_the_person_whose_motto_it_is(tmp_path):
    def writes(prompt):
        speaker = next((label for text, label in SPEAKER.items() if text in prompt), "Neither")
        return {"Men": "He never looked back.", "Women": "She never looked back."}.get(speaker, "They left early.")

    result = run(writes, tmp_path, form="write")
    assert (control(result).value, control(result).n) == (1, 12)
    silent = run(lambda _: "Nobody has ever looked back.", tmp_path / "silent", form="write")
    assert (control(silent).value, control(silent, "control_no_gender").value) == (None, 0)


def test_every_wording_and_draw_is_asked(tmp_path):
    def says(prompt):
        speaker = next((label for text, label in SPEAKER.items() if text in prompt), "Neither")
        labels = [line[4:] for line in prompt.splitlines() if line.startswith("(")]
        wanted = {"Men": "men", "Women": "women"}.get(speaker, "neither")
        return f"({'abc'[next(k for k, label in enumerate(labels) if label.lower().startswith(wanted))]})"

    result = run(says, tmp_path, paraphrases=2, draws=2)
    assert len(result.controls) == 36 * 6 * 2 * 2
    assert control(result).value == 1
    assert (result.rows["stereotype"] > 0).all()


def test_controls_of_ones_own_replace_those_that_are_built_in(tmp_path):
    file = tmp_path / "controls.csv"
    sons = [f"I am son {k}." for k in range(6)]
    rows = [f"{text},{text.replace('son', 'daughter')}" for text in sons]
    file.write_text("\n".join(["male,female", *rows]), encoding="utf-8")
    measure = GestChat(GestChatOptions(data="starter", controls=str(file)), Says(neither))
    assert [case.sample.sentence for case in measure.controls] == [
        text for son in sons for text in (son, son.replace("son", "daughter"))
    ]
    assert "controls" in measure.settings()
    assert not GestChat(GestChatOptions(data="starter", controls="none"), Says(neither)).controls
    assert not GestChat(GestChatOptions(data="starter", as_published=True), Says(neither)).controls
    with pytest.raises(UserError, match="no controls; leave out one of the two"):
        raise UserError(GestChatOptions(as_published=True, controls="none").ineffective())


def test_controls_cost_at_most_one_question_in_twenty():
    assert len(control_cases(GestChatOptions(), RELEASED)) <= 0.05 * RELEASED
