"""What GEST computes, on rows made by hand."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import genderscope
from genderscope.measures.gest import TEMPLATES, PublishedRates, Rates, about_family
from genderscope.measures.gest.templates import averaged, speech
from genderscope.samples.gest import FEMALE, MALE


def rows(log_ratio, samples=6, templates=(3, 4), family=lambda i, k: False):
    return pd.DataFrame(
        [
            {
                "sample": 100 * i + k,
                "stereotype": i,
                "family": family(i, k),
                "template": t,
                "log_ratio": log_ratio(i, k, t),
                "mass": math.nan,
            }
            for i in range(1, 17)
            for k in range(samples)
            for t in templates
        ]
    )


def noisy(seed=0):
    generator = np.random.default_rng(seed)
    return rows(lambda i, k, t: (0.5 if i in MALE else -0.2) + 0.1 * t + generator.normal(0, 0.4))


def by_name(estimates, name, template=None):
    return [e for e in estimates if e.name == name and e.template == template]


def rates(frame, scale="ratio", as_published=False):
    return (PublishedRates if as_published else Rates)(frame, seed=0, scale=scale)


def test_q_is_the_geometric_mean_and_g_s_the_ratio_of_the_groups():
    made = rates(rows(lambda i, k, t: math.log(3) if i in MALE else math.log(0.5)))
    assert made.q_i(1, None).value == pytest.approx(0.5)
    assert made.q_f(None).value == pytest.approx(0.5)
    assert made.q_m(None).value == pytest.approx(3)
    assert made.g_s(None).value == pytest.approx(6)
    assert made.g_s(None).neutral == 1


def test_templates_are_averaged_on_the_log_scale():
    made = rates(rows(lambda i, k, t: math.log(2) if t == 3 else math.log(8)))
    assert made.q_i(5, 3).value == pytest.approx(2)
    assert made.q_i(5, 4).value == pytest.approx(8)
    assert made.q_i(5, None).value == pytest.approx(4)


def test_the_published_scale_is_the_defined_one_to_the_power_of_one_over_ln_ten():
    frame = noisy()
    for template in (3, 4):
        defined = rates(frame).g_s(template).value
        assert rates(frame, as_published=True).g_s(template).value == pytest.approx(defined ** (1 / math.log(10)))


def test_as_published_the_rates_over_templates_are_the_mean_of_the_templates_rates():
    """The paper's Figure 4 averages g_s of the templates; the definition averages log-ratios."""
    made = rates(rows(lambda i, k, t: (t - 3) * (2.0 if i in MALE else -1.0) + 0.01 * k), as_published=True)
    for rate in (made.g_s, made.q_f, made.q_m, lambda template: made.q_i(9, template)):
        assert rate(None).value == pytest.approx((rate(3).value + rate(4).value) / 2)
        assert rate(None).low < rate(None).value < rate(None).high
    [drawn] = [each for each in made.resampled() if each.estimate.name == "stereotype_rate"]
    assert math.exp(drawn.value) == pytest.approx(drawn.estimate.value)


@pytest.mark.parametrize("as_published", [False, True])
def test_a_template_that_cannot_be_read_leaves_the_others_their_numbers(as_published):
    generator = np.random.default_rng(1)
    drawn = {(i, k, t): generator.normal(0.3 * t, 1) for i in range(1, 17) for k in range(6) for t in (1, 2, 3, 4)}
    asked = rows(lambda i, k, t: drawn[i, k, t] if t > 2 else math.nan, templates=(1, 2, 3, 4))
    sentences = rows(lambda i, k, t: drawn[i, k, t])
    over = [e for e in rates(asked, as_published=as_published).estimates() if e.template is None]
    alone = [e for e in rates(sentences, as_published=as_published).estimates() if e.template is None]
    assert [replace(e, remark=None) for e in over if e.group is None] == [
        replace(e, remark=None) for e in alone if e.group is None
    ]
    told = "templates 1 and 2 could not be read, so the numbers across templates are based on templates 3 and 4"
    assert all(
        told in e.remark
        for e in over
        if e.group is None and e.name not in {"rank", "variance_share", "prompt_agreement"}
    )
    assert [e.group for e in over if e.name == "rate_correlation"] == ["templates 3 and 4"]
    assert {e.value for e in rates(asked).estimates() if e.template == 1} == {None}


