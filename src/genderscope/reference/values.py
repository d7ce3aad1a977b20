"""Published values, with their provenance."""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


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
