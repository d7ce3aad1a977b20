"""Records in translation files: CSV, TSV and JSONL give the source text or its number, TMX the source text."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, delimiter_of

#: formats with one record per translation, by file suffix
JSON_LINES = {"jsonl", "ndjson"}
TABLES = {"csv": ",", "tsv": "\t"}

SOURCE = ("source", "from", "original")
TRANSLATION = ("translation", "to", "target")
NUMBER = ("id",)


@dataclass(frozen=True, slots=True)
class Record:
    """A translation, its line number, and its source text or, failing that, the source's 1-based number."""

    line: int
    translation: str | None
    source: str | None = None
    number: int | None = None


def records_of(lines: Iterable[str], suffix: str, where: str, known: Callable[[str], bool]) -> Iterator[Record]:
    """Yield a file's records; `known` returns whether a text is one of the sources."""
    if suffix in JSON_LINES:
        return _json(lines, where)
    lines = iter(lines)
    header = next(lines, "")
    all_lines = chain([header], lines)
    if delimiter_of(header, TABLES[suffix], where) == "\t":
        return _tabs(all_lines, where, known)
    return _csv(all_lines, where, TABLES[suffix])


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
                f"{where}, line {line}: expected a JSON object with source (or id) and translation as strings."
            ) from None
        yield Record(line, translation, source, number)


def _csv(lines: Iterable[str], where: str, delimiter: str) -> Iterator[Record]:
    table = Table(lines, where, delimiter)
    by_source = _columns(table.columns, table)
    for line, row in table:
        yield _record(line, row, by_source, where)


def _tabs(lines: Iterable[str], where: str, known: Callable[[str], bool]) -> Iterator[Record]:
    """Yield the records of a TSV file, one per line.

    Quotation marks are part of the text unless they enclose a cell, as written by spreadsheets: with CSV parsing, a
    stray mark would swallow all lines up to the next mark. A file has no header if its first line contains a source.
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
    """Return whether translations are identified by source rather than by number; raise if neither column exists."""
    by_source = bool(set(SOURCE) & set(columns))
    if not by_source and not set(NUMBER) & set(columns):
        table.need(SOURCE[:1], "it needs the columns source and translation, or id and translation")
    if not set(TRANSLATION) & set(columns):
        table.need(TRANSLATION[:1], "it needs the columns source and translation, or id and translation")
    return by_source


def _record(line: int, row: dict[str, str | None], by_source: bool, where: str) -> Record:
    translation = row[_name(row, TRANSLATION)]  # None if the line is too short
    if by_source:
        return Record(line, translation, row[_name(row, SOURCE)] or "")
    try:
        return Record(line, translation, number=_number((row["id"] or "").strip()))
    except ValueError:
        raise UserError(
            f"{where}, line {line}: the id is '{(row['id'] or '')[:40]}'; it must be a source number, counted from 1."
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
    """Strip enclosing quotation marks from a cell if all quotation marks inside are doubled."""
    if len(cell) < 2 or cell[0] != '"' or cell[-1] != '"' or '"' in cell[1:-1].replace('""', ""):
        return cell
    return next(csv.reader([cell], delimiter="\t"))[0]
