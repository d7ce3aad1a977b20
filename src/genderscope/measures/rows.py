"""Rows as tables: a measure's row is a frozen dataclass whose fields and types define the columns of rows.parquet.

A value that may be missing has a type that says so (`float | None`). The schema follows from the types, whatever the
rows contain: an empty column is still a column of numbers or of text.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

#: Rows are converted to columns in chunks of this size: a million of them as objects would fill gigabytes.
_PORTION = 20_000
#: In every measure, missing values of these are `pd.NA`.
_REMARKS = ("unread", "note")
#: the column types of measures that declare no row type and yield dictionaries
_KNOWN = {"unread": "string", "note": "string", "log_ratio": "float64", "mass": "float64"}
_PLAIN = (bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Column:
    """The type of a column: values of one type or lists of them, and whether some may be missing."""

    kind: type
    listed: bool = False
    optional: bool = False


def columns_of(row_type: type) -> dict[str, Column]:
    """Return the columns for a row's fields; raise a TypeError that names a field no column can hold."""
    if not is_dataclass(row_type):
        raise TypeError(f"{row_type!r} is not a dataclass")
    hints = get_type_hints(row_type)
    found = {field.name: _column(field.name, hints[field.name]) for field in fields(row_type)}
    if found.get("unread") != Column(str, optional=True):
        raise TypeError("it has no field 'unread: str | None'")
    return found


def _column(name: str, hint: Any) -> Column:
    parts = [part for part in get_args(hint) if part is not NoneType] if NoneType in get_args(hint) else [hint]
    listed = get_origin(parts[0]) is list
    kind = get_args(parts[0])[0] if listed else parts[0]
    if len(parts) > 1 or kind not in _PLAIN:
        said = ", ".join(each.__name__ for each in _PLAIN)
        raise TypeError(f"its field '{name}' is {hint!r}, not {said}, a list of these, or one of them or None")
    return Column(kind, listed, len(get_args(hint)) > 1 and NoneType in get_args(hint))


def schema_of(row_type: type | None) -> "pa.Schema | None":
    """Return the schema of rows.parquet; None if the measure yields dictionaries, whose columns are unknown."""
    if row_type is None:
        return None
    import pyarrow as pa

    plain = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.large_string()}
    in_lists = plain | {str: pa.string()}
    known = columns_of(row_type).items()
    return pa.schema([(name, pa.list_(in_lists[c.kind]) if c.listed else plain[c.kind]) for name, c in known])


def frame_of(rows: Iterable[Any], row_type: type | None) -> "pd.DataFrame":
    """Lay rows out as a DataFrame, with the columns of their type or, without one, of the dictionaries."""
    import pandas as pd

    columns = None if row_type is None else columns_of(row_type)
    source = iter(rows)
    portions = []
    while portion := list(islice(source, _PORTION)):
        portions.append(_untyped(portion) if columns is None else _typed(portion, columns))
    if not portions:
        return pd.DataFrame() if columns is None else _typed([], columns)
    return pd.concat(portions, ignore_index=True)


def _untyped(rows: Sequence[Any]) -> "pd.DataFrame":
    import pandas as pd

    frame = pd.DataFrame(rows)
    return frame.astype({column: kind for column, kind in _KNOWN.items() if column in frame})


def _typed(rows: Sequence[Any], columns: Mapping[str, Column]) -> "pd.DataFrame":
    import pandas as pd

    made = {}
    for name, column in columns.items():
        values = [getattr(row, name) for row in rows]
        made[name] = pd.Series(values, dtype=_dtype(name, column, values))
    return pd.DataFrame(made)


def _dtype(name: str, column: Column, values: Sequence[Any]) -> Any:
    """Return the pandas dtype of a column: pandas' own choice if no value is missing."""
    import pandas as pd

    if column.listed:
        return object
    if column.kind is str:
        return "string" if name in _REMARKS else pd.Series([""]).dtype
    if column.kind is bool:
        return "boolean" if column.optional else "bool"
    # Integers with missing values are floats in memory, and integers again in the file.
    return "float64" if column.kind is float or any(value is None for value in values) else "int64"
