"""Results and comparisons as text: Markdown, LaTeX, CSV, JSON, or the terminal table without colours."""

import io
from collections.abc import Callable, Iterator

from genderscope.comparison import Comparison
from genderscope.reference import reference_sentences
from genderscope.report.export.markup import latex_table, markdown_table, markdown_text
from genderscope.report.terminal import comparison_table as ct
from genderscope.report.views.declared_view import view_of
from genderscope.report.views.plain_view import ReportTable, describe_coverage
from genderscope.report.views.run_summary import tool_tables
from genderscope.runs import Result, spreadsheet_csv
from genderscope.util.safe_text import in_line


def publish(result: Result, form: str, completions: bool = False) -> str:
    """Return a result in one of these formats: table, markdown, latex, csv, json."""
    forms: dict[str, Callable[[], str]] = {
        "table": lambda: _table(result, completions),
        "markdown": lambda: "\n".join(_markdown(result)),
        "latex": lambda: "\n".join(_latex(result)),
        "csv": lambda: _csv(result),
        "json": result.to_json,
    }
    return forms[form]()


def _table(result: Result, completions: bool) -> str:
    from genderscope.report.layout import SafeConsole
    from genderscope.report.terminal.results import show

    file = io.StringIO()
    show(result, SafeConsole(file=file, width=140, color_system=None), completions, full=True)
    return file.getvalue()


def _tables(result: Result) -> Iterator[ReportTable]:
    """Yield the report's tables, except collapsed ones, which contain details or hurtful words."""
    every = (*tool_tables(result), *view_of(result.measure).tables(result))
    return (table for table in every if not table.folded)


def _heading(result: Result) -> str:
    return f"{result.measure}, {result.config['model']['name']}, data {result.config['data']['name']}"


def _notes(result: Result) -> list[str]:
    return [
        result.summary,
        *reference_sentences(result),
        describe_coverage(result),
        f"Intervals: {'; '.join(sorted(set(result.estimates['method'])))}.",
    ]


def _markdown(result: Result) -> Iterator[str]:
    yield f"## {markdown_text(_heading(result))}\n"
    for table in _tables(result):
        yield f"**{markdown_text(table.title)}**\n"
        yield from markdown_table(table.columns, table.rows)
        yield ""
    for note in _notes(result):
        yield f"{markdown_text(note)}\n"
    yield f"Signature: {markdown_text(result.signature)}"


def _latex(result: Result) -> Iterator[str]:
    yield "% Needs \\usepackage{booktabs}."
    yield f"% Signature: {in_line(result.signature)}"
    for table in _tables(result):
        yield from latex_table(f"{_heading(result)}: {table.title}", table.columns, table.rows, _notes(result)[1:])
        yield ""


def _csv(result: Result) -> str:
    """Return one row per estimate, with the run's identity in columns, since few CSV parsers skip comments."""
    frame = result.estimates.copy()
    frame.insert(0, "measure", result.measure)
    frame.insert(1, "model", result.config["model"]["name"])
    frame["coverage"] = result.coverage
    frame["signature"] = result.signature
    return spreadsheet_csv(frame)


MARK = "Written by genderscope compare."


def comparison_markdown(comparison: Comparison) -> str:
    """Return Markdown with one table per pair of runs, verdicts, cautions and the method."""
    return "\n".join(_comparison_markdown(comparison)) + "\n"


def _comparison_markdown(comparison: Comparison) -> Iterator[str]:
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
