"""Logging of results to experiment trackers, whose clients are imported when they are used."""

import logging
import os
import re
import struct
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from genderscope.core.errors import UserError, needs, require_known
from genderscope.measures import measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line
from genderscope.version import __version__

_log = logging.getLogger("genderscope")
LONGEST = 500  # maximum parameter length that all trackers accept


@dataclass(frozen=True)
class TrackerRecord:
    """A result for trackers; missing values are omitted, never set to zero."""

    name: str
    numbers: dict[str, float]
    options: dict[str, str]
    tags: dict[str, str]
    text: str  # the result in Markdown
    verdict: str  # the verdict and the sentences about it
    #: the report's first figure as SVG and as PNG; None if it cannot be drawn
    svg: str | None
    png: bytes | None
    #: the report and the result's files, if the run has a folder
    files: tuple[Path, ...]
    folder: Path | None

    @property
    def measure(self) -> str:
        """The measure's name."""
        return self.name.partition(" ")[0]


def record_of(result: Result) -> TrackerRecord:
    """Build a result's record."""
    model, data = (in_line(str(result.config[part]["name"])) for part in ("model", "data"))
    options = {"data": data, "data_sha256": result.config["data"].get("sha256", ""), **result.config["configuration"]}
    options.pop("measure", None)
    folder = result.folder
    svg, png = _figure(result)
    verdict = str(result.verdict)
    files = () if folder is None else tuple(folder / name for name in ("report.html", "result.json"))
    return TrackerRecord(
        f"{result.measure} {model}",
        numbers_of(result),
        {f"{result.measure}.{key}": in_line(str(value))[:LONGEST] for key, value in options.items()},
        {
            f"genderscope.{result.measure}.signature": in_line(result.signature),
            f"genderscope.{result.measure}.verdict": verdict,
            f"genderscope.{result.measure}.summary": in_line(result.summary),
            "genderscope.version": __version__,
        },
        result.to_markdown(),
        f"{verdict[:1].upper()}{verdict[1:]}. {in_line(result.summary)}",
        svg,
        png,
        tuple(path for path in files if path.is_file()),
        folder,
    )


def _figure(result: Result) -> tuple[str | None, bytes | None]:
    """Draw the report's first figure; warn if that fails, since the numbers can be logged without it."""
    try:
        plot = result.plot()
        return plot.picture("svg", "page").decode(), plot.picture("png", "page")
    except UserError as error:
        _log.warning("The result is logged without a figure: %s", error)
        return None, None


def numbers_of(result: Result) -> dict[str, float]:
    """Return the headline estimates by `measure/name`, with their intervals, counts (n, unread) and neutral points."""
    numbers: dict[str, float] = {f"{result.measure}/coverage": result.coverage}
    names = measure_type(result.measure).headline
    for e in result.as_estimates():
        if e.name not in names or e.template is not None or e.stereotype is not None:
            continue
        key = f"{result.measure}/{_name(e)}"
        parts = {"": e.value, ".low": e.low, ".high": e.high, ".neutral": e.neutral, ".n": e.n, ".unread": e.unread}
        numbers |= {key + part: float(value) for part, value in parts.items() if value is not None}
    return numbers


def _name(estimate: Estimate) -> str:
    """Return an estimate's name, restricted to characters that all trackers accept."""
    scope = f"/{estimate.scope}" if estimate.scope else ""
    return re.sub(r"[^\w ./:-]+", "_", f"{estimate.name}{scope}", flags=re.ASCII)


def _log_to_mlflow(record: TrackerRecord, step: int | None) -> str:
    """Log to the active MLflow run, or to a new run; MLFLOW_TRACKING_URI and MLFLOW_EXPERIMENT_NAME configure it."""
    import mlflow

    is_configured = os.environ.get("MLFLOW_TRACKING_URI") or mlflow.is_tracking_uri_set()  # type: ignore[no-untyped-call]
    if not is_configured and find_spec("sqlalchemy") is None:  # MLflow's database packages are missing
        os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")
        mlflow.set_tracking_uri("mlruns")
    open_already = mlflow.active_run()
    run = open_already or mlflow.start_run(run_name=record.name)
    try:
        if not open_already or step is None:
            mlflow.log_params(record.options)
        mlflow.set_tags(record.tags)
        mlflow.log_metrics(record.numbers, step=step)
        for file in record.files:
            mlflow.log_artifact(str(file), artifact_path="genderscope")
        mlflow.log_text(record.verdict, f"genderscope/{record.measure}.verdict.txt")
        if record.png is not None:
            with TemporaryDirectory() as place:
                picture = Path(place) / f"{record.measure}.png"
                picture.write_bytes(record.png)
                mlflow.log_artifact(str(picture), artifact_path="genderscope")
    except BaseException:
        if not open_already:
            mlflow.end_run("FAILED")
        raise
    if not open_already:
        mlflow.end_run()
    return f"MLflow run {run.info.run_id} in {mlflow.get_tracking_uri()}"


