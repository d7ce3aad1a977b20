"""Whole runs: the same result from every engine, and nothing left behind."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from typing import Any

import pandas as pd
import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from tests.engine.planted import PlantedOpening, gone, soon
from tests.prepared import Prepared
from tests.shown_again import without_age
from tests.support.kinds import of_kind
from tests.support.ray_output import without_network_warning


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Sums over several threads may differ in their last bits; workers have one thread here, so the test has too."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def assert_same(result, other):
    pd.testing.assert_frame_equal(result.rows, other.rows, check_exact=True)
    pd.testing.assert_frame_equal(result.estimates, other.estimates, check_exact=True)
    assert without_age(result.to_json()) == without_age(other.to_json())
    assert result.config["configuration"] == other.config["configuration"]
    assert result.config["model"] == other.config["model"]


@pytest.mark.long
def test_processes_go_on_with_a_local_run_and_give_its_result(models, tmp_path):
    folder = os.path.relpath(models("llama", "bytes-bos"))  # workers find it from wherever they start
    options: dict[str, Any] = {"data": "starter", "limit": 64, "batch_size": 4}
    whole = genderscope.evaluate("gest", folder, out=tmp_path / "whole", engine="local", **options)

    def stop_half_way(total):
        left = [total]

        def done(count):
            left[0] -= count
            if left[0] < total / 2:
                raise KeyboardInterrupt

        return done

    with pytest.raises(KeyboardInterrupt):
        genderscope.evaluate("gest", folder, out=tmp_path / "run", engine="local", progress=stop_half_way, **options)
    model = of_kind(open_model(folder), LanguageModel)
    resumed = genderscope.evaluate("gest", model, out=tmp_path / "run", engine="processes", workers=2, **options)
    assert model.model is None, "the driver needs no weights"
    assert_same(resumed, whole)


@pytest.mark.long
def test_ray_gives_the_result_of_the_local_engine_and_keeps_quiet(ray_cluster, models, tmp_path):
    folder = models("bert", "wordpiece-cased")
    where = ("--engine", "ray", "--address", ray_cluster.address, "--workers", 1)
    more = ("--data", "starter", "--limit", 64, "--json", "--out", tmp_path / "many")
    done = Prepared("run", "gest", "--model", folder, *where, *more).done(600)
    assert done.returncode == 0
    # A run that takes long says how far it is.
    said = without_network_warning(done.stderr)
    assert re.fullmatch(r"(\d+ (of 300 )?questions .*\n)*", said), said
    local = genderscope.evaluate("gest", str(folder), data="starter", limit=64, out=tmp_path / "one", engine="local")
    assert json.loads(done.stdout) == json.loads(local.to_json())
    assert_same(genderscope.load_run(tmp_path / "many"), local)


def test_an_opened_model_without_a_string_needs_the_local_engine(models, tmp_path):
    model = open_model(str(models("gpt2", "bytes")))
    model.opening = None
    with pytest.raises(UserError, match="'gpt2-bytes' was not opened from a model string, so workers cannot open it"):
        genderscope.evaluate("gest", model, data="starter", out=tmp_path / "run", engine="processes")


def test_a_file_gains_nothing_from_workers(tmp_path):
    (tmp_path / "sk.csv").write_text("source,translation\nI was tired.,Bola som unavená.\n")
    (tmp_path / "data.csv").write_text("sentence,stereotype\nI was tired.,1\n")
    options = {"to": ("sk",), "data": str(tmp_path / "data.csv"), "out": tmp_path / "run"}
    with pytest.raises(UserError, match="which is no faster with several workers; use --engine local"):
        genderscope.evaluate("gest-mt", f"file:{tmp_path / 'sk.csv'}", engine="processes", workers=2, **options)


def test_weights_that_cannot_be_read_are_one_sentence_here_and_in_a_worker(models, tmp_path):
    shutil.copytree(models("gpt2", "bytes"), tmp_path / "broken")
    (tmp_path / "broken" / "model.safetensors").write_bytes(b"torn")
    with pytest.raises(UserError, match=r"^The weights of 'broken' cannot be read"):
        genderscope.evaluate("gest", str(tmp_path / "broken"), data="starter", engine="local")
    light = PlantedOpening(tmp_path, broken=True).open()
    with pytest.raises(UserError, match=r"^The weights of 'planted' cannot be read.$"):
        genderscope.evaluate("gest", light, data="starter", engine="processes", workers=1)


DRIVER = """
from pathlib import Path
from genderscope.engine.process_engine import ProcessWorkers
from genderscope.engine.sharding import ask_workers
from genderscope.runs import Journal
from tests.engine.planted import PlantedOpening, questions
opening = PlantedOpening(Path(PLACE), seconds=60)
with Journal(opening.place / "journal.sqlite") as journal:
    ask_workers(ProcessWorkers(opening, 2, []), opening.open(), questions(40), journal)
"""


@pytest.mark.long
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_the_driver(tmp_path, sign):
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER.replace("PLACE", repr(str(tmp_path)))], stderr=subprocess.DEVNULL
    )
    opening = PlantedOpening(tmp_path)
    assert soon(lambda: len(opening.asked()) >= 4, 60), "both workers are at work"
    driver.send_signal(sign)
    assert driver.wait(30) != 0
    assert len(opening.workers()) == 2
    assert soon(lambda: all(map(gone, opening.workers())))
