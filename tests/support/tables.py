"""Writes small tables and lists of lines for tests."""

import csv
import io


def table(*rows):
    """Return the rows as CSV."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def lines(texts):
    """Return the texts as lines."""
    return "".join(f"{text}\n" for text in texts)
