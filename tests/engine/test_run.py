"""Whole runs: the same result from every engine, and nothing left behind."""

import json
import os
import signal
import subprocess
import sys

import pandas as pd
import pytest

import genderscope
from genderscope.errors import UserError
from genderscope.models.spec import open_model
from tests.engine.planted import gone, soon


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Sums over several threads may differ in their last bits; workers have one thread here, so the test has too."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def command(model, out, *more):
    run = [sys.executable, "-m", "genderscope", "run", "gest", "--model", str(model), "--data", "starter"]
    return [*run, "--limit", "64", "--out", str(out), "--json", *more]


def assert_same(result, other):
    pd.testing.assert_frame_equal(result.rows, other.rows, check_exact=True)
    pd.testing.assert_frame_equal(result.estimates, other.estimates, check_exact=True)
    assert result.to_json() == other.to_json()
    assert result.config["configuration"] == other.config["configuration"]
    assert result.config["model"] == other.config["model"]


@pytest.mark.slow
@pytest.mark.xdist_group("ray")
@pytest.mark.parametrize("engine", ["processes", "ray"])
def test_every_engine_gives_the_result_of_the_local_one(request, models, tmp_path, engine):
    where = ["--workers", "2"]
    if engine == "ray":
        where += ["--engine", "ray", "--address", request.getfixturevalue("ray_cluster").address]
    folder = models("llama", "bytes-bos")
    done = subprocess.run(command(folder, tmp_path / "many", *where), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    local = genderscope.evaluate("gest", str(folder), data="starter", limit=64, out=tmp_path / "one", engine="local")
    assert json.loads(done.stdout) == json.loads(local.to_json())
    assert_same(genderscope.load_run(tmp_path / "many"), local)


def test_a_run_may_change_its_engine_half_way(models, tmp_path):
    folder = os.path.relpath(models("gpt2", "bytes"))  # workers start elsewhere and must find it all the same
    options = {"data": "starter", "limit": 64, "batch_size": 4}
    whole = genderscope.evaluate("gest", folder, out=tmp_path / "whole", engine="local", **options)
    left = []

    def stops(total):
        left.append(total)

        def done(count):
            left[0] -= count
            if left[0] < total / 2:
                raise KeyboardInterrupt

        return done

    with pytest.raises(KeyboardInterrupt):
        genderscope.evaluate("gest", folder, out=tmp_path / "run", engine="local", progress=stops, **options)
    model = open_model(folder)
    resumed = genderscope.evaluate("gest", model, out=tmp_path / "run", engine="processes", workers=1, **options)
    assert_same(resumed, whole)


def test_an_opened_model_without_a_string_needs_the_local_engine(models, tmp_path):
    model = open_model(str(models("gpt2", "bytes")))
    model.opening = None
    with pytest.raises(UserError, match="'gpt2-bytes' was not opened from a model string, so workers cannot open it"):
        genderscope.evaluate("gest", model, data="starter", out=tmp_path / "run", engine="processes")


def test_a_file_gains_nothing_from_workers(tmp_path):
    (tmp_path / "sk.csv").write_text("source,translation\nI was tired.,Bola som unavená.\n")
    (tmp_path / "data.csv").write_text("sentence,stereotype\nI was tired.,1\n")
    options = {"to": ("sk",), "data": str(tmp_path / "data.csv"), "out": tmp_path / "run"}
    with pytest.raises(UserError, match="which several workers would not make faster; use --engine local"):
        genderscope.evaluate("gest-mt", f"file:{tmp_path / 'sk.csv'}", engine="processes", workers=2, **options)


def test_a_mistake_in_a_worker_is_one_sentence(models, tmp_path):
    import shutil

    shutil.copytree(models("gpt2", "bytes"), tmp_path / "broken")
    weights = tmp_path / "broken" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    done = subprocess.run(
        command(tmp_path / "broken", tmp_path / "run", "--workers", "2"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "The weights of 'broken' cannot be read" in done.stderr


def children(pid):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return list(map(int, listed.stdout.split()))


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_the_driver(models, tmp_path, sign):
    driver = subprocess.Popen(
        command(models("gpt2", "bytes"), tmp_path / "run", "--workers", "2"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert soon(lambda: len(children(driver.pid)) == 2 or driver.poll() is not None, 120)
    workers = children(driver.pid)
    assert len(workers) == 2
    driver.send_signal(sign)
    _, said = driver.communicate(timeout=60)
    assert soon(lambda: all(map(gone, workers)))
    if sign is signal.SIGINT:
        assert driver.returncode == 130
        assert "Traceback" not in said
        assert "go on with: genderscope run gest" in said
