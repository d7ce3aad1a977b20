"""TensorBoard logging to TENSORBOARD_LOGDIR or to the run's folder."""

import os
import time
from pathlib import Path

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.plugins.scalar.summary_v2 import scalar_pb
from tensorboard.plugins.text.summary_v2 import text_pb
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from genderscope.integrations.record import Record


def log(record: Record, step: int | None) -> str:
    """Write the numbers as scalars, and the result with its options and signature as text."""
    folder = _folder(record)
    writer = EventFileWriter(str(folder))
    try:
        for tag, value in record.numbers.items():
            _write(writer, scalar_pb(tag, value), step)
        measure = record.name.partition(" ")[0]
        options = "\n".join(f"- {key}: {value}" for key, value in (record.tags | record.options).items())
        _write(writer, text_pb(f"{measure}/result", record.text), step)
        _write(writer, text_pb(f"{measure}/options", options), step)
    finally:
        writer.close()
    return f"TensorBoard events in {folder}"


def _folder(record: Record) -> Path:
    """Return a separate folder for each run, since TensorBoard treats every folder with events as a run."""
    place = os.environ.get("TENSORBOARD_LOGDIR")
    if place:
        return Path(place) / (record.folder.name if record.folder else record.name.replace("/", "-"))
    return (record.folder or Path("runs")) / "tensorboard"


def _write(writer: EventFileWriter, summary: Summary, step: int | None) -> None:
    writer.add_event(Event(wall_time=time.time(), step=step or 0, summary=summary))
