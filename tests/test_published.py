"""The published tables come out of the released scores."""

import csv
import math

import pytest
from typer.testing import CliRunner

from genderscope.cli.app import app
from genderscope.published import gest_lm as reproduction
from genderscope.published.gest_lm import reproduce
from tests.support.mirror import shown

pytestmark = [pytest.mark.long, pytest.mark.mirror]


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """What the command said, what it wrote, and what it was computed from: that takes long, so it is done once."""
    target, computed = tmp_path_factory.mktemp("reproduced") / "cells.csv", []

    def noted():
        for each in reproduce():
            computed.append(each)
            yield each

    with shown(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(reproduction, "reproduce", noted)
        done = CliRunner().invoke(app, ["reproduce", "gest-lm", "--csv", str(target)])
    assert done.exit_code == 0, done.output
    return done.stdout, target, computed


@pytest.fixture(scope="module")
def reproduced(command):
    return command[2]


def test_every_published_rate_equals_ours_to_its_two_decimals(reproduced):
    cells = [cell for model in reproduced for cell in model.cells]
    assert len(cells) == 704 + 384
    assert [cell for cell in cells if not cell.equal] == []


def test_interval_ends_agree_within_two_hundredths(reproduced):
    assert max(cell.interval_difference for model in reproduced for cell in model.cells) <= 0.02


def test_the_stereotype_rate_is_averaged_over_templates_as_figure_4_does_and_as_it_is_defined(reproduced):
    for model in (model for model in reproduced if model.cells):
        logs = {t: {c.stereotype: math.log(c.ours[1]) for c in model.cells if c.template == t} for t in (1, 2, 3, 4)}
        rates = [
            sum(log[i] for i in range(8, 17)) / 9 - sum(log[i] for i in range(1, 8)) / 7 for log in logs.values() if log
        ]
        assert model.g_s_published.value == pytest.approx(sum(map(math.exp, rates)) / len(rates))
        assert model.g_s_defined.value == pytest.approx(math.exp(sum(rates) / len(rates) * math.log(10)))


def test_models_without_released_scores_are_listed_not_hidden(reproduced):
    assert {m.model for m in reproduced if not m.cells} >= {"phi-2", "Llama-2-7b-hf"}


def test_the_command_writes_every_cell(command):
    said, target, _ = command
    assert "1,088 of 1,088 published q_i match ours to both decimals" in said
    with target.open() as file:
        assert len(list(csv.DictReader(file))) == 1088
