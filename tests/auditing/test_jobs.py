"""Several models at a time: what comes of it is what one after another gives, and a failing one is alone with it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from genderscope.auditing import AuditedModel, Job, Selection, run_jobs
from genderscope.auditing.jobs import JobsWatcher
from genderscope.engine.engine_settings import gpus_for_job
from genderscope.runs import load_run
from tests.engine.planted import gone, soon
from tests.support.interruption import answered

RECIPE = """
models = {models}
measures = ["gest"]
baseline = "noting:one"
out = "{out}"
allow_unjudged = true
[options.gest]
data = "starter"
limit = 32
[gates]
gest = ["stereotype_rate > 100", "delta(stereotype_rate).value > -1000"]
"""


def written(out, *names):
    """A recipe of models that need no weights."""
    path = Path(f"{out}.toml")
    path.write_text(RECIPE.format(models=json.dumps([f"noting:{name}" for name in names]), out=out))
    return path


@pytest.mark.long
def test_models_side_by_side_give_what_they_give_in_turn_and_a_broken_one_stops_none(cli, bare, again):
    recipes = [written(out, "one", "bad", "three") for out in ("turn", "side")]
    in_turn, beside = cli("audit", "-c", recipes[0]), cli("audit", "-c", recipes[1], "--jobs", "2")
    for done, out in ((in_turn, "turn"), (beside, "side")):
        assert done.returncode == 3, done.stderr
        assert "Gate failed: noting:three, gest: delta(stereotype_rate).value > -1000" in done.stderr
        assert "\nFailed: bad, gest: The weights of 'bad' cannot be read.\n" in done.stderr
        assert {path.parts[1] for path in Path(out).glob("*/gest/result.json")} == {"one", "three"}
    assert beside.stdout.replace("side", "turn") == in_turn.stdout
    assert "\none: gest: 204 of 204 questions to ask.\n" in beside.stderr
    assert "\none: gest: done, side/one/gest\n" in beside.stderr
    assert re.search(r"^three: 1 measure, 204 questions to ask; the audit takes about", beside.stderr, re.M)
    for name in ("one", "three"):
        first, second = (load_run(f"{out}/{name}/gest") for out in ("turn", "side"))
        pd.testing.assert_frame_equal(first.rows, second.rows, check_exact=True)
        assert first.as_estimates() == second.as_estimates()
        assert (first.signature, first.summary) == (second.signature, second.summary)
    again = cli("audit", "-c", recipes[1], "--jobs", "3", "--json")
    assert not re.search("^(one|three): ", again.stderr, re.M), "what is finished needs no process"
    told = json.loads(again.stdout)
    assert [list(model["results"]) for model in told["models"]] == [["gest"], [], ["gest"]]
    assert [gate["passed"] for gate in told["gates"]] == [True, False, False, True, False]


def processes(parent):
    """The processes of jobs that a process has started."""
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(pid) for pid in listed if "auditing.jobs" in Path(f"/proc/{pid}/cmdline").read_text()]


class Killer(JobsWatcher):
    """Kills the process of a job when it has answered some questions."""

    killed = lost_for = None

    def answered(self, job, count):
        if job.called == "slow" and self.killed is None and count:
            [self.killed] = processes(os.getpid())
            os.kill(self.killed, signal.SIGKILL)

    def finished(self, job, reason=None, fault=None):
        self.lost_for = self.lost_for or reason


@pytest.mark.long
def test_a_killed_process_is_named_loses_nothing_and_leaves_the_others_their_turn(bare, again, tmp_path):
    selection = Selection(("gest",), options={"gest": {"data": "starter", "limit": 32}})
    jobs = [Job(AuditedModel(f"noting:{name}", name=name), tmp_path / name, selection) for name in ("slow", "one")]
    watcher = Killer()
    ends = run_jobs(jobs, 1, [], watcher)
    assert ends.broken == {"slow": watcher.lost_for}
    assert f"The model's process {watcher.killed} was killed by SIGKILL; all its answers are kept" in watcher.lost_for
    assert ends.measures == {"one": {"gest": None}}
    assert answered(tmp_path / "slow" / "gest") > 0


@pytest.mark.long
def test_ctrl_c_ends_every_process_and_says_how_to_resume(bare, again):
    recipe = written("stopped", "slow", "one", "slow2")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "genderscope", "audit", "-c", str(recipe), "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as started:
        assert soon(lambda: len(processes(started.pid)) == 2, 60)
        pids = processes(started.pid)
        assert soon(lambda: Path("stopped/slow/gest/journal.sqlite").exists(), 60)
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
