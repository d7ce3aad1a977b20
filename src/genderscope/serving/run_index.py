"""The runs in a folder, read without their rows and cached until their files change, so that long lists are fast."""

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from genderscope.comparison import NOT_FINISHED, Unusable, candidate_folders, examine
from genderscope.core.errors import UserError
from genderscope.judgement import label
from genderscope.report import interval, number, sort_key
from genderscope.runs import (
    ASKED,
    CONFIG,
    JOURNAL,
    REPORT,
    RESULT,
    ROWS,
    STARTED,
    RunProgress,
    is_checked,
    load_run,
    moment_of,
    progress_of,
    read_config,
    read_result,
    recorded,
    replaced_by,
)
from genderscope.statistics.estimate import Estimate, nested_keys
from genderscope.version import __version__

#: files of a run whose change makes it necessary to read the run again
WATCHED = (CONFIG, RESULT, ROWS, REPORT, JOURNAL, f"{JOURNAL}-wal")


#: errors of a run whose content makes no sense although its checksums are correct
FORGED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True)
class LeadTexts:
    """An estimate as texts for a table, and its sort key."""

    label: str
    value: str
    interval: str
    key: str


@dataclass(frozen=True)
class RunVerdict:
    """The verdict on a finished run and its first leading estimate; `leads` is the number of leading estimates."""

    measure: str
    verdict: str = ""
    lead: LeadTexts | None = None
    leads: int = 0


@dataclass(frozen=True)
class ListedRun:
    """A run in the list: its configuration, and its finding or the reason why there is none."""

    name: str
    folder: Path
    config: Mapping[str, Any]
    finding: RunVerdict | None = None
    unusable: Unusable | None = None
    #: progress of a run that is not finished
    progress: RunProgress | None = None
    #: name of the run that replaced this one
    newer: str | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether the run can still be resumed."""
        return self.progress is not None

    @property
    def measure(self) -> str:
        """The measure's name; empty if unknown."""
        configuration = self.config.get("configuration", {})
        return self.finding.measure if self.finding else str(configuration.get("measure", ""))

    @property
    def model(self) -> str:
        """The model's name; empty if unknown."""
        return str(self.config.get("model", {}).get("name", ""))

    @property
    def when(self) -> datetime | None:
        """The time of the last recorded day of answers or, before the first answer, of the start."""
        asked = self.config.get(ASKED)
        moments = [moment for text in asked if (moment := moment_of(text))] if isinstance(asked, list) else []
        return moments[-1] if moments else moment_of(self.config.get(STARTED))


class RunIndex:
    """All runs below a folder. May be used by several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[object, ListedRun | None]] = {}

    def runs(self) -> dict[str, ListedRun]:
        """Return the runs by their paths relative to the folder; only changed ones are read again."""
        with self._lock:
            entries = {path: self._listed(path) for path in candidate_folders(self.folder)}
            self._known = entries
        return {listed.name: listed for _, listed in entries.values() if listed is not None}

    def _listed(self, path: Path) -> tuple[object, ListedRun | None]:
        newer = None if path == self.folder else replaced_by(path)
        stamp = newer, stamp_of(path)
        entry = self._known.get(path)
        return entry if entry is not None and entry[0] == stamp else (stamp, self._read(path, newer))

    def _read(self, path: Path, newer: Path | None) -> ListedRun | None:
        """Read a run; None if the folder contains none."""
        name = path.relative_to(self.folder).as_posix()
        name = self.folder.resolve().name if name == "." else name
        try:
            finding = examine(path, _read_finding)
        except FORGED as error:  # one such run must not hide the others
            finding = Unusable("cannot be read", f"{type(error).__name__}: {error}")
        config = recorded(path)
        if isinstance(finding, RunVerdict):
            return ListedRun(name, path, config, finding, newer=None if newer is None else newer.name)
        if not finding.is_run:
            return None
        progress = progress_of(path, config) if finding.reason == NOT_FINISHED else None
        return ListedRun(name, path, config, unusable=finding, progress=progress)


def stamp_of(folder: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """Return modification time, size and inode of each of a run's files."""
    return tuple(_stamp(folder / name) for name in WATCHED)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read_finding(folder: Path) -> RunVerdict:
    """Return the stored verdict, or judge the run again if another version of Genderscope stored it."""
    config = read_config(folder)
    content = read_result(folder, config)
    version = config.get("versions", {}).get("genderscope")
    if not (is_checked(content) and version == __version__):
        return _judge(folder)
    judgements = content.get("judgements", [])
    lead = _estimate_of(judgements[0], content["estimates"]) if judgements else None
    return RunVerdict(content["measure"], str(content.get("verdict", "")), _texts(lead), len(judgements))


def _judge(folder: Path) -> RunVerdict:
    result = load_run(folder)
    try:
        judgements = result.judgements
    except UserError:  # the measure's package is not installed
        return RunVerdict(result.measure)
    lead = judgements[0].estimate if judgements else None
    return RunVerdict(result.measure, str(result.verdict), _texts(lead), len(judgements))


def _texts(lead: Estimate | None) -> LeadTexts | None:
    return None if lead is None else LeadTexts(label(lead), number(lead.value), interval(lead), sort_key(lead))


def _estimate_of(judgement: Mapping[str, Any], estimates: list[dict[str, Any]]) -> Estimate | None:
    """Return the estimate that a stored judgement refers to by name and keys."""
    named = [Estimate(**nested_keys(entry)) for entry in estimates if entry["name"] == judgement["estimate"]]
    fitting = [e for e in named if e.keys.items() <= judgement.items()]
    return max(fitting, key=lambda e: len(e.keys), default=None)
