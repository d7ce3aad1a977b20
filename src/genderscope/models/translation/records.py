"""Records in translation files (CSV, TSV, JSONL, TMX), and their alignment with the source texts of the data."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO
from xml.parsers import expat

from genderscope.core import tables
from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.core.tables import Table, delimiter_of

#: formats with one record per translation, by file suffix
JSON_LINES = {"jsonl", "ndjson"}
TABLES = {"csv": ",", "tsv": "\t"}

SOURCE = ("source", "from", "original")
TRANSLATION = ("translation", "to", "target")
NUMBER = ("id",)


@dataclass(frozen=True, slots=True)
class TranslationRecord:
    """A translation, its line number, and its source text or, failing that, the source's 1-based number."""

    line: int
    translation: str | None
    source: str | None = None
    number: int | None = None


def records_of(
    lines: Iterable[str], suffix: str, where: str, is_source: Callable[[str], bool]
) -> Iterator[TranslationRecord]:
    """Yield a file's records; `is_source` returns whether a text is one of the sources."""
    if suffix in JSON_LINES:
        return _json(lines, where)
    lines = iter(lines)
    header = next(lines, "")
    all_lines = chain([header], lines)
    if delimiter_of(header, TABLES[suffix], where) == "\t":
        return _tabs(all_lines, where, is_source)
    return _csv(all_lines, where, TABLES[suffix])


def _json(lines: Iterable[str], where: str) -> Iterator[TranslationRecord]:
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
        yield TranslationRecord(line, translation, source, number)


def _csv(lines: Iterable[str], where: str, delimiter: str) -> Iterator[TranslationRecord]:
    table = Table(lines, where, delimiter)
    by_source = _columns(table.columns, table)
    for line, row in table:
        yield _record(line, row, by_source, where)


def _tabs(lines: Iterable[str], where: str, is_source: Callable[[str], bool]) -> Iterator[TranslationRecord]:
    """Yield the records of a TSV file, one per line.

    Quotation marks are part of the text unless they enclose a cell, as written by spreadsheets: with CSV parsing, a
    stray mark would swallow all lines up to the next mark. A file has no header if its first line contains a source.
    """
    columns: list[str] | None = None
    by_source = True
    for line, text in enumerate(lines, 1):
        cells = [_unquoted(cell) for cell in text.removesuffix("\n").removesuffix("\r").split("\t")]
        if columns is None:
            if len(cells) == 2 and is_source(cells[0]):
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


def _record(line: int, row: dict[str, str | None], by_source: bool, where: str) -> TranslationRecord:
    translation = row[_name(row, TRANSLATION)]  # None if the line is too short
    if by_source:
        return TranslationRecord(line, translation, row[_name(row, SOURCE)] or "")
    try:
        return TranslationRecord(line, translation, number=_number((row["id"] or "").strip()))
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


_BLOCK = 1 << 16
#: maximum nesting depth; real files stay far below it
_DEEPEST = 64
#: maximum number of languages to list in a message
_TOLD = 40
#: elements containing a CAT tool's inline codes rather than text
_CODES = {"bpt", "ept", "it", "ph", "ut", "sub"}
_THREE = {language.iso3: code for code, language in LANGUAGES.items()}


def tmx_units(file: BinaryIO, where: str, source: str, target: str) -> Iterator[TranslationRecord]:
    """Yield the units with both languages; if there are none, raise and list the file's languages."""
    parser = _Parser(where, source, target)
    size = 0
    while block := file.read(_BLOCK):
        size += len(block)
        if size > tables.LARGEST_STREAM:
            raise UserError(f"{where} contains more than {tables.LARGEST_STREAM:,} bytes; split it into smaller files.")
        yield from parser.feed(block)
    yield from parser.close()


