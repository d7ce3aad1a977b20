"""The user's own data: duplicate rows count once, unless they are kept on request.

The same sentence ten times is one observation, not ten; counted ten times it would only make the intervals narrower.
Released data keeps its rows as the papers did.
"""

from pydantic import Field

from genderscope.measures.base import Options

NO_OWN_DATA = "--keep-duplicates is for duplicate rows of your own data; use it only with {} FILE."


class OwnDataOptions(Options):
    """The options of measures that accept the user's own data."""

    keep_duplicates: bool = Field(False, description="Keep duplicate rows of your own data (same text and labels).")


def settings_of(options: OwnDataOptions) -> dict[str, str]:
    """Return its entry in a signature."""
    return {"duplicates": "kept"} if options.keep_duplicates else {}


def cautions_about(name: str, duplicates: int, options: OwnDataOptions, clustered: bool = False) -> list[str]:
    """Say how many rows of a file are duplicates, and what was done with them.

    `clustered` says that the measure's intervals count the rows of one sentence as one unit.
    """
    if not duplicates:
        return []
    rows = f"{duplicates:,} rows of '{name}' repeat another row, text and labels alike"
    if duplicates == 1:
        rows = f"1 row of '{name}' repeats another row, text and labels alike"
    if options.keep_duplicates and clustered:
        return [f"{rows}; kept (--keep-duplicates), they count towards n, but a sentence is one unit of the intervals."]
    if options.keep_duplicates:
        return [f"{rows}; kept (--keep-duplicates), they make the intervals narrower than they should be."]
    return [f"{rows}; they count once (--keep-duplicates keeps them)."]
