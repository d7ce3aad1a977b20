"""Conversion of rows to tables; a measure's row is a frozen dataclass that defines the columns of rows.parquet.

Values that may be missing have an optional type (`float | None`). The schema depends only on the types, not on the
rows, so that an empty column keeps its type.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

RowT = TypeVar("RowT")

#: chunk size for converting rows to columns; a million row objects would take gigabytes of memory
_PORTION = 20_000
#: string columns in which missing values are `pd.NA`, in every measure
_REMARKS = ("unread", "note")
#: column types for measures without a row type, whose rows are dictionaries
_KNOWN = {"unread": "string", "note": "string", "log_ratio": "float64", "mass": "float64"}
_PLAIN = (bool, int, float, str)


@dataclass(frozen=True, slots=True)
class ColumnType:
    """The type of a column: scalars or lists of one type, and whether values may be missing."""

    kind: type
    listed: bool = False
    optional: bool = False


def columns_of(row_type: type) -> dict[str, ColumnType]:
    """Return the columns for a row type's fields; raise a TypeError naming any unsupported field."""
    if not is_dataclass(row_type):
        raise TypeError(f"{row_type!r} is not a dataclass")
    hints = get_type_hints(row_type)
    columns = {field.name: _column(field.name, hints[field.name]) for field in fields(row_type)}
    if columns.get("unread") != ColumnType(str, optional=True):
        raise TypeError("it has no field 'unread: str | None'")
    return columns


def _column(name: str, hint: Any) -> ColumnType:
    parts = [part for part in get_args(hint) if part is not NoneType] if NoneType in get_args(hint) else [hint]
    listed = get_origin(parts[0]) is list
    kind = get_args(parts[0])[0] if listed else parts[0]
    if len(parts) > 1 or kind not in _PLAIN:
        said = ", ".join(plain_type.__name__ for plain_type in _PLAIN)
        raise TypeError(f"its field '{name}' is {hint!r}; use {said}, a list of one of these, or any of them with None")
    return ColumnType(kind, listed, len(get_args(hint)) > 1 and NoneType in get_args(hint))


def row_from(row_type: type[RowT], *sources: Any, **columns: Any) -> RowT:
    """Return a row with these columns; others are the attributes of the same names of a sample, an answer or a reading.

    If several sources have an attribute, the first one counts.
    """
    names = [field.name for field in fields(row_type)]  # type: ignore[arg-type]
    for source in sources:
        for name in names:
            if name not in columns and hasattr(type(source), name):
                columns[name] = getattr(source, name)
    return row_type(**columns)


def schema_of(row_type: type | None) -> "pa.Schema | None":
    """Return the schema of rows.parquet, or None if the measure yields dictionaries."""
    if row_type is None:
        return None
    import pyarrow as pa

    plain = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.large_string()}
    in_lists = plain | {str: pa.string()}
    columns = columns_of(row_type).items()
    return pa.schema([(name, pa.list_(in_lists[c.kind]) if c.listed else plain[c.kind]) for name, c in columns])


def frame_of(rows: Iterable[Any], row_type: type | None) -> "pd.DataFrame":
    """Convert rows to a DataFrame, with columns from the row type or, if None, from the dictionaries' keys."""
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


def _typed(rows: Sequence[Any], columns: Mapping[str, ColumnType]) -> "pd.DataFrame":
    import pandas as pd

    made = {}
    for name, column in columns.items():
        values = [getattr(row, name) for row in rows]
        made[name] = pd.Series(values, dtype=_dtype(name, column, values))
    return pd.DataFrame(made)


def _dtype(name: str, column: ColumnType, values: Sequence[Any]) -> Any:
    """Return the pandas dtype of a column."""
    import pandas as pd

    if column.listed:
        return object
    if column.kind is str:
        return "string" if name in _REMARKS else pd.Series([""]).dtype
    if column.kind is bool:
        return "boolean" if column.optional else "bool"
    # Integers with missing values are floats in memory and integers in the file.
    return "float64" if column.kind is float or any(value is None for value in values) else "int64"
