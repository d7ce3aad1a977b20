"""A test of a whole table runs every row, and says which of them fail and why."""

import pytest

from tests.support.tables import every


def test_all_rows_are_checked_and_those_that_fail_are_listed(tmp_path):
    checked = []

    @every(("number", "square"), [(1, 1), (2, 5), (3, 9), (4, 0)], ids=lambda row: f"the square of {row[0]}")
    def squares(number, square, tmp_path):
        checked.append(number)
        assert number**2 == square, tmp_path.name
        assert number != 4

    with pytest.raises(AssertionError) as raised:
        squares(tmp_path=tmp_path)
    assert checked == [1, 2, 3, 4]
    said = str(raised.value)
    assert said.startswith("2 of 4 rows fail:")
    assert "the square of 2: AssertionError" in said
    assert "the square of 4: AssertionError" in said
    assert "the square of 3" not in said


def test_an_empty_table_fails():
    @every("row", [])
    def nothing(row):
        pass

    with pytest.raises(AssertionError, match="the table is empty"):
        nothing()
