"""Readers for CSV and TSV files that validate the header and limit file and line sizes.

Unusable content raises a UserError that describes the problem in one sentence.
"""

import csv
import errno
import gzip
import io
import logging
import os
import re
import stat
import zlib
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from genderscope.core.errors import UserError, did_you_mean

T = TypeVar("T")
Row = dict[str, str | None]

LONGEST_LINE = 10_000_000
#: size limit for files read into memory, in bytes after decompression; a million samples take a fifth of that
LARGEST_FILE = 1_000_000_000
#: size limit for files streamed line by line
LARGEST_STREAM = 20 * LARGEST_FILE
_BLOCK = 1 << 20
#: extensions that distinguish data files from names of built-in data
_TABLES = (".csv", ".tsv", ".jsonl", ".txt")
#: column separators and their names
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes"}
_COLUMN = re.compile(r"\w[\w -]{0,40}")
_log = logging.getLogger("genderscope")
#: errors in writing output (a closed pipe, a full disk) that may occur while a file is open for reading
_WRITING = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def require_data_file(data: str, names: Collection[str]) -> None:
    """Raise UserError if a data file does not exist, suggesting the closest of the `names` of built-in data.

    Text that looks neither like a file nor like one of the names is left to the loader.
    """
    suggestion = did_you_mean(data, names)
    is_file = data.lower().removesuffix(".gz").endswith(_TABLES) and "{" not in data
    if data in names or not (is_file or suggestion):
        return
    with suppress(ValueError, RuntimeError, PermissionError):  # the loader reports these errors
        if not Path(data).expanduser().exists():
            raise UserError(f"The data file '{data}' cannot be read: No such file or directory.{suggestion}")


def own_file(path: str, what: str, largest: int | None = None) -> bytes:
    """Read a user-supplied file into memory; a `.gz` file is decompressed."""
    with opened(path, what) as file:
        return _whole(file, f"'{path}'", largest or LARGEST_FILE)


@contextmanager
def opened(path: Path | str, what: str, once: bool = False) -> Iterator[BinaryIO]:
    """Open a regular file, decompressing `.gz`; accept a pipe only if it is read `once`, and never a device."""
    with _opened(path, what, once) as plain:
        try:
            if Path(path).suffix == ".gz":
                with gzip.open(plain) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield plain
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise UserError(f"The {what} '{path}' cannot be read: it is not a complete gzip file.") from None
        except OSError as error:
            if error.errno in _WRITING:
                raise
            raise UserError(f"The {what} '{path}' cannot be read: {error.strerror or error}.") from None


def _opened(path: Path | str, what: str, once: bool) -> BinaryIO:
    try:
        # Opening a pipe without a writer would block forever, so do not block if pipes are rejected anyway.
        flags = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | (0 if once else getattr(os, "O_NONBLOCK", 0))
        number = os.open(Path(path).expanduser(), flags)
    except OSError as error:
        raise UserError(f"The {what} '{path}' cannot be read: {error.strerror or error}.") from None
    except (ValueError, RuntimeError):  # a NUL in the name, or an unknown user's home
        raise UserError(f"The {what} {str(path)!r} cannot be read: that is not a valid file name.") from None
    form = stat.S_IFMT(os.fstat(number).st_mode)
    if (kind := _KINDS.get(form)) is not None and not (once and form == stat.S_IFIFO):
        os.close(number)
        raise UserError(f"The {what} '{path}' cannot be read: it is {kind}; give a file.")
    return open(number, "rb")  # noqa: PTH123 - wraps a descriptor; the caller closes it


_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe, which can be read only once",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _whole(file: BinaryIO, where: str, largest: int) -> bytes:
    """Read a whole file; stop as soon as the file or one of its lines exceeds the size limit."""
    content = bytearray()
    line = 0  # offset of the last line
    while block := file.read(_BLOCK):
        before = len(content)
        content += block
        first = content.find(b"\n", before)
        if (first if first >= 0 else len(content)) - line > LONGEST_LINE:
            raise _too_long(where, content.count(b"\n", 0, line) + 1)
        line = max(line, content.rfind(b"\n", before) + 1)
        if len(content) > largest:
            raise _too_large(where, largest)
    return bytes(content)


def _too_long(where: str, line: int) -> UserError:
    return UserError(f"{where}, line {line}: the line is longer than {LONGEST_LINE:,} bytes; is this a text file?")


def _too_large(where: str, limit: int) -> UserError:
    return UserError(f"{where} contains more than {limit:,} bytes; split it.")


