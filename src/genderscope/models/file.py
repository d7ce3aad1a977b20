"""Translations that exist already: `file:PATH`, with {lang} in the path where there is a file for each language."""

import csv
import gzip
import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from genderscope.errors import UserError
from genderscope.models.translator import Translator

SOURCE = ("source", "from", "original")
TRANSLATION = ("translation", "to", "target")


def open_file(reference: str, _settings: Any) -> "FileTranslator":
    """Open a file: CSV, TSV or JSONL with source and translation, or plain lines in the order of the data."""
    return FileTranslator(reference)


class FileTranslator(Translator):
    """Looks translations up by their source; apostrophes are taken alike."""

    kind = "file of translations"

    def __init__(self, reference: str) -> None:
        # A file a language is named after its folder too: systems often have a folder each.
        parts = Path(reference).parts[-2 if "{lang}" in reference else -1 :]
        super().__init__("/".join(parts))
        self.reference = reference
        self._expected: tuple[str, ...] = ()
        self._reports: dict[str, str] = {}
        self._table = cache(self._read)
        if "{lang}" not in reference:
            self._content("")  # a file that is not there is said so at once

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(f"{self.kind}|{self.reference}|{self._stamp()}".encode()).hexdigest()[:12]

    def _stamp(self) -> str:
        pattern = Path(self.reference.replace("{lang}", "*")).expanduser()
        digest = hashlib.sha256()
        for path in sorted(pattern.parent.glob(pattern.name)):
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint, "path": self.reference}

    def expect(self, texts: Sequence[str]) -> None:
        self._expected = tuple(texts)

    def check(self, source: str, target: str) -> None:
        self._table(target)

    def cautions(self) -> list[str]:
        return list(self._reports.values())

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        table = self._table(target)
        return [table.get(normalised(text)) for text in texts]

    def _read(self, language: str) -> dict[str, str]:
        path = self._path(language)
        text = self._content(language)
        suffix = "".join(path.suffixes).removesuffix(".gz").rsplit(".", 1)[-1].lower()
        if suffix in {"csv", "tsv", "jsonl"}:
            return self._keyed(_records(text, suffix, path), path, language)
        lines = text.removesuffix("\n").split("\n")
        if len(lines) != len(self._expected):
            where = min(len(lines), len(self._expected)) + 1
            raise UserError(
                f"'{path}' has {len(lines):,} lines where {len(self._expected):,} translations are expected, in the "
                f"order of the data; the first without its counterpart is line {where:,}."
            )
        return dict(zip(map(normalised, self._expected), lines, strict=True))

    def _keyed(self, records: Iterable[tuple[int, str, str]], path: Path, language: str) -> dict[str, str]:
        """Index translations by source, the last where there are several; note what is missing, doubled or extra."""
        table: dict[str, str] = {}
        doubled = 0
        for _, source, translation in records:
            key = normalised(source)
            doubled += table.get(key, translation) != translation
            table[key] = translation
        wanted = set(map(normalised, self._expected))
        missing, extra = len(wanted - table.keys()), len(table.keys() - wanted)
        if wanted and missing == len(wanted):
            raise UserError(f"'{path}' holds none of the {len(wanted):,} sources; is it a translation of another set?")
        counts = (
            (missing, "missing"),
            (doubled, "doubled with another translation (the last is used)"),
            (extra, "not asked for"),
        )
        if (missing or doubled) and wanted:
            told = ", ".join(f"{count:,} {what}" for count, what in counts if count)
            self._reports[language] = f"'{path.name}': of its sources {told}."
        return table

    def _path(self, language: str) -> Path:
        return Path(self.reference.replace("{lang}", language)).expanduser()

    def _content(self, language: str) -> str:
        path = self._path(language)
        try:
            content = path.read_bytes()
            if path.suffix == ".gz":
                content = gzip.decompress(content)
        except OSError as error:
            raise UserError(f"The translations '{path}' cannot be read: {error.strerror or error}.") from None
        try:
            return content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise UserError(f"'{path}', line {line}: the text is not UTF-8; save the file as UTF-8.") from None


def normalised(text: str) -> str:
    """Take the two apostrophes and stray spaces alike: released translations and samples differ in them."""
    return " ".join(text.replace("’", "'").split())


def _records(text: str, suffix: str, path: Path) -> Iterable[tuple[int, str, str]]:
    """Yield line number, source and translation."""
    if suffix == "jsonl":
        for number, line in enumerate(text.splitlines(), 1):
            try:
                record = json.loads(line)
                yield number, str(_named(record, SOURCE)), str(_named(record, TRANSLATION))
            except (ValueError, KeyError, AttributeError):
                raise UserError(f"'{path}', line {number}: not a JSON object with source and translation.") from None
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if suffix == "tsv" else ",")
    for names in (SOURCE, TRANSLATION):
        if not set(names) & set(reader.fieldnames or ()):
            have = ", ".join(reader.fieldnames or ()) or "none"
            raise UserError(f"'{path}' has no column {names[0]} (its columns: {have}); it needs source,translation.")
    for row in reader:
        yield reader.line_num, _named(row, SOURCE) or "", _named(row, TRANSLATION) or ""


def _named(record: Any, names: Sequence[str]) -> Any:
    return record[next((name for name in names if name in record), names[0])]