class _Parser:
    """Parser that collects the segments of one unit at a time."""

    def __init__(self, where: str, source: str, target: str) -> None:
        self.where, self.source, self.target = where, source, target
        self.units: list[TranslationRecord] = []
        self.languages: set[str] = set()
        self.pairs = self.depth = self.codes = self.line = self.fed = 0
        self.language = ""
        self.segments: dict[str, str] = {}
        self.text: list[str] | None = None
        self.length = 0
        self.xml = expat.ParserCreate()
        self.xml.buffer_text = True
        self.xml.StartElementHandler = self._start
        self.xml.EndElementHandler = self._end
        self.xml.CharacterDataHandler = self._characters
        self.xml.EntityDeclHandler = self._refused
        self.xml.SkippedEntityHandler = self._refused
        self.xml.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def feed(self, block: bytes, last: bool = False) -> list[TranslationRecord]:
        """Return the units that end in this block."""
        try:
            self.xml.Parse(block, last)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, "") or str(error)
            raise self._wrong(f"not well-formed XML ({reason})", error.lineno) from None
        self.fed += len(block)
        # expat buffers a comment or tag until it ends; one that never ends would exhaust memory.
        if self.fed - self.xml.CurrentByteIndex > tables.LONGEST_LINE + _BLOCK:
            raise self._wrong(f"a tag or comment is longer than {tables.LONGEST_LINE:,} bytes")
        units, self.units = self.units, []
        return units

    def close(self) -> list[TranslationRecord]:
        """Finish parsing; raise if no unit has both languages."""
        units = self.feed(b"", last=True)
        if not self.pairs:
            there = ", ".join(sorted(self.languages)) or "none"
            raise UserError(
                f"{self.where} contains no unit with '{self.source}' and '{self.target}' (its languages: {there}); "
                "use a translation memory for that pair."
            )
        return units

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth == 1 and name != "tmx":
            raise self._wrong(f"not a TMX file: it begins with <{name[:40]}>")
        if self.depth > _DEEPEST:
            raise self._wrong("its elements are nested too deeply")
        if name == "tu":
            self.line, self.segments = self.xml.CurrentLineNumber, {}
        elif name == "tuv":
            self.language = _code(attributes.get("xml:lang") or attributes.get("lang") or "")
            if len(self.languages) < _TOLD:
                self.languages.add(self.language or "unnamed")
        elif name == "seg":
            self.text, self.length = [], 0
        elif name in _CODES:
            self.codes += 1

    def _end(self, name: str) -> None:
        self.depth -= 1
        if name in _CODES:
            self.codes -= 1
        elif name == "seg" and self.text is not None:
            self.segments.setdefault(self.language, "".join(self.text))
            self.text = None
        elif name == "tu" and self.source in self.segments and self.target in self.segments:
            self.pairs += 1
            translation = " ".join(self.segments[self.target].split("\n"))
            self.units.append(TranslationRecord(self.line, translation, self.segments[self.source]))

    def _characters(self, text: str) -> None:
        if self.text is not None and not self.codes:
            self.length += len(text)
            if self.length > tables.LONGEST_LINE:
                raise self._wrong(f"a segment has more than {tables.LONGEST_LINE:,} characters")
            self.text.append(text)

    def _refused(self, name: str, *_: object) -> None:
        raise self._wrong(f"the entity '{name[:40]}' is not supported; replace it with its text")

    def _wrong(self, what: str, line: int | None = None) -> UserError:
        return UserError(f"{self.where}, line {line or self.xml.CurrentLineNumber}: {what}.")


def _code(name: str) -> str:
    """Return a language's two-letter code without region or script: es for es-ES, ES and spa."""
    base = name.strip().replace("_", "-").partition("-")[0].lower()
    return _THREE.get(base, base)[:12]


@dataclass
class _Counted:
    """Number of records of one kind, and the line of the first."""

    count: int = 0
    first: int = 0

    def add(self, line: int) -> None:
        """Count a record."""
        self.first = self.first or line
        self.count += 1


class SourceAlignment:
    """Matches a file's records with the data's source texts; surplus records are only counted, to save memory."""

    def __init__(self, path: Path, expected: Sequence[str]) -> None:
        self.path = path
        self.expected = expected
        self._table: dict[str, str | None] = dict.fromkeys(map(normalised, expected))
        #: whether translations were given by number
        self.numbered = False
        self.report: str | None = None

    def knows(self, text: str) -> bool:
        """Return whether a text is one of the sources."""
        return normalised(text) in self._table

    def by_record(self, records: Iterable[TranslationRecord]) -> dict[str, str]:
        """Return the translations by normalised source, or by exact source if records are numbered."""
        repeated, surplus = _Counted(), _Counted()
        lines: dict[int, int] = {}
        for record in records:
            if record.source is None:
                self._number(record, lines)
                continue
            key = normalised(record.source)
            if self.expected and key not in self._table:
                surplus.add(record.line)
            elif record.translation is not None:
                if self._table.get(key) not in (None, record.translation):
                    repeated.add(record.line)
                self._table[key] = record.translation
        translations = {key: translation for key, translation in self._table.items() if translation is not None}
        if self.expected:
            self._tell(translations, repeated, surplus)
        return translations

    def _number(self, record: TranslationRecord, lines: dict[int, int]) -> None:
        """Store a translation given by its source's number."""
        if not self.numbered:
            self.numbered, self._table = True, dict.fromkeys(self.expected)
        number = record.number or 0
        if not 1 <= number <= len(self.expected):
            raise UserError(
                f"'{self.path}', line {record.line}: there is no source {number:,}; ids run from 1 to "
                f"{len(self.expected):,}, in the order of the data."
            )
        if number in lines:
            raise UserError(f"'{self.path}', line {record.line}: id {number:,} is already in line {lines[number]:,}.")
        lines[number] = record.line
        self._table[self.expected[number - 1]] = record.translation

    def _tell(self, translations: dict[str, str], repeated: _Counted, surplus: _Counted) -> None:
        wanted = len(self._table)
        if not translations:
            raise UserError(f"'{self.path}' contains none of the {wanted:,} sources; is it for another dataset?")
        key = (lambda text: text) if self.numbered else normalised
        missing = [number for number, text in enumerate(self.expected, 1) if key(text) not in translations]
        counts = (
            (wanted - len(translations), "missing", f"the first is source {missing[0]:,}" if missing else ""),
            (
                repeated.count,
                "repeated with a different translation",
                f"the last is used; the first is on line {repeated.first:,}",
            ),
            (surplus.count, "not needed", f"the first is on line {surplus.first:,}"),
        )
        if any(count for count, _, _ in counts):
            told = ", ".join(f"{count:,} {what} ({where})" for count, what, where in counts if count)
            self.report = f"Sources in '{self.path.name}': {told}."


def normalised(text: str) -> str:
    """Normalise apostrophes, whitespace and the separator between context and sentence, which vary between files."""
    plain = " ".join(text.replace("’", "'").replace("<sep>", " ").split())
    # Return the same object if possible, so that a million texts are kept in memory only once.
    return text if plain == text else plain
