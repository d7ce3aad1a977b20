"""The scorecard as CSV and JSON, with full precision."""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from genderscope.comparison import Cell, Column, Row, Scorecard
from genderscope.judgement import Difference, answer_json, describe_difference, describe_order
from genderscope.report.scorecard import cell_text as ct
from genderscope.util.safe_text import spreadsheet_safe
from genderscope.version import __version__

#: incremented with every incompatible change
SCHEMA = "genderscope.scorecard/2"
CSV_COLUMNS = (
    "scorecard_column", "measure", "language", "estimate", "data", "options", "model", "name", "run",
    "value", "low", "high", "neutral", "n", "unread", "coverage", "threshold", "verdict",
    "rank", "tied", "rank_low", "rank_high", "behind", "behind_low", "behind_high", "remark", "baseline",
    "difference", "difference_low", "difference_high", "difference_over", "no_difference_at", "difference_p",
    "difference_n", "differs", "nearer", "negligible", "change", "signature",
)  # fmt: skip


def scorecard_csv(card: Scorecard) -> str:
    """Return CSV with one row per cell."""
    lines = (_line(card, column, row, cell) for column in card.columns for row, cell in card.cells(column))
    return csv_text(CSV_COLUMNS, lines)


def csv_text(columns: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> str:
    """Return CSV with these columns; other keys of a line are omitted."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: spreadsheet_safe(value) for key, value in line.items()} for line in lines)
    return file.getvalue()


def _line(card: Scorecard, column: Column, row: Row, cell: Cell) -> dict[str, Any]:
    about = {"scorecard_column": column.id, "model": row.label, "name": row.model}
    shared = {key: getattr(column, key) for key in ("measure", "language", "estimate", "data", "options")}
    own = cell_data(cell) | {"threshold": None if cell.margin is None else cell.margin.size, "difference": None}
    own |= {"baseline": card.baseline, "change": cell.no_difference}
    d = cell.difference
    if d is not None:
        test = d.for_model
        own |= {"difference": d.value, "difference_low": test.low, "difference_high": test.high}
        own |= {"no_difference_at": d.neutral, "difference_p": test.p_adjusted, "difference_n": d.of_second.n}
        own |= {"difference_over": None if d.wide is None else d.wide.over}
        own |= {"differs": d.differs, "nearer": d.nearer, "negligible": d.negligible, "change": describe_difference(d)}
    return about | shared | own


def scorecard_json(card: Scorecard) -> str:
    """Return the whole card as JSON; docs/how-to/scorecard.md documents the fields."""
    content = {
        "schema": SCHEMA,
        "genderscope": __version__,
        "baseline": card.baseline,
        "columns": [_column(column) for column in card.columns],
        "models": [
            {
                "label": row.label,
                "name": row.model,
                "cells": [{"column": key, **cell_data(cell)} for key, cell in row.cells.items()],
            }
            for row in card.rows
        ],
        "better": [
            {
                "measure": where,
                "answers": [answer_json(answer) for answer in answers],
                "sentences": describe_order(answers),
            }
            for where, answers in ([(w, (a,)) for w, a in card.answers] if card.baseline else card.rankings)
        ],
        "reductions": ct.describe_reductions(card),
        "cautions": list(card.cautions),
        "left_out": [{"folder": folder, "reason": why} for folder, why in sorted(card.others.items())],
    }
    return json.dumps(_finite(content), ensure_ascii=False, indent=1, allow_nan=False)


def _column(column: Column) -> dict[str, Any]:
    own = {
        key: getattr(column, key)
        for key in ("id", "measure", "title", "language", "data", "options", "estimate", "neutral", "runs", "apart")
    }
    margin = None if column.margin is None else {"size": column.margin.size, "factor": column.margin.factor}
    return {**own, "threshold": margin, "ranked_by": list(column.criteria)}


def cell_data(cell: Cell) -> dict[str, Any]:
    """Return a cell's numbers and verdict as JSON-serialisable values."""
    e = cell.estimate
    numbers = ("value", "low", "high", "wide_low", "wide_high", "neutral", "n", "unread", "method", "remark")
    ranks = cell.ranks or (None, None)
    return {
        "run": cell.run,
        "signature": cell.result.signature,
        **{key: None if e is None else getattr(e, key) for key in numbers},
        "coverage": cell.coverage,
        "threshold": None if cell.margin is None else {"size": cell.margin.size, "factor": cell.margin.factor},
        "verdict": None if cell.judgement is None else str(cell.judgement.verdict),
        "judgement": None if cell.judgement is None else cell.judgement.to_json(),
        **{"rank": cell.rank, "tied": cell.tied, "rank_low": ranks[0], "rank_high": ranks[1]},
        **dict(zip(("behind", "behind_low", "behind_high"), cell.behind or (None,) * 3, strict=True)),
        "difference": None if cell.difference is None else _difference(cell.difference),
        "no_difference": cell.no_difference,
    }


def _difference(d: Difference) -> dict[str, Any]:
    test, on_items = d.for_model, {"low": d.low, "high": d.high, "p": d.p_adjusted, "differs": d.differs_on_items}
    return {
        **{"value": d.value, "low": test.low, "high": test.high, "scale": "ratio" if d.is_ratio else "difference"},
        **{"neutral": d.neutral, "p": test.p_adjusted, "n": d.of_second.n, "test": d.test},
        **{"over": None if d.wide is None else d.wide.over, "on_items": on_items},
        **{"differs": d.differs, "nearer": d.nearer, "negligible": d.negligible, "change": describe_difference(d)},
    }


def _finite(content: Any) -> Any:
    """Replace NaN and infinity, which JSON cannot express, with None."""
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content
