"""The user's own data: rows that repeat another count once, unless they are to be kept.

The same sentence ten times is one observation, not ten; counted ten times it would only make the intervals narrower.
Released data keeps its rows as the papers did.
"""

from pydantic import Field

from genderscope.measures.base import Options

NO_OWN_DATA = "--keep-duplicates is for rows of your own data that repeat another; give it with {} FILE only."


class OwnDataOptions(Options):
    """What the user chooses where own data can be given."""

    keep_duplicates: bool = Field(False, description="Keep duplicate rows of your own data (same text, same labels).")


def settings_of(options: OwnDataOptions) -> dict[str, str]:
    """Return what a signature shows of it."""
    return {"duplicates": "kept"} if options.keep_duplicates else {}


def cautions_about(name: str, duplicates: int, options: OwnDataOptions) -> list[str]:
    """Say how many rows of a file repeat another, and what became of them."""
    if not duplicates:
        return []
    rows = f"{duplicates:,} rows of '{name}' repeat another row, text and labels alike"
    if duplicates == 1:
        rows = f"1 row of '{name}' repeats another row, text and labels alike"
    if options.keep_duplicates:
        return [f"{rows}; kept (--keep-duplicates), they make the intervals narrower than they should be."]
    return [f"{rows}; they count once (--keep-duplicates keeps them)."]
