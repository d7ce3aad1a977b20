"""Reads the papers' tables, stored next to this file, and tables in released data."""

import csv
import io
from importlib.resources import files

Row = dict[str, str]


def published_table(name: str) -> list[Row]:
    """Return the rows of one of the papers' tables."""
    return released_table(files("genderscope.published").joinpath("tables", name).read_bytes())


def released_table(content: bytes) -> list[Row]:
    """Return the rows of a CSV file that a paper's authors released."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))
