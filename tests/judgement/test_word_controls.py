"""The word measures' controls: what they ask, and that answers in the right order count as right."""

from typing import Any

import pandas as pd
import pytest

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer, Completion, CompletionAnswer, LikelihoodAnswer
from genderscope.judgement import CONTROL, NOTHING_TO_KNOW
from genderscope.measures import control_frame, measure_type, parse_options
from genderscope.measures.controls import RESPONDS, scorable
from genderscope.models import open_model
from genderscope.samples.controls import FEWER, control_forms, hurtful_controls, pronoun_controls
from genderscope.samples.gender_pairs import difference

#: measure -> its options and the number of known pairs
ASKED: dict[str, tuple[dict[str, Any], int]] = {
    "eurogest": ({"lang": "sk,fr", "limit": 40}, 4 * 14),
    "slovak-gender": ({}, 14),
    "winobias": ({"type": 1, "split": "dev"}, FEWER["known"]),
    "honest": ({"lang": "it", "k": 2}, 12),
    "stereoset": ({}, FEWER["known"]),
    "crows": ({"lang": "en,nl"}, 12 + 12),
}


@pytest.fixture(scope="module")
def opened(models):
    masked = open_model(str(models("bert", "wordpiece-cased")))
    return {"masked": masked, "causal": open_model(str(models("gpt2", "bytes")))}


def bound(measure, options, model):
    kind = measure_type(measure)
    return kind(parse_options(kind, options), model)


def answer(question, k, is_high):
    """Answer a question of one version of a pair: masculine, or hurtful, if it is the high one."""
    if isinstance(question, Choice):
        return ChoiceAnswer((1.0, 0.0) if is_high else (0.0, 1.0), tokens=((1,), (2,)))
    if isinstance(question, Completion):
        return CompletionAnswer(("idiota", "casa") if is_high else ("casa", "casa"), (-1.0, -1.0), ((1,), (1,)))
    # The first of two texts is the masculine one; the second token is shared.
    return LikelihoodAnswer((-2.0, -1.0 if (k == 0) == is_high else -3.0), ("x", "y"), (10 + k, 5))


def estimates(measure, responds):
    rows = []
    for case in measure.controls:
        is_high = case.side == "high" and (responds or case.kind == "nothing")
        answers = [answer(question, k, is_high) for k, question in enumerate(measure.ask(case.sample))]
        rows.append(list(measure.read(case.sample, answers)))
    found = measure.control_estimates(pd.DataFrame(), control_frame(measure.controls, rows))
    return {e.name: e for e in found if not e.keys}


@pytest.mark.parametrize("kind", ["masked", "causal"])
@pytest.mark.parametrize("measure", ASKED)
def test_answers_that_follow_from_the_text_count_as_right(measure, kind, opened, mirror):
    options, known = ASKED[measure]
    found = bound(measure, options, opened[kind])
    assert RESPONDS in type(found).conditions
    right = estimates(found, responds=True)[CONTROL]
    assert (right.value, right.n, right.unread) == (1.0, known, 0)
    assert estimates(found, responds=False)[CONTROL].value == 0.5


@pytest.mark.parametrize("measure", ASKED)
def test_controls_are_left_out_on_request_and_as_published(measure, opened, mirror):
    options, _ = ASKED[measure]
    published: dict[str, Any] = {"as_published": "2026" if measure == "eurogest" else True}
    assert not bound(measure, options | {"controls": "none"}, opened["causal"]).controls
    assert not bound(measure, options | published, opened["causal"]).controls
    with pytest.raises(UserError, match="--controls has no effect here"):
        bound(measure, options | published | {"controls": "none"}, opened["causal"])


def test_pairs_need_a_language_for_their_controls(opened, tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("male,female,stereotype\nbol tam,bola tam,1\n", encoding="utf-8")
    assert not bound("gest-slavic", {"pairs": str(file)}, opened["masked"]).controls
    found = bound("gest-slavic", {"pairs": str(file), "lang": "sk"}, opened["masked"])
    right = estimates(found, responds=True)
    assert (right[CONTROL].value, right[CONTROL].n) == (1.0, 14)
    assert right[NOTHING_TO_KNOW].n == 6


def test_unrelated_words_are_the_controls_of_the_plain_set(opened, mirror):
    found = bound("stereoset", {"set": "plain", "limit": 4}, opened["masked"])
    assert not found.controls
    rows = pd.DataFrame(
        [(-1.0, -2.0, -9.0, None), (-1.0, -9.0, -2.0, None), (-5.0, -5.0, -2.0, None), (None, None, None, "why")],
        columns=["lp0", "lp1", "lp_unrelated", "unread"],
    )
    (control,) = found.control_estimates(rows, pd.DataFrame())
    assert (control.value, control.n, control.neutral) == (0.5, 3, 0.5)


def test_forms_that_the_tokenizer_cannot_compare_do_not_count():
    rows = pd.DataFrame(
        [
            *[("sk", 1, "high", 1.0), ("sk", 1, "low", 0.0), ("sk", 2, "high", None), ("sk", 2, "low", 1.0)],
            *[("cs", 1, "high", None), ("cs", 1, "low", None)],
        ],
        columns=["control_language", "control_pair", "control_side", "log_ratio"],
    ).assign(control_kind="known")
    assert list(scorable(rows, rows["log_ratio"]).index) == [0, 1, 4, 5]  # nothing is read in Czech, which must show


def test_a_lexicon_of_ones_own_has_no_controls(opened, mirror, tmp_path):
    lexicon = tmp_path / "lexicon.csv"
    lexicon.write_text("lemma,category,level\nplonk,an,conservative\n", encoding="utf-8")
    assert not bound("honest", {"lexicon": str(lexicon)}, opened["causal"]).controls


@pytest.mark.parametrize(("name", "languages"), [("winobias", ("en",)), ("crows", ("en", "fr", "nl"))])
def test_the_versions_of_a_pronoun_control_differ_in_the_context_only(name, languages):
    for language in languages:
        rows = pronoun_controls(name, language)
        for male, female in zip(rows[::2], rows[1::2], strict=True):
            assert (male.side, female.side) == ("male", "female")
            assert (male.pair, male.kind, male.male, male.female) == (female.pair, *female[2:3], *female[-2:])
            assert (male.before, male.after) != (female.before, female.after)


def test_few_samples_have_few_controls():
    def pairs(samples):
        found = pronoun_controls("winobias", "en", samples)
        return [len({row.pair for row in found if row.kind == kind}) for kind in ("known", "nothing")]

    assert pairs(10) == [12, 6]
    assert pairs(1522) == [25, 12]  # 74 sentences, 4.9 %
    assert pairs(100_000) == [40, 20]


@pytest.mark.parametrize("language", ["be", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk"])
def test_forms_are_read_as_the_pairs_of_gest_slavic_are(language):
    forms = control_forms(language)
    assert [form for form in forms if isinstance(difference(form.male, form.female), str)] == []
    assert len({form.pair for form in forms}) == 20


@pytest.mark.parametrize("language", ["en", "es", "fr", "it", "pt", "ro"])
def test_hurtful_and_harmless_templates_have_one_blank(language):
    pairs = hurtful_controls(language)
    assert len(pairs) >= FEWER["known"]
    assert all(text.count("[M]") == 1 for pair in pairs for text in (pair.hurtful, pair.harmless))
