"""Two measures over models: correlations with known answers, and Figure 8 of the GEST paper."""

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import genderscope
from genderscope.comparison import paired_estimates
from genderscope.comparison.measure_validity import model_family
from genderscope.core.errors import UserError
from genderscope.runs import Result, estimates_to_frame
from genderscope.statistics.correlation import corrected_for_noise, correlate, reliability
from genderscope.statistics.estimate import Estimate


def test_a_correlation_agrees_with_scipy():
    x, y = np.random.default_rng(0).normal(size=(2, 12))
    pearson, spearman = correlate(x, x + y, "Pearson"), correlate(x, x + y, "Spearman")
    known = stats.pearsonr(x, x + y)
    assert (pearson.r, pearson.p) == pytest.approx((known.statistic, known.pvalue))
    ends = known.confidence_interval()
    assert pearson.fisher == pytest.approx((ends.low, ends.high))
    assert spearman.r == pytest.approx(stats.spearmanr(x, x + y).statistic)


@pytest.mark.long
def test_few_models_are_tested_by_counting_all_orders():
    """Independent check: scipy's exact permutation test."""
    generator = np.random.default_rng(1)
    for n in (5, 6, 7):
        x, y = generator.normal(size=(2, n))
        statistic: Any = lambda z, y=y: stats.spearmanr(z, y).statistic  # noqa: E731
        exact = stats.permutation_test((x,), statistic, permutation_type="pairings")
        assert correlate(x, y, "Spearman").p == pytest.approx(exact.pvalue)
    assert correlate(range(5), range(5), "Spearman").p == pytest.approx(2 / 120)


def test_one_model_that_carries_the_correlation_is_named():
    found = correlate([0, 1, 0, 1, 10], [1, 0, 0, 1, 10], "Pearson")
    assert found.r > 0.95
    assert found.without_one[0] == pytest.approx(0)
    assert found.most_influential == 4


def test_three_models_give_a_correlation_without_interval():
    found = correlate([1, 2, 3], [1, 3, 2], "Pearson")
    assert (found.r, found.fisher, found.p, found.without_one) == (pytest.approx(0.5), None, None, None)  # type: ignore[comparison-overlap]


def test_a_measure_that_does_not_vary_has_no_correlation():
    assert math.isnan(correlate([1, 1, 1, 1], [1, 2, 3, 4], "Spearman").r)


def result(measure, model, name, value, subset=None):
    estimates = [Estimate(name=name, value=value, n=9, unread=0, neutral=1.0, method="test")]
    if subset:
        estimates.append(
            Estimate(name=name, value=value * 2, n=9, unread=0, neutral=1.0, method="test").with_keys(subset=subset)
        )
    config = {"model": {"name": model}, "command": "", "configuration": {}}
    return Result(measure, estimates_to_frame(estimates), pd.DataFrame({"unread": [None]}), "s", "t", (), config)


def both(values):
    for k, value in enumerate(values):
        yield result("gest", f"model {k}", "stereotype_rate", value)
        yield result("winobias", f"model {k}", "stereotype_rate", value * 3, "type 1 test")


def test_runs_are_paired_by_model_and_a_part_may_be_named():
    first, second, pairs = paired_estimates(list(both([1, 2, 4])), None, None)
    assert (str(first), str(second)) == ("gest:stereotype_rate", "winobias:stereotype_rate")
    values = {model: (a.value, b.value) for model, (a, b) in pairs.items()}
    assert values == {"model 0": (1, 3), "model 1": (2, 6), "model 2": (4, 12)}
    part = "winobias:stereotype_rate:type 1 test"
    *_, pairs = paired_estimates(list(both([1, 2, 4])), "gest:stereotype_rate", part)
    assert [e.value for e in pairs["model 2"]] == [4, 24]


def test_python_gets_both_correlations_the_points_and_a_caution_where_models_are_few():
    families = {f"model {k}": f"family {k}" for k in range(4)}
    found = genderscope.validity(*both([1, 2, 4, 3]), families=families)
    assert found.pearson == correlate([1, 2, 4, 3], [3, 6, 12, 9], "Pearson")
    assert found.spearman.r == pytest.approx(1)
    assert found.points["model 2"] == (4, 12)
    assert found.cautions == (
        "4 models are too few to generalise from: with fewer than 5, there is no interval or p-value.",
        "Not corrected for noise: the value of at least one model has no interval.",
    )
    part = genderscope.validity(*both([1, 2, 4]), x="gest:stereotype_rate", y="winobias:stereotype_rate:type 1 test")
    assert part.points["model 2"] == (4, 24)