def _log_to_wandb(record: TrackerRecord, step: int | None) -> str:
    """Log to the active W&B run, or to a new run; WANDB_PROJECT, WANDB_ENTITY and WANDB_MODE configure it."""
    import wandb

    open_already = wandb.run
    run = open_already or wandb.init(name=record.name, job_type="genderscope", settings=wandb.Settings(silent=True))
    try:
        run.config.update({**record.options, **record.tags}, allow_val_change=True)  # type: ignore[no-untyped-call]
        # An image would need Pillow, which wandb does not install.
        figure = {} if record.svg is None else {f"{record.measure}/figure": wandb.Html(record.svg, inject=False)}
        run.log({**record.numbers, **figure}, step=step)
        run.summary[f"{record.measure}/verdict"] = record.verdict
        if record.files:
            artifact = wandb.Artifact(re.sub(r"[^\w.-]+", "-", record.name)[:100], type="genderscope")
            for file in record.files:
                artifact.add_file(str(file))
            run.log_artifact(artifact)
        where = str(run.dir if run.settings.mode == "offline" else run.url or run.name)
    finally:
        if not open_already:
            run.finish()
    return f"Weights & Biases run {where}"


def _log_to_tensorboard(record: TrackerRecord, step: int | None) -> str:
    """Write the numbers as scalars, the figure, and the result with its verdict, options and signature as text."""
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.plugins.scalar.summary_v2 import scalar_pb
    from tensorboard.plugins.text.summary_v2 import text_pb
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    measure = record.measure
    options = "\n".join(f"- {key}: {value}" for key, value in (record.tags | record.options).items())
    texts = {f"{measure}/verdict": record.verdict, f"{measure}/result": record.text, f"{measure}/options": options}
    folder = _tensorboard_folder(record)
    writer = EventFileWriter(str(folder))
    try:
        for summary in (
            *(scalar_pb(tag, value) for tag, value in record.numbers.items()),
            *(text_pb(tag, text) for tag, text in texts.items()),
            *([] if record.png is None else [_image_summary(f"{measure}/figure", record.png)]),
        ):
            writer.add_event(Event(wall_time=time.time(), step=step or 0, summary=summary))
    finally:
        writer.close()
    return f"TensorBoard events in {folder}"


def _image_summary(tag: str, png: bytes) -> Any:
    """Return an event's summary with a PNG image, whose header states its width and height."""
    from tensorboard.compat.proto.summary_pb2 import Summary

    width, height = struct.unpack(">II", png[16:24])
    image = Summary.Image(width=width, height=height, colorspace=4, encoded_image_string=png)
    return Summary(value=[Summary.Value(tag=tag, image=image)])


def _tensorboard_folder(record: TrackerRecord) -> Path:
    """Return a separate folder for each run, since TensorBoard treats every folder with events as a run."""
    place = os.environ.get("TENSORBOARD_LOGDIR")
    if place:
        return Path(place) / (record.folder.name if record.folder else record.name.replace("/", "-"))
    return (record.folder or Path("runs")) / "tensorboard"


@dataclass(frozen=True)
class Tracker:
    """An experiment tracker: its name, its client package, and the function that logs to it."""

    name: str
    package: str
    log: Callable[[TrackerRecord, int | None], str]


TRACKERS = {
    "mlflow": Tracker("MLflow", "mlflow", _log_to_mlflow),
    "wandb": Tracker("Weights & Biases", "wandb", _log_to_wandb),
    "tensorboard": Tracker("TensorBoard", "tensorboard", _log_to_tensorboard),
}


def require_trackers(names: Iterable[str]) -> None:
    """Raise UserError if a tracker is unknown or its client is not installed."""
    for name in names:
        require_known("tracker", name, TRACKERS)
        if find_spec(TRACKERS[name].package) is None:
            raise needs(TRACKERS[name].package, f"Logging to {TRACKERS[name].name}")


def log(result: Result, tracker: str, step: int | None = None) -> str:
    """Log a result to a tracker and return its location there.

    Headline estimates are logged with interval, sample size and neutral point, the verdict as text, and the report's
    first figure as a picture; options are logged as parameters, the signature as a tag, and the report as an artifact.
    An active run of the tracker is used and left open.

    Args:
        result: The result to log.
        tracker: `mlflow`, `wandb` or `tensorboard`; each needs the extra of the same name.
        step: The training step that the result belongs to.
    """
    require_trackers([tracker])
    service = TRACKERS[tracker]
    try:
        return service.log(record_of(result), step)
    except UserError:
        raise
    except Exception as error:  # clients' exceptions vary
        kept = "" if result.folder is None else f" The finished run is in '{result.folder}'."
        reason = " ".join(str(error).split())[:700] or type(error).__name__
        raise UserError(f"{service.name} rejected the result ({reason}).{kept}") from error
