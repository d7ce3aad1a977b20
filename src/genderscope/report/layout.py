"""How every table on the terminal looks: no boxes, words to the left, numbers to the right."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table


def plain_table(words: Sequence[str], numbers: Sequence[str] = (), *, wrapped: bool = False, **look: Any) -> Table:
    """Start a table: columns of words, then columns of numbers. `wrapped` lets long cells take several lines."""
    table = Table(box=None, pad_edge=False, header_style="bold", **look)
    for heading in words:
        table.add_column(heading, no_wrap=not wrapped)
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=not wrapped)
    return table
