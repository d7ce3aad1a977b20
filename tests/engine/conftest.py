"""One small Ray cluster of two machines for all tests that need one; it ends with them."""

import os
from pathlib import Path
from typing import Any

import pytest

from genderscope.engine import EngineSettings
from genderscope.engine.process_engine import ProcessWorkers
from genderscope.runs import Journal

NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
#: look often enough that a machine which has left is soon known to be gone; start no process that nobody asked for
HEAD = {
    **NODE,
    "include_dashboard": False,
    "no_monitor": True,
    "include_log_monitor": False,
    "_system_config": {
        "health_check_period_ms": 100,
        "prestart_worker_first_driver": False,
        "enable_worker_prestart": False,
    },
}


@pytest.fixture(scope="session", autouse=True)
def importable_tests():
    """Let what these tests start import the planted model, wherever it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]), prepend=os.pathsep)
        yield


@pytest.fixture(scope="package")
def ray_cluster(importable_tests):
    """A head and a second machine with one CPU each, and this process connected to them."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    try:
        cluster: Any = Cluster(initialize_head=True, head_node_args=HEAD)
        cluster.second = cluster.add_node(**NODE)
        ray.init(cluster.address, log_to_driver=False, logging_level="CRITICAL")
    except Exception as error:
        pytest.skip(f"Ray cannot start here: {error}")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(params=["processes", pytest.param("ray", marks=pytest.mark.long)])
def workers_of(request):
    """Make workers of either kind for an opening, two unless told."""
    if request.param == "processes":
        return lambda opening, size=2: ProcessWorkers(opening, size, [])
    request.getfixturevalue("ray_cluster")
    from genderscope.engine.ray_engine import RayWorkers

    return lambda opening, size=2: RayWorkers(opening, EngineSettings("ray", workers=size), patience=0)


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "journal.sqlite") as opened:
        yield opened
