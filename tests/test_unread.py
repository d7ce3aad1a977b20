"""Ranges for unread answers: what a rate could be if reading depends on gender."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from genderscope.judgement import Margin
from genderscope.measures.eurogest.rates import OverLanguages
from genderscope.measures.gest.rates import Rates
from genderscope.measures.gest_chat.rates import ChatRates
from genderscope.measures.gest_mt.rates import MtRates
from genderscope.measures.mt_geneval.rates import rate_tables as geneval_tables
from genderscope.measures.unread_cautions import stereotype_yields, unread_cautions
from genderscope.measures.winobias.rates import OccupationRates
from genderscope.runs.result import estimates_from_frame, estimates_to_frame
from genderscope.samples.gest import MALE
from genderscope.samples.mt_geneval import CONTEXTUAL
from genderscope.statistics.declared_rates import estimates_of
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.unread import compare_yields, mean_range, share_range

ONE = np.array([1.0])


def translations(masculine: float, read: tuple[float, float], n: int = 200) -> pd.DataFrame:
    """Rows of gest-mt with exact shares; `read` are the chances of feminine and masculine forms to be read."""
    parts = []
    for i in range(1, 17):
        men = round(n * (masculine + (0.1 if i in MALE else -0.1)))
        sizes = (round(men * read[1]), round((n - men) * read[0]))
        genders = ["masculine"] * sizes[0] + ["feminine"] * sizes[1] + [None] * (n - sum(sizes))
        parts.append(pd.DataFrame({"stereotype": i, "gender": genders, "sample": np.arange(n) + 1000 * i}))
    rows = pd.concat(parts, ignore_index=True).assign(language="sk", family=False)
    return rows.assign(unread=np.where(rows["gender"].isna(), "neutral", None))


def test_the_true_share_is_an_end_of_the_range_if_one_gender_is_unread_twice_as_often():
    # 600 men of 1000, a fifth of them unread, and two fifths of the women
    read, unread = np.array([[480.0, 240.0]]), np.array([280.0])
    low, high = share_range(480 / 720, read, unread, ONE)
    assert low == pytest.approx(0.6)
    assert high > 480 / 720


def test_a_range_includes_the_value_and_widens_with_what_is_unread():
    few, many = (share_range(0.6, np.array([[60.0, 40.0]]), np.array([unread]), ONE) for unread in (5.0, 50.0))
    assert many[0] < few[0] < 0.6 < few[1] < many[1]
    assert share_range(0.6, np.array([[60.0, 40.0]]), np.array([0.0]), ONE) is None


def test_a_gender_that_was_never_read_may_be_unread():
    low, high = share_range(0.0, np.array([[0.0, 10.0]]), np.array([30.0]), ONE)
    assert low == 0
    assert high == pytest.approx(0.5)  # half of 20 feminine and all of 20 masculine ones unread


def test_the_range_of_a_difference_uses_one_risk_for_both_sides():
    read, unread = np.array([[60.0, 40.0], [60.0, 40.0]]), np.array([30.0, 30.0])
    assert share_range(0.0, read, unread, np.array([1.0, -1.0])) == pytest.approx((0.0, 0.0))


def test_the_range_of_a_mean_moves_values_by_their_sign():
    values = np.array([1.0] * 480 + [-1.0] * 240)
    low, high = mean_range(values.mean(), [(1.0, values, 280)])
    assert low == pytest.approx(0.2)
    assert high > values.mean()


def test_translations_get_a_range_that_holds_the_truth():
    estimates = {e.name: e for e in MtRates(translations(0.6, (0.6, 0.8)), 0, False).estimates()}
    f_m = estimates["masculine_rate"]
    assert f_m.low > 0.6
    assert f_m.unread_low == pytest.approx(0.6, abs=0.005)
    assert (
        estimates["stereotype_rate"].unread_low
        <= estimates["stereotype_rate"].value
        <= estimates["stereotype_rate"].unread_high
    )
    everything = MtRates(translations(0.6, (1.0, 1.0)), 0, False).estimates()
    assert all(e.unread_low is None and e.unread_high is None for e in everything)


def test_published_centres_get_a_range_around_them():
    f_m = next(e for e in MtRates(translations(0.6, (0.6, 0.8)), 0, True).estimates() if e.name == "masculine_rate")
    assert f_m.unread_low < f_m.value < f_m.unread_high


def test_log_ratios_that_are_unread_widen_the_range_on_the_scale_of_the_rate():
    generator = np.random.default_rng(0)
    ratios = generator.normal(0.5, 1.0, 16 * 40)
    rows = pd.DataFrame(
        {
            "sample": np.arange(640),
            "sentence": "s",
            "stereotype": np.repeat(np.arange(1, 17), 40),
            "family": False,
            "template": 1,
            "log_ratio": np.where(generator.random(640) < 0.3, np.nan, ratios),
            "mass": np.nan,
            "unread": None,
        }
    )
    for scale in ("ratio", "log"):
        q_f = Rates(rows, 0, scale).q_f(None)
        assert q_f.unread_low < q_f.value < q_f.unread_high
    read = rows.assign(log_ratio=ratios)
    assert Rates(read, 0, "ratio").q_f(None).unread_low is None


def test_chat_answers_that_are_unread_give_both_rates_a_range():
    outcomes = np.tile(["male", "female", "neither", "male", None], 16 * 6)
    rows = pd.DataFrame({"outcome": outcomes, "stereotype": np.repeat(np.arange(1, 17), 30), "wording": 1})
    rows = rows.assign(sample=np.arange(480) // 5, order=None, unread=np.where(rows["outcome"].isna(), "lost", None))
    rates = {e.name: e for e in ChatRates(rows, "ask", 0, False).estimates()}
    masculine = rates["masculine_rate"]
    assert masculine.unread_low < masculine.value < masculine.unread_high
    assert rates["stereotype_rate"].unread_low == pytest.approx(0, abs=1e-9)


def test_wrong_versions_that_are_unread_twice_as_often_are_within_the_range_of_the_error():
    wrong, right = ["wrong"] * 24, ["right"] * 64  # of 40 and 80
    reading = [*wrong, *right, *[None] * 32]
    rows = pd.DataFrame({"reading": reading, "segment": np.arange(120), "subset": CONTEXTUAL, "language": "es"})
    rows = rows.assign(item=rows["segment"].astype(str), mixed=False, source="A person came.")
    rows = rows.assign(gender=np.where(rows["segment"] % 2, "masculine", "feminine"))
    rows["unread"] = np.where(rows["reading"].isna(), "silent", None)
    error = next(e for e in estimates_of(geneval_tables(rows)) if e.name == "error")
    assert error.unread_high == pytest.approx(1 / 3)


def test_ranges_survive_the_table_of_estimates():
    e = Estimate(
        name="stereotype_rate", value=0.1, n=10, unread=5, neutral=0.0, method="m", unread_low=0.05, unread_high=0.2
    )
    assert estimates_from_frame(estimates_to_frame([e])) == [e]
    assert e.flat()["unread_low"] == 0.05


def test_a_caution_says_that_unread_answers_change_the_verdict():
    e = Estimate(name="stereotype_rate", value=0.1, low=0.05, high=0.15, n=100, unread=50, neutral=0.0, method="m")
    margin = Margin(0.03, most=1.0)
    assert not list(unread_cautions([e], lambda _: margin))
    changed = replace(e, unread_low=0.02, unread_high=0.15)
    (said,) = unread_cautions([changed], lambda _: margin)
    assert "stereotype_rate could lie anywhere from 0.02 to 0.15, which would change the verdict" in said
    assert not list(unread_cautions([replace(e, unread_low=0.095, unread_high=0.105)], lambda _: margin))


def test_a_caution_says_that_yields_differ_between_the_genders():
    uneven, even = translations(0.6, (0.4, 0.9)), translations(0.6, (0.7, 0.7))
    assert stereotype_yields(uneven).p < 1e-6
    assert stereotype_yields(even).p > 0.05
    e = Estimate(name="masculine_rate", value=0.7, low=0.65, high=0.75, n=100, unread=50, neutral=0.5, method="m")
    e = replace(e, unread_low=0.69, unread_high=0.71)
    assert not list(unread_cautions([e], lambda _: None, stereotype_yields(even)))
    (said,) = unread_cautions([e], lambda _: None, stereotype_yields(uneven))
    assert "so reading may depend on gender" in said


def test_a_caution_names_no_range_that_has_no_width():
    """If every answer that was read has the same gender, unread answers cannot shift the rate by this model."""
    uneven = stereotype_yields(translations(0.6, (0.4, 0.9)))
    e = Estimate(name="stereotype_rate", value=0.0, low=-0.1, high=0.1, n=100, unread=50, neutral=0.0, method="m")
    (said,) = unread_cautions([replace(e, unread_low=0.0, unread_high=0.0)], lambda _: None, uneven)
    assert said.endswith("so reading may depend on gender.")
    (said,) = unread_cautions([replace(e, unread_low=0.0, unread_high=0.0004)], lambda _: None, uneven)
    assert "anywhere from 0 to 0.0004," in said


def test_equal_yields_have_no_significant_difference():
    assert compare_yields(np.ones(9), np.ones(7)).p == 1.0


def test_occupations_and_languages_get_ranges_too():
    generator = np.random.default_rng(3)
    ratios = np.where(generator.random(400) < 0.2, np.nan, generator.normal(0.3, 1.0, 400))
    rows = pd.DataFrame({"log_ratio": ratios, "sample": np.arange(400), "subset": "type 1 dev", "line": 1})
    rows = rows.assign(gender=np.where(rows["sample"] % 2, "male", "female"), unread=None)
    rows["occupation"] = [f"o{k % 20}" for k in range(400)]
    rows["sentence"] = [f"The {each} met the o{k % 7} because [he] {k}" for k, each in enumerate(rows["occupation"])]
    found = [
        e
        for e in OccupationRates.estimates(rows, 0)
        if e.name in {"stereotype_rate", "masculine_rate_male", "stereotypical_share"}
    ]
    assert found
    assert all(e.unread_low < e.value < e.unread_high for e in found)

    rows = pd.DataFrame({"log_ratio": np.tile(ratios, 2), "stereotype": np.tile(np.repeat(np.arange(1, 17), 25), 2)})
    rows = rows.assign(sample=np.tile(np.arange(400), 2), language=np.repeat(["gl", "ro"], 400), template=1)
    g_s = next(e for e in OverLanguages(rows, 0, "ratio").estimates() if e.name == "stereotype_rate")
    assert g_s.unread_low <= g_s.value <= g_s.unread_high
    assert g_s.unread_low < g_s.unread_high
