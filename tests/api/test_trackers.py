"""Results reach experiment trackers whole, and a tracker that is not there is found out before anything is measured."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

import genderscope
from genderscope.core.errors import DrawingError, UserError
from genderscope.integrations import log
from genderscope.integrations.trackers import numbers_of
from tests.report.examples import result as example


@pytest.fixture(scope="module")
def model(models):
    return str(models("gpt2", "bytes"))


@pytest.fixture(scope="module")
def run(model, tmp_path_factory):
    """A finished run of a tiny model."""
    folder = tmp_path_factory.mktemp("logged") / "run"
    return genderscope.evaluate("gest", model, data="starter", limit=32, out=folder)


def headline(run):
    """What every tracker must hold of the first number."""
    g_s = run.estimate("stereotype_rate")
    wanted = {"": g_s.value, ".low": g_s.low, ".high": g_s.high, ".neutral": 1.0, ".n": g_s.n, ".unread": g_s.unread}
    return {f"gest/stereotype_rate{part}": float(value) for part, value in wanted.items()} | {
        "gest/coverage": run.coverage
    }


def verdict_of(run):
    """The verdict and the sentences about it."""
    verdict = str(run.verdict)
    return f"{verdict[0].upper()}{verdict[1:]}. {run.summary}"


@pytest.mark.long
def test_a_run_is_logged_to_every_tracker_that_the_command_names(cli, model, run, monkeypatch, tmp_path):
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("wandb")
    pytest.importorskip("tensorboard")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "mlruns").as_uri())
    monkeypatch.setenv("TENSORBOARD_LOGDIR", str(tmp_path / "events"))
    monkeypatch.setenv("WANDB_MODE", "offline")
    trackers = ("--log", "mlflow", "--log", "tensorboard", "--log", "wandb")
    command = ("run", "gest", "--model", model, "--data", "starter", "--limit", 32, "--out", run.folder)
    done = cli(*command, *trackers)
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stderr.splitlines() if "Logged:" in line] == [
        "MLflow",
        "TensorBoard",
        "Weights",
    ]
    assert headline(run).items() <= numbers_of(run).items()
    _in_mlflow(mlflow, run)
    _in_tensorboard(tmp_path / "events" / run.folder.name, run)
    _in_wandb(run)


def _in_mlflow(mlflow, run):
    [kept] = mlflow.search_runs(search_all_experiments=True, output_format="list")
    assert kept.info.status == "FINISHED"
    assert kept.data.metrics == pytest.approx(numbers_of(run))
    assert kept.data.params["gest.limit"] == "32"
    assert kept.data.tags["genderscope.gest.signature"] == run.signature
    artifacts = mlflow.artifacts.download_artifacts(run_id=kept.info.run_id, artifact_path="genderscope")
    assert (Path(artifacts) / "report.html").read_bytes() == (run.folder / "report.html").read_bytes()
    assert (Path(artifacts) / "gest.png").read_bytes().startswith(b"\x89PNG")
    assert (Path(artifacts) / "gest.verdict.txt").read_text(encoding="utf-8") == verdict_of(run)
    assert kept.data.tags["genderscope.gest.verdict"] == str(run.verdict)


def _in_tensorboard(folder, run):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder))
    events.Reload()
    tensors = {tag: events.Tensors(tag)[-1].tensor_proto for tag in events.Tags()["tensors"]}
    numbers = {tag: tensor.float_val[0] for tag, tensor in tensors.items() if tensor.float_val}
    assert numbers == pytest.approx(numbers_of(run), rel=1e-6)
    said = b"".join(text for tensor in tensors.values() for text in tensor.string_val).decode()
    assert run.signature in said
    assert "gest.limit: 32" in said
    assert verdict_of(run) in said
    [picture] = events.Images("gest/figure")
    assert picture.encoded_image_string.startswith(b"\x89PNG")
    pillow = pytest.importorskip("PIL.Image")  # TensorBoard installs it
    assert pillow.open(io.BytesIO(picture.encoded_image_string)).size == (picture.width, picture.height)


def _in_wandb(run):
    [file] = Path("wandb").glob("offline-run-*/run-*.wandb")
    held = file.read_bytes()
    for name, value in headline(run).items():
        assert name.encode() in held
        assert json.dumps(value).rstrip("0").rstrip(".").encode() in held, name
    assert run.signature.encode() in held
    assert verdict_of(run)[:60].encode() in held
    [figure] = Path("wandb").glob("offline-run-*/files/media/html/gest/figure*.html")
    assert "<svg" in figure.read_text(encoding="utf-8")


def test_a_figure_that_cannot_be_drawn_is_missed_with_a_warning(run, monkeypatch, tmp_path, caplog):
    pytest.importorskip("tensorboard")
    monkeypatch.setenv("TENSORBOARD_LOGDIR", str(tmp_path / "events"))
    monkeypatch.setattr(type(run), "plot", _undrawn)
    assert "TensorBoard events in" in log(run, "tensorboard")
    assert "logged without a figure" in caplog.text


def _undrawn(_):
    raise DrawingError("no memory")


def test_what_was_not_read_is_logged_as_missing_and_not_as_zero():
    found = example("gest")
    unread = found.estimates.assign(value=float("nan"), low=float("nan"), high=float("nan"), n=0, unread=64)
    numbers = numbers_of(replace(found, estimates=unread))
    assert "gest/stereotype_rate" not in numbers
    assert "gest/stereotype_rate.low" not in numbers
    assert numbers["gest/stereotype_rate.n"] == 0
    assert numbers["gest/stereotype_rate.unread"] == 64


def test_an_unknown_tracker_and_one_that_refuses_are_one_sentence(cli, run, monkeypatch):
    done = cli("run", "gest", "--model", "nowhere", "--log", "mlfow")
    assert done.returncode == 2
    assert done.stderr == (
        "Error: Unknown tracker 'mlfow'; available: mlflow, tensorboard, wandb. Did you mean 'mlflow'?\n"
    )
    Path("file").touch()
    monkeypatch.setenv("TENSORBOARD_LOGDIR", "file")
    with pytest.raises(UserError, match=r"TensorBoard rejected the result \(.*\)\. The finished run is in '.*run'"):
        log(run, "tensorboard")
