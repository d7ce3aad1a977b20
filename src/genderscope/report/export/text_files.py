"""Text file output that never overwrites files written by other programs."""

from collections.abc import Mapping
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.runs import what_is_there, write_whole

#: byte strings that identify our own pages, texts, images, JSON and CSV files; they occur near the start of a file
MARKS = (
    *(b'content="genderscope ', b"Written by genderscope ", b'"schema": "genderscope.'),
    *(b"scorecard_column,measure,", b"model,run,probe,metric,value,"),
)
NEAR = 2000


def write_texts(texts: Mapping[Path, str]) -> list[Path]:
    """Write texts to their files, or none of them if one would overwrite a foreign file."""
    for path in texts:
        refuse_foreign(path)
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"Cannot create '{path.parent}' ({error.strerror}); choose another folder.") from None
        write_whole(path, (text.rstrip("\n") + "\n").encode(errors="backslashreplace"))
    return list(texts)


def refuse_foreign(path: Path) -> None:
    """Raise UserError if the path is a folder or a non-empty file that Genderscope did not write."""
    there = what_is_there(path)
    if there == "it is a folder":
        raise UserError(f"'{path}' is a folder; give a file name.")
    if there is not None:
        return
    try:
        with path.open("rb") as file:
            start = file.read(NEAR)
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None
    # A README is never overwritten: even if it contains our section, it may contain other text.
    if start and (path.name.casefold() == "readme.md" or not any(mark in start for mark in MARKS)):
        raise UserError(f"'{path}' already exists and was not written by genderscope; move it or choose another name.")
