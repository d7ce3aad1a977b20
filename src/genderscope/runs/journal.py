"""The journal keeps every answer as it comes, so that a run that dies loses at most the batch in hand."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType

_CHUNK = 500


class Journal:
    """Answers by key, in a SQLite file with a write-ahead log: a batch is in it whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer BLOB NOT NULL) WITHOUT ROWID"
        )

    def write(self, answers: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep a batch of answers; one that is there already stays as it is."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?)", answers)
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        """Return those of the keys that have an answer."""
        return {key for key, _ in self._select(keys, "key, NULL")}

    def read(self, keys: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the answers in the order of the keys."""
        source = iter(keys)
        while chunk := list(islice(source, _CHUNK)):
            found = dict(self._select(chunk, "key, answer"))
            for key in chunk:
                yield found[key]

    def _select(self, keys: Sequence[bytes], columns: str) -> Iterator[tuple[bytes, bytes]]:
        for start in range(0, len(keys), _CHUNK):
            chunk = keys[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            yield from self._db.execute(f"SELECT {columns} FROM answers WHERE key IN ({marks})", chunk)

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM answers").fetchone()[0])

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it."""
        self._db.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
