"""A journal's files: the SQLite database, its write-ahead log and its shared-memory file."""

import os
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.runs.atomic_files import MISSING, free_name, what_is_there
from genderscope.runs.journal_salvage import log_of


def are_files(path: Path) -> bool:
    """Return whether the journal's files are all regular files or missing."""
    return all(what_is_there(each) in (None, MISSING) for each in _files(path))


def set_journal_aside(path: Path) -> Path:
    """Rename a journal and its side files to the first free name and return the new path."""
    aside = free_name(path)
    for old, new in zip(_files(path), _files(aside), strict=True):
        try:
            if old.is_file() and old.name.endswith("-shm"):
                old.unlink()  # it contains nothing that the other two do not
            elif os.path.lexists(old):
                old.rename(new)
        except OSError as error:
            raise UserError(f"'{old}' is damaged and cannot be set aside ({error.strerror}); move it away.") from None
    return aside


def _files(path: Path) -> tuple[Path, Path, Path]:
    return path, log_of(path), path.with_name(f"{path.name}-shm")
