"""Comparisons as Markdown and LaTeX."""

from collections.abc import Iterator

from genderscope.comparison import Comparison
from genderscope.report.export.markup import latex_table, markdown_table, markdown_text
from genderscope.report.terminal import comparison_table as ct

MARK = "Written by genderscope compare."


def comparison_markdown(comparison: Comparison) -> str:
    """Return Markdown with one table per pair of runs, verdicts, cautions and the method."""
    return "\n".join(_markdown(comparison)) + "\n"


def _markdown(comparison: Comparison) -> Iterator[str]:
    yield f"<!-- {MARK} -->\n\n## {markdown_text(ct.comparison_title(comparison))}\n"
    for name, model in ct.name_runs(comparison):
        yield f"- {name}: {markdown_text(model)}"
    for name in comparison.pairs:
        yield ""
        yield from (f"{markdown_text(sentence)}\n" for sentence in ct.plain_answers(comparison, name))
        yield from markdown_table(
            ct.criteria_headings(comparison, name), (cells for _, cells in ct.criteria_rows(comparison, name))
        )
        shared = ct.describe_shared(comparison, name)
        yield f"\n{markdown_text(f'{name} compared with {comparison.first}: {shared}')}\n"
        yield from markdown_table(ct.full_headings(comparison, name), ct.full_rows(comparison, name))
        yield ""
        yield from (f"{markdown_text(sentence)}\n" for sentence in ct.verdict_sentences(comparison, name))
    yield from (f"Caution: {markdown_text(caution)}\n" for caution in ct.all_cautions(comparison))
    yield markdown_text(ct.describe_method(comparison))


def comparison_latex(comparison: Comparison) -> str:
    """Return LaTeX with one table per pair of runs, followed by verdicts, cautions and the method."""
    lines = [f"% {MARK} Needs \\usepackage{{booktabs}}."]
    runs = "; ".join(f"{name}: {model}" for name, model in ct.name_runs(comparison))
    cautions = [f"Caution: {caution}" for caution in ct.all_cautions(comparison)]
    for name in comparison.pairs:
        title, shared = ct.comparison_title(comparison), ct.describe_shared(comparison, name)
        caption = f"{title}: {name} compared with {comparison.first}. {runs}. {shared}"
        notes = [
            *ct.plain_answers(comparison, name),
            *ct.verdict_sentences(comparison, name),
            *cautions,
            ct.describe_method(comparison),
        ]
        rows = ct.full_rows(comparison, name)
        lines += latex_table(caption, ct.full_headings(comparison, name), rows, notes, ("verdict",))
    return "\n".join(lines) + "\n"
