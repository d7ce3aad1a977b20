"""The record of a result for experiment trackers: numbers, verdict, figure, options, signature and files."""

import logging
import re
from dataclasses import dataclass
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.measures import measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.util.safe_text import in_line
from genderscope.version import __version__

_log = logging.getLogger("genderscope")
LONGEST = 500  # maximum parameter length that all trackers accept


@dataclass(frozen=True)
class Record:
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


def record_of(result: Result) -> Record:
    """Build a result's record."""
    model, data = (in_line(str(result.config[part]["name"])) for part in ("model", "data"))
    options = {"data": data, "data_sha256": result.config["data"].get("sha256", ""), **result.config["configuration"]}
    options.pop("measure", None)
    folder = result.folder
    svg, png = _figure(result)
    verdict = str(result.verdict)
    files = () if folder is None else tuple(folder / name for name in ("report.html", "result.json"))
    return Record(
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
