"""The explorer of samples: every row of a run as columns, packed small, with the words marked that were read.

A text is a list of parts: plain strings, and marked words as (word, mark). The page inserts them as text, not as HTML.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from genderscope.terminal_safe import terminal_safe

if TYPE_CHECKING:
    import pandas as pd

#: a page with more rows than this shows a seeded sample of them
MOST = 50_000
SEED = 0

Mark = Literal["masculine", "feminine", "other", "faded"]
Part = str | tuple[str, Mark]
Kind = Literal["text", "choice", "number"]


@dataclass(frozen=True)
class Column:
    """One column; the page filters by those of kind `choice`."""

    name: str
    title: str
    kind: Kind
    values: Sequence[Any]


@dataclass(frozen=True)
class Explorer:
    """The samples of a run. Where there is a `warning`, they stay folded away behind it."""

    columns: Sequence[Column]
    warning: str | None = None
    #: what a reader may want to know about the marks
    legend: str = ""
    #: how many rows there were before a sample of them was drawn
    total: int = 0

    def __len__(self) -> int:
        return len(self.columns[0].values)

    def packed(self) -> str:
        """Write the rows as JSON that can stand inside a script element."""
        content = {
            "columns": [
                {"name": c.name, "title": c.title, "kind": c.kind, **_packed(c.values, c.kind)} for c in self.columns
            ]
        }
        return script_safe(json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False))


#: what could end a script element or a line of JavaScript, and lone surrogates, which are no valid UTF-8
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def script_safe(text: str) -> str:
    """Escape JSON so that it can stand inside a script element; it is read back the same."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _packed(values: Sequence[Any], kind: Kind) -> dict[str, Any]:
    """Numbers as they are; all else as the different values and which of them each row has."""
    if kind == "number":
        return {"numbers": [None if v is None or math.isnan(v) else float(f"{v:.5g}") for v in values]}
    known: dict[Any, int] = {}
    rows = [known.setdefault(_hashable(v), len(known)) for v in values]
    return {"values": list(known), "rows": rows}


def _hashable(value: Any) -> Any:
    if isinstance(value, str):  # nearly all are
        return terminal_safe(value)

    import pandas as pd  # a view is also made to print a table, which takes no pandas

    if isinstance(value, list | tuple):
        parts = tuple(
            terminal_safe(part) if isinstance(part, str) else (terminal_safe(part[0]), *part[1:]) for part in value
        )
        return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts
    return None if pd.isna(value) else terminal_safe(str(value))


def choices(frame: "pd.DataFrame", **titles: str) -> list[Column]:
    """Make columns that the page filters by; one that is empty is left out."""
    found = [(name, title) for name, title in titles.items() if name in frame and frame[name].notna().any()]
    return [Column(name, title, "choice", frame[name].tolist()) for name, title in found]


def figures(frame: "pd.DataFrame", **titles: str) -> list[Column]:
    """Make columns of numbers; one that has none is left out."""
    found = [(name, title) for name, title in titles.items() if name in frame and frame[name].notna().any()]
    return [Column(name, title, "number", frame[name].astype(float).tolist()) for name, title in found]


def texts(name: str, title: str, values: Iterable[Sequence[Part] | str | None]) -> Column:
    """Make a column of texts with marked words."""
    return Column(name, title, "text", [[v] if isinstance(v, str) else v for v in values])


def mark_of(gender: object) -> Mark:
    """Return the mark of a word that this gender was read from."""
    return "masculine" if gender == "masculine" else "feminine" if gender == "feminine" else "other"


def marked(text: str, spans: Iterable[tuple[int, int, Mark]]) -> list[Part]:
    """Cut a text into plain parts and marked words; spans that overlap an earlier one are passed over."""
    parts: list[Part] = []
    at = 0
    for start, end, mark in sorted(spans):
        if start < at or end <= start:
            continue
        parts += [text[at:start], (text[start:end], mark)]
        at = end
    return [part for part in (*parts, text[at:]) if part]


def together(made: Sequence[tuple[str, Explorer]], total: int) -> Explorer:
    """Make one explorer of several named runs, with the model as a column; `total` rows were there before sampling."""
    explorers = [explorer for _, explorer in made]
    columns = [_joined(name, explorers) for name in dict.fromkeys(c.name for e in explorers for c in e.columns)]
    if len(made) > 1:
        models = [name for name, explorer in made for _ in range(len(explorer))]
        columns.insert(0, Column("model", "model", "choice", models))
    return Explorer(columns, explorers[0].warning, explorers[0].legend, total)


def sampled(rows: "pd.DataFrame", total: int) -> "pd.DataFrame":
    """Return a seeded sample of the rows where a page has too many of them in all."""
    if total > MOST:
        rows = rows.sample(frac=MOST / total, random_state=SEED).sort_index()
    # Texts as plain objects: going through Arrow strings one by one is slow.
    texts = rows.select_dtypes(include=["string", "object"])
    plain = texts.astype(object).where(texts.notna(), None)
    return rows.assign(**{str(name): plain[name] for name in plain}).reset_index(drop=True)


def _joined(name: str, made: Sequence[Explorer]) -> Column:
    """Put a column of several runs together; a run that lacks it has nothing there."""
    found = [next((c for c in e.columns if c.name == name), None) for e in made]
    first = next(c for c in found if c is not None)
    values = [v for c, e in zip(found, made, strict=True) for v in (c.values if c else [None] * len(e))]
    return Column(name, first.title, first.kind, values)
