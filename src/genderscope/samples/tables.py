"""Reads tables of text that come from files: CSV or TSV, with their header checked."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from genderscope.errors import UserError


def own_file(path: str, what: str) -> bytes:
    """Read a file that the user named."""
    try:
        return Path(path).expanduser().read_bytes()
    except OSError as error:
        raise UserError(f"The {what} '{path}' cannot be read: {error.strerror}.") from None


def records(content: bytes, columns: Sequence[str], where: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and record of every row; a column that is missing is one sentence to the user."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UserError(f"{where}, line {line}: the text is not UTF-8; save the file as UTF-8.") from None
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    missing = [column for column in columns if column not in (rows.fieldnames or ())]
    if missing:
        have = ", ".join(rows.fieldnames or ()) or "none"
        raise UserError(
            f"{where} has no column {' or '.join(missing)} (its columns: {have}); it needs {', '.join(columns)}."
        )
    for row in rows:
        yield rows.line_num, {column: row[column] or "" for column in columns}
