"""Writes small tables and lists of lines for tests, and tests every row of a table."""

import csv
import inspect
import io
from pathlib import Path


def table(*rows):
    """Return the rows as CSV."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def write_table(path, header, rows):
    """Write a CSV file and return its path as text."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return str(path)


def read_column(path, name):
    """Return the cells of a column of a CSV file."""
    with Path(path).open(newline="", encoding="utf-8") as file:
        return [row[name] for row in csv.DictReader(file)]


def lines(texts):
    """Return the texts as lines."""
    return "".join(f"{text}\n" for text in texts)


def every(names, rows, ids=None):
    """Run a test for every row of a table: one test, whose failure lists all rows that fail and why.

    It takes what `pytest.mark.parametrize` takes. Fixtures are shared by all rows.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = list(rows)

    def decorate(test):
        parameters = inspect.signature(test).parameters

        def check_all_rows(**fixtures):
            assert rows, "the table is empty"
            failures = []
            for row in rows:
                try:
                    test(**fixtures, **dict(zip(names, [row] if len(names) == 1 else row, strict=True)))
                except Exception as error:
                    failures.append(f"{ids(row) if ids else repr(row)}: {type(error).__name__}: {error}")
            assert not failures, "\n".join([f"{len(failures)} of {len(rows)} rows fail:", *failures])

        fixtures = [parameter for name, parameter in parameters.items() if name not in names]
        check_all_rows.__name__, check_all_rows.__doc__ = test.__name__, test.__doc__
        check_all_rows.__module__, check_all_rows.__qualname__ = test.__module__, test.__qualname__
        check_all_rows.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return check_all_rows

    return decorate