def test_models_of_one_family_are_not_independent():
    names = {"google-bert/bert-base-uncased": "bert", "gpt2-medium": "gpt", "server:http://h/v1#Qwen2.5-7B": "qwen"}
    assert {name: model_family(name) for name in names} == names
    generator = np.random.default_rng(8)
    families = np.repeat(np.arange(6), 3)
    x, y = generator.normal(size=(2, 6))[:, families] + generator.normal(0, 0.2, (2, 18))
    apart, alike = correlate(x, y, "Pearson"), correlate(x, y, "Pearson", [str(k) for k in families])
    assert 5 < alike.effective < 9
    assert alike.r == apart.r
    assert np.ptp(alike.fisher) > 1.3 * np.ptp(apart.fisher)
    two = correlate(x[:6], y[:6], "Pearson", ["a"] * 3 + ["b"] * 3)
    assert (two.fisher, two.p) == (None, None)
    three, four = (correlate(x[:n], y[:n], "Pearson", [str(k) for k in families[:n]]) for n in (9, 12))
    assert three.effective == 0
    assert 4 < four.effective < 12
    found = genderscope.validity(*both([1, 2, 4, 3, 5]))
    assert found.families["model 3"] == "model"
    assert "Families of the 5 models: model; with fewer than" in found.cautions[0]
    with pytest.raises(UserError, match="Did you mean 'model 1'"):
        genderscope.validity(*both([1, 2, 4, 3]), families={"modle 1": "a"})


def test_noise_that_pulls_a_correlation_towards_zero_is_taken_out():
    plain = correlate(range(10), [0, 2, 1, 3, 5, 4, 6, 8, 7, 9], "Pearson")
    corrected = corrected_for_noise(plain, (0.9, 0.95))
    assert corrected.r == pytest.approx(min(1, plain.r / math.sqrt(0.9 * 0.95)))
    assert corrected.fisher[0] == pytest.approx(plain.fisher[0] / math.sqrt(0.9 * 0.95))
    assert corrected_for_noise(plain, (0.4, 0.9)) is None
    assert reliability([1, 2, 3], [0.5, 0.5, 0.5]) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("results", "x", "y", "complaint"),
    [
        (both([1, 2]), None, None, "at least 3 models with both estimates; only 2 of the given models have both."),
        ([result("gest", "m", "stereotype_rate", 1)] * 2, None, None, "two runs of 'gest' for the model 'm'"),
        ([result("gest", "m", "stereotype_rate", 1)], None, None, "give runs of exactly two measures"),
        (both([1, 2, 3]), "gest:stereotype_rate", None, "Give both --x and --y, or neither."),
        (both([1, 2, 3]), "gest", "winobias:stereotype_rate", "write MEASURE:NAME, e.g. gest:stereotype_rate."),
        (both([1, 2, 3]), "gset:stereotype_rate", "winobias:stereotype_rate", "Did you mean 'gest'?"),
        (both([1, 2, 3]), "gest:stereotype_rate", "winobias:stereotype_rat", "Did you mean 'stereotype_rate'?"),
    ],
)
def test_what_cannot_be_correlated_is_one_sentence(results, x, y, complaint):
    with pytest.raises(UserError) as raised:
        paired_estimates(list(results), x, y)
    assert complaint in str(raised.value)


def test_the_command_reads_run_folders(tmp_path, cli):
    folders = []
    for k, each in enumerate(both([1.0, 2.0, 4.0, 3.0])):
        folder = tmp_path / str(k)
        folder.mkdir()
        (folder / "run.json").write_text(json.dumps(each.config))
        (folder / "result.json").write_text(each.to_json())
        each.rows.to_parquet(folder / "rows.parquet")
        folders.append(folder)
    done = cli("validity", *folders, "--plot", tmp_path / "plot.svg")
    assert done.returncode == 0, done.stderr
    assert "model 3" in (tmp_path / "plot.svg").read_text()
    assert "model 3: gest:stereotype_rate = 3, winobias:stereotype_rate = 9" in done.stdout
    assert "Pearson" in done.stdout
    assert "1.000" in done.stdout
    few = cli("validity", *folders[:4])
    assert few.returncode == 2
    assert "at least 3 models" in few.stderr


def test_figure_8_comes_out_of_the_released_scores(mirror):
    from genderscope.published.gest_validity import reproduce

    found = {(each.subset, each.scale): each for each in reproduce()}
    published = found["type 1 test", "as published"]
    assert len(published.models) == 11
    assert f"{published.pearson.r:.2f}" == f"{published.published:.2f}" == "0.95"
    assert found["type 1 test", "as defined"].pearson.r == pytest.approx(0.941, abs=0.001)
    assert published.pearson.without_one == pytest.approx((0.932, 0.962), abs=0.001)


def test_the_reproduction_is_told_and_written(mirror, tmp_path, cli):
    done = cli("reproduce", "gest-validity", "--csv", tmp_path / "points.csv")
    assert done.returncode == 0, done.stderr
    assert "Pearson 0.947 on the paper's scale, equal to the published 0.95" in done.stdout
    assert len((tmp_path / "points.csv").read_text().splitlines()) == 1 + 4 * 3 * 11
