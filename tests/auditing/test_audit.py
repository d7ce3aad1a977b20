"""Whole audits: one loaded model, ordinary runs, and a second call that asks only what is missing."""

import shutil
from typing import Any

import pandas as pd
import pytest

import genderscope
from genderscope.auditing import Watcher
from genderscope.core.errors import UserError
from tests.auditing.conftest import Noting
from tests.support.bilingual import Bilingual

BARE: dict[str, Any] = {"offline": True, "out": "out"}


@pytest.mark.long
def test_the_model_is_loaded_once_and_every_part_is_an_ordinary_run(models, bare, again, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(models("gpt2", "bytes"), folder)

    class Robber(Watcher):
        """Takes the weights away as soon as the first measure is done."""

        def ends(self, part, reason):
            (folder / "model.safetensors").unlink(missing_ok=True)

    found = genderscope.audit(str(folder), options={"gest": {"limit": "32"}}, watcher=Robber(), **BARE)
    assert list(found.results) == ["gest", "bbq", again]
    assert found.left_out["winobias"]
    alone = genderscope.evaluate("gest", str(models("gpt2", "bytes")), data="starter", limit=32, out="alone")
    kept = genderscope.load_run("out/mine/gest")
    pd.testing.assert_frame_equal(kept.rows, alone.rows, check_exact=True)
    assert kept.as_estimates() == alone.as_estimates()
    assert {path.name for path in found.scorecard} >= {"scorecard.html", "scorecard.md", "scorecard.json"}
    assert repr(found).startswith("Audit('mine': gest, bbq, gest-again, 15 left out;")


class Stopping(Watcher):
    """Stops an audit in the middle of its second measure; knows how much was asked for the estimate of time."""

    def __init__(self, model):
        self.model = model

    def planned(self, plan):
        self.probed = len(self.model.asked)

    def begins(self, part):
        return None if part.measure == "gest" else self.begin

    def begin(self, total):
        done = [0]

        def advance(count):
            done[0] += count
            if done[0] > total / 2:
                raise KeyboardInterrupt

        return advance


@pytest.mark.long
def test_a_resumed_audit_asks_only_what_is_missing(bare, again):
    first, second, third = Noting(), Noting(), Noting()
    watcher = Stopping(first)
    with pytest.raises(KeyboardInterrupt):
        genderscope.audit(first, watcher=watcher, **BARE)
    kept = len(first.asked) - watcher.probed
    whole = 256 + 128  # samples and controls
    assert 3.5 * whole <= kept < 3.5 * whole + 12, "three templates of all texts, and half of the third again"
    found = genderscope.audit(second, **BARE)
    assert list(found.results) == ["gest", again]
    assert 0 <= kept + len(second.asked) - 4 * whole <= 2, "at most the batch in hand is asked again"
    assert genderscope.audit(third, **BARE).results.keys() == found.results.keys()
    assert (third.asked, third.load_count) == ([], 0), "nothing is missing any more"


@pytest.mark.long
def test_what_costs_money_asks_once_for_all_measures(bare, again):
    model = Bilingual()
    found = genderscope.audit(model, ("gest-mt", "mt-again"), options={"gest-mt": {"limit": "64"}}, **BARE)
    assert model.told == [2 * 64 + 2 * 36 + 2 * 256]
    assert [len(result.rows) for result in found.results.values()] == [2 * 64, 2 * 256]


def test_a_folder_that_holds_another_run_is_no_reason_to_leave_a_measure_out(bare):
    genderscope.audit(Noting(), ("gest",), "quick", **BARE)
    with pytest.raises(UserError, match=r"contains a run with limit = \d+, not None; choose another"):
        genderscope.audit(Noting(), ("gest",), **BARE)
