"""Escaped text and tables in Markdown and LaTeX."""

import re
from collections.abc import Iterable, Iterator, Sequence

from genderscope.util.safe_text import in_line

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
    "[": "{[}",  # after \\ a bracket would be parsed as a length
    "]": "{]}",
    "`": r"\textasciigrave{}",  # ?` and !` are ligatures
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
    "\u240a": " ",  # the visible form of a line break
    "►": r"$\triangleright$",
    "◄": r"$\triangleleft$",
}
#: characters that form a LaTeX ligature when doubled
_LIGATURE = re.compile(r"-(?=-)|'(?=')|,(?=,)")


def markdown_text(text: str) -> str:
    """Escape text for Markdown and the HTML inside it."""
    escaped = _MARKDOWN.sub(r"\\\1", in_line(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def latex_text(text: str) -> str:
    """Escape text for LaTeX; a hyphen before a number becomes a minus sign."""
    separated = _LIGATURE.sub(r"\g<0>\0", in_line(text))
    escaped = "".join(_LATEX.get(c, c) for c in separated)
    return re.sub(r"(?<![\w.-])-(?=\d)", "$-$", escaped)


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; a single-cell row becomes a heading within the table."""
    yield markdown_row(headings)
    yield f"| --- |{' ---: |' * (len(headings) - 1)}"
    for row in rows:
        yield markdown_row(row) if len(row) > 1 else f"| **{markdown_text(row[0])}** |{'  |' * (len(headings) - 1)}"


def markdown_row(cells: Sequence[str]) -> str:
    """Return one row of a table."""
    return f"| {' | '.join(map(markdown_text, cells))} |"


def latex_table(
    caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]], notes: Iterable[str], left: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the lines of a table; the first column and those in `left` are left-aligned, the others right-aligned."""
    alignment = "".join("l" if k == 0 or heading in left else "r" for k, heading in enumerate(headings))
    yield f"\\begin{{table}}\n\\centering\n\\small\n\\caption{{{latex_text(caption)}}}"
    yield f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{_latex_row(headings)}\n\\midrule"
    for row in rows:
        heading = f"\\multicolumn{{{len(headings)}}}{{l}}{{\\textit{{{latex_text(row[0])}}}}} \\\\"
        yield _latex_row(row) if len(row) > 1 else heading
    yield "\\bottomrule\n\\end{tabular}\n\\par\\footnotesize"
    yield from (f"{latex_text(note)}\\par" for note in notes)
    yield "\\end{table}"


def _latex_row(cells: Sequence[str]) -> str:
    return f"{' & '.join(map(latex_text, cells))} \\\\"
