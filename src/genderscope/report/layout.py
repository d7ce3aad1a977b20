"""How every table on the terminal looks: no boxes, words to the left, numbers to the right, nothing cut.

On a narrow terminal explanations go below the table, words take several lines and columns that may be missed are left
out; where that is not enough, every row becomes some lines of its own. Names, values, intervals and n are always there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from genderscope.report.console import SafeConsole

GAP = 2
#: a longer word may be broken; the names of most models are shorter
LONGEST = 48
#: how wide a plot is at most and at least
WIDEST, NARROWEST = 28, 13

#: a cell that is drawn as wide as there is room
Plot = Callable[[int], Text]
Cell = str | Text | Plot


@dataclass(frozen=True)
class Column:
    """A column of a table: of words, of numbers (`right`), of explanations (`prose`) or of plots."""

    heading: str
    right: bool = False
    prose: bool = False
    plot: bool = False
    #: whether its words, known to be short, are never broken into lines
    whole: bool = False
    style: str = ""

    @property
    def joined(self) -> bool:
        """Whether its cells belong to the column before, as an interval does to its value."""
        return self.heading.startswith("95 %")


@dataclass(frozen=True)
class Row:
    """Cells and a style; a row of a single cell is a heading over all columns, with a plot beside it or none."""

    cells: tuple[Cell, ...]
    style: str = ""
    plot: Plot | None = None


class PlainTable:
    """A table that fits the terminal it is printed on."""

    def __init__(self, columns: Sequence[Column], yields: Sequence[str] = (), title: str | None = None) -> None:
        self.columns = list(columns)
        self.rows: list[Row] = []
        self._yields = [k for name in yields for k, column in enumerate(columns) if column.heading == name]
        self._yields += [k for k, column in enumerate(columns) if column.plot]
        self._notes: dict[str, None] = {}
        self._title = title

    def add_row(self, *cells: Cell, style: str = "", plot: Plot | None = None) -> None:
        """Add a row; a single cell is a heading, `plot` what is drawn beside it."""
        self.rows.append(Row(cells, style, plot))

    def note(self, said: str) -> None:
        """Add a remark, which goes below the table, once."""
        self._notes.setdefault(said)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(20, options.max_width), options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._title:
            yield Text(self._title, style="italic")
        width = options.max_width
        prose = [k for k, column in enumerate(self.columns) if column.prose]
        # Explanations stand in the table only where nothing else has to be broken for them.
        widths = self._widths(width, (), whole=bool(prose)) or self._widths(width, prose)
        for k in range(1, len(self._yields) + 1):
            widths = widths or self._widths(width, [*prose, *self._yields[:k]])
        lines = self._lines(widths) if widths else self._stacked(width)
        for line in lines:
            yield Text.assemble(line, no_wrap=True, overflow="ignore", end="\n")
        inside = not prose or (widths is not None and prose[0] in widths)
        if said := [*([] if inside else self._explanations(prose[0])), *self._notes]:
            yield Text("; ".join(said), style="dim")

    def _widths(self, width: int, without: Sequence[int], whole: bool = False) -> dict[int, int] | None:
        """Return how wide each column is, all of them `whole` or as wide as can be; None where there is no room."""
        shown = [k for k in range(len(self.columns)) if k not in without]
        natural = {k: self._natural(k) for k in shown}
        least = natural if whole else {k: self._least(k) for k in shown}
        room = width - GAP * (len(shown) - 1)
        if sum(least.values()) > room:
            return None
        found = dict(natural)
        # Plots shrink first, then headings of numbers are broken into lines, then the longest words.
        order = [k for k in shown if self.columns[k].plot] + [k for k in shown if self.columns[k].right]
        for k in order:
            found[k] -= max(0, min(found[k] - least[k], sum(found.values()) - room))
        while sum(found.values()) > room:
            found[max((k for k in shown if found[k] > least[k]), key=lambda k: found[k])] -= 1
        return found

    def _texts(self, k: int) -> list[Text]:
        least = min(2, len(self.columns))  # a single cell among several columns is a heading
        cells = [row.cells[k] for row in self.rows if least <= len(row.cells) > k]
        return [text(cell) for cell in cells if not callable(cell)]

    def _natural(self, k: int) -> int:
        if self.columns[k].plot:
            return max(WIDEST, cell_len(self.columns[k].heading))
        return max((t.cell_len for t in [*self._texts(k), Text(self.columns[k].heading)]), default=0)

    def _least(self, k: int) -> int:
        """Return the least width: a number is never broken, nor an explanation, words only where they are long."""
        column = self.columns[k]
        words = max(map(cell_len, column.heading.split()), default=0)
        if column.plot:
            return NARROWEST
        if column.prose or column.whole:
            return self._natural(k)
        if column.right:
            return max([words, *(t.cell_len for t in self._texts(k))])
        return max(words, min(LONGEST, max(map(_longest_word, self._texts(k)), default=0)))

    def _lines(self, widths: dict[int, int]) -> Iterator[Text]:
        """Yield the table, a line at a time."""
        headings: list[Cell] = [Text(_fitted(c, widths.get(k, 0))) for k, c in enumerate(self.columns)]
        if any(column.heading for column in self.columns):
            yield from self._line(Row(tuple(headings), "bold"), widths, bottom=True)
        for row in self.rows:
            if len(row.cells) == 1 < len(self.columns):
                yield self._heading(row, widths)
            else:
                yield from self._line(row, widths)

    def _heading(self, row: Row, widths: dict[int, int]) -> Text:
        line = Text(style=row.style).append_text(text(row.cells[0]))
        *before, last = widths
        if row.plot is not None and self.columns[last].plot:
            line.append(" " * (sum(widths[k] + GAP for k in before) - line.cell_len))
            line.append_text(row.plot(widths[last]))
            line.rstrip()
        return line

    def _line(self, row: Row, widths: dict[int, int], bottom: bool = False) -> Iterator[Text]:
        """Yield a row: as many lines as its longest cell needs."""
        blocks: list[list[Text]] = []
        for k, width in widths.items():
            cell = row.cells[k] if k < len(row.cells) else ""
            whole = cell(width) if callable(cell) else text(cell)
            whole.stylize_before(f"{self.columns[k].style} {row.style}".strip() or "none")
            blocks.append([whole] if callable(cell) else _wrapped(whole, width))
        height = max(map(len, blocks))
        starts = [0, *accumulate(width + GAP for width in widths.values())]
        for level in range(height):
            line = Text()
            for (k, width), block, start in zip(widths.items(), blocks, starts, strict=False):
                at = level - (height - len(block)) if bottom else level
                if not 0 <= at < len(block):
                    continue
                indent = width - block[at].cell_len if self.columns[k].right else 0
                line.append(" " * (start + indent - line.cell_len))
                line.append_text(block[at])
            line.rstrip()
            yield line

    def _stacked(self, width: int) -> Iterator[Text]:
        """Yield every row as lines of its own: its words, then each number after the name of its column."""
        for row in self.rows:
            if len(row.cells) == 1:
                yield from _wrapped(Text(style=row.style).append_text(text(row.cells[0])), width)
                continue
            words = [
                text(cell)
                for column, cell in zip(self.columns, row.cells, strict=False)
                if not (column.right or column.prose or column.plot)
            ]
            name = Text("  ", style=row.style).join([w for w in words if w.plain.strip()])
            yield from _wrapped(name, width)
            yield from _packed(self._named(row), width)

    def _named(self, row: Row) -> list[list[Text]]:
        """Return the numbers of a row, each with the name of its column, intervals beside their values."""
        found: list[list[Text]] = []
        for column, cell in zip(self.columns, row.cells, strict=False):
            if not column.right or not text(cell).plain.strip():
                continue
            if column.joined and found:
                found[-1].append(text(cell))
            else:
                heading = f"{column.heading} " if column.heading else ""
                found.append([Text.assemble((heading, "dim"), text(cell))])
        return found

    def _explanations(self, prose: int) -> list[str]:
        """Return the explanations, each once, after the name it is about."""
        found: dict[str, None] = {}
        for row in self.rows:
            if len(row.cells) > prose and (said := text(row.cells[prose]).plain):
                name = next(t.strip() for cell in row.cells if (t := text(cell).plain).strip())
                found.setdefault(f"{name}: {said}")
        return list(found)


def plain_table(
    words: Sequence[str],
    numbers: Sequence[str] = (),
    *,
    prose: str | None = None,
    plot: str | None = None,
    yields: Sequence[str] = (),
    whole: bool = False,
    title: str | None = None,
) -> PlainTable:
    """Start a table: columns of words, then of numbers, then one of explanations or of plots.

    Where there is no room, the columns named in `yields` go first, in that order, then the plot. Words that are `whole`
    stay on one line.
    """
    columns = [Column(heading, whole=whole) for heading in words]
    columns += [Column(heading, right=True) for heading in numbers]
    columns += [] if prose is None else [Column(prose, prose=True, style="dim")]
    columns += [] if plot is None else [Column(plot, plot=True)]
    return PlainTable(columns, yields, title)


def text(cell: Cell) -> Text:
    """Return a cell as text of its own; of a plot, nothing."""
    return cell.copy() if isinstance(cell, Text) else Text("" if callable(cell) else cell)


def _fitted(column: Column, width: int) -> str:
    """Return the heading; that of a plot around its middle, cut down to its arrows where there is no room for more."""
    if not column.plot:
        return column.heading
    heading = column.heading if cell_len(column.heading) <= width else " ".join(column.heading.split()[1:-1])
    left, right = heading[: len(heading) // 2], heading[len(heading) // 2 :]
    return f"{left:>{width // 2}}{right}"


def _longest_word(whole: Text) -> int:
    """Return how wide the longest word is, with the spaces that its text begins with."""
    indent = len(whole.plain) - len(whole.plain.lstrip(" "))
    return indent + max(map(cell_len, whole.plain.split()), default=0)


def _wrapped(whole: Text, width: int) -> list[Text]:
    """Break a text into lines; what begins with spaces goes on below its first letter."""
    indent = len(whole.plain) - len(whole.plain.lstrip(" "))
    if whole.cell_len <= width and "\n" not in whole.plain:
        return [whole]
    first, rest = Text(" " * indent), whole[indent:]
    lines = rest.wrap(SafeConsole(width=width, color_system=None), max(1, width - indent), overflow="fold")
    for line in lines:
        line.rstrip()
    return [first.copy().append_text(line) for line in lines] or [Text()]


def _packed(parts: Sequence[Sequence[Text]], width: int) -> Iterator[Text]:
    """Set texts beside each other, as many on a line as there is room for; one that has no room on any is broken up."""
    line = Text()
    for part in parts:
        whole = Text(" ").join(part)
        pieces = [whole] if whole.cell_len + 2 <= width else part
        for piece in pieces:
            if line.plain and (len(pieces) > 1 or line.cell_len + 3 + piece.cell_len > width):
                yield line
                line = Text()
            line.append(" · " if line.plain else "  ", "dim").append_text(piece)
    if line.plain:
        yield line
