"""What only a cluster has: machines that leave, GPUs that are not there, addresses where nobody listens."""

import re
import signal
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from typing import Any

import pytest

from genderscope.core.errors import UserError
from genderscope.core.journal_codec import question_key
from genderscope.engine import EngineSettings, one_cluster
from genderscope.engine.ray_engine import RayWorkers, cluster, default_gpus, default_workers, ray
from genderscope.engine.sharding import IN_HAND, ask_workers
from genderscope.runs import Journal
from tests.engine.conftest import NODE
from tests.engine.planted import PlantedOpening, gone, questions, soon
from tests.support.ray_output import without_network_warning
from tests.support.sizes import SHARD_QUESTIONS, WINDOW

pytestmark = pytest.mark.long


def alive():
    return {machine["NodeID"] for machine in ray.nodes() if machine["Alive"]}


def test_a_machine_that_leaves_costs_the_shards_of_its_workers(ray_cluster, journal, tmp_path):
    asked = questions(120)
    opening: Any = PlantedOpening(tmp_path, seconds=0.03, company=2)
    done: list[int] = []

    def leave(count):
        if sum(done) <= 30 < sum(done) + count:
            ray_cluster.remove_node(ray_cluster.second, allow_graceful=False)
        done.append(count)

    workers = RayWorkers(opening, EngineSettings("ray", workers=2), patience=0)
    try:
        ask_workers(workers, opening.open(), asked, journal, progress=leave, window=WINDOW)
    finally:
        # Later tests want a cluster that has seen the one leave and the other come.
        left = ray_cluster.second.node_id
        ray_cluster.second = ray_cluster.add_node(**NODE)
        assert soon(lambda: left not in alive() and ray_cluster.second.node_id in alive())
    assert len(journal) == sum(done) == 120
    often = Counter(opening.asked())
    assert set(often) == {question.after for question in asked}
    assert sum(often.values()) - len(asked) <= IN_HAND * SHARD_QUESTIONS


def test_more_workers_than_places_are_not_waited_for(ray_cluster, journal, tmp_path):
    opening: Any = PlantedOpening(tmp_path)
    workers = RayWorkers(opening, EngineSettings("ray", workers=3), patience=0)
    ask_workers(workers, opening.open(), questions(40), journal)
    assert len(journal) == 40


def test_models_side_by_side_share_one_cluster(ray_cluster):
    with one_cluster(EngineSettings("ray"), 2) as settings:
        assert settings == EngineSettings("ray", workers=1, address=ray_cluster.address)
    with one_cluster(EngineSettings(address="elsewhere:6379", workers=3), 2) as settings:
        assert settings == EngineSettings("ray", workers=3, address="elsewhere:6379")
    with one_cluster(EngineSettings(), 2) as settings:
        assert settings == EngineSettings()


def test_a_worker_that_fits_on_no_machine_is_one_sentence(ray_cluster, journal, tmp_path, monkeypatch):
    monkeypatch.setattr("genderscope.engine.ray_engine._LOOK_EVERY", 0.2)
    opening: Any = PlantedOpening(tmp_path)
    workers = RayWorkers(opening, EngineSettings("ray", workers=1, gpus_per_worker=2), patience=0)
    with pytest.raises(UserError, match=r"No machine in the Ray cluster has the 2 GPU and 1 CPU that a worker needs"):
        ask_workers(workers, opening.open(), questions(4), journal)


