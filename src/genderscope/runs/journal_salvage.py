"""Recovery from damaged journals: they are set aside, and their intact answers are found by scanning for records.

A SQLite record is a header of column types, followed by the columns. Each answer has its own checksum, so a record is
used only if every byte of it is intact.
"""

import os
import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from mmap import ACCESS_READ, mmap
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import MISSING, free_name, what_is_there

KEY_SIZE = 16
CHECKSUM_SIZE = 8

Buffer = bytes | mmap

_PAGE = 4096
_LOG_HEADER, _FRAME_HEADER = 32, 24
#: Maximum and minimum size of the part of a large record that is not in overflow pages (SQLite file format, 1.6).
_MOST, _LEAST = ((_PAGE - 12) * share // 255 - 23 for share in (64, 32))

# Header size, then the column types: blob of 16 bytes, blob of any length, blob of 8 bytes.
_RECORD = re.compile(rb"[\x04-\x0c]\x2c([\x80-\xff]*[\x00-\x7f])\x1c", re.DOTALL)


def checksum(key: bytes, answer: bytes) -> bytes:
    """Return the checksum stored with an answer."""
    return blake2b(key + answer, digest_size=CHECKSUM_SIZE).digest()


def answers_in(path: Path, log_only: bool = False) -> Iterator[tuple[bytes, bytes]]:
    """Yield the key and answer of every intact record in a journal's write-ahead log and, by default, its main file."""
    with _Mapped(path) as main, _Mapped(log_of(path)) as log:
        in_log = _log_pages(log)

        def page(number: int) -> bytes:
            start = in_log.get(number)
            return log[start : start + _PAGE] if start is not None else main[(number - 1) * _PAGE : number * _PAGE]

        for content in (log,) if log_only else (log, main):
            yield from _records(content, page)


def log_of(path: Path) -> Path:
    """Return the path of a SQLite file's write-ahead log."""
    return path.with_name(f"{path.name}-wal")


def are_files(path: Path) -> bool:
    """Return whether each of the journal's files is either a regular file or missing."""
    return all(what_is_there(file) in (None, MISSING) for file in _files(path))


def set_journal_aside(path: Path) -> Path:
    """Rename a journal and its side files to the first free name and return the new path."""
    aside = free_name(path)
    for old, new in zip(_files(path), _files(aside), strict=True):
        try:
            if old.is_file() and old.name.endswith("-shm"):
                old.unlink()  # the shared-memory file contains nothing that the other two files lack
            elif os.path.lexists(old):
                old.rename(new)
        except OSError as error:
            raise UserError(
                f"'{old}' is damaged and cannot be set aside ({error.strerror}); move or delete it."
            ) from None
    return aside


def _files(path: Path) -> tuple[Path, Path, Path]:
    return path, log_of(path), path.with_name(f"{path.name}-shm")


def _records(content: Buffer, page: Callable[[int], bytes]) -> Iterator[tuple[bytes, bytes]]:
    for match in _RECORD.finditer(content):
        length = (_number(match.group(1)) - 12) // 2
        header = match.end() - match.start()
        if length < 0 or header != content[match.start()]:
            continue
        size = header + KEY_SIZE + length + CHECKSUM_SIZE
        payload = _payload(content, match.start(), size, page)[header:]
        key, answer, check = payload[:KEY_SIZE], payload[KEY_SIZE:-CHECKSUM_SIZE], payload[-CHECKSUM_SIZE:]
        if len(answer) == length and checksum(key, answer) == check:
            yield key, answer


def _payload(content: Buffer, start: int, size: int, page: Callable[[int], bytes]) -> bytes:
    """Return a record including its overflow pages; shorter than `size` if they are missing."""
    if size <= _MOST:
        return content[start : start + size]
    kept = _LEAST + (size - _LEAST) % (_PAGE - 4)
    kept = kept if kept <= _MOST else _LEAST
    payload = bytearray(content[start : start + kept])
    following = int.from_bytes(content[start + kept : start + kept + 4])
    while len(payload) < size and following:
        more = page(following)
        if len(more) < _PAGE:
            break
        payload += more[4 : 4 + size - len(payload)]
        following = int.from_bytes(more[:4])
    return bytes(payload)


def _number(encoded: bytes) -> int:
    """Decode a SQLite variable-length integer, with seven bits per byte."""
    value = 0
    for byte in encoded[:9]:
        value = value << 7 | byte & 0x7F
    return value


def _log_pages(log: Buffer) -> dict[int, int]:
    """Return the offset of each page in the log, or of its last copy if there are several."""
    step = _FRAME_HEADER + _PAGE
    starts = range(_LOG_HEADER, len(log) - step + 1, step)
    return {int.from_bytes(log[start : start + 4]): start + _FRAME_HEADER for start in starts}


class _Mapped:
    """Memory-mapped content of a file; empty if there is no file."""

    def __init__(self, path: Path) -> None:
        self._content: Buffer = b""
        if path.is_file() and path.stat().st_size:  # an empty file cannot be mapped
            with path.open("rb") as file:
                self._content = mmap(file.fileno(), 0, access=ACCESS_READ)

    def __enter__(self) -> Buffer:
        return self._content

    def __exit__(self, *_: object) -> None:
        if isinstance(self._content, mmap):
            self._content.close()
