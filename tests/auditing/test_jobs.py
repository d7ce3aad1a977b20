"""Several models at a time: what comes of it is what one after another gives, and a failing one is alone with it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from genderscope.auditing import Entry, Job, Wishes, run_jobs
from genderscope.auditing.scheduling import JobsWatcher
from genderscope.engine import EngineSettings
from genderscope.engine.settings import gpus_for_job
from genderscope.models import Settings
from genderscope.runs import load_run
from tests.engine.planted import gone, soon

RECIPE = """
models = {models}
measures = ["gest"]
baseline = "one"
out = "{out}"
[options.gest]
data = "starter"
limit = 32
[gates]
gest = ["g_s > 100", "delta(g_s).value > -1000"]
"""


@pytest.fixture
def two(models, tmp_path):
    """Two good models, by name."""
    return {"one": models("gpt2", "bytes"), "two": models("bert", "wordpiece-cased")}


def written(models, out, tmp_path):
    path = tmp_path / f"{out}.toml"
    listed = ", ".join(f'{{ spec = "{folder}", name = "{name}" }}' for name, folder in models.items())
    path.write_text(RECIPE.format(models=f"[{listed}]", out=out))
    return path


def test_models_side_by_side_give_what_they_give_in_turn_and_a_broken_one_stops_none(two, cli, tmp_path, bare):
    broken = tmp_path / "broken"
    shutil.copytree(two["one"], broken)
    (broken / "model.safetensors").write_bytes(b"no weights")
    recipes = [
        written({"one": two["one"], "bad": broken, "two": two["two"]}, out, tmp_path) for out in ("turn", "side")
    ]
    in_turn = cli("audit", "-c", recipes[0])
    beside = cli("audit", "-c", recipes[1], "--jobs", "2")
    for done, out in ((in_turn, "turn"), (beside, "side")):
        assert done.returncode == 3, done.stderr
        assert "Gate failed: two, gest: delta(g_s).value > -1000" in done.stderr
        assert re.search(r"^Failed: bad, gest: The weights of 'bad' cannot be read", done.stderr, re.M), done.stderr
        assert {path.parts[1] for path in Path(out).glob("*/gest/result.json")} == {"one", "two"}
        assert "one" in done.stdout
    assert re.search(r"^one: gest: 64 of 64 questions to ask\.$", beside.stderr, re.M)
    assert re.search(r"^one: gest: done, side/one/gest$", beside.stderr, re.M)
    assert re.search(r"^two: 1 measure, \d+ questions to ask; asking takes about", beside.stderr, re.M)
    for name in ("one", "two"):
        first, second = (load_run(f"{out}/{name}/gest") for out in ("turn", "side"))
        pd.testing.assert_frame_equal(first.rows, second.rows, check_exact=True)
        assert first.as_estimates() == second.as_estimates()
        assert (first.signature, first.summary) == (second.signature, second.summary)
    told = json.loads(cli("audit", "-c", recipes[1], "--jobs", "3", "--json").stdout)
    assert [list(model["results"]) for model in told["models"]] == [["gest"], [], ["gest"]]
    assert [gate["passed"] for gate in told["gates"]] == [True, False, False, True, False]


class Killer(JobsWatcher):
    """Kills the first process that says anything about a model."""

    def __init__(self, victim):
        self.victim, self.killed, self.said = victim, None, []

    def told(self, job, message):
        if job.called == self.victim and self.killed is None and type(message).__name__ == "Begun":
            [self.killed] = children()[:1]
            os.kill(self.killed, signal.SIGKILL)

    def lost(self, job, reason):
        self.said.append(reason)


def children():
    """The processes of jobs that this one has started, the first first."""
    listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [int(pid) for pid in listed if "job_process" in Path(f"/proc/{pid}/cmdline").read_text()]


def test_a_killed_process_is_named_and_loses_nothing(two, tmp_path, bare):
    wishes = Wishes(("gest",), options={"gest": {"data": "starter", "limit": 32}})
    jobs = [
        Job(Entry(str(folder), Settings()), name, tmp_path / name, wishes, EngineSettings(), "again")
        for name, folder in two.items()
    ]
    watcher = Killer("one")
    ends = run_jobs(jobs, 1, [], watcher)
    assert list(ends.broken) == ["one"]
    assert re.fullmatch(
        rf"Its process {watcher.killed} was ended by SIGKILL; all its answers are kept, and the same command resumes\.",
        watcher.said[0],
    )
    assert ends.measures == {"two": {"gest": None}}
    again = run_jobs(jobs, 1, [], JobsWatcher())
    assert (again.broken, again.measures) == ({}, {"one": {"gest": None}, "two": {"gest": None}})


def test_ctrl_c_ends_every_process_and_says_how_to_resume(two, tmp_path, bare):
    recipe = written(two, "stopped", tmp_path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "genderscope", "audit", "-c", str(recipe), "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as started:
        children_of = Path(f"/proc/{started.pid}/task/{started.pid}/children")
        assert soon(lambda: len(children_of.read_text().split()) >= 2, 60)
        pids = [int(pid) for pid in children_of.read_text().split()]
        time.sleep(0.1)
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=60)
    assert started.returncode == 130, said
    assert "All answers so far are kept in stopped; resume with: genderscope audit -c" in said
    assert soon(lambda: all(gone(pid) for pid in pids))


@pytest.mark.parametrize(
    ("job", "of", "device", "gpus", "seen"),
    [
        (0, 2, "auto", 4, "0,2"),
        (1, 2, "cuda", 4, "1,3"),
        (3, 4, "auto", 2, "1"),
        (0, 2, "cuda:1", 4, None),
        (0, 2, "auto", 0, None),
    ],
)
def test_gpus_are_dealt_out_to_the_models_at_work(job, of, device, gpus, seen):
    assert gpus_for_job(job, of, device, list(map(str, range(gpus)))) == seen