def require_bounded(path: Path) -> None:
    """Raise UserError for a file that exceeds the size limit, before it is processed."""
    if path.stat().st_size > LARGEST_STREAM:
        raise _too_large(f"'{path}'", LARGEST_STREAM)


def decoded(content: bytes, where: str) -> str:
    """Decode a file's content; raise UserError if it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UserError(f"{where}, line {line}: the text is not UTF-8; save the file as UTF-8.") from None


def lines_of(content: bytes, where: str) -> Iterable[str]:
    """Return a file's lines, decoded lazily, so that a large file is not in memory twice."""
    decoded(content, where)
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="")


def own_text(path: Path | str, what: str, largest: int | None = None) -> str:
    """Read a user-supplied text file, gzipped or not."""
    return decoded(own_file(str(path), what, largest), f"'{path}'")


@contextmanager
def opened_lines(path: Path, what: str, once: bool = False) -> Iterator[Iterator[str]]:
    """Open a file, gzipped or not, and stream its lines, so that large files and zip bombs cannot exhaust memory."""
    with opened(path, what, once) as file:
        yield lines_in(file, f"'{path}'")


def lines_in(file: BinaryIO, where: str) -> Iterator[str]:
    """Yield the lines of an open file with their line endings; only a line feed ends a line."""
    number = size = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        size += len(line)
        if len(line) > LONGEST_LINE:
            raise _too_long(where, number)
        if size > LARGEST_STREAM:
            raise _too_large(where, LARGEST_STREAM)
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise UserError(f"{where}, line {number}: the text is not UTF-8; save the file as UTF-8.") from None


class Table:
    """The rows of a CSV or TSV file, parsed lazily."""

    def __init__(self, lines: Iterable[str], where: str, delimiter: str = ",") -> None:
        self.where = where
        lines = iter(lines)
        self._header = next(lines, "")
        self._delimiter = delimiter_of(self._header, delimiter, where)
        self._reader = csv.DictReader(chain([self._header], lines), delimiter=self._delimiter)
        try:
            self.columns = list(self._reader.fieldnames or ())
        except csv.Error as error:
            raise self._unreadable(error) from None

    def need(self, columns: Sequence[str], note: str) -> None:
        """Raise UserError if columns are missing; `note` states the requirement."""
        if missing := [column for column in columns if column not in self.columns]:
            have = ", ".join(self.columns) or "none"
            used = [name for mark, name in DELIMITERS.items() if mark in self._header and mark != self._delimiter]
            if used:
                marks = f"its header contains {' and '.join(used)}"
                note = f"{marks}, so separate the columns by {DELIMITERS[self._delimiter]} only; {note}"
            raise UserError(f"{self.where} has no column {' or '.join(missing)} (its columns: {have}); {note}.")

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        """Yield line numbers and rows; cells missing from a short line are None."""
        try:
            for row in self._reader:
                yield self._reader.line_num, row
        except csv.Error as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: csv.Error) -> UserError:
        return UserError(f"{self.where}, line {self._reader.line_num + 1}: the table cannot be parsed ({error}).")


def delimiter_of(header: str, expected: str, where: str) -> str:
    """Return the expected delimiter, unless exactly one other delimiter separates the column names in the header."""
    used = [mark for mark in DELIMITERS if mark in header]
    if len(used) != 1 or used == [expected]:
        return expected
    try:
        names = next(csv.reader([header], delimiter=used[0]))
    except csv.Error:
        return expected
    if not 1 < len(names) == len(set(names)) or not all(map(_COLUMN.fullmatch, names)):
        return expected
    _log.info("%s has %s instead of %s between its columns.", where, DELIMITERS[used[0]], DELIMITERS[expected])
    return used[0]


def without_repetitions(rows: Iterable[T], key: Callable[[T], Hashable]) -> tuple[list[T], int]:
    """Remove duplicates, keeping the first occurrence; return the rows and the number of duplicates."""
    kept: dict[Hashable, T] = {}
    total = 0
    for row in rows:
        kept.setdefault(key(row), row)
        total += 1
    return list(kept.values()), total - len(kept)


def records(content: bytes, columns: Sequence[str], where: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line numbers and records with these columns; raise UserError if a column is missing."""
    text = decoded(content, where)
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = Table(io.StringIO(text, newline=""), where, delimiter)
    rows.need(columns, f"it needs {', '.join(columns)}")
    for number, row in rows:
        yield number, {column: row[column] or "" for column in columns}
