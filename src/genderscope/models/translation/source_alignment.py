"""Alignment of translations with the data's source texts, by text or number; reports mismatches with line numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.models.translation.records import Record


@dataclass
class _Told:
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

    def by_record(self, records: Iterable[Record]) -> dict[str, str]:
        """Return the translations by normalised source, or by exact source if records are numbered."""
        repeated, surplus = _Told(), _Told()
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
        found = {key: translation for key, translation in self._table.items() if translation is not None}
        if self.expected:
            self._tell(found, repeated, surplus)
        return found

    def _number(self, record: Record, lines: dict[int, int]) -> None:
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

    def _tell(self, found: dict[str, str], repeated: _Told, surplus: _Told) -> None:
        wanted = len(self._table)
        if not found:
            raise UserError(f"'{self.path}' contains none of the {wanted:,} sources; is it for another dataset?")
        key = (lambda text: text) if self.numbered else normalised
        missing = [number for number, text in enumerate(self.expected, 1) if key(text) not in found]
        counts = (
            (wanted - len(found), "missing", f"the first is source {missing[0]:,}" if missing else ""),
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
