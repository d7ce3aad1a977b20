"""Content hashes of model files, cached by size, timestamps and inode; folders of converted models, sealed with one."""

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.user_cache import building, cache_folder, keep

#: piece size in bytes; files are split so that several threads can hash a large file together
PIECE = 64 * 2**20
#: bytes per read: small enough for memory, large enough to avoid constant seeking on hard disks
BUFFER = 4 * 2**20
#: size in bytes below which hashing a file is faster than looking it up in the cache
SMALL = 64 * 2**10
#: A file modified less than this many seconds ago may change again without a new timestamp.
SECONDS_UNTIL_STABLE = 2.0


@dataclass(frozen=True, slots=True)
class Stamp:
    """File metadata. Any write updates `ctime`, which cannot be set explicitly."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    device: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        """Make a stamp from a stat result."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)


def stamp_of(path: Path) -> Stamp | None:
    """Return a file's current stamp, or None if it is inaccessible."""
    with suppress(OSError):
        return Stamp.of(path.stat())
    return None


@dataclass(frozen=True)
class Contents:
    """A set of files, as they were when hashed."""

    sha256: str
    stamps: tuple[tuple[Path, Stamp], ...] = ()

    @property
    def short(self) -> str:
        """The first 16 digits of the hash, enough to distinguish models in run records."""
        return self.sha256[:16]

    def require_unchanged(self, name: str, read: Mapping[Path, Stamp | None] | None = None) -> None:
        """Raise `UserError` if a file has changed since it was hashed or since it was read (stamps in `read`)."""
        for path, stamp in self.stamps:
            if stamp_of(path) == stamp == (read or {}).get(path, stamp):
                continue
            raise UserError(f"The file '{path}' changed while '{name}' was being loaded; run the command again.")


def short_hash(text: str, digits: int = 12) -> str:
    """Return the first digits of a text's SHA-256, for fingerprints and signatures."""
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def contents_of(files: Iterable[Path], base: Path, rehash: bool = False) -> Contents:
    """Hash files by content and by name relative to `base`; `rehash` ignores cached hashes."""
    paths = sorted(set(files))
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as threads:
        hashed = [_hashed(path, threads, rehash) for path in paths]
    whole = hashlib.sha256()
    for path, (digest, stamp) in zip(paths, hashed, strict=True):
        name = os.path.relpath(path, base)
        whole.update(f"{name}\0{stamp.size}\0{digest}\0".encode("utf-8", "surrogateescape"))
    return Contents(whole.hexdigest(), tuple((path, stamp) for path, (_, stamp) in zip(paths, hashed, strict=True)))


def file_digest(path: Path, rehash: bool = False) -> str:
    """Hash the content of one file, regardless of its name."""
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as threads:
        return _hashed(path, threads, rehash)[0]


def _hashed(path: Path, threads: ThreadPoolExecutor, rehash: bool) -> tuple[str, Stamp]:
    """Return a file's hash and stamp; raise `UserError` if the file changes while it is read."""
    try:
        place = path.resolve(strict=True)  # hub cache entries are symlinks
        stamp = Stamp.of(place.stat())
        memo = cache_folder("digests", f"{hashlib.sha256(os.fsencode(place)).hexdigest()[:32]}.json")
        cached_digest = None if rehash or stamp.size < SMALL else _remembered(memo, place, stamp)
        if cached_digest is not None:
            return cached_digest, stamp
        starts = range(0, max(1, stamp.size), PIECE)
        pieces = b"".join(threads.map(lambda start: _piece(place, start, min(PIECE, stamp.size - start)), starts))
        if Stamp.of(place.stat()) != stamp:
            raise UserError(f"The file '{path}' changed while it was being read; run the command again.")
    except OSError as error:
        raise UserError(f"The file '{path}' cannot be read: {error.strerror or error}.") from None
    digest = hashlib.sha256(pieces).hexdigest()
    if stamp.size >= SMALL and time.time() - stamp.ctime_ns / 1e9 > SECONDS_UNTIL_STABLE:
        # If the cache is not writable, the file is read again next time.
        keep(memo, {"path": os.fspath(place), "stamp": asdict(stamp), "sha256": digest})
    return digest, stamp


def _piece(path: Path, start: int, count: int) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        while count > 0 and (block := file.read(min(BUFFER, count))):
            digest.update(block)
            count -= len(block)
    return digest.digest()


def _remembered(memo: Path, place: Path, stamp: Stamp) -> str | None:
    """Return the cached hash if the file still has this stamp."""
    try:
        kept = json.loads(memo.read_bytes())
        if kept["path"] == os.fspath(place) and Stamp(**kept["stamp"]) == stamp:
            return str(kept["sha256"])
    except (OSError, ValueError, KeyError, TypeError):  # no cache entry, or a corrupt one
        pass
    return None


#: file with the conversion version and the checksum of the folder's other files
SEAL = "converted.sha256"
#: incremented whenever the conversion changes, to invalidate models converted by older versions
CONVERSION = "2"


def converted(target: Path, convert: Callable[[Path], None]) -> Path:
    """Return `target`, the folder of a converted model; call `convert` to create it if necessary."""
    if is_converted(target):
        return target
    with building(target):  # another process may be converting the same file
        return target if is_converted(target) else _converted(target, convert)


def _converted(target: Path, convert: Callable[[Path], None]) -> Path:
    shutil.rmtree(target, ignore_errors=True)  # damaged, or from an older version
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".converting-", dir=target.parent))
    except OSError as error:
        raise UserError(
            f"Cannot write to the cache folder '{target.parent}' ({error.strerror}); set GENDERSCOPE_CACHE."
        ) from None
    try:
        convert(aside)
        seal(aside)
        aside.chmod(0o755)
        try:
            aside.replace(target)
        except OSError:  # another process finished the same conversion first
            if not is_converted(target):
                raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def seal(folder: Path) -> None:
    """Mark a folder as complete and record the conversion version."""
    (folder / SEAL).write_text(f"{CONVERSION} {_folder_digest(folder)}")


def is_converted(target: Path) -> bool:
    """Return whether a folder contains an intact model converted by this version."""
    return is_current(target) and (target / SEAL).read_text() == f"{CONVERSION} {_folder_digest(target)}"


def is_current(target: Path) -> bool:
    """Return whether a folder's model was converted by this version, without verifying its checksum."""
    try:
        return (target / SEAL).read_text().startswith(f"{CONVERSION} ")
    except (OSError, UnicodeDecodeError):
        return False


def _folder_digest(folder: Path) -> str:
    """Hash the contents of a folder, using cached file hashes where valid."""
    files = sorted(path for path in folder.iterdir() if path.name != SEAL)
    return hashlib.sha256("".join(f"{path.name}\0{file_digest(path)}\0" for path in files).encode()).hexdigest()
