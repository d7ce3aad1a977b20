"""Gets a dataset's files from the mirror, the cache or their pinned source; always verified."""

import gzip
import hashlib
import os
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from genderscope.cache import cache_folder
from genderscope.errors import UserError
from genderscope.network import require_connection, require_network
from genderscope.samples.registry import DataFile, Dataset

MIRROR = "GENDERSCOPE_MIRROR"
#: Files from which an excerpt is taken are a few megabytes; anything larger is refused.
LARGEST_WHOLE = 200_000_000

#: takes a whole file and its parallel sources and returns the excerpt
Excerpt = Callable[[bytes, bytes], bytes]


def mirror() -> Path | None:
    """Return the local mirror, if one is set."""
    folder = os.environ.get(MIRROR)
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise UserError(f"{MIRROR} names '{folder}', which is not a folder; correct or unset it.")
    return Path(folder)


def locate(file: DataFile) -> Path | None:
    """Return the file's path in the mirror or in the cache, or None if it would have to be downloaded."""
    root = mirror()
    candidates = [_below(root, file.path), _below(root, f"{file.path}.gz")] if root else []
    candidates.append(_cached(file))
    return next((path for path in candidates if path.is_file()), None)


def wanted(file: DataFile) -> Path:
    """Return where the file belongs: in the mirror if one is set, else in the cache."""
    root = mirror()
    return _below(root, file.path) if root else _cached(file)


def read(file: DataFile, excerpt: Excerpt | None = None) -> bytes:
    """Return the file's verified content, downloading it if it is missing or damaged in the cache.

    `excerpt` is needed for files that are excerpts of larger ones.
    """
    path = locate(file)
    if path is None or (path == _cached(file) and not _good(file, _content(path, file.size))):
        path = _fetched(file, excerpt)
    content = _content(path, file.size)
    if not _good(file, content):
        raise _mismatch(file, path, hashlib.sha256(content).hexdigest())
    return content


def fetch(file: DataFile, excerpt: Excerpt | None = None) -> Path:
    """Download the file into the cache unless the mirror or the cache already has it; return its path."""
    return locate(file) or _fetched(file, excerpt)


def _fetched(file: DataFile, excerpt: Excerpt | None) -> Path:
    """Download the file, in the place of whatever the cache has."""
    require_network(f"The file '{file.path}' is neither in the mirror nor in the cache")
    require_connection("socks")
    target = _cached(file)
    # Not the process id: two machines or containers that share a disk may have the same one.
    aside = target.with_name(f"{target.name}.{secrets.token_hex(6)}.part")
    with _writing_to_cache(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.touch()
    try:
        # The size of the whole file behind an excerpt is unknown.
        _download(file.url, aside, file.size if file.parallel is None else LARGEST_WHOLE)
        if file.parallel is not None:
            _cut(aside, file.parallel, excerpt)
        content = aside.read_bytes()
        if not _good(file, content):
            rejected = target.with_name(f"{target.name}.rejected")
            aside.replace(rejected)
            raise _mismatch(file, rejected, hashlib.sha256(content).hexdigest())
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    return target


def verify(dataset: Dataset) -> list[tuple[DataFile, Path | None, bool]]:
    """Return, for every file of the dataset, its path (None if missing) and whether its checksum matches."""
    report = []
    for file in dataset.files:
        path = locate(file)
        good = path is not None and _good(file, _content(path, file.size))
        report.append((file, path, good))
    return report


def _good(file: DataFile, content: bytes) -> bool:
    """Check the pinned SHA-256, or the git blob id of the source if that is pinned."""
    if hashlib.sha256(content).hexdigest() == file.sha256:
        return True
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    return blob == file.git_blob


def _cached(file: DataFile) -> Path:
    return _below(cache_folder("data"), file.path)


def _below(root: Path, path: str) -> Path:
    """Join a path to a folder; refuse one that leads out of it through dots or a link."""
    joined = root / path
    if not joined.resolve().is_relative_to(root.resolve()):
        raise UserError(f"'{joined}' leads out of '{root}', so it is not used; put the file itself there.")
    return joined


def _content(path: Path, size: int) -> bytes:
    """Read a file, decompressing .gz, but never more than one byte beyond its expected size."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            return stream.read(size + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise UserError(f"'{path}' is not a readable gzip file; replace it.") from None
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None


@contextmanager
def _writing_to_cache(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"The cache folder '{folder}' cannot be written ({error.strerror}); set GENDERSCOPE_CACHE."
        ) from None


def _download(url: str, target: Path, largest: int) -> None:
    """Download at most this many bytes, counted after decompression: a small response can expand to a huge one."""
    import requests

    try:
        with requests.get(url, stream=True, timeout=30) as response, target.open("wb") as file:
            response.raise_for_status()
            for block in response.iter_content(1 << 16):
                file.write(block)
                if file.tell() > largest:
                    raise UserError(f"'{url}' sends more than the {largest:,} bytes it should have, so it is not used.")
    except (requests.RequestException, OSError) as error:
        raise UserError(
            f"'{url}' could not be fetched ({type(error).__name__}); go online and try again, or put the file into a "
            f"folder and point {MIRROR} to it ('genderscope data where' prints the layout)."
        ) from None


def _cut(aside: Path, parallel: str, excerpt: Excerpt | None) -> None:
    """Reduce a whole file to its excerpt, to which the checksum applies."""
    if excerpt is None:
        raise ValueError(f"nothing says what to cut out of {aside.name}")
    sources = aside.with_name(f"{aside.name}.sources")
    try:
        _download(parallel, sources, LARGEST_WHOLE)
        aside.write_bytes(excerpt(aside.read_bytes(), sources.read_bytes()))
    finally:
        sources.unlink(missing_ok=True)


def _mismatch(file: DataFile, path: Path, found: str) -> UserError:
    pinned = f"not {file.sha256[:16]}…" if file.sha256 else f"and not the git blob id {str(file.git_blob)[:16]}…"
    return UserError(
        f"'{path}' has SHA-256 {found[:16]}…, {pinned} as pinned for {file.path}, so it is not used; "
        "remove it and fetch it again with 'genderscope data fetch'."
    )
