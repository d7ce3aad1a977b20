"""The console for all output, and terminal tables: no boxes, text on the left, numbers on the right, nothing truncated.

On a narrow terminal, explanations move below the table, text wraps and optional columns are dropped. If that is not
enough, each row is stacked over several lines. Names, values, intervals and n are always shown.

Names of models, data, files and options are untrusted: Rich would parse `[/x]` as markup and `:100:` as an emoji, and
escape characters would control the terminal. The console prints them literally; coloured output uses `rich.text.Text`
with a style.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.text import Text

from genderscope.util.safe_text import terminal_safe


class SafeConsole(Console):
    """A console that does not interpret markup or emoji codes, and replaces control characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"highlight": False, **options, "markup": False, "emoji": False})

    def on_broken_pipe(self) -> None:
        """Let the BrokenPipeError propagate; Rich would exit with code 1."""
        raise  # noqa: PLE0704 - Rich calls this while it handles the error

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(terminal_safe(segment.text), segment.style)


GAP = 2
#: words longer than this may be split; most model names are shorter
LONGEST = 48
#: maximum and minimum width of a plot
WIDEST, NARROWEST = 28, 13
#: heading of interval columns, which stay next to their values
INTERVAL = "95 % interval"

#: a cell drawn to fit its column's width
Plot = Callable[[int], Text]
Cell = str | Text | Plot


@dataclass(frozen=True)
class TableColumn:
    """A column of text, numbers (`right`), explanations (`prose`) or plots."""

    heading: str
    right: bool = False
    prose: bool = False
    plot: bool = False
    #: whether its text must not wrap
    whole: bool = False
    #: whether its cells stay next to those of the previous column, like an interval next to its value
    joined: bool = False
    style: str = ""
    #: minimum width, unless its text is shorter; by default the width of its longest word
    narrowest: int | None = None


@dataclass(frozen=True)
class TableRow:
    """The cells and style of a row; a single cell is a heading that spans all columns, optionally with a plot."""

    cells: tuple[Cell, ...]
    style: str = ""
    plot: Plot | None = None


class PlainTable:
    """A table that adapts to the width of the terminal."""

    def __init__(self, columns: Sequence[TableColumn], optional: Sequence[str] = (), title: str | None = None) -> None:
        self.columns = list(columns)
        self.rows: list[TableRow] = []
        self._optional = [k for name in optional for k, column in enumerate(columns) if column.heading == name]
        self._optional += [k for k, column in enumerate(columns) if column.plot]
        self._notes: dict[str, None] = {}
        self._title = title

    def add_row(self, *cells: Cell, style: str = "", plot: Plot | None = None) -> None:
        """Add a row; a single cell is a heading, drawn with `plot` if given."""
        self.rows.append(TableRow(cells, style, plot))

    def note(self, text: str) -> None:
        """Add a note below the table; duplicates are ignored."""
        self._notes.setdefault(text)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(20, options.max_width), options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._title:
            yield Text(self._title, style="italic")
        width = options.max_width
        prose = [k for k, column in enumerate(self.columns) if column.prose]
        # Explanations stay in the table only if nothing else has to wrap to make room for them.
        widths = self._widths(width, (), whole=bool(prose)) or self._widths(width, prose)
        for k in range(1, len(self._optional) + 1):
            widths = widths or self._widths(width, [*prose, *self._optional[:k]])
        lines = self._lines(widths) if widths else self._stacked(width)
        for line in lines:
            yield Text.assemble(line, no_wrap=True, overflow="ignore", end="\n")
        inside = not prose or (widths is not None and prose[0] in widths)
        if notes := [*([] if inside else self._explanations(prose[0])), *self._notes]:
            yield Text("; ".join(notes), style="dim")

    def _widths(self, width: int, without: Sequence[int], whole: bool = False) -> dict[int, int] | None:
        """Return the width of each column, without wrapping if `whole`; None if the table does not fit."""
        shown = [k for k in range(len(self.columns)) if k not in without]
        natural = {k: self._natural(k) for k in shown}
        least = natural if whole else {k: self._least(k) for k in shown}
        room = width - GAP * (len(shown) - 1)
        if sum(least.values()) > room:
            return None
        widths = dict(natural)
        # Shrink plots first, then wrap the headings of number columns, then the widest text columns.
        order = [k for k in shown if self.columns[k].plot] + [k for k in shown if self.columns[k].right]
        for k in order:
            widths[k] -= max(0, min(widths[k] - least[k], sum(widths.values()) - room))
        while sum(widths.values()) > room:
            widths[max((k for k in shown if widths[k] > least[k]), key=lambda k: widths[k])] -= 1
        return widths

    def _texts(self, k: int) -> list[Text]:
        least = min(2, len(self.columns))  # a single cell among several columns is a heading
        cells = [row.cells[k] for row in self.rows if least <= len(row.cells) > k]
        return [text(cell) for cell in cells if not callable(cell)]

    def _natural(self, k: int) -> int:
        if self.columns[k].plot:
            return max(WIDEST, cell_len(self.columns[k].heading))
        return max((t.cell_len for t in [*self._texts(k), Text(self.columns[k].heading)]), default=0)

    def _least(self, k: int) -> int:
        """Return a column's minimum width: numbers and explanations never wrap, and only long words are split."""
        column = self.columns[k]
        words = max(map(cell_len, column.heading.split()), default=0)
        if column.plot:
            return NARROWEST
        if column.prose or column.whole:
            return self._natural(k)
        if column.right:
            return max([words, *(t.cell_len for t in self._texts(k))])
        if column.narrowest is not None:
            return max(words, min(column.narrowest, self._natural(k)))
        return max(words, min(LONGEST, max(map(_longest_word, self._texts(k)), default=0)))

    def _lines(self, widths: dict[int, int]) -> Iterator[Text]:
        """Yield the lines of the table."""
        headings: list[Cell] = [Text(_fitted(c, widths.get(k, 0))) for k, c in enumerate(self.columns)]
        if any(column.heading for column in self.columns):
            yield from self._line(TableRow(tuple(headings), "bold"), widths, bottom=True)
        for row in self.rows:
            if len(row.cells) == 1 < len(self.columns):
                yield self._heading(row, widths)
            else:
                yield from self._line(row, widths)

    def _heading(self, row: TableRow, widths: dict[int, int]) -> Text:
        line = Text(style=row.style).append_text(text(row.cells[0]))
        *before, last = widths
        if row.plot is not None and self.columns[last].plot:
            line.append(" " * (sum(widths[k] + GAP for k in before) - line.cell_len))
            line.append_text(row.plot(widths[last]))
            line.rstrip()
        return line

    def _line(self, row: TableRow, widths: dict[int, int], bottom: bool = False) -> Iterator[Text]:
        """Yield the lines of one row."""
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
        """Yield each row stacked over several lines: its text, then each number preceded by its heading."""
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

    def _named(self, row: TableRow) -> list[list[Text]]:
        """Return a row's numbers with their headings, keeping intervals next to their values."""
        numbers: list[list[Text]] = []
        for column, cell in zip(self.columns, row.cells, strict=False):
            if not column.right or not text(cell).plain.strip():
                continue
            if column.joined and numbers:
                numbers[-1].append(text(cell))
            else:
                heading = f"{column.heading} " if column.heading else ""
                numbers.append([Text.assemble((heading, "dim"), text(cell))])
        return numbers

    def _explanations(self, prose: int) -> list[str]:
        """Return the distinct explanations, each preceded by the name it explains."""
        explanations: dict[str, None] = {}
        for row in self.rows:
            if len(row.cells) > prose and (explanation := text(row.cells[prose]).plain):
                name = next(t.strip() for cell in row.cells if (t := text(cell).plain).strip())
                explanations.setdefault(f"{name}: {explanation}")
        return list(explanations)


