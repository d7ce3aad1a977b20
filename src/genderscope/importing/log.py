"""A log of another tool, and what becomes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from genderscope.importing.log_node import Node
from genderscope.measures import AnyMeasure

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
