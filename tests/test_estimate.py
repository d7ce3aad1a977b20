"""An estimate says what it is for by its keys, those of the built-in measures or a plugin's own, everywhere."""

import json
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

import genderscope
from genderscope.comparison import check, parse
from genderscope.core.errors import UserError
from genderscope.judgement import label
from genderscope.report import publish
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.plain_view import KeyedRow
from genderscope.runs import Result, estimates_to_frame
from genderscope.statistics.estimate import COLUMNS, KEYS, Estimate
from tests.report.examples import save

PLAIN = Estimate(name="gap", value=0.2, low=0.1, high=0.3, n=20, unread=1, neutral=0.0, method="test")
OWN = PLAIN.with_keys(language="sk", layer=12, prompt="polite")


def result(*estimates):
    config = {
        "command": "",
        "configuration": {"measure": "gest"},
        "model": {"name": "m"},
        "data": {"name": "d"},
        "citation": "",
    }
    rows = pd.DataFrame({"unread": pd.Series([None, None], dtype="string")})
    return Result("gest", estimates_to_frame(estimates), rows, "s", "found", (), config)


def test_keys_are_one_value_whatever_order_they_were_given_in():
    other = PLAIN.with_keys(prompt="polite").with_keys(layer=np.int64(12), language="sk")  # type: ignore[arg-type]
    assert other == OWN
    assert hash(other) == hash(OWN)
    assert list(OWN.keys) == ["language", "layer", "prompt"]
    assert pickle.loads(pickle.dumps(OWN)) == OWN
    assert PLAIN.keys == {}
    assert OWN.with_keys(language=None, layer=None, prompt=None) == PLAIN


def test_nothing_changes_an_estimate():
    given = {"group": "female"}
    estimate = replace(PLAIN, keys=given)
    given["group"] = "male"
    assert estimate.group == "female"
    with pytest.raises(FrozenInstanceError):
        estimate.keys = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        estimate.keys["group"] = "male"
    with pytest.raises(TypeError):
        Estimate("gap", 0.2, 0.1, 0.3, 20, 1, 0.0, "test")  # type: ignore[call-arg]


def test_the_keys_that_measures_use_are_read_by_name():
    keys: dict[str, str | int | None]
    keys = {"stereotype": 3, "template": 2, "language": "sk", "subset": "K=20", "category": "an", "group": "female"}
    estimate = PLAIN.with_keys(**keys)
    assert {key: getattr(estimate, key) for key in KEYS} == keys
    assert [getattr(PLAIN, key) for key in KEYS] == [None] * 6
    assert estimate.scope == "sk, K=20, an, female, template 2"
    assert (estimate.number_of_keys, PLAIN.number_of_keys) == (6, 0)


def test_a_key_of_a_plugin_is_named_in_the_scope_and_in_labels():
    assert OWN.scope == "sk, layer=12, prompt=polite"
    assert label(OWN) == "gap[sk, layer=12, prompt=polite]"
    assert OWN.number_of_keys == 3


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            {"value": 3},
            "The estimate key 'value' is also the name of a table column; rename the key.",
        ),
        ({"template": "3"}, "The estimate key 'template' is '3'; it must be a whole number."),
        ({"language": 3}, "The estimate key 'language' is 3; it must be text."),
        ({"layer": 0.5}, "The estimate key 'layer' is 0.5; it must be text or a whole number."),
    ],
)
def test_a_key_that_fits_no_table_is_one_sentence(keys, said):
    with pytest.raises(UserError) as caught:
        PLAIN.with_keys(**keys)
    assert str(caught.value) == said


def test_a_key_has_one_type_in_a_table():
    with pytest.raises(UserError, match="'layer' is text in one estimate and a number in another"):
        estimates_to_frame([PLAIN.with_keys(layer=1), PLAIN.with_keys(layer="last")])


