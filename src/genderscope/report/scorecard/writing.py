"""Writes a scorecard to files: all of them or none, and never over what is not ours."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from genderscope.comparison import Found, Scorecard, collect, scorecard
from genderscope.errors import UserError
from genderscope.report.scorecard import words
from genderscope.report.scorecard.page import scorecard_html
from genderscope.report.scorecard.tables import CSV_COLUMNS, scorecard_csv, scorecard_json
from genderscope.report.scorecard.text import scorecard_latex, scorecard_markdown
from genderscope.runs import reading, what_is_there, write_whole

#: what one of the files that are written here holds near its beginning
MARKS = (
    b'content="genderscope ',
    b"Written by genderscope ",
    b'"schema": "genderscope.',
    ",".join(CSV_COLUMNS).encode(),
)
NEAR = 2000


def write_scorecard(folders: Sequence[Path], out: Path, *, baseline: str | None = None) -> list[Path]:
    """Write the scorecard of all runs in some folders into a folder, in every form, and return the files."""
    card = made(folders, baseline)
    with reading(*card.results()):
        texts = {
            out / "scorecard.html": scorecard_html(card, out / "scorecard.html"),
            out / "scorecard.md": scorecard_markdown(card, out / "scorecard.md"),
            out / "scorecard.tex": scorecard_latex(card),
            out / "scorecard.csv": scorecard_csv(card),
            out / "scorecard.json": scorecard_json(card),
        }
    return write_texts(texts)


def made(folders: Sequence[Path], baseline: str | None = None, measures: Sequence[str] = ()) -> Scorecard:
    """Make the scorecard of all runs in some folders; none is told in one sentence."""
    found = collect(folders)
    if not found.runs:
        raise nothing(folders, found)
    with reading(*found.runs.values()):
        return scorecard(found, baseline, measures)


def nothing(folders: Sequence[Path], found: Found) -> UserError:
    """Build the error for folders without a finished run."""
    told = ", ".join(f"'{folder}'" for folder in folders)
    why = f" ({words.left_out(found.others)[0].rstrip('.')})" if found.others else ""
    return UserError(f"There is no finished run in {told}{why}, so nothing was written.")


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
    """Refuse to replace a file that was not written by this command; an empty one may be."""
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
    if start and not any(mark in start for mark in MARKS):
        raise UserError(f"'{path}' is there and was not written by genderscope; move it away, or give another name.")
