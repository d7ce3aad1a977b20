"""Existing translations: `file:PATH`, with {lang} in the path if there is a file for each language."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from genderscope.errors import UserError
from genderscope.models.base import some_of
from genderscope.models.digest import Contents, contents_of, stamp_of
from genderscope.models.settings import Settings
from genderscope.models.translation.base import Translator
from genderscope.tables import Table, opened_lines, require_bounded

WHAT = "file of translations"

#: formats that name the source of each translation
KEYED = {"csv", "tsv", "jsonl"}

SOURCE = ("source", "from", "original")
TRANSLATION = ("translation", "to", "target")


def open_file(reference: str, settings: Settings) -> "FileTranslator":
    """Open a file: CSV, TSV or JSONL with source and translation, or plain lines in the order of the data."""
    return FileTranslator(reference, settings.rehash)


class FileTranslator(Translator):
    """Looks translations up by their source, ignoring the kind of apostrophe."""

    kind = WHAT
    free = True

    def __init__(self, reference: str, rehash: bool = False, piped: str | None = None) -> None:
        """Read translations from a path; `piped` is the name of piped ones, which were stored in a temporary file."""
        # With one file per language, the name includes the folder: systems often have a folder each.
        parts = Path(reference).parts[-2 if "{lang}" in reference else -1 :]
        super().__init__(piped or "/".join(parts))
        self.reference = reference
        self._piped = piped
        self._rehash = rehash
        self._expected: tuple[str, ...] = ()
        self._reports: dict[str, str] = {}
        self._table = cache(self._read)
        self._fingerprint = cache(self._hashed)  # every question asks for it
        if "{lang}" not in reference:
            with opened_lines(self._path(""), WHAT):  # report a missing file at once
                pass

    @property
    def fingerprint(self) -> str:
        return self._fingerprint()

    def _hashed(self) -> str:
        parts = [self.kind, self._piped or self.reference, self.contents.sha256]
        if self._suffix not in KEYED:  # lines are matched with texts by order alone
            parts += self._expected
        return hashlib.sha256("|".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @cached_property
    def contents(self) -> Contents:
        """All files that may be read, as they are now."""
        files = files_of(self._pattern)
        for path in files:
            require_bounded(path)
        return contents_of(files, self._pattern.parent, self._rehash)

    @property
    def _pattern(self) -> Path:
        try:
            return Path(self.reference).expanduser()
        except RuntimeError:
            raise UserError(f"The {WHAT} '{self.reference}' cannot be read: there is no such home folder.") from None

    @property
    def _suffix(self) -> str:
        return "".join(self._pattern.suffixes).removesuffix(".gz").rsplit(".", 1)[-1].lower()

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "fingerprint": self.fingerprint,
            "path": self._piped or self.reference,
        }

    def expect(self, texts: Sequence[str]) -> None:
        if tuple(texts) != self._expected:
            self._expected = tuple(texts)
            self._table = cache(self._read)  # what was read for other texts is of no use to these
            self._fingerprint = cache(self._hashed)
            self._reports = {}

    def check(self, source: str, target: str) -> None:
        self._table(target)

    def translates(self, source: str, targets: Sequence[str]) -> tuple[str, ...]:
        if "{lang}" not in self.reference:
            raise UserError(f"'{self.reference}' does not tell its language; name it in the measure's option 'to'.")
        return some_of(targets, lambda target: self._path(target).is_file(), self.name, source)

    def cautions(self) -> list[str]:
        return list(self._reports.values())

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        table = self._table(target)
        return [table.get(normalised(text)) for text in texts]

    def _read(self, language: str) -> dict[str, str]:
        path = self._path(language)
        before = stamp_of(path)
        with opened_lines(path, WHAT) as lines:
            if self._suffix in KEYED:
                table = self._keyed(_records(lines, self._suffix, path), path, language)
            else:
                table = self._in_order(lines, path)
        # Hashed when all of it has been read: what is no file of translations may be too large to hash.
        self.contents.require_unchanged(self.name, {path: before})
        return table

    def _in_order(self, lines: Iterable[str], path: Path) -> dict[str, str]:
        table: dict[str, str] = {}
        count = 0
        for count, line in enumerate(lines, 1):
            if count <= len(self._expected):
                table[normalised(self._expected[count - 1])] = line.removesuffix("\n").removesuffix("\r")
        if count != len(self._expected):
            where = min(count, len(self._expected)) + 1
            told = f"The {self._piped}" if self._piped else f"'{path}'"
            raise UserError(
                f"{told} has {count:,} lines where {len(self._expected):,} translations are expected, in the "
                f"order of the data; the first without its counterpart is line {where:,}."
            )
        return table

    def _keyed(self, records: Iterable[tuple[str, str]], path: Path, language: str) -> dict[str, str]:
        """Index translations by source, keeping the last of several; note what is missing, duplicated or extra.

        Extra translations are only counted, so that memory grows with the data and not with the file.
        """
        table: dict[str, str | None] = dict.fromkeys(map(normalised, self._expected))
        wanted = len(table)
        doubled = extra = 0
        for source, translation in records:
            key = normalised(source)
            if wanted and key not in table:
                extra += 1
                continue
            doubled += table.get(key) not in (None, translation)
            table[key] = translation
        found = {key: translation for key, translation in table.items() if translation is not None}
        missing = wanted - len(found)
        if wanted and not found:
            raise UserError(f"'{path}' holds none of the {wanted:,} sources; is it a translation of another set?")
        counts = (
            (missing, "missing"),
            (doubled, "repeated with a different translation (the last is used)"),
            (extra, "not needed"),
        )
        if (missing or doubled) and wanted:
            told = ", ".join(f"{count:,} {what}" for count, what in counts if count)
            self._reports[language] = f"'{path.name}': of its sources {told}."
        return found

    def _path(self, language: str) -> Path:
        return Path(str(self._pattern).replace("{lang}", language))


def files_of(pattern: Path) -> list[Path]:
    """Return the files that match a path for any language in place of {lang}; everything else is taken literally."""
    found = [(Path(pattern.anchor), "{lang}")]
    for part in pattern.parts[1 if pattern.anchor else 0 :]:
        found = [longer for folder, language in found for longer in _below(folder, part, language)]
    return [path for path, _ in found if path.is_file()]


def _below(folder: Path, part: str, language: str) -> Iterator[tuple[Path, str]]:
    """Yield what a part of a path matches in a folder, with the language, which stays the same once it is known."""
    part = part.replace("{lang}", language)
    if "{lang}" not in part:
        yield folder / part, language
        return
    first, *rest = map(re.escape, part.split("{lang}"))
    named = re.compile(f"{first}(?P<lang>.+){'(?P=lang)'.join(rest)}", re.DOTALL)
    with suppress(OSError):
        for path in folder.iterdir():
            if match := named.fullmatch(path.name):
                yield path, match["lang"]


def normalised(text: str) -> str:
    """Normalise apostrophes and stray spaces: released translations and samples differ in them."""
    plain = " ".join(text.replace("’", "'").split())
    return text if plain == text else plain  # the same object, so that a million texts are in memory only once


def _records(lines: Iterable[str], suffix: str, path: Path) -> Iterator[tuple[str, str]]:
    """Yield source and translation."""
    if suffix == "jsonl":
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                yield str(_named(record, SOURCE)), str(_named(record, TRANSLATION))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise UserError(f"'{path}', line {number}: not a JSON object with source and translation.") from None
        return
    table = Table(lines, f"'{path}'", "\t" if suffix == "tsv" else ",")
    for names in (SOURCE, TRANSLATION):
        if not set(names) & set(table.columns):
            table.need(names[:1], "it needs source,translation")
    for _, row in table:
        yield _named(row, SOURCE) or "", _named(row, TRANSLATION) or ""


def _named(record: Any, names: Sequence[str]) -> Any:
    return record[next((name for name in names if name in record), names[0])]
