"""The record of a result for experiment trackers: numbers, options, signature and files."""

import re
from dataclasses import dataclass
from pathlib import Path

from genderscope.measures import measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line
from genderscope.version import __version__

LONGEST = 500  # maximum parameter length that all trackers accept


@dataclass(frozen=True)
class Record:
    """A result for trackers; missing values are omitted, never set to zero."""

    name: str
    numbers: dict[str, float]
    options: dict[str, str]
    tags: dict[str, str]
    text: str  # the result in Markdown
    #: the report and the result's files, if the run has a folder
    files: tuple[Path, ...]
    folder: Path | None


def record_of(result: Result) -> Record:
    """Build a result's record."""
    model, data = (in_line(str(result.config[part]["name"])) for part in ("model", "data"))
    options = {"data": data, "data_sha256": result.config["data"].get("sha256", ""), **result.config["configuration"]}
    options.pop("measure", None)
    folder = result.folder
    files = () if folder is None else tuple(folder / name for name in ("report.html", "result.json"))
    return Record(
        f"{result.measure} {model}",
        numbers_of(result),
        {f"{result.measure}.{key}": in_line(str(value))[:LONGEST] for key, value in options.items()},
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
