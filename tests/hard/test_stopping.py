"""Runs that are stopped, killed, short of disk or out of time lose nothing, and say how to go on."""

import contextlib
import itertools
import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

import pandas as pd
import pytest

import genderscope
from genderscope.core.errors import UserError
from tests.prepared import Prepared, apart
from tests.support.interruption import answered

STARTER: dict[str, Any] = {"data": "starter", "batch_size": 2, "limit": 128}


class Told:
    """Counts the answers that a run says it has kept."""

    count = 0

    def __call__(self, _total):
        return self.add

    def add(self, done):
        self.count += done


def soaked(folder, kills, seed):
    from benchmarks.soak_kills import soak

    return soak(folder, kills, seed, say=None)


@pytest.mark.long
def test_runs_killed_at_random_moments_lose_nothing(tmp_path):
    found = apart(soaked, tmp_path, 8, 1)
    assert found["kills"] == 8
    assert (found["lost"], found["different"]) == (0, 0)


@contextlib.contextmanager
def small_files(limit):
    """No file may grow beyond so many bytes, as on a disk that is nearly full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 600 kB and a function that makes it larger; only a superuser can have one."""
    place = tmp_path / "disk"
    place.mkdir()

    def mount(options):
        return subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "none", str(place)], check=False, capture_output=True
        ).returncode

    if sys.platform != "linux" or os.geteuid() != 0 or mount("size=600k"):
        pytest.skip("only a superuser can mount a small disk")
    yield place, lambda: mount("remount,size=60m")
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.long
def test_a_disk_that_fills_up_while_journaling_costs_no_answer(models, tmp_path, small_disk):
    place, enlarge = small_disk
    folder, told = str(models("gpt2", "bytes")), Told()
    whole = genderscope.evaluate("gest", folder, out=tmp_path / "whole", **STARTER)
    with pytest.raises(UserError, match=r"Cannot write to the journal .* \(.*full.*\); all answers so far are kept"):
        genderscope.evaluate("gest", folder, out=place / "run", progress=told, **STARTER)
    assert 0 < told.count <= answered(place / "run") < 256
    with pytest.raises(UserError, match="Cannot write"):  # still full: the same sentence, nothing broken
        genderscope.evaluate("gest", folder, out=place / "run", **STARTER)
    enlarge()
    again = genderscope.evaluate("gest", folder, out=place / "run", **STARTER)
    pd.testing.assert_frame_equal(again.rows, whole.rows)


@pytest.mark.long
@pytest.mark.parametrize("limit", [2_000, 30_000, 200_000])
def test_a_file_that_cannot_grow_is_one_sentence_and_the_run_goes_on_later(models, tmp_path, limit):
    folder, out, told = str(models("gpt2", "bytes")), tmp_path / "run", Told()
    with small_files(limit), pytest.raises(UserError, match="Cannot write"):
        genderscope.evaluate("gest", folder, out=out, progress=told, **STARTER)
    assert answered(out) >= told.count
    assert len(genderscope.evaluate("gest", folder, out=out, **STARTER).rows) == 256


def backwards():
    """Let an hour be lost whenever somebody looks at the clock."""
    hours = itertools.count(2_000_000_000, -3600)
    time.time = lambda: float(next(hours))
    time.time_ns = lambda: next(hours) * 10**9


@pytest.mark.long
def test_a_clock_that_runs_backwards_changes_nothing(models, tmp_path):
    model = models("gpt2", "bytes")
    plain = genderscope.evaluate("gest", str(model), out=tmp_path / "plain", data="starter", batch_size=2, limit=32)
    options = ("--data", "starter", "--batch-size", 2, "--limit", 32, "--out", tmp_path / "back")
    done = Prepared("run", "gest", "--model", model, *options, "--json", before=backwards).done()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(plain.to_json())
