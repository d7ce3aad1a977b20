"""Texts written to files: none where one of them would replace what is not ours."""

from collections.abc import Mapping
from pathlib import Path

from genderscope.errors import UserError
from genderscope.runs import what_is_there, write_whole

#: what a page, a text, an image, a JSON or a CSV file of ours holds near its beginning
MARKS = (b'content="genderscope ', b"Written by genderscope ", b'"schema": "genderscope.', b"scorecard_column,measure,")
NEAR = 2000


def write_texts(texts: Mapping[Path, str]) -> list[Path]:
    """Write texts to their files, once it is known that none of them would replace what is not ours."""
    for path in texts:
        refuse_foreign(path)
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"'{path.parent}' cannot be made ({error.strerror}); give another place.") from None
        write_whole(path, (text.rstrip("\n") + "\n").encode(errors="backslashreplace"))
    return list(texts)


def refuse_foreign(path: Path) -> None:
    """Refuse to replace a file that was not written here; an empty one may be."""
    there = what_is_there(path)
    if there == "it is a folder":
        raise UserError(f"'{path}' is a folder; give the name of a file.")
    if there is not None:
        return
    try:
        with path.open("rb") as file:
            start = file.read(NEAR)
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None
    # A README into which a block was pasted holds much that is not ours.
    if start and (path.name.casefold() == "readme.md" or not any(mark in start for mark in MARKS)):
        raise UserError(f"'{path}' is there and was not written by genderscope; move it away, or give another name.")