def test_every_key_has_a_column_in_frame_csv_and_json(tmp_path):
    found = result(PLAIN, OWN)
    assert list(found.estimates.columns) == ["name", *KEYS, "layer", "prompt", *COLUMNS[1:]]
    assert found.estimates.dtypes["layer"] == "Int64"
    assert found.as_estimates() == [PLAIN, OWN]
    header, _, line = publish(found, "csv").splitlines()
    assert dict(zip(header.split(","), line.split(","), strict=True))["prompt"] == "polite"
    plain, own = json.loads(found.to_json())["estimates"]
    assert (own["layer"], own["prompt"], own["language"], own["template"]) == (12, "polite", "sk", None)
    assert "layer" not in plain
    assert genderscope.load_run(save(found, tmp_path / "run")).as_estimates() == [PLAIN, OWN]


def test_an_estimate_is_found_by_a_key_of_its_own():
    found = result(PLAIN, OWN)
    assert found.estimate("gap") == PLAIN
    assert found.estimate("gap", language="sk", layer=12, prompt="polite") == OWN
    with pytest.raises(UserError, match=r"no estimate 'gap' for layer=12; there is one for: all \(no key\); language="):
        found.estimate("gap", layer=12)
    with pytest.raises(UserError, match=r"has no key 'layr'; its keys are .*, layer, prompt\. Did you mean 'layer'"):
        found.estimate("gap", layr=12)


@pytest.mark.parametrize(
    ("condition", "passed", "looked_at"),
    [
        ("gap[layer=12] > 0.5", True, OWN),
        ("gap[layer=12] > 0.05", False, OWN),
        ("gap[polite, language=sk].value > 0.15", False, OWN),
        ("gap[all] > 0.05", False, PLAIN),
    ],
)
def test_a_gate_is_about_a_key_of_a_plugin(condition, passed, looked_at):
    (gate,) = check([parse(condition)], result(PLAIN, OWN))
    assert gate.passed is passed
    assert gate.looks_at == (label(looked_at),)


def test_a_page_filters_by_a_key_of_a_plugin():
    rows = view_of("gest").page_table("Estimates", [OWN.with_keys(stereotype=1)]).rows
    assert cast(KeyedRow, rows[0]).keys == {"language": "sk", "layer": 12, "prompt": "polite"}


def test_a_run_written_before_loads(tmp_path):
    """Earlier versions wrote the six keys and none of the later columns, and named estimates by their symbols."""
    folder = save(result(PLAIN, OWN), tmp_path / "run")
    written = json.loads((folder / "result.json").read_text())
    before: dict[str, Any] = {
        "name": "q_i",
        "value": 1.5,
        "low": 1.2,
        "high": None,
        "n": 9,
        "unread": 0,
        "neutral": 1.0,
        "method": "t",
    }
    keys = {"stereotype": 3, "template": None, "language": None, "subset": None, "category": None, "group": "male"}
    written["estimates"] = [before | keys]
    (folder / "result.json").write_text(json.dumps(written))
    (loaded,) = genderscope.load_run(folder).as_estimates()
    named = before | {"name": "masculine_rate_by_stereotype", "symbol": "q_i"}
    assert loaded == Estimate(**named).with_keys(stereotype=3, group="male")


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"low": ...}, "at 0.low"),
        ({"n": "9"}, "at 0.n"),
        ({"layer": [1]}, "at 0.layer"),
        ({"language": 3}, "'language'"),
    ],
)
def test_estimates_that_nobody_wrote_are_named(tmp_path, change, at):
    folder = save(result(PLAIN), tmp_path / "run")
    written = json.loads((folder / "result.json").read_text())
    entry = written["estimates"][0] | change
    written["estimates"] = [{key: value for key, value in entry.items() if value is not ...}]
    (folder / "result.json").write_text(json.dumps(written))
    with pytest.raises(UserError, match=f"is damaged .its estimates are not readable.*{at}"):
        genderscope.load_run(folder)
