"""A log of another tool, and what becomes of it."""

import hashlib
import json
import tomllib
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from genderscope.importing.log_node import Node
from genderscope.measures import AnyMeasure
from genderscope.measures.item_scores import ItemScoreRow

#: entry of a task's metadata that describes an exported task
EXPORTED = "genderscope"


@dataclass(frozen=True)
class Log:
    """The content of a log: one record per sample, and what the tool says about itself."""

    #: the tool's name and version, e.g. "lm-evaluation-harness" and "0.4.13"; None if the log does not record it
    tool: str
    version: str | None
    task: str
    model: str | None
    #: file -> its SHA-256
    files: Mapping[str, str]
    records: Sequence[Node]
    #: the tool's own metrics, as it reports them
    reported: "Mapping[str, float | tuple[float, float]]"
    asked: datetime | None = None
    #: settings that the log records, such as the number of examples in the prompt
    settings: Mapping[str, Any] = field(default_factory=dict)
    #: what the log does not record, as noun phrases
    lacks: tuple[str, ...] = ()
    #: description of a task that genderscope exported; None for other tasks
    exported: Node | None = None

    @property
    def source(self) -> str:
        """The tool with its version."""
        return f"{self.tool} {self.version}" if self.version else self.tool

    @property
    def name(self) -> str:
        """The log's main file."""
        return next(iter(self.files))


@dataclass(frozen=True)
class ToolNumber:
    """A metric of the tool: as reported, recomputed from the log, and the estimate that comes closest to it."""

    metric: str
    #: a number, or the ends of an interval
    reported: "float | tuple[float, float] | None"
    recomputed: "float | tuple[float, float] | None"
    #: name of our estimate; None if there is none
    estimate: str | None
    #: why the two differ, or how they relate
    reason: str


@cache
def known_metrics(tool: str, task: str) -> dict[str, tuple[str | None, str]]:
    """Return the metrics of a tool's task, each with our closest estimate and why the two differ."""
    text = files("genderscope.importing").joinpath("tool_metrics.toml").read_text(encoding="utf-8")
    return {name: (estimate or None, reason) for name, (estimate, reason) in tomllib.loads(text)[tool][task].items()}


def tool_numbers(
    log: Log, tool: str, task: str, recomputed: "Mapping[str, float | None]", names: Container[str] | None = None
) -> list[ToolNumber]:
    """Return a task's metrics with what was recomputed; with `names`, only these."""
    return [
        ToolNumber(name.rpartition("/")[2], log.reported.get(name), recomputed.get(name), *details)
        for name, details in known_metrics(tool, task).items()
        if names is None or name in names
    ]


@dataclass(frozen=True)
class ImportedRows:
    """The rows of a measure that a log contains."""

    measure: str
    options: Mapping[str, Any]
    rows: Sequence[Any]
    #: name and checksum of the data, and the number of samples
    data: Mapping[str, Any]
    #: entries of the signature
    settings: Mapping[str, str]
    numbers: Sequence[ToolNumber]
    cautions: Sequence[str] = ()
    lacks: Sequence[str] = ()
    #: the measure with its data, if the log is that of an exported task
    bound: AnyMeasure | None = None


def item_scores(
    task: str,
    rows: Sequence[ItemScoreRow],
    options: Mapping[str, Any],
    numbers: Sequence[ToolNumber] = (),
    left_out: Mapping[str, int] | None = None,
    lacks: Sequence[str] = (),
) -> ImportedRows:
    """Return the rows of a log as a run of `item-scores`."""
    reasons = "; ".join(f"{count:,}: {reason}" for reason, count in (left_out or {}).items())
    return ImportedRows(
        measure="item-scores",
        options=options,
        rows=rows,
        data={
            "name": f"{task}-log",
            "sha256": _checksum(rows),
            "samples": len({row.item for row in rows}),
            **({"left_out": dict(left_out)} if left_out else {}),
        },
        settings={"scale": str(options["scale"])},
        numbers=numbers,
        cautions=[f"Some items of the log are left out ({reasons})."] if left_out else [],
        lacks=lacks,
    )


def _checksum(rows: Sequence[ItemScoreRow]) -> str:
    """Return the checksum of the items, whatever their order and scores."""
    items = {json.dumps([row.item, row.cluster, row.group], ensure_ascii=False) for row in rows}
    return hashlib.sha256("\n".join(sorted(items)).encode("utf-8", "surrogatepass")).hexdigest()
