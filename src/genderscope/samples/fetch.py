"""Dataset files from the mirror, the cache or their pinned source, with verified checksums."""

import gzip
import hashlib
import os
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from genderscope.core.errors import InfrastructureError, UserError
from genderscope.core.network import available_offline, require_connection, require_network
from genderscope.core.user_cache import cache_folder
from genderscope.samples.registry import DataFile, Dataset, datasets

MIRROR = "GENDERSCOPE_MIRROR"
LARGEST_WHOLE = 200_000_000  # size limit in bytes for files from which excerpts are taken

#: maps a full file and its parallel sources to the excerpt
Excerpt = Callable[[bytes, bytes], bytes]


def mirror() -> Path | None:
    """Return the folder of the local mirror; None if no mirror is set."""
    folder = os.environ.get(MIRROR)
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise UserError(f"{MIRROR} is set to '{folder}', which is not a folder; correct or unset it.")
    return Path(folder)


def locate(file: DataFile) -> Path | None:
    """Return the file's path in the mirror or the cache; None if it has to be downloaded."""
    root = mirror()
    candidates = [_below(root, file.path), _below(root, f"{file.path}.gz")] if root else []
    candidates.append(_cached(file))
    return next((path for path in candidates if path.is_file()), None)


def wanted(file: DataFile) -> Path:
    """Return the file's expected path: in the mirror if one is set, else in the cache."""
    root = mirror()
    return _below(root, file.path) if root else _cached(file)


def read(file: DataFile, excerpt: Excerpt | None = None) -> bytes:
    """Return the verified content, downloading it if necessary; `excerpt` is required for files that are excerpts."""
    path = locate(file)
    if path is None or (path == _cached(file) and not _good(file, _content(path, file.size))):
        path = _fetched(file, excerpt)
    content = _content(path, file.size)
    if not _good(file, content):
        raise _mismatch(file, path, hashlib.sha256(content).hexdigest())
    return content


def fetch(file: DataFile, excerpt: Excerpt | None = None) -> Path:
    """Download the file unless it is in the mirror or the cache; return its path."""
    return locate(file) or _fetched(file, excerpt)


def _fetched(file: DataFile, excerpt: Excerpt | None) -> Path:
    """Download the file into the cache, replacing any earlier copy."""
    require_network(f"The file '{file.path}' is neither in the mirror nor in the cache")
    require_connection("socks")
    target = _cached(file)
    # A random name, since process ids may coincide on machines or containers that share a disk.
    aside = target.with_name(f"{target.name}.{secrets.token_hex(6)}.part")
    with _writing_to_cache(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.touch()
    try:
        # The size of the full file from which an excerpt is taken is not pinned.
        _download(file.url, aside, file.size if file.parallel is None else LARGEST_WHOLE, file)
        if file.parallel is not None:
            _cut(aside, file.parallel, excerpt, file)
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
    """Return each file of the dataset with its path (None if missing) and whether its checksum matches."""
    report = []
    for file in dataset.files:
        path = locate(file)
        good = path is not None and _good(file, _content(path, file.size))
        report.append((file, path, good))
    return report


def _good(file: DataFile, content: bytes) -> bool:
    """Return whether the content matches the pinned SHA-256 or git blob id."""
    if hashlib.sha256(content).hexdigest() == file.sha256:
        return True
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    return blob == file.git_blob


def _cached(file: DataFile) -> Path:
    return _below(cache_folder("data"), file.path)


def _below(root: Path, path: str) -> Path:
    """Join a path to a folder; raise if it escapes the folder through `..` or a symbolic link."""
    joined = root / path
    if not joined.resolve().is_relative_to(root.resolve()):
        raise UserError(f"'{joined}' points outside '{root}' and was not used; put the file itself there.")
    return joined


def _content(path: Path, size: int) -> bytes:
    """Read a file, decompressing .gz, up to one byte beyond its expected size, so that longer files are detected."""
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
            f"Cannot write to the cache folder '{folder}' ({error.strerror}); set GENDERSCOPE_CACHE to another folder."
        ) from None


def _dataset_of(file: DataFile) -> str:
    """Return the name of the dataset that a file belongs to, as an argument of `genderscope data`."""
    return next((dataset.name for dataset in datasets() if file in dataset.files), "DATASET")


def _download(url: str, target: Path, largest: int, file: DataFile) -> None:
    """Download a file, aborting beyond `largest` decompressed bytes, since a small response can expand enormously."""
    import requests

    try:
        with requests.get(url, stream=True, timeout=30) as response, target.open("wb") as stream:
            response.raise_for_status()
            for block in response.iter_content(1 << 16):
                stream.write(block)
                if stream.tell() > largest:
                    raise UserError(f"'{url}' is larger than the expected {largest:,} bytes and was not used.")
    except (requests.RequestException, OSError) as error:
        raise InfrastructureError(
            f"'{url}' could not be downloaded ({type(error).__name__}); try again online, or put the file into a "
            f"folder and set {MIRROR} to that folder ('genderscope data where {_dataset_of(file)}' prints the layout); "
            f"{available_offline('data')}."
        ) from None


def _cut(aside: Path, parallel: str, excerpt: Excerpt | None, file: DataFile) -> None:
    """Reduce a downloaded file to its excerpt, to which the checksum applies."""
    if excerpt is None:
        raise ValueError(f"no excerpt function for {aside.name}")
    sources = aside.with_name(f"{aside.name}.sources")
    try:
        _download(parallel, sources, LARGEST_WHOLE, file)
        aside.write_bytes(excerpt(aside.read_bytes(), sources.read_bytes()))
    finally:
        sources.unlink(missing_ok=True)


def _mismatch(file: DataFile, path: Path, actual: str) -> UserError:
    pinned = file.sha256 or f"git blob {file.git_blob}"
    return UserError(
        f"'{path}' has the wrong checksum for {file.path} (SHA-256 {actual[:16]}…, expected {pinned[:25]}…) and was "
        f"not used; delete it and run 'genderscope data fetch {_dataset_of(file)}'."
    )
