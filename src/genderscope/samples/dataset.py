"""What a measure's samples come from: a `SampleDataset` declares it, and a `SampleSet` is what was loaded.

A declaration says which columns a user's own file needs, which starter set is built in, which rows count as duplicates,
and how `--limit` chooses samples. Released files are declared in the registry.
"""

import csv
import hashlib
import io
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from genderscope.core.errors import UserError
from genderscope.core.tables import Row, Table, lines_of, own_file, without_repetitions
from genderscope.samples.subsampling import evenly

SampleT = TypeVar("SampleT")
ChoiceT = TypeVar("ChoiceT", bound=str)

#: the name of every built-in starter set
STARTER = "starter"


@dataclass(frozen=True)
class SampleSet(Generic[SampleT]):
    """Samples with the name and checksum of their data."""

    dataset: "SampleDataset[SampleT]" = field(repr=False, compare=False)
    name: str
    sha256: str
    samples: tuple[SampleT, ...]
    #: reason -> number of rows that were left out, and reason -> number of rows that were corrected
    left_out: Mapping[str, int] = field(default_factory=dict)
    mended: Mapping[str, int] = field(default_factory=dict)
    #: number of duplicate rows in the user's own file, and all of its rows, if duplicates were dropped
    duplicates: int = 0
    every: tuple[SampleT, ...] = ()

    @property
    def in_file_order(self) -> tuple[SampleT, ...]:
        """The samples to which a file of translations is aligned, including duplicates."""
        return self.every or self.samples

    @property
    def identity(self) -> dict[str, Any]:
        """The data's entry in a run's record."""
        return data_identity(self.name, self.sha256, len(self.samples), self.duplicates)

    def limited(self, limit: int | None) -> Self:
        """Return the samples that `--limit` chooses; if it drops any, the limit becomes part of the name."""
        if limit is None:
            return self
        parts: dict[Hashable, list[SampleT]] = {}
        for sample in self.samples:
            parts.setdefault(self.dataset.limit_per(sample), []).append(sample)
        kept = tuple(s for part in parts.values() for s in self.dataset.choose(part, min(limit, len(part))))
        if len(kept) == len(self.samples):
            return self
        return replace(self, name=f"{self.name}:{limit}", samples=kept, every=())


@dataclass(frozen=True)
class OwnRow:
    """A row of a user's own file; the methods that check a cell raise a UserError that names the line."""

    where: str
    line: int
    cells: Row

    def text(self, column: str) -> str:
        """Return a cell without the spaces around it; empty if the row has no such cell."""
        return (self.cells.get(column) or "").strip()

    def filled(self, column: str, label: str | None = None) -> str:
        """Return the text of a cell that must not be empty."""
        if text := self.text(column):
            return text
        raise self.error(f"{label or f'the {column}'} is empty; fill it in or remove the row")

    def one_of(
        self, column: str, choices: Sequence[ChoiceT], otherwise: ChoiceT | None = None, allowed: str = ""
    ) -> ChoiceT:
        """Return which of the choices a cell contains, or `otherwise` if it is empty; `allowed` lists the choices."""
        text = self.text(column)
        choice = next((choice for choice in choices if choice == text.lower()), None if text else otherwise)
        if choice is None:
            names: list[str] = [*choices] if otherwise is None else [*choices, "empty"]
            allowed = allowed or f"{', '.join(names[:-1])} or {names[-1]}"
            raise self.error(f"the {column} is '{text[:40]}'; it must be {allowed}")
        return choice

    def error(self, problem: str) -> UserError:
        """Return the error for a problem with this row."""
        return UserError(f"{self.where}: {problem}.")


@dataclass(frozen=True)
class OwnTable:
    """The opened starter set or file of a user."""

    name: str
    where: str
    sha256: str
    table: Table

    def __iter__(self) -> Iterator[OwnRow]:
        return (OwnRow(f"{self.where}, line {line}", line, row) for line, row in self.table)


@dataclass(frozen=True)
class SampleDataset(Generic[SampleT]):
    """A declaration of the data of one measure or of a family of measures."""

    #: required columns of a user's own file, a note about others, and what a row is called in messages
    columns: Sequence[str] = ()
    note: str = ""
    noun: str = "samples"
    what: str = "data file"
    #: the built-in starter set, a file in this package
    starter: str | None = None
    #: rows with the same value are duplicates
    same: Callable[[Any], Hashable] = lambda row: row
    #: chooses at most so many samples of a part; `limit_per` names the part, such as the language
    choose: Callable[[Sequence[SampleT], int], Iterable[SampleT]] = evenly
    limit_per: Callable[[SampleT], Hashable] = lambda sample: None

    def loaded(self, name: str, sha256: str, samples: Iterable[SampleT], **more: Any) -> SampleSet[SampleT]:
        """Return a set of samples of this dataset."""
        return SampleSet(self, name, sha256, tuple(samples), **more)

    def opened(self, data: str) -> OwnTable:
        """Open the starter set or a user's own CSV or TSV file, and check its header."""
        if data == STARTER and self.starter is not None:
            return self.table(resource(self.starter), STARTER, "the starter set")
        delimiter = "\t" if Path(data).suffix == ".tsv" else ","
        return self.table(own_file(data, self.what), Path(data).name, f"'{data}'", delimiter)

    def table(self, content: bytes, name: str, where: str, delimiter: str = ",") -> OwnTable:
        """Open a table with the columns of this dataset."""
        rows = Table(lines_of(content, where), where, delimiter)
        rows.need(self.columns, f"it needs {self.note or ','.join(self.columns)}")
        return OwnTable(name, where, hashlib.sha256(content).hexdigest(), rows)

    def own(
        self,
        file: OwnTable,
        rows: Iterable[Any],
        keep_duplicates: bool = False,
        build: Callable[[Any], Iterable[SampleT]] = lambda rows: rows,
        missing: str | None = None,
    ) -> SampleSet[SampleT]:
        """Return the samples of an opened file, which are `build` from its rows without the duplicates.

        `missing` says what the file lacks if there are no rows.
        """
        every = tuple(rows)
        if not every:
            usual = f"has no {self.noun} below its header; add rows with {','.join(self.columns)}"
            raise UserError(f"{file.where} {missing or usual}.")
        once, duplicates = without_repetitions(every, self.same)
        if keep_duplicates or not duplicates:
            return self.loaded(file.name, file.sha256, build(every), duplicates=duplicates)
        samples = build(once)
        return self.loaded(file.name, file.sha256, samples, duplicates=duplicates, every=tuple(build(every)))


def data_identity(name: str, sha256: str, samples: int, duplicates: int = 0) -> dict[str, Any]:
    """Return the entry of data in a run's record, with the number of duplicates if there are any."""
    entry = {"name": name, "sha256": sha256, "samples": samples}
    return entry | ({"duplicates": duplicates} if duplicates else {})


def single_spaced(text: str) -> str:
    """Return a text with single spaces between its words."""
    return " ".join(text.split())


def resource(path: str) -> bytes:
    """Return the content of a file of this package."""
    return files("genderscope.samples").joinpath(path).read_bytes()


def resource_rows(path: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file of this package."""
    return list(csv.DictReader(io.StringIO(resource(path).decode("utf-8"), newline="")))
