"""Published tables (stored in `tables/`), tables in released data, and CSV output."""

import csv
import io
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.report import interval, number
from genderscope.runs import Result, csv_file, load_run
from genderscope.statistics.estimate import Estimate

CsvRow = dict[str, str]


def published_table(name: str) -> list[CsvRow]:
    """Return the rows of a published table."""
    return released_table(files("genderscope.published").joinpath("tables", name).read_bytes())


def released_table(content: bytes) -> list[CsvRow]:
    """Parse a CSV file released with a paper."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


def write_table(target: Path | None, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file if a target is given."""
    if target is not None:
        with csv_file(target) as writer:
            writer.writerow(header)
            for row in rows:
                writer.writerow(row)


def text_of(estimate: Estimate | None) -> str:
    """Return an estimate with its interval for a printed table."""
    return "–" if estimate is None else f"{number(estimate.value)} {interval(estimate)}"


def numbers_of(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    """Return an estimate's value and interval for a CSV file."""
    return (None, None, None) if estimate is None else (estimate.value, estimate.low, estimate.high)


def load_runs_of(measure: str, paths: Iterable[Path]) -> list[Result]:
    """Load runs; raise UserError if one belongs to another measure."""
    runs = []
    for path in paths:
        run = load_run(path)
        if run.measure != measure:
            raise UserError(f"'{path}' is a run of '{run.measure}', not of '{measure}'.")
        runs.append(run)
    return runs
