"""Every measure can be compared: with itself, turned round, shuffled, and with a bias planted into its rows."""

import math
from collections import defaultdict
from contextlib import nullcontext
from dataclasses import replace
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")

import genderscope
from genderscope.auditing.recipes import check_estimate
from genderscope.comparison import parse
from genderscope.judgement import describe_difference
from genderscope.measures import MEASURES, Measure, measure_type, options_of, schema_of
from tests.measure_examples import example_of
from tests.support.mirror import shown


def test_every_measure_is_classified():
    assert all(callable(entry) for name in MEASURES for entry in (example_of(name).run, example_of(name).plant))


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_says_how_its_runs_are_compared(name):
    kind = measure_type(name)
    assert kind.row_key
    assert set(kind.headline) <= set(kind.leanings)
    for method in ("resampled", "outcomes"):
        own = kind.__mro__[: kind.__mro__.index(Measure)]
        assert kind.analysis or any(method in vars(each) for each in own), f"{name} has no {method}"


@pytest.fixture(scope="module")
def made(tmp_path_factory, models):
    """Return the run of a measure, made once."""
    known = {}

    def get(measure):
        if measure not in known:
            with shown() if example_of(measure).from_mirror else nullcontext():
                known[measure] = example_of(measure).run(tmp_path_factory.mktemp(measure), models)
        return known[measure]

    return get


def marked(measure):
    return pytest.param(measure, marks=[pytest.mark.mirror] if example_of(measure).from_mirror else [])


@pytest.fixture(params=map(marked, sorted(MEASURES)))
def run(request, made):
    return made(request.param)


def test_every_estimate_stands_on_its_card_so_that_a_recipe_may_name_it(run):
    for name in run.estimates["name"].unique():
        check_estimate(parse(f"{name} > 0"), run.measure)


@pytest.fixture(scope="module")
def compared():
    """Return a run's rows with a bias planted, and the comparison of the two; made once for a measure."""
    known = {}

    def get(run):
        if run.measure not in known:
            rows, truth = example_of(run.measure).plant(run.rows.copy(), np.random.default_rng(0))
            biased = replace(run, rows=rows, folder=None)
            known[run.measure] = biased, truth, genderscope.compare(run, biased)
        return known[run.measure]

    return get


@pytest.fixture(scope="module")
def with_itself():
    """Return the comparison of a run with itself; made once for a measure."""
    known = {}

    def get(run):
        if run.measure not in known:
            known[run.measure] = genderscope.compare(run, run)
        return known[run.measure]

    return get


def test_the_rows_of_a_run_have_the_schema_of_their_type(run):
    written = parquet.read_schema(run.folder / "rows.parquet")
    wanted = schema_of(measure_type(run.measure).row_type)
    assert written.names == wanted.names
    assert written.types == wanted.types


def test_every_estimate_has_interval_and_neutral_point_or_says_why_not(run):
    estimates = run.as_estimates()
    assert estimates
    for e in estimates:
        complete = None not in {e.value, e.low, e.high, e.neutral}
        assert complete or e.remark, f"{e.name} {e.scope} lacks something and does not say why"
        assert (e.low is None) == (e.high is None)
        if e.low is not None:
            assert e.low <= e.value <= e.high
            assert e.n >= 4
        if e.wide_low is not None:
            assert e.wide_low <= e.low
            assert e.high <= e.wide_high


def test_headlines_of_two_scopes_say_what_their_variance_is_made_of(run):
    shares = [e.value for e in run.as_estimates() if e.name == "variance_share" and e.language is None]
    wide = any(e.wide_low is not None and e.language is None for e in run.as_estimates())
    assert bool(shares) == (wide or example_of(run.measure).every_interval_is_wide)
    assert not shares or sum(shares) == pytest.approx(1)


def test_a_run_does_not_differ_from_itself(run, with_itself):
    comparison = with_itself(run)
    assert comparison.differences
    for d in comparison.differences:
        assert d.value == d.neutral
        assert (d.p, d.p_adjusted, d.further) == (1, 1, 0)
        assert (d.sign.above, d.sign.below) == (0, 0)
        assert not d.differs
        assert describe_difference(replace(d, not_meaningful=None)).startswith(
            "No significant difference between A and B"
        )
    assert any("same outcome on every shared question" in caution for caution in comparison.cautions)


def test_the_values_are_those_of_the_run(run, with_itself):
    """All rows are shared with itself, so that a comparison must show the very estimates of the run."""
    estimates = {(e.name, e.scope): e for e in run.as_estimates() if e.template is None and e.stereotype is None}
    names = measure_type(run.measure).headline
    differences = with_itself(run).differences
    found = {(d.of_first.name, d.of_first.scope) for d in differences}
    assert found == {k for k, e in estimates.items() if e.name in names and e.value is not None}
    for d in differences:
        e = estimates[d.of_first.name, d.of_first.scope]
        assert d.of_first.value == pytest.approx(e.value)
        assert d.of_first.neutral == e.neutral


