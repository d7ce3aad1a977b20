"""Models that were converted for quick loading: a folder in the cache, written whole or not at all, and sealed."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from genderscope.cache import building
from genderscope.errors import UserError
from genderscope.models.digest import file_digest

#: holds the version of the conversion and the checksum of the folder's other files
SEAL = "converted.sha256"
#: counts up whenever a file is converted otherwise, so that what an older version made is not used
CONVERSION = "2"


def converted(target: Path, convert: Callable[[Path], None]) -> Path:
    """Return `target`, the folder of a model; `convert` writes into a folder what belongs there, if it is not there."""
    if is_converted(target):
        return target
    with building(target):  # another process may be converting the same file
        return target if is_converted(target) else _converted(target, convert)


def _converted(target: Path, convert: Callable[[Path], None]) -> Path:
    shutil.rmtree(target, ignore_errors=True)  # what is there was damaged, or made by an older version
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".converting-", dir=target.parent))
    except OSError as error:
        raise UserError(
            f"The cache folder '{target.parent}' cannot be written ({error.strerror}); set GENDERSCOPE_CACHE."
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
    """Say of a folder that it is whole, and which version made it."""
    (folder / SEAL).write_text(f"{CONVERSION} {_digest(folder)}")


def is_converted(target: Path) -> bool:
    """Tell whether a folder holds a model that this version converted, every byte as it was written."""
    return is_current(target) and (target / SEAL).read_text() == f"{CONVERSION} {_digest(target)}"


def is_current(target: Path) -> bool:
    """Tell whether this version converted a model into a folder; its bytes are not looked at."""
    try:
        return (target / SEAL).read_text().startswith(f"{CONVERSION} ")
    except (OSError, UnicodeDecodeError):
        return False


def _digest(folder: Path) -> str:
    """Hash what lies in a folder; files that were hashed before and have not changed since are not read again."""
    files = sorted(path for path in folder.iterdir() if path.name != SEAL)
    return hashlib.sha256("".join(f"{path.name}\0{file_digest(path)}\0" for path in files).encode()).hexdigest()
