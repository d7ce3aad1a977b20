"""A verdict says no more than the interval, the threshold and the validity conditions allow."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from genderscope.judgement import (
    Margin,
    Phrase,
    ValidityCondition,
    Verdict,
    judge,
    judge_interval,
    overall,
    read_share,
    short_verdict,
    size_sentence,
    verdict_sentences,
    with_interval,
)
from genderscope.statistics.estimate import Estimate

RATIO = Margin(1.1, factor=True)
INCONCLUSIVE, NO_EFFECT, EFFECT, LARGE = list(Verdict)[1:]


def g_s(value, low, high, **more):
    return Estimate(
        name="stereotype_rate", value=value, low=low, high=high, n=256, unread=0, neutral=1.0, method="test", **more
    )


@pytest.mark.parametrize(
    ("low", "high", "neutral", "margin", "verdict"),
    [
        (0.93, 0.99, 1, RATIO, NO_EFFECT),
        (0.95, 1.05, 1, RATIO, NO_EFFECT),
        (1.02, 1.4, 1, RATIO, EFFECT),
        (1.2, 1.4, 1, RATIO, LARGE),
        (0.5, 0.8, 1, RATIO, LARGE),
        (0.9, 1.2, 1, RATIO, INCONCLUSIVE),
        (1 / 1.11, 1.0, 1, RATIO, INCONCLUSIVE),
        (1.5, 1.7, 1, Margin(1.6, factor=True), EFFECT),
        (1 / 1.8, 1 / 1.61, 1, Margin(1.6, factor=True), LARGE),
        (1 / 1.59, 1.59, 1, Margin(1.6, factor=True), NO_EFFECT),
        (-0.01, 0.02, 0, Margin(0.03), NO_EFFECT),
        (0.01, 0.05, 0, Margin(0.03), EFFECT),
        (0.56, 0.7, 0.5, Margin(0.05), LARGE),
        (0.1, 0.2, 0, None, EFFECT),
        (-0.1, 0.2, 0, None, INCONCLUSIVE),
        (None, None, 1, RATIO, INCONCLUSIVE),
        (0.1, 0.2, None, RATIO, INCONCLUSIVE),
    ],
)
def test_an_interval_is_compared_with_the_neutral_point_and_the_threshold(low, high, neutral, margin, verdict):
    assert judge_interval(low, high, neutral, margin) is verdict


def test_no_effect_is_two_one_sided_tests():
    """The 95 % interval lies within the threshold exactly if both one-sided tests reject at 2.5 %."""
    generator = np.random.default_rng(0)
    for _ in range(50):
        values = generator.normal(generator.uniform(-0.1, 0.1), 0.3, 60)
        se, mean = values.std(ddof=1) / math.sqrt(60), values.mean()
        half = stats.t.isf(0.025, 59) * se
        p = max(
            stats.ttest_1samp(values, -0.1, alternative="greater").pvalue,
            stats.ttest_1samp(values, 0.1, alternative="less").pvalue,
        )
        assert (judge_interval(mean - half, mean + half, 0.0, Margin(0.1)) is NO_EFFECT) == (p < 0.025)


def test_verdicts_are_strings_that_users_can_compare_with():
    assert judge(g_s(1.3, 1.2, 1.4), RATIO).verdict == "effect beyond the threshold"
    assert [str(v) for v in Verdict] == [
        "not meaningful",
        "inconclusive",
        "no effect beyond the threshold",
        "effect, perhaps below the threshold",
        "effect beyond the threshold",
    ]


def test_the_wide_interval_decides_about_the_model_and_is_named_first():
    e = replace(g_s(1.3, 1.2, 1.4, wide_low=0.9, wide_high=1.9), wide_over="stereotypes")
    judgement = judge(e, RATIO)
    assert (judgement.verdict, judgement.narrow) == (INCONCLUSIVE, LARGE)
    assert verdict_sentences(judgement) == (
        "Verdict: inconclusive at the threshold of a factor of 1.1 when generalising to other stereotypes (95 % "
        "interval 0.90 to 1.90); for these stereotypes alone, an effect beyond the threshold. "
        "With a threshold of 1.05 or 1.21, the verdict would be the same."
    )


def test_the_verdict_is_shown_at_half_and_at_twice_the_threshold():
    judgement = judge(g_s(1.3, 1.12, 1.5), RATIO)
    assert (judgement.at_half, judgement.verdict, judgement.at_twice) == (LARGE, LARGE, EFFECT)
    assert verdict_sentences(judgement) == (
        "Verdict: an effect beyond the threshold of a factor of 1.1. "
        "With a threshold of 1.05, the verdict would be the same; with 1.21, an effect, perhaps below the threshold."
    )
    small = judge(g_s(1.0, 0.96, 1.04), RATIO)
    assert (small.at_half, small.verdict, small.at_twice) == (NO_EFFECT, NO_EFFECT, NO_EFFECT)


def test_an_effect_on_the_other_side_is_called_opposite():
    judgement = judge(g_s(0.7, 0.6, 0.8), RATIO)
    assert "an effect in the opposite direction beyond the threshold" in verdict_sentences(judgement)
    assert short_verdict(judgement) == "beyond threshold, opposite"


def test_only_parts_with_the_same_verdict_are_counted():
    parts = [g_s(1.3, 1.12, 1.5), g_s(0.7, 0.6, 0.8), g_s(1.2, 1.03, 1.34), g_s(1.2, 1.06, 1.38)]
    judged = [judge(part.with_keys(template=k), RATIO) for k, part in enumerate(parts, 1)]
    assert ", as in 1 of 4 templates." in verdict_sentences(judge(g_s(1.3, 1.2, 1.4), RATIO), judged, "templates")
    assert "templates" not in verdict_sentences(judge(g_s(1.0, 0.8, 1.4), RATIO), judged, "templates")


HALF_READ = ValidityCondition("the share read", 0.5, "the rest may differ", lambda _, e: read_share(e))


@pytest.mark.parametrize(("low", "high"), [(1.2, 1.4), (0.99, 1.01), (0.9, 1.3)])
def test_a_failed_condition_silences_findings_and_their_absence(low, high):
    judgement = judge(replace(g_s(1.3, low, high), unread=512), RATIO, [HALF_READ])
    assert judgement.verdict is judgement.narrow is judgement.at_half is Verdict.NOT_MEANINGFUL
    assert verdict_sentences(judgement) == (
        "Cannot be judged: the share read is 0.33, below the limit of 0.5: the rest may differ."
    )
    assert judge(replace(g_s(1.3, low, high), unread=200), RATIO, [HALF_READ]).is_meaningful


def test_unread_answers_widen_what_a_verdict_rests_on():
    e = replace(g_s(1.25, 1.2, 1.3), unread_low=1.0, unread_high=1.5)
    judgement = judge(e, RATIO)
    assert (judgement.verdict, judgement.if_unread_alike) == (INCONCLUSIVE, LARGE)
    assert "the value may be anywhere from 1.00 to 1.50" in verdict_sentences(judgement)


def test_without_an_interval_a_result_is_inconclusive_and_says_why():
    judgement = judge(replace(g_s(1.3, None, None), remark="only 2 samples."), RATIO)
    assert judgement.verdict is INCONCLUSIVE
    assert verdict_sentences(judgement) == "Inconclusive: there is no interval (only 2 samples)."


def test_several_languages_share_a_verdict_or_are_inconclusive():
    large, small = judge(g_s(1.3, 1.2, 1.4), RATIO), judge(g_s(1.0, 0.99, 1.01), RATIO)
    assert overall([large, large]) is LARGE
    assert overall([large, small]) is INCONCLUSIVE
    assert overall([]) is INCONCLUSIVE


def test_a_size_has_no_sign_and_never_reads_plus_nothing():
    e = Estimate(
        name="stereotype_rate", value=0.001, low=-0.004, high=0.006, n=1000, unread=0, neutral=0.0, method="test"
    )
    phrase = Phrase("More by {}", "Less by {}", "Alike")
    assert size_sentence(e, phrase).startswith("More by 0.001, but the interval includes 0 (stereotype rate, ")
    assert size_sentence(replace(e, value=-0.001), phrase).startswith("Less by 0.001, but the interval includes 0 (")
    nothing = replace(e, value=0.0, low=0.0, high=0.0)
    assert size_sentence(nothing, phrase).startswith("Alike (")
    assert with_interval(nothing) == "stereotype rate, 95 % interval 0 to 0, neutral 0, n = 1,000"
    assert (
        with_interval(replace(e, low=-0.2, high=0.1))
        == "stereotype rate, 95 % interval −0.20 to 0.10, neutral 0, n = 1,000"
    )


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (0.07, -0.03, 0.17, "More, by 0.07, but the interval includes 0"),
        (-0.07, -0.17, 0.0, "Less, by 0.07, but the interval includes 0"),
        (0.07, 0.01, 0.13, "More, by 0.07"),
        (0.0, -0.1, 0.1, "As much"),
        (0.07, None, None, "More, by 0.07"),
    ],
)
def test_no_direction_is_asserted_if_the_interval_includes_the_neutral_point(value, low, high, said):
    e = Estimate(name="x", value=value, low=low, high=high, neutral=0.0, n=50, unread=0, method="t")
    phrase = Phrase("More, by {}", "Less, by {}", "As much")
    assert phrase.about(e) == said
    assert size_sentence(e, phrase).startswith(f"{said} (x")


def test_a_ratio_says_that_its_interval_includes_1_but_a_share_has_no_direction():
    e = Estimate(name="x", value=1.2, low=0.9, high=1.5, neutral=1.0, n=50, unread=0, method="t")
    assert Phrase("The odds are {} times as high").about(e) == (
        "The odds are 1.20 times as high, but the interval includes 1"
    )
    share = Estimate(name="x", value=0.52, low=0.4, high=0.6, neutral=0.5, n=50, unread=0, method="t")
    assert Phrase("A man in {percent} of the answers").about(share) == "A man in 52% of the answers"


def test_an_effect_that_is_barely_significant_is_none_among_many_verdicts():
    barely = Estimate(name="rate", value=0.2, low=0.01, high=0.39, n=90, unread=0, neutral=0.0, method="", freedom=80.0)
    assert judge(barely, None).verdict is Verdict.EFFECT
    assert judge(barely, None, family=20).verdict is Verdict.INCONCLUSIVE
