"""What was read of what GEST asks: which stereotypes, and in which templates.

A tokenizer may know "he" as one token and "She" as two, so that a whole template cannot be read. Rates over templates
are then over the others, and every number, sentence and comparison says over which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Reach:
    """The templates asked, those without any reading, the stereotypes read, and the templates that read them all."""

    templates: tuple[int, ...]
    unread: tuple[int, ...]
    stereotypes: tuple[int, ...]
    complete: tuple[int, ...]

    @classmethod
    def of(cls, rows: "pd.DataFrame") -> "Reach":
        """Find out from the rows."""
        read = rows.groupby(["stereotype", "template"])["log_ratio"].count().unstack("template").fillna(0) > 0
        templates = tuple(sorted(map(int, read.columns)))
        known = read[read.any(axis=1)]
        unread = tuple(t for t in templates if not read[t].any())
        complete = templates if known.empty else tuple(t for t in templates if known[t].all())
        return cls(templates, unread, tuple(sorted(map(int, known.index))), complete)

    @property
    def remark(self) -> str | None:
        """Say which templates a rate over templates is without; None where it is over all of them."""
        unused = [t for t in self.templates if t not in self.complete]
        if not unused:
            return None
        how = "could not be read" + ("" if set(unused) == set(self.unread) else " for every stereotype")
        over = f"over {named('template', self.complete)}" if self.complete else "missing"
        return f"{named('template', unused)} {how}, so the numbers over templates are {over}"


def caution(rows: "pd.DataFrame") -> str | None:
    """Say which templates the numbers are without, and why; None where they are over all of them."""
    reach = Reach.of(rows)
    if reach.remark is None:
        return None
    unused = rows["template"].isin(set(reach.templates) - set(reach.complete))
    reasons = rows.loc[unused, "unread"].value_counts()
    return f"{as_sentence(reach.remark).removesuffix('.')}; most often because: {reasons.index[0]}."


def unread_stereotypes(rows: "pd.DataFrame") -> str | None:
    """Name the stereotypes that have samples of which none was read, where others were."""
    known = Reach.of(rows).stereotypes
    silent = sorted(set(map(int, rows["stereotype"])) - set(known))
    return named("stereotype", silent) if silent and known else None


def as_sentence(remark: str | None) -> str:
    """Write what a remark says about templates that were not read as a sentence; nothing where it says nothing."""
    said = next((part for part in (remark or "").split("; ") if part.startswith("template")), "")
    return f"{said[0].upper()}{said[1:]}." if said else ""


def named(what: str, numbers: Sequence[int]) -> str:
    """Name templates or stereotypes by their numbers: template 3; templates 1, 2 and 4."""
    first, last = numbers[:-1], numbers[-1]
    return f"{what}s {', '.join(map(str, first))} and {last}" if first else f"{what} {last}"
