"""Cache of converted models. Each folder is either complete and sealed with a checksum, or absent."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.user_cache import building
from genderscope.models.digest import file_digest

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
    (folder / SEAL).write_text(f"{CONVERSION} {_digest(folder)}")


def is_converted(target: Path) -> bool:
    """Return whether a folder contains an intact model converted by this version."""
    return is_current(target) and (target / SEAL).read_text() == f"{CONVERSION} {_digest(target)}"


def is_current(target: Path) -> bool:
    """Return whether a folder's model was converted by this version, without verifying its checksum."""
    try:
        return (target / SEAL).read_text().startswith(f"{CONVERSION} ")
    except (OSError, UnicodeDecodeError):
        return False


def _digest(folder: Path) -> str:
    """Hash the contents of a folder, using cached file hashes where valid."""
    files = sorted(path for path in folder.iterdir() if path.name != SEAL)
    return hashlib.sha256("".join(f"{path.name}\0{file_digest(path)}\0" for path in files).encode()).hexdigest()
