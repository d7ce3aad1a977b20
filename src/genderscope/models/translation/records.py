"""Files that name what each translation is of: CSV, TSV, JSONL by source or by number, TMX by source."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from genderscope.errors import UserError
from genderscope.tables import Table

#: formats with a record for each translation, by how the file's name ends
JSON_LINES = {"jsonl", "ndjson"}
TABLES = {"csv": ",", "tsv": "\t"}

SOURCE = ("source", "from", "original")
TRANSLATION = ("translation", "to", "target")
NUMBER = ("id",)


@dataclass(frozen=True, slots=True)
class Record:
    """A translation, the line it stands in, and its source, or where that is not given its number from 1."""

    line: int
    translation: str | None
    source: str | None = None
    number: int | None = None


def records_of(lines: Iterable[str], suffix: str, where: str, known: Callable[[str], bool]) -> Iterator[Record]:
    """Yield the records of a file; `known` tells whether a text is one of the sources."""
    if suffix in JSON_LINES:
        return _json(lines, where)
    return _table(lines, TABLES[suffix], where, known)


def _json(lines: Iterable[str], where: str) -> Iterator[Record]:
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
            translation = record[_name(record, TRANSLATION)]
            source = record.get(_name(record, SOURCE))
            number = None if source is not None else _number(record["id"])
            if not isinstance(translation, str | None) or not isinstance(source, str | None):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise UserError(
                f"{where}, line {line}: not a JSON object with source and translation, or id and translation, as texts."
            ) from None
        yield Record(line, translation, source, number)


def _table(lines: Iterable[str], delimiter: str, where: str, known: Callable[[str], bool]) -> Iterator[Record]:
    if delimiter == "\t":
        yield from _tabs(lines, where, known)
        return
    table = Table(lines, where, delimiter)
    by_source = _columns(table.columns, table)
    for line, row in table:
        yield _record(line, row, by_source, where)


def _tabs(lines: Iterable[str], where: str, known: Callable[[str], bool]) -> Iterator[Record]:
    """Yield the records of a TSV file, a line each.

    Quotation marks belong to the text, unless they enclose a cell as spreadsheets write it: read as CSV, a stray one
    would swallow the lines up to the next. A file without a header is one whose first line holds a source.
    """
    columns: list[str] | None = None
    by_source = True
    for line, text in enumerate(lines, 1):
        cells = [_unquoted(cell) for cell in text.removesuffix("\n").removesuffix("\r").split("\t")]
        if columns is None:
            if len(cells) == 2 and known(cells[0]):
                columns = [SOURCE[0], TRANSLATION[0]]
            else:
                columns = cells
                by_source = _columns(columns, Table([text], where, "\t"))
                continue
        if not any(cells):
            continue
        if len(cells) != len(columns):
            raise UserError(
                f"{where}, line {line}: expected {len(columns)} columns, as in the first line, but found {len(cells)}."
            )
        yield _record(line, dict(zip(columns, cells, strict=True)), by_source, where)


def _columns(columns: Sequence[str], table: Table) -> bool:
    """Return whether translations are named by their sources, or by their numbers; refuse a table with neither."""
    by_source = bool(set(SOURCE) & set(columns))
    if not by_source and not set(NUMBER) & set(columns):
        table.need(SOURCE[:1], "it needs source,translation or id,translation")
    if not set(TRANSLATION) & set(columns):
        table.need(TRANSLATION[:1], "it needs source,translation or id,translation")
    return by_source


def _record(line: int, row: dict[str, str | None], by_source: bool, where: str) -> Record:
    translation = row[_name(row, TRANSLATION)]  # None where the line is too short
    if by_source:
        return Record(line, translation, row[_name(row, SOURCE)] or "")
    try:
        return Record(line, translation, number=_number((row["id"] or "").strip()))
    except ValueError:
        raise UserError(
            f"{where}, line {line}: the id is '{(row['id'] or '')[:40]}'; it must be the number of a source, from 1."
        ) from None


def _number(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 12:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(value)


def _name(record: Any, names: Sequence[str]) -> str:
    return next((name for name in names if name in record), names[0])


def _unquoted(cell: str) -> str:
    """Take off the quotation marks that enclose a cell, if those inside are doubled."""
    if len(cell) < 2 or cell[0] != '"' or cell[-1] != '"' or '"' in cell[1:-1].replace('""', ""):
        return cell
    return next(csv.reader([cell], delimiter="\t"))[0]
