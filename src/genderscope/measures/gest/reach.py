"""Coverage of GEST: the stereotypes and templates for which answers could be parsed.

If a tokenizer splits "She" into two tokens but not "he", a whole template may be unreadable. Rates over templates then
exclude it, and every number, sentence and comparison reports which templates were used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from genderscope.measures.gest.templates import averaged

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Reach:
    """The templates used, those without readings, the stereotypes read, and the templates that cover all of these."""

    templates: tuple[int, ...]
    unread: tuple[int, ...]
    stereotypes: tuple[int, ...]
    complete: tuple[int, ...]

    @classmethod
    def of(cls, rows: "pd.DataFrame") -> "Reach":
        """Determine the coverage from the rows."""
        import numpy as np

        stereotypes, row = np.unique(rows["stereotype"].to_numpy(), return_inverse=True)
        templates, column = np.unique(rows["template"].to_numpy(), return_inverse=True)
        read = np.zeros((len(stereotypes), len(templates)), dtype=bool)
        answered = rows["log_ratio"].notna().to_numpy()
        read[row[answered], column[answered]] = True
        used = np.isin(templates, averaged(map(int, templates)))
        read, templates = read[:, used], templates[used]
        known = read.any(axis=1)
        return cls(
            tuple(map(int, templates)),
            tuple(map(int, templates[~read.any(axis=0)])),
            tuple(map(int, stereotypes[known])),
            tuple(map(int, templates[read[known].all(axis=0)])),
        )

    @property
    def remark(self) -> str | None:
        """Note on the templates excluded from a rate over templates; None if all are included."""
        unused = [t for t in self.templates if t not in self.complete]
        if not unused:
            return None
        how = "could not be read" + ("" if set(unused) == set(self.unread) else " for every stereotype")
        over = f"based on {named('template', self.complete)}" if self.complete else "missing"
        return f"{named('template', unused)} {how}, so the numbers across templates are {over}"


def caution(rows: "pd.DataFrame") -> str | None:
    """Return a caveat about excluded templates and the most frequent reason, or None if all are included."""
    reach = Reach.of(rows)
    if reach.remark is None:
        return None
    unused = rows["template"].isin(set(reach.templates) - set(reach.complete))
    reasons = rows.loc[unused, "unread"].value_counts()
    return f"{reach.remark[0].upper()}{reach.remark[1:]}; most often because: {reasons.index[0]}."


def unread_stereotypes(rows: "pd.DataFrame") -> str | None:
    """Name the stereotypes without any parsed sample; None if there are none or nothing was parsed."""
    known = Reach.of(rows).stereotypes
    silent = sorted(set(map(int, rows["stereotype"])) - set(known))
    return named("stereotype", silent) if silent and known else None


def named(what: str, numbers: Sequence[int]) -> str:
    """Format a list of template or stereotype numbers, e.g. "template 3" or "templates 1, 2 and 4"."""
    first, last = numbers[:-1], numbers[-1]
    return f"{what}s {', '.join(map(str, first))} and {last}" if first else f"{what} {last}"
