"""Wide intervals: what they generalise over, and which units are independent."""

import numpy as np
import pytest
from benchmarks.simulated.gest import frame

from genderscope.core.languages import LANGUAGES, language_family
from genderscope.measures.gest.rates import Rates
from genderscope.runs.result import estimates_from_frame, estimates_to_frame
from genderscope.statistics.student_intervals import Error
from genderscope.statistics.wide_intervals import Columns, column_scope, wide_scope

NARROW = Error(1e-6, 200)


def test_templates_with_the_same_two_words_are_one_unit_and_two_units_are_too_few():
    generator = np.random.default_rng(1)
    pairs = np.tile(generator.normal(0, 0.5, 2), 2)
    values = {i: generator.normal(0, 0.3, (8, 4)) + pairs for i in range(1, 17)}
    g_s = Rates(frame(values), 0, "log").g_s(None)
    assert g_s.wide_over == "stereotypes"
    assert "with only 2 word pairs, the results cannot be generalised to other templates" in g_s.remark
    alone = Rates(frame({i: each[:, :1] for i, each in values.items()}), 0, "log").g_s(None)
    assert alone.wide_over == "stereotypes"
    assert alone.remark is None


def test_an_estimate_keeps_what_its_wide_interval_is_over_in_a_table():
    values = {i: np.random.default_rng(i).normal(0, 1, (8, 2)) for i in range(1, 17)}
    estimates = Rates(frame(values), 0, "log").estimates()
    again = estimates_from_frame(estimates_to_frame(estimates))
    assert [e.wide_over for e in again] == [e.wide_over for e in estimates]
    assert {e.name for e in again if e.wide_over} == {"stereotype_rate", "masculine_rate_female", "masculine_rate_male"}
    assert all((e.wide_over is None) == (e.wide_low is None) for e in again)


def test_languages_of_one_family_are_one_unit():
    values = np.array([1.0, 1.1, 0.9, 0.0, 0.2])
    families = ["Slavic", "Slavic", "Slavic", "Romance", "Germanic"]
    scope = column_scope(values, NARROW, Columns("language", families, "language family"))
    assert scope.error.freedom < 2
    assert scope.over == "languages"
    assert "rests on only 3 language families" in scope.remark
    two = column_scope(values[:4], NARROW, Columns("language", families[:4], "language family"))
    assert two.error is None
    assert two.remark == "with only 2 language families, the results cannot be generalised to other languages"


def test_clusters_of_equal_size_have_the_error_of_a_mean():
    means = np.array([0.1, 0.4, 0.2, 0.9])
    scope = column_scope(means, Error(0.0, 3), Columns("language"))
    assert scope.error.variance == pytest.approx(means.var(ddof=1) / 4)
    assert scope.error.freedom == pytest.approx(3)


def test_few_units_are_remarked_on_and_fixed_columns_are_not():
    generator = np.random.default_rng(3)
    sides = [generator.normal(0, 1, (7, 5)), generator.normal(0, 1, (9, 5))]
    few = wide_scope(sides, NARROW, "stereotype", Columns("wording"))
    assert few.remark == "the generalisation to other wordings rests on only 5 wordings"
    fixed = wide_scope(sides, NARROW, "stereotype")
    assert (fixed.over, fixed.remark) == ("stereotypes", None)


def test_every_language_has_a_family():
    assert all(language.family for language in LANGUAGES.values())
    assert language_family("sk") == language_family("cs") != language_family("hu")
    assert language_family("xx") == "xx"
