"""`reproduce` on data in the layout of the released files, with planted scores and translations."""

import csv
import math
import shutil
from pathlib import Path

import pytest

from genderscope.published import gest_lm, gest_mt_tables, gest_validity, wmt24_tables
from tests.support.evaluation import evaluate
from tests.support.miniature import GPT2, PLANTED, STRENGTHS

pytestmark = pytest.mark.usefixtures("miniature")
DIFFERENCE = PLANTED["male"] - PLANTED["female"]


def cells_in(path):
    with Path(path).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_rates_of_planted_scores_are_those_of_the_definitions():
    found = {model.model: model for model in gest_lm.reproduce() if model.cells}
    assert set(found) == {"bert-base", "albert-base", "distilbert-base", "roberta-base", "xlm-roberta-base", GPT2}
    assert {len(model.cells) for model in found.values()} == {64, 32}
    for name, model in found.items():
        strength = STRENGTHS.get(gest_lm.FULL_NAMES.get(name, name), 1.0)
        assert model.g_s_published.value == pytest.approx(math.exp(strength * DIFFERENCE))
        assert model.g_s_defined.value == pytest.approx(10 ** (strength * DIFFERENCE))
        for cell in model.cells:
            planted = strength * PLANTED["male" if cell.stereotype > 7 else "female"]
            assert cell.ours[1] == pytest.approx(math.exp(planted))
            assert cell.ours[0] < cell.ours[1] < cell.ours[2]


def test_gest_lm_prints_a_line_per_model_and_writes_every_cell(cli):
    done = cli("reproduce", "gest-lm", "--csv", "cells.csv")
    assert done.returncode == 0, done.stderr
    assert "of 352 published q_i match ours to both decimals" in done.stdout
    assert "No released scores for: " in done.stdout
    assert len(cells_in("cells.csv")) == 5 * 64 + 32


def test_planted_translations_give_their_masculine_rates(cli):
    for found in gest_mt_tables.reproduce():
        assert found.language == "sk"
        assert found.our_yield == 192  # every fourth of 256 shows no gender
        assert all((ours > 0.5) == (stereotype > 7) for stereotype, (_, ours) in found.rates.items())
    done = cli("reproduce", "gest-mt", "--csv", "rates.csv")
    assert done.returncode == 0, done.stderr
    assert len(cells_in("rates.csv")) == 2 * 16


def test_validity_correlates_the_planted_strengths(cli):
    found = list(gest_validity.reproduce())
    assert {(each.subset, each.scale) for each in found} == {
        (f"type {kind} {split}", scale)
        for kind in (1, 2)
        for split in ("dev", "test")
        for scale in ("as published", "as defined", "log")
    }
    assert all(each.pearson.r == pytest.approx(1) for each in found if each.scale == "log")
    done = cli("reproduce", "gest-validity", "--csv", "points.csv")
    assert done.returncode == 0, done.stderr
    assert "type 1 test, 5 models" in done.stdout
    assert len(cells_in("points.csv")) == len(found) * 5


def test_dialogue_reads_a_translator_that_follows_the_stereotype(cli):
    [(language, system, cells)] = wmt24_tables.reproduce()
    assert (language, system) == ("es", "Aya23")
    by_name = {(cell.table, cell.name): cell.ours for cell in cells}
    assert by_name["6-8", "delta_M"] == pytest.approx(1)
    assert by_name["6-8", "M_F"] == 0
    done = cli("reproduce", "dialogue", "--csv", "cells.csv")
    assert done.returncode == 0, done.stderr
    assert "es Aya23: " in done.stdout
    assert len(cells_in("cells.csv")) == len(cells)


def test_wordfill_sets_a_run_next_to_the_published_numbers(cli, models):
    shutil.copytree(models("roberta", "bytes-mask"), "roberta-base")
    run = evaluate("stereoset", "hf:roberta-base", set="gender", as_published=True, out="run")
    done = cli("reproduce", "wordfill", run.folder, "--csv", "cells.csv")
    assert done.returncode == 0, done.stderr
    cells = cells_in("cells.csv")
    assert len(cells) > 5
    assert {(cell["model"], cell["data"]) for cell in cells} == {("roberta-base", "stereoset-gender")}