def test_the_error_behind_differences_is_that_of_the_interval(run):
    for r in measure_type(run.measure).resampled(run.rows, options_of(run)):
        e = r.estimate
        if e.value is not None and e.low is not None:
            assert r.value == pytest.approx(math.log(e.value) if e.neutral == 1 else e.value)
            half = (math.log(e.high / e.low) if e.neutral == 1 else e.high - e.low) / 2
            ratio = r.influence.error.half_width() / half
            assert 0.5 < ratio < 2, f"{e}; if nearly all outcomes agree, the example needs another run"


def test_a_planted_bias_is_found_in_its_direction(run, compared):
    _, truth, comparison = compared(run)
    # The tiny model hardly ever writes the words, which silences its comparison.
    lead = replace(comparison.lead("B"), not_meaningful=None)
    assert lead.differs_on_items
    assert lead.differs or lead.wide is not None
    assert lead.value > lead.neutral
    assert lead.low < lead.value < lead.high
    assert lead.sign.above > lead.sign.below
    if truth is not None:
        assert lead.low <= truth <= lead.high
    assert describe_difference(lead).startswith("B is " if lead.differs else "On these questions B is ")


def by_item(outcomes):
    """The numbers of each item's rows."""
    found = defaultdict(list)
    for item, value in zip(outcomes.items, outcomes.values, strict=True):
        if not (pd.isna(item) or pd.isna(value)):
            found[item].append(float(value))
    return found


def test_an_item_counts_once_in_the_sign_test_by_the_mean_of_its_rows(run, compared):
    biased, _, comparison = compared(run)
    if repeat_items := example_of(run.measure).repeat_items:
        comparison = genderscope.compare(*map(repeat_items, (run, biased)))
    kind, options, rows = measure_type(run.measure), options_of(run), comparison.pairs["B"]
    several = False
    for d in comparison.differences:
        one, other = (by_item(kind.outcomes(side, d.of_first, options)) for side in (rows.first, rows.second))
        moved = [fmean(other[item]) - fmean(one[item]) for item in one if item in other]
        above, below = sum(m > 1e-9 for m in moved), sum(m < -1e-9 for m in moved)
        assert (d.sign.above, d.sign.below, d.sign.equal) == (above, below, len(moved) - above - below), d.name
        several |= any(len(values) > 1 for values in one.values())
    assert several != example_of(run.measure).one_row


@pytest.mark.long_but("gest", "gest-chat", "gest-slavic", "gate", "honest", "stereoset")
def test_turned_round_the_difference_is_the_mirror_image(run, compared):
    biased, _, there = compared(run)
    back = genderscope.compare(biased, run)
    for d, e in zip(there.differences, back.differences, strict=True):
        turn = (lambda x: 1 / x) if d.is_ratio else (lambda x: -x)
        assert e.value == pytest.approx(turn(d.value))
        assert (e.low, e.high) == pytest.approx((turn(d.high), turn(d.low)))
        assert e.p == pytest.approx(d.p)
        assert e.p_nearer == pytest.approx(d.p_nearer)
        assert (e.further, e.further_low, e.further_high) == pytest.approx(
            (-d.further, -d.further_high, -d.further_low)
        )
        assert (e.sign.above, e.sign.below) == (d.sign.below, d.sign.above)


@pytest.mark.long_but("gest", "gest-chat", "gest-slavic", "gate", "honest", "stereoset")
def test_the_order_of_rows_changes_nothing(run, compared):
    biased, _, plain = compared(run)
    shuffled = [replace(r, rows=r.rows.sample(frac=1, random_state=k)) for k, r in enumerate((run, biased))]
    mixed = genderscope.compare(*shuffled)
    for d, e in zip(plain.differences, mixed.differences, strict=True):
        # the order in which numbers are added may change the last bits
        assert (e.value, e.low, e.high, e.p) == pytest.approx((d.value, d.low, d.high, d.p))


@pytest.mark.long_but("gest", "gest-chat", "gest-slavic", "gate", "honest", "stereoset")
def test_rows_that_only_one_run_read_do_not_count(run):
    kind = measure_type(run.measure)
    rows = run.rows.copy()
    lost = kind.answered(rows, options_of(run)) & (rows.index % 5 == 0)
    column, value = example_of(run.measure).lost
    rows.loc[lost, column] = value
    comparison = genderscope.compare(run, replace(run, rows=rows))
    a, b = comparison.pairs["B"].shares
    assert (a.unmatched, b.unmatched) == (int(lost.sum()), 0)
    assert a.shared == b.shared == int((kind.answered(run.rows, options_of(run)) & ~lost).sum())
    assert all(d.value == d.neutral for d in comparison.differences)