def test_a_worker_that_cannot_start_is_one_sentence(ray_cluster, journal, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text(
        "from tests.engine.planted import PlantedOpening\nclass Elsewhere(PlantedOpening): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from only_here import Elsewhere  # type: ignore[import-not-found]

    workers = RayWorkers(Elsewhere(tmp_path), EngineSettings("ray", workers=1), patience=0)
    with pytest.raises(
        UserError, match=r"A worker was lost 4 times while loading the model.*No module named 'only_here'"
    ):
        ask_workers(workers, PlantedOpening(tmp_path).open(), questions(4), journal)


def test_a_busy_cluster_is_waited_for_and_that_is_said(ray_cluster, journal, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("genderscope.engine.ray_engine.SILENCE", 0.5)
    monkeypatch.setattr("genderscope.engine.ray_engine._LOOK_EVERY", 0.2)
    opening: Any = PlantedOpening(tmp_path)
    others = [RayWorkers(opening, EngineSettings("ray", workers=1), patience=0) for _ in range(2)]
    for other in others:
        other.start(0)
        ray.get(list(other._owed[0]))
    workers = RayWorkers(opening, EngineSettings("ray", workers=1), patience=0)

    def leave_once_it_is_said():
        soon(lambda: caplog.messages)
        for other in others:
            other.stop()

    end = threading.Thread(target=leave_once_it_is_said)
    end.start()
    ask_workers(workers, opening.open(), questions(4), journal)
    end.join()
    assert len(journal) == 4
    assert caplog.messages == ["Waiting for free resources on the Ray cluster; a worker needs 1 CPU."]


@pytest.mark.parametrize(
    ("resources", "device", "gpus", "workers"),
    [
        ({"CPU": 16}, "auto", 0, 4),
        ({"CPU": 16}, "cpu", 0, 4),
        ({"CPU": 16, "GPU": 8}, "auto", 1, 8),
        ({"CPU": 16, "GPU": 8}, "cpu", 0, 4),
        ({"CPU": 16}, "cuda", 1, 1),  # none is there yet: the cluster may grow, or it is said that none fits
    ],
)
def test_a_cluster_is_used_whole(resources, device, gpus, workers):
    assert default_gpus(resources, device) == gpus
    assert default_workers(resources, 4, gpus) == workers
    assert default_workers({"GPU": 8.0}, 4, 0.5) == 16


UNREACHABLE = "from genderscope.engine.ray_engine import cluster\nwith cluster('127.0.0.1:9', 1): pass"
DEADLY = """
from pathlib import Path
from genderscope.engine.ray_engine import RayWorkers, cluster
from genderscope.engine import EngineSettings
from genderscope.engine.sharding import ask_workers
from genderscope.runs import Journal
from tests.engine.planted import PlantedOpening, questions
opening = PlantedOpening(Path(PLACE))
with cluster(ADDRESS, 1) as patience, Journal(opening.place / "journal.sqlite") as journal:
    workers = RayWorkers(opening, EngineSettings("ray", workers=WORKERS), patience)
    ask_workers(workers, opening.open(), questions(40, deadly=[30]), journal, window=40)
"""
NONE_HERE = "import sys; sys.modules['ray'] = None\nimport genderscope.engine.ray_engine"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (UNREACHABLE, "There is no Ray cluster at '127.0.0.1:9' (Connection refused)"),
        (NONE_HERE, "The engine 'ray' needs the package 'ray'; install it with: pip install 'genderscope[ray]'"),
    ],
)
def test_no_cluster_and_no_ray_are_one_sentence(code, said):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip().splitlines()[-1].startswith(f"genderscope.core.errors.UserError: {said}")


def driver_of(opening, cluster, workers):
    """Code that has such workers asked about 40 questions, one of which is deadly."""
    code = DEADLY.replace("Path(PLACE)", f"Path({str(opening.place)!r}), seconds={opening.seconds}")
    return code.replace("ADDRESS", repr(cluster.address)).replace("WORKERS", str(workers))


def test_dead_workers_put_nothing_among_the_results(ray_cluster, tmp_path):
    code = driver_of(PlantedOpening(tmp_path), ray_cluster, 2)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.stderr.count("A worker was lost; starting another in its place") == 4
    last = done.stderr.splitlines()[-1]
    assert re.search(
        r"UserError: 4 workers were lost while working on the same 4 questions.*same command resumes", last
    )
    assert "raylet" not in done.stderr
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert len(journal) > 20
        assert len(journal.known([question_key("planted", questions(40, deadly=[30])[30])])) == 0


IN_A_COMMAND = "from genderscope.cli.output import handling_sigterm\nwith handling_sigterm():\n"


@pytest.mark.parametrize(("command", "last_words"), [(False, ""), (True, "Terminated.\n")])
def test_a_driver_that_is_told_to_end_ends_as_it_would_without_ray(ray_cluster, tmp_path, command, last_words):
    opening: Any = PlantedOpening(tmp_path, seconds=60)
    code = driver_of(opening, ray_cluster, 1)
    if command:
        code = IN_A_COMMAND + textwrap.indent(code, "    ")
    driver = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    assert soon(opening.asked, 120)
    driver.terminate()
    _, said = driver.communicate(timeout=120)
    assert driver.returncode == 128 + signal.SIGTERM
    assert without_network_warning(said) == last_words
    assert soon(lambda: all(map(gone, opening.workers())))


def test_a_connected_process_stays_connected(ray_cluster):
    with cluster(None, 1):
        pass
    assert ray.is_initialized()
