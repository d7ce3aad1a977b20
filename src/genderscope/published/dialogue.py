"""Recomputes the WMT24 paper's tables from the public system outputs with our reader, beside the published values."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

import pandas as pd

from genderscope.measures import frame_of
from genderscope.measures.dialogue import (
    REGRESSIONS,
    TABLES,
    Compared,
    DialogueRates,
    DialogueRow,
    fitted,
    regressed,
    rows_of,
)
from genderscope.questions import TranslationAnswer
from genderscope.samples import fetch
from genderscope.samples.dialogue import DialogueSuite, excerpt, released
from genderscope.samples.registry import DataFile, dataset

OUTPUTS = "wmt24-dialogue-outputs"
#: the paper's tables for each language, in the order es, cs, is
LANGUAGES = ("es", "cs", "is")
#: the Icelandic tables spell one system otherwise
ALIASES = {"TranssionMT": "TransionMT"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One published number and ours."""

    table: str
    language: str
    system: str
    name: str
    published: float
    ours: float | None

    @property
    def is_difference(self) -> bool:
        """Whether the number is a Δ: it repeats the shares, so it is compared apart from them."""
        return self.name.startswith("delta")


@dataclass(frozen=True, slots=True)
class Agreement:
    """How near one table of one language comes; `r` is the correlation of the Δ over systems."""

    table: str
    language: str
    systems: int
    mean_difference: float
    r: float | None


def system_files() -> Iterator[tuple[str, str, DataFile]]:
    """Yield language, system and file of every public output."""
    for file in dataset(OUTPUTS).files:
        language, name = file.path.split("/")[2:]
        yield language, name.removesuffix(".txt"), file


def reproduce(systems: Iterable[tuple[str, str, DataFile]] | None = None) -> Iterator[tuple[str, str, list[Cell]]]:
    """Read the outputs, all of them unless told which, and yield language, system and the cells of all tables."""
    suite = released().suite
    for language, system, file in systems if systems is not None else system_files():
        rows = read_rows(suite, fetch.read(file, excerpt).decode("utf-8"), language)
        yield language, system, [*table_cells(rows, language, system), *coefficients(rows, language, system)]


def read_rows(suite: DialogueSuite, text: str, language: str) -> pd.DataFrame:
    """Read every adjective of a system's translations, one a line."""
    lines = text.removesuffix("\n").split("\n")
    found: list[DialogueRow] = []
    for number, (source, line) in enumerate(zip(suite.sources, lines, strict=True)):
        found += rows_of(source, number, TranslationAnswer(line), language)
    return frame_of(found, DialogueRow)


def table_cells(rows: pd.DataFrame, language: str, system: str) -> Iterator[Cell]:
    """Yield the numbers of Tables 6-8, 12-14, 18-26 that the paper has for this system."""
    rates = DialogueRates(rows, 0, as_published=True)
    for table in TABLES:
        published = _published(table, language, system)
        if published is None:
            continue
        found = rates.rates(rows, table, resamples=0)
        assert found is not None
        share = "M" if table.outcome == "male" else "acc"
        ours = {f"{share}_{name}": found[name].value for name in table.conditions}
        ours |= {"M": found["all"].value} if "M" in published else {}
        plus, minus = table.ends
        ours[table.difference] = found[plus].value - found[minus].value
        for name, value in published.items():
            if name in ours:
                yield Cell(table.tables, language, system, name, value, ours[name])


def coefficients(rows: pd.DataFrame, language: str, system: str) -> Iterator[Cell]:
    """Yield the coefficients of Tables 9-11, 15-17 and 27-29 that the paper has for this system."""
    for subset, (tables, _) in REGRESSIONS.items():
        first = int(tables.split("-")[0])
        number = str(first + LANGUAGES.index(language))
        published = {
            row["variable"]: float(row["coefficient"])
            for row in _table("wmt24_regressions.csv")
            if (row["table"], row["system"]) == (number, system)
        }
        if not published:
            continue
        found = fitted(regressed(rows, subset, as_published=True), subset, as_published=True).coefficients
        for name, value in published.items():
            yield Cell(tables, language, system, name, value, found[name].value if name in found else None)


def agreement(cells: Sequence[Cell]) -> list[Agreement]:
    """Summarise cells by table and language, in the paper's order."""
    found = []
    keys = dict.fromkeys((cell.table, cell.language) for cell in cells)
    for table, language in sorted(keys, key=lambda key: (int(key[0].split("-")[0]), LANGUAGES.index(key[1]))):
        mine = [c for c in cells if (c.table, c.language) == (table, language) and c.ours is not None]
        shares = [abs((c.ours or 0.0) - c.published) for c in mine if not c.is_difference]
        deltas = pd.DataFrame([(c.published, c.ours) for c in mine if c.is_difference], columns=["theirs", "ours"])
        r = float(deltas["theirs"].corr(deltas["ours"])) if len(deltas) > 2 else None
        systems = len({c.system for c in mine})
        found.append(Agreement(table, language, systems, sum(shares) / len(shares) if shares else float("nan"), r))
    return found


def _published(table: Compared, language: str, system: str) -> dict[str, float] | None:
    names = {system, ALIASES.get(system, system)}
    for row in _table(f"wmt24_tables{table.tables}_{table.subset}.csv"):
        if row["language"] == language and row["system"] in names:
            return {name: float(value) for name, value in row.items() if name not in {"language", "system"}}
    return None


def _table(name: str) -> list[dict[str, str]]:
    with files("genderscope.published").joinpath("tables", name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
