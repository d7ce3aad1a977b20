"""Declared rates: what one estimator makes of declarations and rows."""

import pandas as pd
import pytest

from genderscope.statistics.declared_rates import Rate, RateTable, estimates_of


def rows_of(*cells):
    """Rows of (language, unit, side, value); a value of None is unread."""
    table = pd.DataFrame(cells, columns=["language", "item", "side", "value"])
    return table.assign(
        value=table["value"].astype(float), unread=table["value"].map(lambda v: None if v == v else "?")
    )


def value(rows):
    return rows["value"]


def on(side):
    return lambda rows: rows["side"] == side


ROWS = rows_of(
    *(("es", f"s{k}", "a" if k % 2 else "b", float(k % 4 > 0)) for k in range(12)),
    *(("fr", f"s{k}", "a" if k % 2 else "b", float(k % 4 > 1)) for k in range(8)),
    ("fr", "s8", "a", None),
)
SHARE = Rate(name="share", values=value, neutral=0.5)
GAP = Rate(name="gap", values=value, neutral=0.0, sides=(on("a"), on("b")))


def one(rate, rows=ROWS, language=None):
    (estimate,) = RateTable(rows, [rate]).estimates([language])
    return estimate


def test_a_share_is_the_mean_of_the_languages():
    assert (one(SHARE, language="es").value, one(SHARE, language="fr").value) == (0.75, 0.5)
    both = one(SHARE)
    assert (both.value, both.n, both.unread) == (0.625, 20, 1)
    assert both.low < both.value < both.high


def test_a_difference_subtracts_its_second_side():
    assert one(GAP, language="es").value == 1.0 - 0.5
    assert one(GAP, ROWS.assign(side=ROWS["side"].map({"a": "b", "b": "a"})), "es").value == -0.5
    assert one(GAP, ROWS[ROWS["side"] == "a"]).value is None


def test_rows_of_one_unit_count_together():
    alone = one(SHARE, language="es")
    repeated = pd.concat([ROWS[ROWS["language"] == "es"]] * 4, ignore_index=True)
    together = one(SHARE, repeated, "es")
    assert together.n == 4 * alone.n
    assert together.high - together.low == pytest.approx(alone.high - alone.low, rel=0.25)


def test_few_units_have_no_interval():
    few = one(SHARE, ROWS[ROWS["item"].isin(["s0", "s1", "s2"])], "es")
    assert (few.value, few.low) == (pytest.approx(2 / 3), None)
    assert few.remark == "no interval with fewer than 4 sentences"


def test_a_rate_is_split_by_a_column_or_counts_its_labels():
    table = RateTable(ROWS, [Rate(name="part", values=value, split_by="side")])
    assert {e.group: e.value for e in table.estimates(["es"])} == {"a": 1.0, "b": 0.5}
    counted = RateTable(ROWS, [Rate(name="of", values=value, shares_of="side", one_language=True)])
    assert {e.group: e.value for e in counted.estimates(["fr"])} == {"a": 0.5, "b": 0.5}
    assert counted.estimates([None]) == []


def test_unread_rows_leave_a_range_and_a_complement_turns_it():
    rate = Rate(name="error", values=value, neutral=0.0, with_range=True, complement=("accuracy", "no neutral point"))
    error, accuracy = RateTable(ROWS, [rate]).estimates(["fr"])
    assert error.unread_low < error.value < error.unread_high
    assert (accuracy.value, accuracy.low, accuracy.unread_low) == (
        1 - error.value,
        1 - error.high,
        1 - error.unread_high,
    )
    assert accuracy.neutral is None


def test_influences_and_outcomes_belong_to_the_same_rate():
    table = RateTable(ROWS, [SHARE, GAP])
    for drawn in table.resampled(["share", "gap"]):
        assert drawn.value == drawn.estimate.value
        assert drawn.influence.loadings()[1].sum() == pytest.approx(0.0, abs=1e-12)
        outcomes = table.outcomes(drawn.estimate)
        assert outcomes.reach == (1 if drawn.estimate.name == "share" else 2)
        assert outcomes.values.notna().all()
    gap = next(drawn.estimate for drawn in table.resampled(["gap"]) if drawn.estimate.language == "es")
    turned = table.outcomes(gap)
    assert turned.values.mean() == pytest.approx((1 + gap.value) / 2), "1 where the second side has 0"


def test_tables_are_reported_language_by_language():
    tables = [RateTable(ROWS, [SHARE], keys={"subset": name}) for name in ("one", "two")]
    assert [(e.language, e.subset) for e in estimates_of(tables)] == [
        (language, subset) for language in (None, "es", "fr") for subset in ("one", "two")
    ]
    assert estimates_of([]) == []
