"""Reads tables of text that come from files: CSV or TSV, with their header checked.

Whatever a file holds, it gives rows or one sentence on what is wrong with it.
"""

import csv
import gzip
import io
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from genderscope.errors import UserError

T = TypeVar("T")
Row = dict[str, str | None]

LONGEST_LINE = 10_000_000


def own_file(path: str, what: str) -> bytes:
    """Read a file that the user named."""
    try:
        return Path(path).expanduser().read_bytes()
    except OSError as error:
        raise UserError(f"The {what} '{path}' cannot be read: {error.strerror}.") from None
    except (ValueError, RuntimeError):  # a NUL in the name, or the home of nobody
        raise UserError(f"The {what} {path!r} cannot be read: that is no name of a file.") from None


def decoded(content: bytes, where: str) -> str:
    """Return the text of a file; one that is not UTF-8 is the user's to mend."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UserError(f"{where}, line {line}: the text is not UTF-8; save the file as UTF-8.") from None


def lines_of(content: bytes, where: str) -> Iterable[str]:
    """Return the lines of a file, decoded as they are read, so that a large file is not held twice."""
    decoded(content, where)
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="")


@contextmanager
def opened_lines(path: Path, what: str) -> Iterator[Iterator[str]]:
    """Open a file, gzipped or not, and yield its lines one by one: neither a large file nor a bomb fills the memory."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield _lines(file, f"'{path}'")
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise UserError(f"The {what} '{path}' cannot be read: not a whole gzip file.") from None
    except OSError as error:
        raise UserError(f"The {what} '{path}' cannot be read: {error.strerror or error}.") from None


def _lines(file: BinaryIO | gzip.GzipFile, where: str) -> Iterator[str]:
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise UserError(f"{where}, line {number}: the line is longer than {LONGEST_LINE:,} bytes; is it text?")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise UserError(f"{where}, line {number}: the text is not UTF-8; save the file as UTF-8.") from None


class Table:
    """The rows of a CSV or TSV text, read one by one."""

    def __init__(self, lines: Iterable[str], where: str, delimiter: str = ",") -> None:
        self.where = where
        self._reader = csv.DictReader(lines, delimiter=delimiter)
        try:
            self.columns = list(self._reader.fieldnames or ())
        except csv.Error as error:
            raise self._unreadable(error) from None

    def need(self, columns: Sequence[str], note: str) -> None:
        """Complain of columns that are missing; `note` says what the file needs."""
        if missing := [column for column in columns if column not in self.columns]:
            have = ", ".join(self.columns) or "none"
            raise UserError(f"{self.where} has no column {' or '.join(missing)} (its columns: {have}); {note}.")

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        """Yield line number and row; a cell that a short line lacks is None."""
        try:
            for row in self._reader:
                yield self._reader.line_num, row
        except csv.Error as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: csv.Error) -> UserError:
        return UserError(f"{self.where}, line {self._reader.line_num + 1}: this is no readable table ({error}).")


def without_repetitions(rows: Iterable[T], key: Callable[[T], Hashable]) -> tuple[list[T], int]:
    """Return the first of rows that are the same, and how many others there are."""
    kept: dict[Hashable, T] = {}
    total = 0
    for row in rows:
        kept.setdefault(key(row), row)
        total += 1
    return list(kept.values()), total - len(kept)


def records(content: bytes, columns: Sequence[str], where: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and record of every row; a column that is missing is one sentence to the user."""
    text = decoded(content, where)
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = Table(io.StringIO(text, newline=""), where, delimiter)
    rows.need(columns, f"it needs {', '.join(columns)}")
    for number, row in rows:
        yield number, {column: row[column] or "" for column in columns}