def plain_table(
    words: Sequence[str],
    numbers: Sequence[str] = (),
    *,
    prose: str | None = None,
    plot: str | None = None,
    optional: Sequence[str] = (),
    whole: bool = False,
    title: str | None = None,
) -> PlainTable:
    """Create a table with text columns, then number columns, then explanations and plots, if any.

    On a narrow terminal, the `optional` columns are dropped in this order, then the plot. With `whole`, text columns
    never wrap.
    """
    columns = [TableColumn(heading, whole=whole) for heading in words]
    columns += [TableColumn(heading, right=True, joined=heading == INTERVAL) for heading in numbers]
    columns += [] if prose is None else [TableColumn(prose, prose=True, style="dim")]
    columns += [] if plot is None else [TableColumn(plot, plot=True)]
    return PlainTable(columns, optional, title)


def filled_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    words: Sequence[int] = (0,),
    optional: Sequence[str] = (),
    styles: Iterable[str] = repeat(""),
) -> PlainTable:
    """Create a table of numbers with its rows; `words` are the positions of the text columns."""
    columns = [
        TableColumn(heading, right=k not in words, joined=k not in words and heading == INTERVAL)
        for k, heading in enumerate(headings)
    ]
    table = PlainTable(columns, optional)
    for row, style in zip(rows, styles, strict=False):
        table.add_row(*map(Text, row), style=style)
    return table


def text(cell: Cell) -> Text:
    """Return a copy of a cell as Text; empty for a plot."""
    return cell.copy() if isinstance(cell, Text) else Text("" if callable(cell) else cell)


def _fitted(column: TableColumn, width: int) -> str:
    """Return the heading; a plot's heading is centred, and reduced to its arrows if it does not fit."""
    if not column.plot:
        return column.heading
    heading = column.heading if cell_len(column.heading) <= width else " ".join(column.heading.split()[1:-1])
    left, right = heading[: len(heading) // 2], heading[len(heading) // 2 :]
    return f"{left:>{width // 2}}{right}"


def _longest_word(whole: Text) -> int:
    """Return the width of the longest word plus the text's indent."""
    indent = len(whole.plain) - len(whole.plain.lstrip(" "))
    return indent + max(map(cell_len, whole.plain.split()), default=0)


def _wrapped(whole: Text, width: int) -> list[Text]:
    """Wrap a text, preserving its indent on continuation lines."""
    indent = len(whole.plain) - len(whole.plain.lstrip(" "))
    if whole.cell_len <= width and "\n" not in whole.plain:
        return [whole]
    first, rest = Text(" " * indent), whole[indent:]
    lines = rest.wrap(SafeConsole(width=width, color_system=None), max(1, width - indent), overflow="fold")
    for line in lines:
        line.rstrip()
    return [first.copy().append_text(line) for line in lines] or [Text()]


def _packed(parts: Sequence[Sequence[Text]], width: int) -> Iterator[Text]:
    """Pack texts into lines, splitting a text into its parts if it does not fit on one line."""
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
