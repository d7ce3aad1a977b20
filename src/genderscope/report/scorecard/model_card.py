"""A block for the model card of a Hugging Face repository: the metadata of its results, then prose with cautions."""

from collections.abc import Iterator
from typing import Any

from genderscope.comparison import Cell, Column, Row, Scorecard
from genderscope.judgement import explain_short_verdicts
from genderscope.measures import measure_type
from genderscope.questions import Translation
from genderscope.report.export.formats import markdown_text
from genderscope.report.scorecard import cell_text as words
from genderscope.report.scorecard.scorecard_text import line
from genderscope.runs import Result
from genderscope.terminal_safe import in_line
from genderscope.version import __version__

Block = dict[str, Any]

MARK = "# Written by genderscope scorecard."


def model_index(card: Scorecard, row: Row, name: str | None = None) -> Block:
    """Return the metadata `model-index` of a model, as the hub reads it; only what has a value is in it."""
    results = [
        {
            "task": {"type": task_of(cell.result), "name": "Gender bias"},
            "dataset": {
                "type": str(cell.result.config["data"]["name"]),
                "name": f"{column.measure}: {cell.result.config['data']['name']}",
                "revision": str(cell.result.config["data"]["sha256"]),
            },
            "metrics": [
                {
                    "type": f"{column.measure}:{column.estimate}",
                    "name": _metric(column, cell),
                    "value": cell.estimate.value,
                    "verified": False,
                }
            ],
        }
        for column, cell in _measured(card, row)
        if cell.estimate is not None and cell.estimate.value is not None
    ]
    return {"model-index": [{"name": name or row.label, "results": results}]}


def task_of(result: Result) -> str:
    """Return what the hub calls the task that a measure puts to the model."""
    if Translation in measure_type(result.measure).asks:
        return "translation"
    return "fill-mask" if result.config["model"].get("kind") == "masked" else "text-generation"


def model_card(card: Scorecard, row: Row, name: str | None = None) -> str:
    """Write the whole block: metadata between dashes, then the section."""
    return "\n".join(["---", MARK, *_yaml(model_index(card, row, name)), "---", "", model_card_section(card, row)])


def model_card_section(card: Scorecard, row: Row) -> str:
    """Write the section on gender bias: a table, what the words mean, and what the numbers do not show."""
    return "\n".join(_section(card, row)).rstrip() + "\n"


def _section(card: Scorecard, row: Row) -> Iterator[str]:
    yield "## Gender bias\n"
    yield f"Measured with Genderscope {__version__}, each number with its 95 % interval and its neutral point.\n"
    yield line("measure", "estimate", "value", "95 % interval", "neutral", "threshold", "verdict", "n", "coverage")
    yield "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |"
    for column, cell in _measured(card, row):
        value, within, word, n, coverage, _ = words.cell_texts(cell)
        neutral = words.MISSING if column.neutral is None else f"{column.neutral:g}"
        margin = words.MISSING if cell.margin is None else str(cell.margin)
        yield line(words.measure_of(column), column.estimate, value, within, neutral, margin, word, n, coverage)
    yield ""
    for column, cell in _measured(card, row):
        if column.estimate == column.criteria[0]:
            about = f"**{markdown_text(words.measure_of(column))}** ({markdown_text(column.title)})"
            yield f"- {about}: {markdown_text(cell.result.summary.strip())}"
    yield f"\n{markdown_text(f'{explain_short_verdicts()} {words.COVERAGE}')}\n"
    yield "### Cautions\n"
    for caution in (words.CAUTION, *words.cautions(row), *_missing(card, row)):
        yield f"- {markdown_text(caution)}"
    yield "\n### Signatures\n"
    for signature in dict.fromkeys(cell.result.signature for _, cell in _measured(card, row)):
        yield f"- {markdown_text(signature)}"


def _measured(card: Scorecard, row: Row) -> list[tuple[Column, Cell]]:
    return [(column, row.cells[column.id]) for column in card.columns if column.id in row.cells]


def _missing(card: Scorecard, row: Row) -> Iterator[str]:
    for column, cell in _measured(card, row):
        if (why := words.why_missing(cell)) is not None:
            yield f"{words.heading(column)} has no interval: {why.rstrip('.')}."


def _metric(column: Column, cell: Cell) -> str:
    """Name a metric with what makes its value readable, since the hub shows no interval."""
    estimate = f"{column.estimate} [{column.language}]" if column.language else column.estimate
    return f"{estimate}, 95 % interval {words.within(cell)}, {words.scale(column)}, n = {words.count_of(cell)}"


def _yaml(content: Any, indent: str = "") -> Iterator[str]:
    """Write mappings and lists of plain values as YAML; every text is quoted, so that none is read as more."""
    if isinstance(content, list):
        for each in content:
            first, *rest = _yaml(each, indent + "  ")
            yield f"{indent}- {first.strip()}"
            yield from rest
        return
    for key, value in content.items():
        if isinstance(value, dict | list) and value:
            yield f"{indent}{key}:"
            yield from _yaml(value, indent + "  ")
        else:
            yield f"{indent}{key}: {_scalar(value)}"


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if value == []:
        return "[]"
    safe = "".join(c if c.isprintable() else "\ufffd" for c in in_line(str(value)))
    return '"' + safe.replace("\\", "\\\\").replace('"', '\\"') + '"'
