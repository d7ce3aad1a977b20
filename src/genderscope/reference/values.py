"""Published values with their provenance, and the user's own collection.

The collection contains estimates from earlier runs, in a CSV file that a team can share.
"""

import csv
import io
import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import platformdirs

from genderscope.core.errors import UserError
from genderscope.measures import judge_result
from genderscope.runs import Result, write_whole
from genderscope.statistics.estimate import Estimate
from genderscope.util.file_locks import locked, remove_locked


@dataclass(frozen=True)
class ReferenceSet:
    """A set of published values: their source, and the runs that may be compared with them.

    `models` is a plural noun for what was measured; `data` contains patterns for dataset names, and `data_words`
    describes these datasets; `landmarks` are well-known models to mention by name; `comparable_run` is the command
    for a comparable run.
    """

    name: str
    measure: str
    models: str
    title: str
    data: tuple[str, ...]
    data_words: str
    comparable_run: str
    landmarks: tuple[str, ...]
    #: key in the registry of citations, or the citation itself
    citation: str
    where: str
    date: str
    method: str
    note: str = ""
    #: the value of a share of 100 %, if the values are shares whose intervals can be computed from n; otherwise None
    whole: float | None = None


@dataclass(frozen=True)
class ReferenceValue:
    """A known value of an estimate; a comparable run must have the same `settings` ("" if not set)."""

    set: str
    model: str
    estimate: str
    keys: Mapping[str, str]
    settings: Mapping[str, str]
    value: float
    low: float | None
    high: float | None
    n: int | None = None
    #: the verdict on one of the user's own runs; "" if unknown, as for published values
    verdict: str = ""


@cache
def reference_sets() -> Mapping[str, ReferenceSet]:
    """Return the published sets by name."""
    sets = {}
    for name, table in tomllib.loads(_content("sets.toml")).items():
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
        }
        sets[name] = ReferenceSet(name, **fields)
    return sets


@cache
def published_values() -> tuple[ReferenceValue, ...]:
    """Return all published values, in the order of the file."""
    rows = csv.DictReader(_content("values.csv").splitlines())
    return tuple(parse_value(row, row["set"], _parse_pairs(row["settings"])) for row in rows)


def parse_value(row: Mapping[str, str], name: str, settings: Mapping[str, str]) -> ReferenceValue:
    """Parse the columns that published and collected values share; `name` is that of the set."""
    low, high = (float(row[column]) if row[column] else None for column in ("low", "high"))
    n = int(row["n"]) if row["n"] else None
    keys = _parse_pairs(row["keys"])
    contents = row["model"], row["estimate"], keys, settings, float(row["value"]), low, high, n
    return ReferenceValue(name, *contents, verdict=row.get("verdict") or "")


def _parse_pairs(text: str) -> dict[str, str]:
    """Parse "a=1;b=2"."""
    return dict(part.split("=", 1) for part in text.split(";") if part)


def _content(name: str) -> str:
    return files("genderscope.reference").joinpath(name).read_text(encoding="utf-8")


Row = dict[str, str]
FIELDS = ("measure", "model", "estimate", "keys", "value", "low", "high", "n", "data", "settings", "date", "signature")
#: a column that files from earlier versions lack
VERDICT = "verdict"


def collection_path() -> Path:
    """Return the path of the collection: GENDERSCOPE_REFERENCE, or a file in the user's data folder."""
    given = os.environ.get("GENDERSCOPE_REFERENCE")
    return Path(given) if given else Path(platformdirs.user_data_dir("genderscope", appauthor=False)) / "reference.csv"


def add_run(result: Result) -> int:
    """Add a run's leading estimates to the collection, replacing any from the same run; return how many were added."""
    leads = [(lead.estimate, j.verdict) for lead, j in judge_result(result) if lead.estimate.value is not None]
    if not leads:
        raise UserError(f"The run of '{result.measure}' has no value to add to the collection.")
    rows = [{**_row(result, e), VERDICT: str(verdict)} for e, verdict in leads]
    _rewrite(lambda old: [row for row in old if row["signature"] != result.signature] + rows)
    return len(rows)


def remove_model(model: str) -> int:
    """Remove a model's values from the collection; return how many were removed."""
    removed = sum(row["model"] == model for row in _rows())
    if not removed:
        raise UserError(f"The collection '{collection_path()}' has no values for '{model}'.")
    _rewrite(lambda old: [row for row in old if row["model"] != model])
    return removed


def collected_values(result: Result, estimate: Estimate) -> Iterator[ReferenceValue]:
    """Yield the collected values of this estimate from other runs with the same measure, data and settings."""
    own_row = _row(result, estimate)
    same = ("measure", "estimate", "keys", "data", "settings")
    for row in _rows():
        if row["signature"] != result.signature and all(row[name] == own_row[name] for name in same):
            yield _value(row)


def all_collected() -> list[tuple[str, ReferenceValue]]:
    """Return the measure and value in each row of the collection."""
    return [(row["measure"], _value(row)) for row in _rows()]


def _row(result: Result, e: Estimate) -> Row:
    config = result.config
    numbers = {"value": e.value, "low": e.low, "high": e.high, "n": e.n}
    return {
        "measure": result.measure,
        "model": str(config["model"]["name"]),
        "estimate": e.name,
        "keys": ";".join(f"{key}={value}" for key, value in e.keys.items()),
        **{name: "" if value is None else repr(value) for name, value in numbers.items()},
        "data": f"{config['data']['name']}@{str(config['data'].get('sha256', ''))[:8]}",
        "settings": json.dumps(config.get("settings", {}), sort_keys=True),
        "date": str(config.get("started", ""))[:10],
        "signature": result.signature,
    }


def _value(row: Row) -> ReferenceValue:
    return parse_value(row, "own", {})


def _rows() -> list[Row]:
    path = collection_path()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read the collection of reference values '{path}': {error}.") from None
    rows = list(csv.DictReader(io.StringIO(text)))
    for number, row in enumerate(rows, 2):
        try:
            _value(row)
            missing = [name for name in FIELDS if row.get(name) is None]
        except (KeyError, TypeError, ValueError, AttributeError):
            missing = ["a value"]
        if missing:
            raise UserError(f"'{path}', line {number}: {missing[0]} is missing or malformed; fix or delete the line.")
    return rows


def _rewrite(change: Callable[[list[Row]], list[Row]]) -> None:
    path = collection_path()
    lock_path = path.with_name(f".{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = locked(lock_path, wait=True)
        try:
            text = io.StringIO(newline="")
            writer = csv.DictWriter(text, (*FIELDS, VERDICT), lineterminator="\n")
            writer.writeheader()
            writer.writerows(change(_rows()))
            write_whole(path, text.getvalue().encode())
        finally:
            remove_locked(lock_path, lock)
    except OSError as error:
        raise UserError(
            f"Cannot write the collection '{path}' ({error.strerror}); set GENDERSCOPE_REFERENCE to another file."
        ) from None
