"""A measure's row is a type, and its fields are the columns of rows.parquet: as they have always been."""

from dataclasses import dataclass, fields, make_dataclass

import pandas as pd
import pytest
from pyarrow import parquet

from genderscope.measures import MEASURES, frame_of, measure_type, schema_of
from genderscope.runs import Result, RunFolder, estimates_to_frame
from tests.measure_examples import example_of

#: b(ool), o(ptional bool), f(loat), i(nt), s(tring), l(ist of strings)
ARROW = {"b": "bool", "o": "bool", "f": "double", "i": "int64", "s": "large_string", "l": "list<element: string>"}
PANDAS = {"b": "bool", "o": "boolean", "f": "float64", "i": "int64", "s": str(pd.Series([""]).dtype), "l": "object"}


def columns(measure):
    return dict(column.split(":") for column in example_of(measure).columns.split())


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_a_measure_writes_the_columns_that_it_has_always_written(measure):
    schema = schema_of(measure_type(measure).row_type)
    found = {
        name: str(kind).replace("item:", "element:") for name, kind in zip(schema.names, schema.types, strict=True)
    }
    assert list(found.items()) == [(name, ARROW[kind]) for name, kind in columns(measure).items()]


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_rows_of_every_measure_are_held_and_read_back_in_their_types(measure, tmp_path):
    """Whole numbers that may be missing are floating-point numbers in memory where one is, as pandas has it."""
    kind = measure_type(measure).row_type
    full = kind(**{name: _value(what) for name, what in columns(measure).items()})
    frame = frame_of([full, full], kind)
    wanted = {name: PANDAS[what] for name, what in columns(measure).items()}
    wanted |= dict.fromkeys({"unread", "note"} & set(wanted), "string")
    assert frame.dtypes.astype(str).to_dict() == wanted
    assert frame.iloc[1].to_dict() == {field.name: getattr(full, field.name) for field in fields(kind)}
    path = tmp_path / "rows.parquet"
    frame.to_parquet(path, index=False, schema=schema_of(kind))
    assert pd.read_parquet(path).dtypes.astype(str).to_dict() == wanted


def _value(what):
    return {"b": True, "o": True, "f": 0.5, "i": 3, "s": "x", "l": ["x", "y"]}[what]


@dataclass(frozen=True)
class Row:
    sample: int
    place: int | None
    score: float | None
    said: str | None
    words: list[str]
    unread: str | None


def saved(folder, rows):
    """Write rows as a run does; return the file."""
    config = {"configuration": {}, "command": "", "model": {"name": "m"}, "signature": "s"}
    found = Result("mine", estimates_to_frame([]), rows, "s", "", (), config)

    def report(_, target):
        target.write_text("report")

    with RunFolder(folder, config) as run:
        run.save(found, report, schema_of(Row))
    return folder / "rows.parquet"


def test_what_is_missing_throughout_keeps_its_type(tmp_path):
    rows = frame_of([Row(1, None, None, None, [], "too long")], Row)
    path = saved(tmp_path / "run", rows)
    assert [str(kind) for kind in parquet.read_schema(path).types] == [
        *("int64", "int64", "double", "large_string", "list<element: string>", "large_string")
    ]
    assert pd.read_parquet(path)["place"].isna().all()


def test_whole_numbers_of_which_some_are_missing_are_whole_in_the_file(tmp_path):
    rows = frame_of([Row(1, 7, 0.5, "x", [], None), Row(2, None, 0.5, "x", [], None)], Row)
    assert rows["place"].dtype == "float64"
    path = saved(tmp_path / "run", rows)
    assert parquet.read_table(path)["place"].to_pylist() == [7, None]


def test_rows_of_an_earlier_version_with_other_columns_are_written_as_they_are(tmp_path):
    rows = pd.DataFrame({"sample": [1], "unread": pd.Series([None], dtype="string")})
    assert list(pd.read_parquet(saved(tmp_path / "run", rows))) == ["sample", "unread"]


def test_a_measure_may_yield_dictionaries():
    rows = frame_of(
        iter([{"sample": 1, "log_ratio": None, "unread": "x"}, {"sample": 2, "log_ratio": 1, "unread": None}]), None
    )
    assert rows.dtypes.astype(str).to_dict() == {"sample": "int64", "log_ratio": "float64", "unread": "string"}
    assert schema_of(None) is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            [("when", complex), ("unread", str | None)],
            "its field 'when' is <class 'complex'>; use bool, int, float, str",
        ),
        ([("where", int | str), ("unread", str | None)], "its field 'where' is int | str"),
        ([("sample", int)], "it has no field 'unread: str | None'"),
    ],
)
def test_a_row_that_no_table_can_hold_names_its_field(fields, said):
    with pytest.raises(TypeError) as caught:
        schema_of(make_dataclass("Row", fields))
    assert said in str(caught.value)