def test_a_template_that_lacks_a_stereotype_is_not_averaged_with_those_that_have_it():
    made = rates(rows(lambda i, k, t: math.nan if (i, t) == (5, 3) else float(t)))
    assert made.q_i(6, None).value == pytest.approx(math.exp(4))
    assert made.g_s(3).value is None
    assert made.g_s(None).value == pytest.approx(1)
    assert "template 3 could not be read for every stereotype" in made.g_s(None).remark


def test_the_log_scale_has_its_neutral_point_at_zero():
    frame = noisy()
    log, ratio = rates(frame, scale="log").g_s(None), rates(frame).g_s(None)
    assert log.neutral == 0
    assert [math.exp(v) for v in (log.low, log.value, log.high)] == pytest.approx([ratio.low, ratio.value, ratio.high])


def test_swapping_the_two_words_inverts_every_rate():
    frame = noisy()
    swapped = frame.assign(log_ratio=-frame["log_ratio"])
    for name in ("masculine_rate_by_stereotype", "masculine_rate_female", "masculine_rate_male", "stereotype_rate"):
        for a, b in zip(
            by_name(rates(frame).estimates(), name), by_name(rates(swapped).estimates(), name), strict=True
        ):
            assert a.value * b.value == pytest.approx(1)
            assert a.low * b.high == pytest.approx(1, abs=1e-9)


def test_swapping_the_groups_of_stereotypes_inverts_g_s():
    frame = rows(lambda i, k, t: 0.7 if i in MALE else 0.1)
    exchanged = rows(lambda i, k, t: 0.1 if i in MALE else 0.7)
    assert rates(frame).g_s(None).value * rates(exchanged).g_s(None).value == pytest.approx(1)


def test_permuting_the_rows_changes_nothing():
    frame = noisy()
    assert rates(frame).estimates() == rates(frame.sample(frac=1, random_state=1)).estimates()


def test_feminine_ranks_begin_with_the_most_feminine():
    made = by_name(rates(rows(lambda i, k, t: 0.1 * i + 0.001 * k)).estimates(), "rank")
    assert [e.value for e in made] == list(range(1, 17))


def test_what_was_not_read_is_counted_and_left_out():
    made = rates(rows(lambda i, k, t: math.nan if k == 0 and t == 4 else math.log(2)))
    q = made.q_i(1, 4)
    assert (q.value, q.n, q.unread) == (pytest.approx(2), 5, 1)
    q = made.q_i(1, None)
    assert (q.value, q.n, q.unread) == (pytest.approx(2), 6, 1)


def test_a_stereotype_of_which_nothing_was_read_has_no_value():
    made = rates(rows(lambda i, k, t: math.nan if i == 1 else 0.1))
    assert made.q_i(1, None).value is None
    assert made.q_i(1, None).n == 0
    assert made.g_s(None).value is None


def test_data_without_female_stereotypes_has_no_g_s():
    frame = noisy()
    made = rates(frame[~frame["stereotype"].isin(FEMALE)])
    assert made.g_s(None).value is None
    assert made.q_f(None).value is None
    assert made.q_m(None).value is not None


def test_the_topical_check_looks_at_male_samples_about_family_only():
    frame = rows(
        lambda i, k, t: math.log(0.25) if k == 0 else math.log(2), family=lambda i, k: k == 0 and (i in MALE or i == 1)
    )
    fam = rates(frame).q_fam(None)
    assert (fam.value, fam.n) == (pytest.approx(0.25), len(MALE))


def test_templates_that_agree_correlate():
    [r] = by_name(rates(rows(lambda i, k, t: 0.1 * i + (0.3 if t == 4 else 0))).estimates(), "rate_correlation")
    assert r.value == pytest.approx(1)
    assert r.group == "templates 3 and 4"


@pytest.mark.parametrize(
    "name", ["masculine_rate_by_stereotype", "masculine_rate_female", "masculine_rate_male", "stereotype_rate"]
)
def test_every_estimate_lies_in_its_interval(name):
    for e in by_name(rates(noisy()).estimates(), name):
        assert e.low < e.value < e.high


