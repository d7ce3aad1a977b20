"""A result as text for a paper or a program: Markdown, LaTeX, CSV, JSON, or the terminal's table without colours."""

import io
import re
from collections.abc import Callable, Iterator, Sequence

from genderscope.report.views import view_of
from genderscope.report.views.plain_view import Table
from genderscope.runs import Result, spreadsheet_csv
from genderscope.terminal_safe import in_line

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#|~$^!])")
_LATEX = {
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\char34{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after \\ a bracket would be taken for a length
    "]": "{]}",
    "`": r"\textasciigrave{}",  # after ? or ! it would turn them upside down
    "…": r"\dots{}",
    "–": "--",
    "−": "$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "µ": r"$\mu$",
    "ρ": r"$\rho$",
    "Δ": r"$\Delta$",
    "\0": "{}",
    "\u240a": " ",  # what a line break is shown as
    "►": r"$\triangleright$",
    "◄": r"$\triangleleft$",
}


#: what two of become another sign: a dash, a quotation mark
_LIGATURE = re.compile(r"-(?=-)|'(?=')|,(?=,)")


def publish(result: Result, form: str, completions: bool = False) -> str:
    """Write a result in one of the forms: table, markdown, latex, csv, json."""
    forms: dict[str, Callable[[], str]] = {
        "table": lambda: _table(result, completions),
        "markdown": lambda: "\n".join(_markdown(result)),
        "latex": lambda: "\n".join(_latex(result)),
        "csv": lambda: _csv(result),
        "json": result.to_json,
    }
    return forms[form]()


def markdown_text(text: str) -> str:
    """Escape what Markdown or the HTML inside it would read as more than text."""
    escaped = _MARKDOWN.sub(r"\\\1", in_line(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def latex_text(text: str) -> str:
    """Escape what LaTeX would read as more than text; the minus of a number becomes one."""
    apart = _LIGATURE.sub(r"\g<0>\0", in_line(text))
    escaped = "".join(_LATEX.get(c, c) for c in apart)
    return re.sub(r"(?<![\w.-])-(?=\d)", "$-$", escaped)


def _table(result: Result, completions: bool) -> str:
    from genderscope.report.console import SafeConsole
    from genderscope.report.terminal.results import show

    file = io.StringIO()
    show(result, SafeConsole(file=file, width=140, color_system=None), completions)
    return file.getvalue()


def _tables(result: Result) -> Iterator[Table]:
    """The tables of the report that stand open; what is folded away is detail, or may hurt."""
    return (table for table in view_of(result.measure).tables(result) if not table.folded)


def _heading(result: Result) -> str:
    return f"{result.measure}, {result.config['model']['name']}, data {result.config['data']['name']}"


def _notes(result: Result) -> list[str]:
    read = int(result.rows["unread"].isna().sum())
    return [
        result.summary,
        f"Coverage: {read:,} of {len(result.rows):,} questions read ({result.coverage:.1%}).",
        f"Intervals: {'; '.join(sorted(set(result.estimates['method'])))}.",
    ]


def _markdown(result: Result) -> Iterator[str]:
    yield f"## {markdown_text(_heading(result))}\n"
    for table in _tables(result):
        yield f"**{markdown_text(table.title)}**\n"
        yield _line(table.columns)
        yield _line(["---", *["---:"] * (len(table.columns) - 1)], escape=False)
        for row in table.rows:
            filled = [f"**{markdown_text(row[0])}**", *[""] * (len(table.columns) - 1)]
            yield _line(row) if len(row) > 1 else _line(filled, escape=False)
        yield ""
    for note in _notes(result):
        yield f"{markdown_text(note)}\n"
    yield f"Signature: {markdown_text(result.signature)}"


def _line(cells: Sequence[str], escape: bool = True) -> str:
    return f"| {' | '.join(map(markdown_text, cells) if escape else cells)} |"


def _latex(result: Result) -> Iterator[str]:
    yield "% Needs \\usepackage{booktabs}."
    yield f"% Signature: {in_line(result.signature)}"
    for table in _tables(result):
        yield "\\begin{table}\n\\centering"
        yield f"\\caption{{{latex_text(f'{_heading(result)}: {table.title}')}}}"
        yield f"\\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}\n\\toprule"
        yield f"{_cells(table.columns)}\n\\midrule"
        for row in table.rows:
            heading = f"\\multicolumn{{{len(table.columns)}}}{{l}}{{\\textit{{{latex_text(row[0])}}}}} \\\\"
            yield _cells(row) if len(row) > 1 else heading
        yield "\\bottomrule\n\\end{tabular}"
        notes = " ".join(latex_text(note) for note in _notes(result)[1:])
        yield f"\\par\\footnotesize {notes}\n\\end{{table}}\n"


def _cells(cells: Sequence[str]) -> str:
    return f"{' & '.join(map(latex_text, cells))} \\\\"


def _csv(result: Result) -> str:
    """Every estimate on a line, with what identifies the run in columns: comments would stop most readers."""
    frame = result.estimates.copy()
    frame.insert(0, "measure", result.measure)
    frame.insert(1, "model", result.config["model"]["name"])
    frame["coverage"] = result.coverage
    frame["signature"] = result.signature
    return spreadsheet_csv(frame)
