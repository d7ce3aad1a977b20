"""Journal that stores every answer as it arrives, so that a killed run loses at most the current batch.

Each answer has a checksum, verified when the answer is used. If a journal is found to be damaged on opening, it is set
aside; its intact answers are copied into a new one, and the remaining questions are asked again. Corruption can
therefore never change a result.

A large journal that was intact when closed is sealed, so that it can be reopened without a full check: its size,
timestamps and inode are stored in the user's cache. If they do not match, the journal is checked in full.
"""

import hashlib
import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import chain, islice
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.user_cache import cache_folder, keep
from genderscope.runs.atomic_files import what_is_there
from genderscope.runs.journal_salvage import answers_in, are_files, checksum, log_of, set_journal_aside

_CHUNK = 500
#: rows per INSERT statement, if SQLite's variable limit allows; faster than a loop in Python
_AT_ONCE = 1_000
_FEW = 50_000
_COLUMNS = ("key", "answer", "checksum")
_TABLE = "CREATE TABLE answers (key BLOB PRIMARY KEY, answer BLOB NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID"
_ONE_PAGE = 4096  # A one-page file has no answers: its run ended before the table was created
#: Errors unrelated to the file's content: no space, no permission, another process.
_TEMPORARY = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
}

_log = logging.getLogger("genderscope")


class _DamagedError(Exception):
    """The journal was damaged after it was written."""


class Journal:
    """Answers by key, in a SQLite file with a write-ahead log, so that each batch is stored atomically."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()  # one thread may write while another queries known keys
        #: all answers, as long as they are few and all from this process, so that none needs to be read back
        self._recent: dict[bytes, bytes] | None = None
        #: called before answers are stored
        self.before_store: Callable[[], None] = lambda: None
        self._intact = True
        try:
            if not are_files(path):
                raise _DamagedError
            # Recover answers that a killed run left in the log, even if damage in the middle hides later ones from
            # SQLite.
            logged = list(answers_in(path, log_only=True))
            self._db = _opened(path, is_sealed(path))
        except _DamagedError:
            self._rebuild()
        except OSError as error:
            raise UserError(
                f"The journal '{path}' cannot be read ({error.strerror}); fix this and run the same command again."
            ) from None
        else:
            try:
                stored = self.known([key for key, _ in logged])
                if missed := [(key, answer) for key, answer in logged if key not in stored]:
                    self.write(missed)
            except BaseException:
                self._db.close()  # no other code can close it
                raise
        if not self:
            self._recent = {}

    def _rebuild(self) -> None:
        """Set the damaged files aside and start a new journal with their intact answers."""
        aside = set_journal_aside(self.path)
        self._db = _opened(self.path)
        good = answers_in(aside)
        while chunk := list(islice(good, _CHUNK)):
            self.write(chunk)
        _log.warning(
            "The journal '%s' was damaged and has been set aside as '%s'; its %s intact answers are kept, and the "
            "other questions are asked again.",
            self.path,
            aside.name,
            f"{len(self):,}",
        )

    def write(self, answers: Iterable[tuple[bytes, bytes]]) -> None:
        """Store a batch of answers without overwriting existing ones."""
        listed = list(answers)
        self.keep_in_memory(listed)
        self.store(listed)

    def store(self, answers: Sequence[tuple[bytes, bytes]]) -> None:
        """Store a batch of answers that are already in memory. May be called from another thread."""
        with self._lock:
            self._store(answers)

    def _store(self, answers: Sequence[tuple[bytes, bytes]]) -> None:
        checked = [(key, answer, checksum(key, answer)) for key, answer in answers]
        self.before_store()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            at_once = min(_AT_ONCE, self._db.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) // len(_COLUMNS))
            for start in range(0, len(checked), at_once):
                part = checked[start : start + at_once]
                marks = ",".join(["(?, ?, ?)"] * len(part))
                self._db.execute(f"INSERT OR IGNORE INTO answers VALUES {marks}", list(chain.from_iterable(part)))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise _unwritable(self.path, error) from None
        except BaseException:
            self._roll_back()
            raise

    def note(self, texts: Mapping[str, str]) -> None:
        """Store named texts about the answers, such as prompts, without overwriting existing ones."""
        with self._noticing_damage():
            self._db.execute("CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, text TEXT NOT NULL)")
            self._db.executemany("INSERT OR IGNORE INTO notes VALUES (?, ?)", texts.items())

    def notes(self) -> dict[str, str]:
        """Return the texts stored with `note`."""
        with self._noticing_damage():
            if not self._db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'notes'").fetchone():
                return {}
            return dict(self._db.execute("SELECT name, text FROM notes"))

    @contextmanager
    def _noticing_damage(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            raise (_unwritable(self.path, error) if _is_temporary(self.path, error) else self._damaged()) from None

    def _damaged(self) -> UserError:
        self._intact = False
        break_seal(self.path)
        return UserError(
            f"The journal '{self.path}' was damaged while in use; run the same command again: its intact answers "
            "are kept."
        )

    def keep_in_memory(self, answers: Iterable[tuple[bytes, bytes]]) -> None:
        """Cache answers in memory before they are stored, up to a limit."""
        recent = self._recent
        if recent is not None:
            for key, answer in answers:
                recent.setdefault(key, answer)
            if len(recent) > _FEW:
                self._recent = None

    def in_memory(self, keys: Sequence[bytes]) -> list[bytes] | None:
        """Return the answers for these keys if all are in memory; None otherwise."""
        recent = self._recent
        if recent is None:
            return None
        answers = list(map(recent.get, keys))
        return None if None in answers else answers  # type: ignore[return-value]

    def _roll_back(self) -> None:
        self._recent = None  # it may contain answers that were not stored
        if self._db.in_transaction:  # SQLite rolls back by itself if the disk is full
            self._db.execute("ROLLBACK")

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        """Return the keys that have an answer."""
        if (recent := self._recent) is not None:
            return {key for key in keys if key in recent}
        return {row[0] for row in self._select(keys, "key")}

    def read(self, keys: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the answers in the order of the keys."""
        if self._recent is not None:
            yield from map(self._recent.__getitem__, keys)
            return
        source = iter(keys)
        while chunk := list(islice(source, _CHUNK)):
            stored = {key: (answer, check) for key, answer, check in self._select(chunk, ",".join(_COLUMNS))}
            for key in chunk:
                answer, check = stored[key]
                if checksum(key, answer) != check:
                    raise self._damaged()
                yield answer

    def _select(self, keys: Sequence[bytes], columns: str) -> Iterator[tuple[bytes, ...]]:
        for start in range(0, len(keys), _CHUNK):
            chunk = keys[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            with self._noticing_damage():
                rows = self._db.execute(f"SELECT {columns} FROM answers WHERE key IN ({marks})", chunk).fetchall()
            yield from rows

    def __len__(self) -> int:
        with self._noticing_damage():
            return int(self._db.execute("SELECT count(*) FROM answers").fetchone()[0])

    def __bool__(self) -> bool:
        with self._noticing_damage():
            return self._db.execute("SELECT 1 FROM answers LIMIT 1").fetchone() is not None

    def close(self) -> None:
        """Close the file, which merges the write-ahead log into it, and seal it if intact."""
        self._db.close()
        if self._intact:
            seal(self.path)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(path: Path, intact: bool = False) -> sqlite3.Connection:
    """Open or create a journal, verifying every answer unless the file is known to be intact."""
    size = path.stat().st_size if path.exists() else 0
    try:
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise _unwritable(path, error) from None
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        columns = tuple(row[1] for row in db.execute("PRAGMA table_info(answers)"))
        if columns or size > _ONE_PAGE:
            _check(db, columns, intact)
        else:
            db.execute(_TABLE)
    except sqlite3.Error as error:
        db.close()
        raise (_unwritable(path, error) if _is_temporary(path, error) else _DamagedError) from None
    except BaseException:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, columns: tuple[str, ...], intact: bool) -> None:
    if not intact and db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise _DamagedError
    db.execute("BEGIN IMMEDIATE")
    db.execute("ROLLBACK")
    if columns != _COLUMNS:
        raise _DamagedError
    if intact:
        return
    for key, answer, check in db.execute("SELECT key, answer, checksum FROM answers"):
        if not isinstance(key, bytes) or not isinstance(answer, bytes) or checksum(key, answer) != check:
            raise _DamagedError


