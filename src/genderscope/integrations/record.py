"""What a tracker is told of a result: numbers, options, signature, files."""

import re
from dataclasses import dataclass
from pathlib import Path

from genderscope.measures import measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.terminal_safe import in_line
from genderscope.version import __version__

#: the longest text that all trackers take for a parameter
LONGEST = 500


@dataclass(frozen=True)
class Record:
    """A result as trackers hold it. What could not be read is missing from the numbers, never zero."""

    name: str
    numbers: dict[str, float]
    options: dict[str, str]
    tags: dict[str, str]
    #: what is found, in Markdown
    text: str
    #: the report and the result's own files, where the run has a folder
    files: tuple[Path, ...]
    folder: Path | None


def record_of(result: Result) -> Record:
    """Lay a result out for a tracker."""
    model, data = (in_line(str(result.config[part]["name"])) for part in ("model", "data"))
    told = {"data": data, "data_sha256": result.config["data"].get("sha256", ""), **result.config["configuration"]}
    folder = result.folder
    files = () if folder is None else tuple(folder / name for name in ("report.html", "result.json"))
    return Record(
        f"{result.measure} {model}",
        numbers_of(result),
        {f"{result.measure}.{key}": in_line(str(value))[:LONGEST] for key, value in told.items() if key != "measure"},
        {
            f"genderscope.{result.measure}.signature": in_line(result.signature),
            f"genderscope.{result.measure}.summary": in_line(result.summary),
            "genderscope.version": __version__,
        },
        result.to_markdown(),
        tuple(path for path in files if path.is_file()),
        folder,
    )


def numbers_of(result: Result) -> dict[str, float]:
    """Return the headline numbers by `measure/name`, each with its interval's ends, n, unread and neutral point."""
    found: dict[str, float] = {f"{result.measure}/coverage": result.coverage}
    names = measure_type(result.measure).headline
    for e in result.as_estimates():
        if e.name not in names or e.template is not None or e.stereotype is not None:
            continue
        key = f"{result.measure}/{_name(e)}"
        parts = {"": e.value, ".low": e.low, ".high": e.high, ".neutral": e.neutral, ".n": e.n, ".unread": e.unread}
        found |= {key + part: float(value) for part, value in parts.items() if value is not None}
    return found


def _name(estimate: Estimate) -> str:
    """Name an estimate in letters that every tracker takes."""
    scope = f"/{estimate.scope}" if estimate.scope else ""
    return re.sub(r"[^\w ./:-]+", "_", f"{estimate.name}{scope}", flags=re.ASCII)
