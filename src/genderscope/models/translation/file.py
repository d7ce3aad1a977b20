"""Existing translations: `file:PATH`, with {lang} in the path if there is one file per language."""

import glob
import hashlib
import logging
import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.tables import lines_in, opened, opened_lines, require_bounded
from genderscope.grammar import language_warning
from genderscope.models.base import Translator
from genderscope.models.digest import Contents, contents_of, stamp_of
from genderscope.models.settings import Settings
from genderscope.models.translation.records import (
    JSON_LINES,
    TABLES,
    SourceAlignment,
    normalised,
    records_of,
    tmx_units,
)

WHAT = "file of translations"
_log = logging.getLogger("genderscope")

#: formats that give the source of each translation
KEYED = {*TABLES, *JSON_LINES, "tmx"}
#: language of all sources
SOURCE = "en"


def open_file(reference: str, settings: Settings) -> "FileTranslator":
    """Open a file: CSV, TSV, JSONL or TMX with source and translation, or plain lines in the order of the data."""
    return FileTranslator(reference, settings.rehash)


class FileTranslator(Translator):
    """Looks up translations by source, regardless of the kind of apostrophe, or by position."""

    kind = WHAT
    free = True
    stored = True

    def __init__(self, reference: str, rehash: bool = False, piped: str | None = None) -> None:
        """Read translations from a path; `piped` is the name to show if the file is a copy of standard input."""
        # With one file per language, the name includes the folder, since each system often has its own folder.
        parts = Path(reference).parts[-2 if "{lang}" in reference else -1 :]
        super().__init__(piped or "/".join(parts))
        self.reference = reference
        self._piped = piped
        self._rehash = rehash
        #: expected texts by language; the key None stands for all languages without their own texts
        self._expected: dict[str | None, tuple[str, ...]] = {}
        self._in_place: set[str] = set()
        self._reports: dict[str, list[str]] = {}  # cautions by language
        self._table = cache(self._read)
        self._fingerprint = cache(self._hashed)  # needed for every question
        if "{lang}" not in reference:
            with opened(self._path(""), WHAT):  # fail early on a missing file
                pass

    @property
    def fingerprint(self) -> str:
        return self._fingerprint(frozenset(self._in_place))

    def _hashed(self, in_place: frozenset[str]) -> str:
        parts = [self.kind, self._piped or self.reference, self.contents.sha256]
        if self._suffix not in KEYED or in_place:  # lines and numbered records are matched by position alone
            parts += [text for texts in self._expected.values() for text in texts]
        return hashlib.sha256("|".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @cached_property
    def contents(self) -> Contents:
        """All matching files with their current contents."""
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
        return {**super().describe(), "path": self._piped or self.reference}

    def expect(self, texts: Sequence[str], target: str | None = None) -> None:
        if tuple(texts) != self._expected.get(target):
            self._expected[target] = tuple(texts)
            self._table = cache(self._read)  # tables read for other texts are obsolete
            self._fingerprint = cache(self._hashed)
            self._in_place, self._reports = set(), {}

    def check(self, source: str, target: str) -> None:
        self._table(target)

    def translates(self, source: str, targets: Sequence[str]) -> tuple[str, ...]:
        if "{lang}" not in self.reference:
            raise UserError(f"'{self.reference}' does not specify a language; name it, e.g. --to {targets[0]}.")
        return self.targets_where(lambda _, target: self._path(target).is_file(), source, targets)

    def cautions(self) -> list[str]:
        return [caution for reports in self._reports.values() for caution in reports]

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        table = self._table(target)
        # Lines are matched with exact texts, since two texts may differ only in a space.
        return [table.get(text) if target in self._in_place else table.get(normalised(text)) for text in texts]

    def _read(self, language: str) -> dict[str, str]:
        path = self._path(language)
        before = stamp_of(path)
        expected = self._expected.get(language, self._expected.get(None, ()))
        if self._suffix in KEYED:
            alignment = SourceAlignment(path, expected)
            with opened(path, WHAT) as file:
                table = alignment.by_record(self._records(file, path, language, alignment))
            if alignment.numbered:
                self._in_place.add(language)
            reports = [] if alignment.report is None else [alignment.report]
        else:
            with opened_lines(path, WHAT) as lines:
                table = self._in_order(lines, path, expected)
            self._in_place.add(language)
            reports = []
        if (warning := self._language_warning(table, path, language)) is not None:
            _log.warning(warning)
            reports.append(warning)
        self._reports[language] = reports
        # Hash only after parsing: a file that contains no translations may be too large to hash.
        self.contents.require_unchanged(self.name, {path: before})
        return table

    def _records(self, file: Any, path: Path, language: str, alignment: SourceAlignment) -> Iterable[Any]:
        if self._suffix == "tmx":
            return tmx_units(file, f"'{path}'", SOURCE, language)
        return records_of(lines_in(file, f"'{path}'"), self._suffix, f"'{path}'", alignment.knows)

    def _language_warning(self, table: dict[str, str], path: Path, language: str) -> str | None:
        where = self._piped or f"'{path.name}'"
        option = None if "{lang}" in self.reference else "--to"
        return language_warning(list(table.values()), language, f"The translations in {where}", option)

    def _in_order(self, lines: Iterable[str], path: Path, expected: Sequence[str]) -> dict[str, str]:
        table: dict[str, str] = {}
        count = 0
        for count, line in enumerate(lines, 1):
            if count <= len(expected):
                table[expected[count - 1]] = line.removesuffix("\n").removesuffix("\r")
        if count != len(expected):
            where = min(count, len(expected)) + 1
            told = f"The {self._piped}" if self._piped else f"'{path}'"
            raise UserError(
                f"{told} has {count:,} lines, but {len(expected):,} translations are expected, in the "
                f"order of the data; the first unmatched line is line {where:,}."
            )
        return table

    def _path(self, language: str) -> Path:
        return Path(str(self._pattern).replace("{lang}", language))


def files_of(pattern: Path) -> list[Path]:
    """Return the files matching a path with any language in place of {lang}; all other parts are matched literally."""
    first, *rest = map(re.escape, str(pattern).split("{lang}"))
    same_language = re.compile(f"{first}(?P<lang>.+){'(?P=lang)'.join(rest)}" if rest else first, re.DOTALL)
    escaped = glob.escape(str(pattern)).replace("{lang}", "*")
    paths = glob.glob(escaped, include_hidden=True)  # noqa: PTH207 - pathlib cannot match the rest literally
    return [Path(path) for path in paths if same_language.fullmatch(path) and Path(path).is_file()]
