"""A comparison as Markdown and as LaTeX: what the terminal shows, with margins and verdicts."""

from collections.abc import Iterator, Sequence

from genderscope.comparison import Comparison
from genderscope.report.export.formats import latex_text, markdown_text
from genderscope.report.terminal.compared import headings, runs_of, texts, title_of, verdicts_of
from genderscope.report.terminal.comparison_table import method, shared

MARK = "Written by genderscope compare."


def comparison_markdown(comparison: Comparison) -> str:
    """Write a table for each later run, then the verdicts, the cautions and the method."""
    return "\n".join(_markdown(comparison)) + "\n"


def _markdown(comparison: Comparison) -> Iterator[str]:
    yield f"<!-- {MARK} -->\n\n## {markdown_text(title_of(comparison))}\n"
    for name, model in runs_of(comparison):
        yield f"- {name}: {markdown_text(model)}"
    for name in comparison.pairs:
        yield f"\n{markdown_text(f'{name} against {comparison.first}: {shared(comparison, name)}')}\n"
        heads = headings(comparison, name)
        yield _line(heads)
        yield f"| --- |{' ---: |' * (len(heads) - 1)}"
        yield from (_line(texts(d)) for d in comparison.of(name))
        yield ""
        yield from (f"{markdown_text(said)}\n" for said in verdicts_of(comparison, name))
    yield from (f"Caution: {markdown_text(caution)}\n" for caution in comparison.cautions)
    yield markdown_text(method(comparison))


def _line(parts: Sequence[str]) -> str:
    return f"| {' | '.join(map(markdown_text, parts))} |"


def comparison_latex(comparison: Comparison) -> str:
    """Write a table for each later run, its verdicts and the method below it."""
    return "\n".join(_latex(comparison)) + "\n"


def _latex(comparison: Comparison) -> Iterator[str]:
    yield f"% {MARK} Needs \\usepackage{{booktabs}}."
    runs = "; ".join(f"{name}: {model}" for name, model in runs_of(comparison))
    for name in comparison.pairs:
        heads = headings(comparison, name)
        yield "\\begin{table}\n\\centering\n\\small"
        about = f"{title_of(comparison)}: {name} against {comparison.first}. {runs}. {shared(comparison, name)}"
        yield f"\\caption{{{latex_text(about)}}}"
        yield f"\\begin{{tabular}}{{l{'r' * (len(heads) - 2)}l}}\n\\toprule\n{_cells(heads)}\n\\midrule"
        yield from (_cells(texts(d)) for d in comparison.of(name))
        yield "\\bottomrule\n\\end{tabular}\n\\par\\footnotesize"
        careful = (f"Caution: {caution}" for caution in comparison.cautions)
        for said in (*verdicts_of(comparison, name), *careful, method(comparison)):
            yield f"{latex_text(said)}\\par"
        yield "\\end{table}"


def _cells(parts: Sequence[str]) -> str:
    return f"{' & '.join(map(latex_text, parts))} \\\\"
