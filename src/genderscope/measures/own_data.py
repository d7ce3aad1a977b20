"""Duplicate rows in user-supplied data, which are dropped unless requested otherwise.

Ten copies of a sentence are one observation; counting them ten times would only make the intervals too narrow. Released
datasets keep their duplicates, as in the papers.
"""

from typing import ClassVar, Protocol

from pydantic import Field

from genderscope.measures.base import PublishedOptions


class OwnDataOptions(PublishedOptions):
    """Options of measures that accept user-supplied data."""

    keep_duplicates: bool = Field(False, description="Keep duplicate rows in your own data (same text and labels).")
    #: the option that names the data, and its values that stand for data which is not the user's own
    data_option: ClassVar[str] = "data"
    built_in_data: ClassVar[tuple[str, ...]] = ()

    def ineffective(self) -> str | None:
        if self.keep_duplicates and getattr(self, self.data_option) in (None, *self.built_in_data):
            option = f"--{self.data_option}"
            return f"--keep-duplicates is for duplicate rows in your own data; use it only with {option} FILE."
        return super().ineffective()


def settings_of(options: OwnDataOptions) -> dict[str, str]:
    """Return the signature entry for kept duplicates, if any."""
    return {"duplicates": "kept"} if options.keep_duplicates else {}


class _Data(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def duplicates(self) -> int: ...


def cautions_about(data: _Data, options: OwnDataOptions, clustered: bool = False) -> list[str]:
    """Return a caveat about the duplicate rows in a file and how they were handled.

    `clustered` means that the measure's intervals treat all rows of a sentence as one unit.
    """
    if not data.duplicates:
        return []
    rows = f"{data.duplicates:,} rows of '{data.name}' repeat the text and labels of another row"
    if data.duplicates == 1:
        rows = f"1 row of '{data.name}' repeats the text and labels of another row"
    if options.keep_duplicates and clustered:
        return [
            f"{rows}; with --keep-duplicates, all rows count towards n, but the intervals treat a sentence as one unit."
        ]
    if options.keep_duplicates:
        return [f"{rows}; with --keep-duplicates, all rows count, which makes the intervals too narrow."]
    return [f"{rows}; duplicates count once (--keep-duplicates keeps them)."]
