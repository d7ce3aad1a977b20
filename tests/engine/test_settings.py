"""Which engine runs: a pure choice from what the user says and what the machine has."""

import gc

import pytest

from genderscope.core.errors import UserError
from genderscope.engine import EngineSettings
from genderscope.engine.engine_settings import choose_engine, gpu_of, visible_gpus
from genderscope.util.memory_tuning import only_new_garbage


@pytest.mark.parametrize(
    ("settings", "device", "gpus", "engine", "workers"),
    [
        (EngineSettings(), "auto", 0, "local", None),
        (EngineSettings(), "auto", 1, "local", None),
        (EngineSettings(), "auto", 8, "processes", 8),
        (EngineSettings(), "cuda:3", 8, "local", None),
        (EngineSettings(), "cuda", 8, "local", None),
        (EngineSettings(), "cpu", 8, "local", None),
        (EngineSettings("local"), "auto", 8, "local", None),
        (EngineSettings(workers=1), "auto", 8, "local", 1),
        (EngineSettings(workers=2), "auto", 0, "processes", 2),
        (EngineSettings(workers=2), "cpu", 8, "processes", 2),
        (EngineSettings("processes"), "auto", 4, "processes", 4),
        (EngineSettings("processes"), "cuda", 4, "processes", 4),
        (EngineSettings("processes"), "cpu", 4, "processes", 1),
        (EngineSettings("processes", workers=3), "auto", 4, "processes", 3),
        (EngineSettings("ray"), "auto", 8, "ray", None),
        (EngineSettings(address="auto"), "auto", 8, "ray", None),
        (EngineSettings(gpus_per_worker=0.5), "auto", 8, "ray", None),
    ],
)
def test_the_engine_follows_from_the_wish_and_the_gpus(settings, device, gpus, engine, workers):
    found = choose_engine(settings, device, gpus, scales=True)
    assert (found.engine, found.workers) == (engine, workers)


def test_gpus_are_no_reason_to_copy_a_model_that_gains_nothing():
    assert choose_engine(EngineSettings(), "auto", 8, scales=False).engine == "local"


@pytest.mark.parametrize(
    ("wish", "complaint"),
    [
        ({"engine": "rya"}, r"Unknown engine 'rya'.*Did you mean 'ray'\?"),
        ({"workers": 0}, "Option --workers is 0; give 1 or more"),
        ({"engine": "local", "workers": 2}, "The local engine has one worker, not 2"),
        ({"engine": "processes", "address": "auto"}, "Option --address is for Ray"),
        ({"engine": "local", "gpus_per_worker": 1}, "Option --gpus-per-worker is for Ray"),
        ({"gpus_per_worker": -1}, "A worker cannot have -1 GPUs"),
        ({"gpus_per_worker": 1.5}, "A worker cannot have 1.5 GPUs; give a whole number, or a fraction below 1"),
    ],
)
def test_a_wish_that_cannot_be_is_one_sentence(wish, complaint):
    with pytest.raises(UserError, match=complaint):
        EngineSettings(**wish)


def test_workers_take_the_visible_gpus_in_turn():
    assert visible_gpus(4, None) == ["0", "1", "2", "3"]
    assert visible_gpus(2, "5, GPU-7f") == ["5", "GPU-7f"]
    assert visible_gpus(0, "") == []
    assert [gpu_of(k, "auto", ["5", "7"]) for k in range(3)] == ["5", "7", "5"]
    assert gpu_of(0, "cuda:1", ["5", "7"]) is None
    assert gpu_of(0, "cpu", ["5", "7"]) is None
    assert gpu_of(0, "auto", []) is None


def test_garbage_collection_is_as_it_was_when_the_last_is_done():
    before = gc.get_threshold()
    first, second = only_new_garbage(), only_new_garbage()
    first.__enter__()
    second.__enter__()
    assert gc.get_threshold()[2] > 1_000_000  # nothing old is scanned
    first.__exit__(None, None, None)  # as in two threads
    assert gc.get_threshold()[2] > 1_000_000
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before
