"""The sample explorer: all rows of a run in compact columns, with the decisive words highlighted.

A text is a list of parts: plain strings, and highlighted words as (word, mark). The page inserts them as text, not as
HTML.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from genderscope.util.safe_text import terminal_safe

if TYPE_CHECKING:
    import pandas as pd

#: maximum number of rows; pages with more show a seeded random sample
MOST = 50_000
SEED = 0

Mark = Literal["masculine", "feminine", "other", "faded"]
Part = str | tuple[str, Mark]
Kind = Literal["text", "choice", "number"]


@dataclass(frozen=True)
class ExplorerColumn:
    """A column of the explorer; pages can filter by columns of kind `choice`."""

    name: str
    title: str
    kind: Kind
    values: Sequence[Any]


@dataclass(frozen=True)
class Explorer:
    """A run's samples; with a `warning`, they are collapsed behind it."""

    columns: Sequence[ExplorerColumn]
    warning: str | None = None
    #: explanation of the highlighting
    legend: str = ""
    #: the number of rows before sampling
    total: int = 0

    def __len__(self) -> int:
        return len(self.columns[0].values)

    def packed(self) -> str:
        """Return the rows as JSON for a script element."""
        content = {
            "columns": [
                {"name": c.name, "title": c.title, "kind": c.kind, **_packed(c.values, c.kind)} for c in self.columns
            ]
        }
        return script_safe(json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False))


#: characters that could end a script element or a line of JavaScript, and lone surrogates, which UTF-8 lacks
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def script_safe(text: str) -> str:
    """Escape JSON for a script element without changing its content."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _packed(values: Sequence[Any], kind: Kind) -> dict[str, Any]:
    """Encode numbers with five significant digits, and other values as distinct values plus one index per row."""
    if kind == "number":
        return {"numbers": [None if v is None or math.isnan(v) else float(f"{v:.5g}") for v in values]}
    codes: dict[Any, int] = {}
    rows = [codes.setdefault(_hashable(v), len(codes)) for v in values]
    return {"values": list(codes), "rows": rows}


def _hashable(value: Any) -> Any:
    if isinstance(value, str):  # the common case
        return terminal_safe(value)

    import pandas as pd  # terminal tables do not need pandas

    if isinstance(value, list | tuple):
        parts = tuple(
            terminal_safe(part) if isinstance(part, str) else (terminal_safe(part[0]), *part[1:]) for part in value
        )
        return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts
    return None if pd.isna(value) else terminal_safe(str(value))


def choices(frame: "pd.DataFrame", **titles: str) -> list[ExplorerColumn]:
    """Build filterable columns, omitting empty ones."""
    return [ExplorerColumn(name, title, "choice", frame[name].tolist()) for name, title in _filled(frame, titles)]


def figures(frame: "pd.DataFrame", **titles: str) -> list[ExplorerColumn]:
    """Build columns of numbers, omitting empty ones."""
    return [
        ExplorerColumn(name, title, "number", frame[name].astype(float).tolist())
        for name, title in _filled(frame, titles)
    ]


def _filled(frame: "pd.DataFrame", titles: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, title) for name, title in titles.items() if name in frame and frame[name].notna().any()]


def texts(name: str, title: str, values: Iterable[Sequence[Part] | str | None]) -> ExplorerColumn:
    """Build a column of texts with highlighted words."""
    return ExplorerColumn(name, title, "text", [[v] if isinstance(v, str) else v for v in values])


def mark_of(gender: object) -> Mark:
    """Return the mark for words of this gender."""
    return "masculine" if gender == "masculine" else "feminine" if gender == "feminine" else "other"


def marked(text: str, spans: Iterable[tuple[int, int, Mark]]) -> list[Part]:
    """Split a text into plain parts and highlighted words, skipping overlapping spans."""
    parts: list[Part] = []
    at = 0
    for start, end, mark in sorted(spans):
        if start < at or end <= start:
            continue
        parts += [text[at:start], (text[start:end], mark)]
        at = end
    return [part for part in (*parts, text[at:]) if part]


def join_explorers(named: Sequence[tuple[str, Explorer]], total: int) -> Explorer:
    """Join the runs' explorers, adding a model column if there are several; `total` is the size before sampling."""
    explorers = [explorer for _, explorer in named]
    columns = [_joined(name, explorers) for name in dict.fromkeys(c.name for e in explorers for c in e.columns)]
    if len(named) > 1:
        models = [name for name, explorer in named for _ in range(len(explorer))]
        columns.insert(0, ExplorerColumn("model", "model", "choice", models))
    return Explorer(columns, explorers[0].warning, explorers[0].legend, total)


def sample_rows(rows: "pd.DataFrame", total: int) -> "pd.DataFrame":
    """Return the rows, or a seeded random sample of them if the page has too many."""
    if total > MOST:
        rows = rows.sample(frac=MOST / total, random_state=SEED).sort_index()
    # Convert to Python objects, since iterating over Arrow strings is slow.
    texts = rows.select_dtypes(include=["string", "object"])
    plain = texts.astype(object).where(texts.notna(), None)
    return rows.assign(**{str(name): plain[name] for name in plain}).reset_index(drop=True)


def _joined(name: str, explorers: Sequence[Explorer]) -> ExplorerColumn:
    """Concatenate a column across runs, with missing values for runs that lack it."""
    columns = [next((c for c in e.columns if c.name == name), None) for e in explorers]
    first = next(c for c in columns if c is not None)
    values = [v for c, e in zip(columns, explorers, strict=True) for v in (c.values if c else [None] * len(e))]
    return ExplorerColumn(name, first.title, first.kind, values)
