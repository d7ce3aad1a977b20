"""Intervals where conditions, groups or clusters have few or unequal numbers of units."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from genderscope.measures.eurogest.rates import by_language
from genderscope.measures.honest.rates import FEW_TERMS, Shares
from genderscope.measures.mt_geneval.rates import profession_in
from genderscope.measures.mt_geneval.rates import rate_tables as geneval_tables
from genderscope.measures.winobias.rates import OccupationRates
from genderscope.measures.wordfill.scores import Scores
from genderscope.samples.mt_geneval import CONTEXTUAL, GENDERS
from genderscope.statistics.declared_rates import estimates_of
from genderscope.statistics.student_intervals import error_of_mean, few_units, pooled_variances


def apart(*columns):
    """Return a table whose rows have a reading in one column each."""
    table = np.full((sum(map(len, columns)), len(columns)), np.nan)
    start = 0
    for k, column in enumerate(columns):
        table[start : start + len(column), k] = column
        start += len(column)
    return table


def test_conditions_without_shared_rows_are_welchs_t_test():
    generator = np.random.default_rng(1)
    x, y = generator.normal(0, 1, 5), generator.normal(0.4, 2, 80)
    error = error_of_mean(apart(x, y))
    by_scipy = stats.ttest_ind(x, -y, equal_var=False).confidence_interval()
    assert error.freedom == pytest.approx(stats.ttest_ind(x, -y, equal_var=False).df)
    assert 2 * error.half_width() == pytest.approx((by_scipy.high - by_scipy.low) / 2)


def test_complete_columns_have_the_error_of_their_row_means():
    table = np.random.default_rng(2).normal(size=(9, 3))
    error = error_of_mean(table)
    assert error.variance == pytest.approx(table.mean(axis=1).var(ddof=1) / 9)
    assert error.freedom == 8


def test_a_missing_cell_hardly_changes_the_error():
    generator = np.random.default_rng(3)
    table = generator.normal(size=(60, 1)) + generator.normal(size=(60, 4))
    whole = error_of_mean(table)
    table[4, 2] = np.nan
    error = error_of_mean(table)
    assert error.variance == pytest.approx(whole.variance, rel=0.05)
    assert error.freedom == pytest.approx(59, abs=1)


def test_a_single_reading_has_the_variance_of_its_condition_in_other_tables():
    generator = np.random.default_rng(4)
    tables = [apart(generator.normal(0, 3, n), generator.normal(0, 1, 70)) for n in (1, 6, 9)]
    pooled = pooled_variances(tables)
    error = error_of_mean(tables[0], pooled)
    assert pooled.freedom.tolist() == [13, 207]
    assert error.variance == pytest.approx(pooled.variances[0] / 4, rel=0.05)
    assert error.freedom == pytest.approx(13, abs=1)
    # without other tables, the variance of the other condition
    assert error_of_mean(tables[0]).variance == pytest.approx(tables[0][1:, 1].var(ddof=1) * (1 + 1 / 70) / 4)


def test_a_condition_with_one_sentence_widens_the_rate_of_its_stereotype():
    generator = np.random.default_rng(5)
    records = [
        (1000 * i + 100 * template + k, i, template, generator.normal())
        for i in range(1, 17)
        for template, n in ((1, 1 if i == 14 else 6), (2, 70))
        for k in range(n)
    ]
    frame = pd.DataFrame(records, columns=["sample", "stereotype", "template", "log_ratio"])
    frame = frame.assign(language="gl", condition="x", family=False, mass=np.nan, sentence="", unread=None)
    rates = by_language(frame, 0, "log")["gl"].estimates()
    widths = {
        e.stereotype: e.high - e.low for e in rates if e.name == "masculine_rate_by_stereotype" and e.subset is None
    }
    remarks = {e.stereotype: e.remark for e in rates if e.name == "masculine_rate_by_stereotype" and e.subset is None}
    assert widths[14] > 1.5
    assert max(width for i, width in widths.items() if i != 14) < widths[14] * 1.5
    told = "fewer than 4 readings in a condition, so its variance is set to at least that of other stereotypes"
    assert remarks[14] == told
    assert remarks[13] is None


def test_few_units_get_a_remark():
    assert few_units(6) is None
    assert few_units(5) == "few units (5): the interval is approximate"
    assert error_of_mean(np.arange(5.0)[:, None]).remark == few_units(5)


def honest_rows(sizes, patterns=12, seed=6):
    """Return completions of two groups of terms, each hurtful as often as its term is by chance."""
    generator = np.random.default_rng(seed)
    records = []
    for group, size in zip(("female", "male"), sizes, strict=True):
        hits = generator.binomial(20, generator.beta(2, 8, size)[:, None], (size, patterns))
        records += [
            (f"{group}{a}", f"p{b}", group, ["an"] * hits[a, b] + [""] * (20 - hits[a, b]), None)
            for a in range(size)
            for b in range(patterns)
        ]
    return pd.DataFrame(records, columns=["term", "pattern", "group", "categories", "unread"])


def difference_of(sizes, seed=6):
    (estimate,) = Shares(honest_rows(sizes, seed=seed), [20], []).differences()
    return estimate


def test_the_difference_of_unequal_groups_has_the_degrees_of_freedom_of_the_smaller():
    rows = honest_rows((20, 3))
    by_term = rows.assign(hurtful=rows["categories"].map(lambda found: 5.0 * sum(map(bool, found))))
    by_term = by_term.groupby(["group", "term"])["hurtful"].mean()
    welch = stats.ttest_ind(by_term["female"], by_term["male"], equal_var=False).confidence_interval()
    estimate = difference_of((20, 3))
    assert estimate.high - estimate.low > 0.95 * (welch.high - welch.low)
    assert "few units" in estimate.remark
    assert estimate.freedom < 5, "gates widen the interval by these"


def test_a_difference_that_a_few_terms_decide_says_so():
    rows = honest_rows((41, 6))
    assert "identity terms dominate" not in (Shares(rows, [20], []).differences()[0].remark or "")
    vulgar = rows["term"].isin(["female3", "female20", "male2"])
    rows["categories"] = rows["categories"].where(~vulgar, pd.Series([["an"] * 20] * len(rows)))
    assert "a few identity terms dominate" in Shares(rows, [20], []).differences()[0].remark


def test_a_group_of_two_terms_has_no_interval_against_a_group_of_many():
    estimate = difference_of((20, 2))
    assert (estimate.low, estimate.p, estimate.remark) == (None, None, FEW_TERMS)
    # he and she are compared over patterns
    assert difference_of((1, 1)).low is not None


def contextual_rows(professions, each=20):
    """Return contextual segments of which every second profession is always translated wrongly."""
    records = [
        (CONTEXTUAL, number, GENDERS[k % 2], "es", str(number), f"She said so. The {name} left.", wrong, False, None)
        for j, name in enumerate(professions)
        for k in range(each)
        for number, wrong in [(j * each + k, "wrong" if j % 2 else "right")]
    ]
    columns = ["subset", "segment", "gender", "language", "item", "source", "reading", "mixed", "unread"]
    return pd.DataFrame(records, columns=columns).astype({"unread": "string"})


def test_segments_about_one_profession_are_one_unit():
    known = ("nurse", "judge", "clerk", "baker", "cook", "tutor", "guide", "maid", "poet", "pilot")
    alone = next(e for e in estimates_of(geneval_tables(contextual_rows(known))) if e.name == "error")
    unknown = [f"person {k}" for k in range(10)]
    apart = next(e for e in estimates_of(geneval_tables(contextual_rows(unknown))) if e.name == "error")
    assert (alone.value, apart.value) == (0.5, 0.5)
    assert alone.method == "Agresti-Coull, professions as units"
    assert alone.high - alone.low > 3 * (apart.high - apart.low)


def test_the_profession_is_that_of_the_judged_sentence():
    assert profession_in("The editor wrote. She became an assistant professor.") == "professor"
    assert profession_in("Nurses were asked.") == "nurse"
    assert profession_in("She left.") is None


def test_lms_near_its_end_has_the_interval_of_a_share():
    targets = np.repeat(np.arange(10), 25)
    unrelated = np.where(np.arange(250) % 50 == 7, 1.5, -1.0)
    scores = {"lp0": 1.0, "lp1": 0.9, "lp_unrelated": unrelated, "ss": 1.0}
    rows = pd.DataFrame({"sample": range(250), "item": range(250), "subset": "x", "unread": None, **scores})
    for name in ("ss_control", "csk", "csk_control", "f", "cs", "cs_control"):
        rows[name] = np.nan
    rows = rows.assign(language="en", target=[f"t{k}" for k in targets], **{f"keyword{k}": "word" for k in range(4)})
    (lms,) = [e for e in Scores(rows, "x", 0, False).estimates() if e.name == "language_modelling_score"]
    assert lms.value == pytest.approx(98)
    assert lms.high < 100
    assert lms.value - lms.low > 1.5 * (lms.high - lms.value)


def test_occupations_are_the_units_so_there_is_no_second_interval():
    generator = np.random.default_rng(8)
    records = [
        (k, "type 1 dev", f"The m{k % 6} met the f{k // 6} [he/she] {gender}", f"{gender[0]}{who}", gender, value, None)
        for k in range(36)
        for gender, who in (("male", k % 6), ("female", k // 6))
        for value in [generator.normal()]
    ]
    columns = ["sample", "subset", "sentence", "occupation", "gender", "log_ratio", "unread"]
    for e in OccupationRates.estimates(pd.DataFrame(records, columns=columns), 0):
        if e.name in {"stereotype_rate", "masculine_rate_female", "masculine_rate_male", "stereotypical_share"}:
            assert e.low is not None
            assert e.wide_low is None
            assert "other occupations" in e.remark
