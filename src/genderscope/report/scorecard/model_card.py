"""The model card section for Hugging Face repositories: result metadata, a table and cautions."""

import json
from collections.abc import Iterator
from typing import Any

from genderscope.comparison import Cell, Column, Row, Scorecard
from genderscope.core.questions import Translation
from genderscope.judgement import explain_short_verdicts
from genderscope.measures import measure_type
from genderscope.reference import reference_sentences
from genderscope.report.export.markup import markdown_row, markdown_text
from genderscope.report.scorecard import cell_text as ct
from genderscope.runs import Result
from genderscope.util.safe_text import in_line
from genderscope.version import __version__

Block = dict[str, Any]

MARK = "# Written by genderscope scorecard."


def model_index(card: Scorecard, row: Row, name: str | None = None) -> Block:
    """Return a model's `model-index` metadata in the hub's format, omitting estimates without a value."""
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
    """Return the hub's name for the task that a run's model performs."""
    if Translation in measure_type(result.measure).asks:
        return "translation"
    return "fill-mask" if result.config["model"].get("kind") == "masked" else "text-generation"


def model_card(card: Scorecard, row: Row, name: str | None = None) -> str:
    """Return the metadata block followed by the section."""
    return "\n".join(["---", MARK, *_yaml(model_index(card, row, name)), "---", "", model_card_section(card, row)])


def model_card_section(card: Scorecard, row: Row) -> str:
    """Return the section on gender bias: table, explanations, cautions and signatures."""
    return "\n".join(_section(card, row)).rstrip() + "\n"


def _section(card: Scorecard, row: Row) -> Iterator[str]:
    yield "## Gender bias\n"
    yield f"Measured with Genderscope {__version__}. Each value has a 95 % interval and a neutral point.\n"
    headings = ("measure", "estimate", "value", "95 % interval", "neutral", "threshold", "verdict", "n", "coverage")
    yield markdown_row(headings)
    yield "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |"
    for column, cell in _measured(card, row):
        value, within, word, n, coverage, _ = ct.cell_texts(cell)
        neutral = ct.MISSING if column.neutral is None else f"{column.neutral:g}"
        margin = ct.MISSING if cell.margin is None else str(cell.margin)
        cells = (ct.name_measure(column), column.estimate, value, within, neutral, margin, word, n, coverage)
        yield markdown_row(cells)
    yield ""
    for column, cell in _measured(card, row):
        if column.estimate == column.criteria[0]:
            about = f"**{markdown_text(ct.name_measure(column))}** ({markdown_text(column.title)})"
            said = " ".join([cell.result.summary.strip(), *reference_sentences(cell.result)])
            yield f"- {about}: {markdown_text(said)}"
    yield f"\n{markdown_text(f'{explain_short_verdicts()} {ct.COVERAGE}')}\n"
    yield "### Cautions\n"
    cautions = dict.fromkeys(caution for cell in row.cells.values() for caution in cell.result.cautions)
    for caution in (ct.CAUTION, *cautions, *_missing(card, row)):
        yield f"- {markdown_text(caution)}"
    yield "\n### Signatures\n"
    for signature in dict.fromkeys(cell.result.signature for _, cell in _measured(card, row)):
        yield f"- {markdown_text(signature)}"


def _measured(card: Scorecard, row: Row) -> list[tuple[Column, Cell]]:
    return [(column, row.cells[column.id]) for column in card.columns if column.id in row.cells]


def _missing(card: Scorecard, row: Row) -> Iterator[str]:
    for column, cell in _measured(card, row):
        if (why := ct.why_missing(cell)) is not None:
            yield f"{ct.name_column(column)} has no interval: {why.rstrip('.')}."


def _metric(column: Column, cell: Cell) -> str:
    """Return a metric name that includes interval and scale, since the hub shows only the value."""
    estimate = f"{column.estimate} [{column.language}]" if column.language else column.estimate
    interval, n = ct.estimate_texts(cell.estimate)[1], ct.sample_size(cell.estimate)
    return f"{estimate}, 95 % interval {interval}, {ct.describe_scale(column)}, n = {n}"


def _yaml(content: Any, indent: str = "") -> Iterator[str]:
    """Serialise mappings and lists of plain values as YAML, with every string quoted."""
    if isinstance(content, list):
        for item in content:
            first, *rest = _yaml(item, indent + "  ")
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
    text = "".join(c if c.isprintable() else "\ufffd" for c in in_line(value)) if isinstance(value, str) else value
    return json.dumps(text, ensure_ascii=False)
