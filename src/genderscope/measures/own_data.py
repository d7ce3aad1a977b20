"""Duplicate rows in user-supplied data, which are dropped unless requested otherwise.

Ten copies of a sentence are one observation; counting them ten times would only make the intervals too narrow. Released
datasets keep their duplicates, as in the papers.
"""

from typing import Any, ClassVar

from pydantic import Field

from genderscope.measures.base import PublishedOptions

NO_OWN_DATA = "--keep-duplicates is for duplicate rows in your own data; use it only with {} FILE."


class OwnDataOptions(PublishedOptions):
    """Options of measures that accept user-supplied data."""

    keep_duplicates: bool = Field(False, description="Keep duplicate rows in your own data (same text and labels).")
    #: option that names the user's own file, and its values that do not; None if a measure checks this itself
    own_file: ClassVar[str | None] = None
    not_own: ClassVar[tuple[str | None, ...]] = (None,)

    def ineffective(self) -> str | None:
        if self.keep_duplicates and self.own_file and getattr(self, self.own_file) in self.not_own:
            return NO_OWN_DATA.format(f"--{self.own_file}")
        return super().ineffective()


def settings_of(options: OwnDataOptions) -> dict[str, str]:
    """Return the signature entry for kept duplicates, if any."""
    return {"duplicates": "kept"} if options.keep_duplicates else {}


def data_identity(name: str, sha256: str, samples: int, duplicates: int = 0) -> dict[str, Any]:
    """Return the identity of a dataset, with the number of duplicates if there are any."""
    known = {"name": name, "sha256": sha256, "samples": samples}
    return known | ({"duplicates": duplicates} if duplicates else {})


def cautions_about(name: str, duplicates: int, options: OwnDataOptions, clustered: bool = False) -> list[str]:
    """Return a caveat about the duplicate rows in a file and how they were handled.

    `clustered` means that the measure's intervals treat all rows of a sentence as one unit.
    """
    if not duplicates:
        return []
    rows = f"{duplicates:,} rows of '{name}' repeat the text and labels of another row"
    if duplicates == 1:
        rows = f"1 row of '{name}' repeats the text and labels of another row"
    if options.keep_duplicates and clustered:
        return [
            f"{rows}; with --keep-duplicates, all rows count towards n, but the intervals treat a sentence as one unit."
        ]
    if options.keep_duplicates:
        return [f"{rows}; with --keep-duplicates, all rows count, which makes the intervals too narrow."]
    return [f"{rows}; duplicates count once (--keep-duplicates keeps them)."]
