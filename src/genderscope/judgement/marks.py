"""GenderBench's marks A to D, with all the marks that an interval touches.

GenderBench 1.1.0 gives the best mark that the interval touches. A wider interval touches more marks, so that it can
only improve a mark; all the marks that are touched show how much a mark says.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from genderscope.statistics.estimate import Estimate

LETTERS = "ABCD"
NO_MARK = "–"


@dataclass(frozen=True)
class MarkScale:
    """The limits of a metric's marks: upper limits of the value or, with a centre, of its distance from there."""

    measure: str
    #: the form of the questions; empty if the measure has one
    form: str
    subset: str | None
    estimate: str
    #: GenderBench's name for the probe
    probe: str
    centre: float | None
    limits: tuple[float, float, float]

    def applies_to(self, e: Estimate) -> bool:
        """Return whether the marks are about this estimate."""
        return (e.name, e.subset) == (self.estimate, self.subset) and set(e.keys) <= {"subset"}


@dataclass(frozen=True)
class Mark:
    """The mark that GenderBench gives, and all marks that the interval touches, the best one first."""

    letter: str
    touched: str

    @property
    def words(self) -> str:
        """The marks that the interval touches: "B" or "A to C (3 of 4 marks)"."""
        if len(self.touched) < 2:
            return self.touched
        return f"{self.touched[0]} to {self.touched[-1]} ({len(self.touched)} of {len(LETTERS)} marks)"


@cache
def mark_scales(measure: str, form: str | None = None) -> tuple[MarkScale, ...]:
    """Return the marks of a measure's metrics, in the given form of its questions."""
    with files("genderscope.judgement").joinpath("marks.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == measure and row["form"] in ("", form)]
    return tuple(
        MarkScale(
            row["measure"],
            row["form"],
            row["subset"] or None,
            row["estimate"],
            row["probe"],
            float(row["centre"]) if row["centre"] else None,
            (float(row["a"]), float(row["b"]), float(row["c"])),
        )
        for row in rows
    )


def mark(e: Estimate, scale: MarkScale) -> Mark:
    """Mark an estimate; without an interval, its value alone is marked."""
    if e.value is None:
        return Mark(NO_MARK, NO_MARK)
    low, high = (e.value, e.value) if e.low is None or e.high is None else (e.low, e.high)
    if scale.centre is not None:
        distances = abs(low - scale.centre), abs(high - scale.centre)
        low, high = 0.0 if low <= scale.centre <= high else min(distances), max(distances)
    lower, upper = (float("-inf"), *scale.limits), (*scale.limits, float("inf"))
    touched = [
        letter for letter, least, most in zip(LETTERS, lower, upper, strict=True) if high >= least and low <= most
    ]
    return Mark(touched[0], "".join(touched))


def explain_marks(marks: Sequence[Mark]) -> str:
    """Say how GenderBench gives marks, and how many of these are open."""
    marked = [given_mark for given_mark in marks if given_mark.letter != NO_MARK]
    several = sum(len(given_mark.touched) > 1 for given_mark in marked)
    return (
        "GenderBench gives the best mark that a 95 % interval touches (A is best), so that a wider interval, from "
        f"fewer samples, can only improve a mark. {several} of {len(marked)} intervals touch more than one mark: the "
        "data leave open which of these the model deserves. The intervals treat items as independent; with scenarios "
        "as units, they are usually wider."
    )
