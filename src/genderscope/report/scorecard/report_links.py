"""Where a run's report lies, as a page that is moved together with the runs can link to it."""

import os
from pathlib import Path
from urllib.parse import quote

from genderscope.runs import Result, what_is_there


def report_link(result: Result, target: Path) -> str | None:
    """Return the way from a file to the report of a run; None where there is none."""
    if result.folder is None or what_is_there(result.folder / "report.html") is not None:
        return None
    try:
        way = os.path.relpath((result.folder / "report.html").resolve(), target.resolve().parent)
    except ValueError:  # on another drive of Windows
        return None
    # A colon, too: a folder's name must not be read as the scheme of an address.
    return quote(Path(way).as_posix(), safe="/", errors="surrogateescape")