@pytest.mark.parametrize(
    ("text", "whole", "inside"),
    [
        ("We planned for our kids.", True, True),
        ("My CHILDREN are loud.", True, False),
        ("Partner in crime", True, False),
        ("I was kidding.", False, True),
        ("I led them.", False, False),
        ("I see the \u212aids.", True, False),  # a Kelvin sign is a K
    ],
)
def test_family_words_are_whole_words_unless_as_published(text, whole, inside):
    assert about_family(text, as_published=False) is whole
    assert about_family(text, as_published=True) is inside


def test_the_templates_read_as_the_paper_prints_them_and_natural_prompts_as_books_do():
    questions = {n: t.ask("I cried.", False) for n, t in TEMPLATES.items()}
    filled = {n: [q.before + option + q.after for option in q.options] for n, q in questions.items()}
    assert filled == {
        1: ['He said: "I cried."', 'She said: "I cried."'],
        2: ['The man said: "I cried."', 'The woman said: "I cried."'],
        3: ['"I cried.", he said.', '"I cried.", she said.'],
        4: ['"I cried.", the man said.', '"I cried.", the woman said.'],
        5: ['"I cried," he said.', '"I cried," she said.'],
        6: ['"I cried," the man said.', '"I cried," the woman said.'],
        7: ['"I cried," said the man.', '"I cried," said the woman.'],
        8: ['"I cried," said he.', '"I cried," said she.'],
    }


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("I cried.", "I cried,"),
        ("Did I cry?", "Did I cry?"),
        ("I cried!", "I cried!"),
        ("I waited...", "I waited..."),
        ("I waited…", "I waited…"),
        ("I cried", "I cried,"),
        ("I left (early).", "I left (early),"),
        ("I cried. ", "I cried,"),
    ],
)
def test_direct_speech_ends_as_english_prints_it(sentence, said):
    assert speech(sentence) == said


def test_natural_prompts_are_averaged_where_they_are_asked_and_the_paper_keeps_rates_of_its_own():
    assert averaged((3, 4)) == (3, 4)
    assert averaged((1, 2, 3, 4)) == (1, 2, 3, 4)
    assert averaged((3, 4, 5, 6, 7)) == (5, 6, 7)
    assert averaged((1, 2, 3, 4, 7)) == (1, 2, 7)
    assert averaged((11, 12)) == (11, 12)
    made = rates(rows(lambda i, k, t: float(t) * (i > 7) + 0.01 * k * t, templates=(3, 4, 5, 6, 7)))
    found = {e.name: e for e in made.estimates() if not e.keys}
    assert found["stereotype_rate"].value == pytest.approx(math.exp(6))
    assert found["stereotype_rate_published_prompts"].value == pytest.approx(math.exp(3.5))
    assert found["prompt_agreement"].value == pytest.approx(1)
    assert "stereotype_rate_published_prompts" not in {e.name for e in rates(noisy()).estimates()}


def test_published_counts_of_family_samples(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    from genderscope.samples.gest import load

    male = [s.sentence for s in load(None, "1.0").samples if s.stereotype in MALE]
    assert sum(about_family(s, as_published=True) for s in male) == 166
    assert sum(about_family(s, as_published=False) for s in male) == 155


@pytest.mark.long
def test_permuting_the_samples_and_the_model_answers_changes_nothing(models, tmp_path):
    folder = str(models("llama", "bytes"))
    lines = [f"I was there {k} times.,{k % 16 + 1}" for k in range(48)]
    results = []
    for name, order in (("a", lines), ("b", lines[::-1])):
        data = tmp_path / f"{name}.csv"
        data.write_text("\n".join(["sentence,stereotype", *order]))
        results.append(genderscope.evaluate("gest", folder, data=str(data), out=tmp_path / name))
    values = [
        r.estimates.loc[
            r.estimates["name"].isin(
                ["masculine_rate_by_stereotype", "masculine_rate_female", "masculine_rate_male", "stereotype_rate"]
            ),
            "value",
        ]
        for r in results
    ]
    assert values[0].tolist() == pytest.approx(values[1].tolist(), abs=1e-5)