def keys_in(path: Path) -> set[bytes]:
    """Return all keys in a journal without changing it; empty if it cannot be read."""
    if what_is_there(path) is not None:
        return set()
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            return {key for (key,) in opened.execute("SELECT key FROM answers")}
    except sqlite3.Error:
        return set()


def _is_temporary(path: Path, error: sqlite3.Error) -> bool:
    """Return whether an error is due to a full disk, permissions or the like rather than a damaged file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_READONLY:  # a damaged header can cause this even if the file is writable
        return not os.access(path, os.W_OK)
    return code in _TEMPORARY


def _unwritable(path: Path, error: sqlite3.Error) -> UserError:
    return UserError(
        f"Cannot write to the journal '{path}' ({error}); all answers so far are kept. Fix this, for example by "
        "freeing disk space, and run the same command again."
    )


LARGE = 1 << 20  # smaller files are checked within milliseconds


def seal(path: Path) -> None:
    """Record that a closed journal is intact."""
    with suppress(OSError):
        if path.stat().st_size >= LARGE and not log_of(path).exists():
            keep(_memo(path), {"path": str(path.resolve()), "stamp": _stamp(path)})


def is_sealed(path: Path) -> bool:
    """Return whether a journal is unchanged since it was sealed."""
    try:
        if path.stat().st_size < LARGE or log_of(path).exists():
            return False
        kept = json.loads(_memo(path).read_bytes())
        return bool(kept == {"path": str(path.resolve()), "stamp": _stamp(path)})
    except (OSError, ValueError):
        return False


def break_seal(path: Path) -> None:
    """Remove the seal, so that a damaged journal is checked in full when it is next opened."""
    with suppress(OSError):
        _memo(path).unlink(missing_ok=True)


def _memo(path: Path) -> Path:
    return cache_folder("journals", f"{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]}.json")


def _stamp(path: Path) -> list[int]:
    status = path.stat()
    # A change that resets the modification time still updates ctime.
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev]
