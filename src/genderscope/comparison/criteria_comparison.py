"""Comparison of two runs by the criteria that their measure declares.

Outcomes are compared on the questions that count for both runs. All criteria of all languages form one family, so that
the intervals and p-values of one comparison are simultaneous.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from genderscope.comparison.difference import in_family, p_nearer
from genderscope.comparison.neutral_distance import further, further_interval
from genderscope.comparison.row_pairing import comparable_rows, with_unique_keys
from genderscope.judgement import (
    LEAST_ROOM,
    SOME_NEUTRAL,
    Aim,
    Answer,
    AnswerKind,
    Criterion,
    Finding,
    conclude_answer,
    format_people,
)
from genderscope.measures import AnyMeasure, measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence
from genderscope.statistics.paired_comparison import Contrast, Resampled, contrast, joint_distance
from genderscope.statistics.simultaneous import Family
from genderscope.statistics.weighted_outcomes import OutcomeColumns

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

    Rows = npt.NDArray[np.bool_]

Names = tuple[str, str]
Sides = tuple[OutcomeColumns, OutcomeColumns]

#: with fewer usable outputs than this share, a run is broken and nothing can be compared
LEAST_USABLE = 0.1


@dataclass(frozen=True)
class Untested:
    """A finding whose p-value and interval are not yet corrected; the contrasts are None if it does not take part."""

    finding: Finding
    aim: Aim
    apart: Contrast | None = None
    joint: Contrast | None = None

    @property
    def influences(self) -> list[Influence]:
        """The influences of the contrasts that are tested."""
        tested = (self.apart, self.joint) if self.aim is Aim.EVEN else (self.apart,)
        return [each.influence for each in tested if each is not None]

    def tested(self, family: Family, pairs: int = 1) -> Finding:
        """Return the finding with its gain, and with a p-value and interval corrected for the family.

        If several pairs of runs are compared, p-values are multiplied by their number (Bonferroni).
        """
        found = self._tested(family)
        return found if found.p is None else replace(found, p=min(1.0, pairs * found.p))

    def _tested(self, family: Family) -> Finding:
        if self.apart is None or self.joint is None:
            return self.finding
        ends, p = in_family(self.apart, family)
        if self.aim is not Aim.EVEN:
            sign = 1.0 if self.aim is Aim.MORE else -1.0
            low, high = (None, None) if ends is None else sorted(sign * end for end in ends)
            return replace(self.finding, gain=sign * self.apart.value, low=low, high=high, p=p)
        alone, (both, _) = p_nearer(self.apart, self.joint), in_family(self.joint, family)
        gain = -further(self.apart.value, self.joint.value)
        if ends is None or both is None or alone is None:
            return replace(self.finding, gain=gain)
        low, high = (-float(end) for end in reversed(further_interval(ends, both)))
        p = family.adjusted(alone)
        return replace(self.finding, gain=gain, low=low, high=high, p=max(p, 0.05) if low <= 0 <= high else p)


def answers_by_criteria(runs: tuple[Result, Result], names: Names, options: Any) -> list[Answer]:
    """Return the answer for each language; a run that is broken in a language cannot be judged in it."""
    return answers_from_tables(runs, outcome_tables(runs, options), names)


def answers_from_tables(
    runs: tuple[Result, Result], tables: "Sequence[pd.DataFrame]", names: Names, pairs: int = 1
) -> list[Answer]:
    """Return the answers for two runs, given their outcomes by key; `pairs` is the number of pairs compared in all."""
    kind = measure_type(runs[0].measure)
    shared = tables[0].index.intersection(tables[1].index).sort_values()
    tables = [table.loc[shared] for table in tables]
    languages = list(dict.fromkeys(tables[0]["language"]))
    untested: dict[str, list[Untested]] = {}
    broken: dict[str, str] = {}
    for language in languages:
        mine = tables[0]["language"] == language
        sides = _columns(tables[0][mine], tables[1][mine])
        if (reason := _broken(kind, runs, names, sides, language)) is not None:
            broken[language] = reason
        else:
            untested[language] = list(_untested(kind, sides, names))
    family = Family([each for found in untested.values() for one in found for each in one.influences])
    noun = kind.compared_noun
    found = []
    for language in languages:
        where = language or None
        if language in broken:
            found.append(Answer(AnswerKind.CANNOT_JUDGE, names, where, reason=broken[language], noun=noun))
        else:
            findings = [each.tested(family, pairs) for each in untested[language]]
            found.append(conclude_answer(names, findings, where, noun))
    return found or [Answer(AnswerKind.CANNOT_JUDGE, names, reason=f"The runs share no {noun}.", noun=noun)]


def outcome_tables(runs: Sequence[Result], options: Any) -> "list[pd.DataFrame]":
    """Return the outcomes of each run, indexed by the key of the question."""
    kind = measure_type(runs[0].measure)
    tables = []
    for run, rows in zip(runs, comparable_rows(runs), strict=True):
        table = kind.outcome_table(rows, options)
        indexed = table.set_index([rows.loc[table.index, key] for key in kind.row_key])
        tables.append(with_unique_keys(indexed, run))
    return tables


def _columns(first: "pd.DataFrame", second: "pd.DataFrame") -> tuple[OutcomeColumns, OutcomeColumns]:
    import pandas as pd

    units = first["unit"].to_numpy(dtype=str)
    strata = pd.factorize(first["stratum"])[0].astype(np.int64)
    weights = first["weight"].to_numpy(dtype=np.float64)
    companions = first["companion"].to_numpy(dtype=str) if "companion" in first else None
    about = {"language", "unit", "companion", "stratum", "weight"}
    one, other = (
        OutcomeColumns(
            {str(name): table[name].to_numpy(dtype=np.float64) for name in table if name not in about},
            units,
            strata,
            weights,
            companions,
        )
        for table in (first, second)
    )
    return one, other


def _broken(
    kind: type[AnyMeasure],
    runs: tuple[Result, Result],
    names: Names,
    sides: Sides,
    language: str,
) -> str | None:
    """Return why nothing can be compared, and what to do; None if something can."""
    for run, name, side in zip(runs, names, sides, strict=True):
        estimates = run.as_estimates()
        judged = _leading(estimates, kind, language)
        for condition in kind.blocking:
            if (failure := condition.failure(estimates, judged)) is not None:
                next_step = condition.next_step or "Check the outputs, then repeat the run."
                return f"{name}: {failure}. {next_step}"
        present = np.isfinite(side.values["usable"])
        share = side.mean("usable", present)
        if share is not None and share < LEAST_USABLE:
            outputs = int(present.sum())
            return (
                f"{name}: only {format_people(share)} of 100 outputs can be used ({outputs:,} were given). Check the "
                "outputs, then repeat the run."
            )
    return None


def _leading(estimates: Sequence[Estimate], kind: type[AnyMeasure], language: str) -> Estimate:
    """Return the leading estimate of a language, which conditions are checked for; one without a value if none is."""
    mine = [e for e in estimates if e.name in kind.headline and e.language in {language, None}]
    blank = Estimate(name=kind.headline[0], n=0, unread=0, neutral=None, method="").at(language=language or None)
    return min(mine, key=lambda e: (kind.headline.index(e.name), e.language is None, e.spans), default=blank)


def _untested(kind: type[AnyMeasure], sides: Sides, names: Names) -> Iterator[Untested]:
    """Yield what can be said about each criterion that applies."""
    unread = _mostly_unread(kind, sides, names)
    for criterion in kind.criteria:
        given = [name for name in criterion.terms if any(_finite(side, name).any() for side in sides)]
        if len(given) < len(criterion.terms) or not _occurs(criterion, sides):
            continue
        rows = _rows(criterion, sides)
        blank = _blank(criterion, sides, names, rows)
        reason = None if criterion.name == "usable" else unread
        if reason is None:
            reason = _silent(criterion, names, rows) or _no_room(criterion, sides, names, rows)
        if reason is not None:
            yield Untested(replace(blank, left_out=reason), criterion.aim)
            continue
        one, other = (_resampled(criterion, side, mine) for side, mine in zip(sides, rows, strict=True))
        yield Untested(blank, criterion.aim, contrast(one, other), joint_distance(one, other))


def _rows(criterion: Criterion, sides: Sides) -> "tuple[dict[str, Rows], dict[str, Rows]]":
    """Return the rows that count for each run and column.

    They are the rows with an outcome in both runs or, for criteria on own rows, in the run itself. Rows that say
    nothing in the run are left out unless they say something in the other run.
    """
    found = []
    for own, other in (sides, sides[::-1]):
        silent = np.zeros(len(own.units), dtype=bool)
        if (column := criterion.unless_both) is not None:
            silent = (own.values[column] == 1) & ~(other.values[column] < 1)
        present = {
            name: _finite(own, name) & (_finite(other, name) | criterion.on_own_rows) & ~silent for name in own.values
        }
        found.append(present)
    return found[0], found[1]


def _silent(criterion: Criterion, names: Names, rows: "Sequence[dict[str, Rows]]") -> str | None:
    """Return which run has no outcome that counts; None if both have some."""
    for name, mine in zip(names, rows, strict=True):
        if not all(column in mine and mine[column].any() for column in criterion.terms):
            return f"{name} shows nothing that could be counted here"
    return None


def _finite(side: OutcomeColumns, column: str) -> "Rows":
    if column not in side.values:
        return np.zeros(len(side.units), dtype=bool)
    return np.isfinite(side.values[column])


def _occurs(criterion: Criterion, sides: Sides) -> bool:
    """Return whether the outcome that a criterion depends on occurs often enough in one of the runs."""
    if criterion.if_any is None:
        return True
    means = [side.mean(criterion.if_any, _finite(side, criterion.if_any)) for side in sides]
    return any(mean is not None and mean >= SOME_NEUTRAL for mean in means)


def _mostly_unread(kind: type[AnyMeasure], sides: Sides, names: Names) -> str | None:
    """Return which run has too few outputs that could be interpreted; None if both have enough."""
    outcomes = [name for c in kind.criteria if c.name != "usable" for name in c.terms]
    for side, name in zip(sides, names, strict=True):
        usable = side.values["usable"] == 1
        read = np.logical_or.reduce([_finite(side, column) for column in outcomes])
        share = float(read[usable].mean()) if usable.any() else 0.0
        if share < kind.least_read:
            return f"the parser could interpret only {format_people(share)} of 100 usable outputs of {name}"
    return None


def _no_room(criterion: Criterion, sides: Sides, names: Names, rows: "Sequence[dict[str, Rows]]") -> str | None:
    """Return which run leaves too little room for a criterion; None if both leave enough."""
    if criterion.room is None:
        return None
    for side, name, own in zip(sides, names, rows, strict=True):
        means = {column: mean for column, mine in own.items() if (mean := side.mean(column, mine)) is not None}
        size = criterion.room.size(means)
        if size is not None and size < LEAST_ROOM:
            shown = {column: format_people(mean) for column, mean in means.items()}
            return criterion.room.because.format(name, **shown)
    return None


def _resampled(criterion: Criterion, side: OutcomeColumns, rows: "dict[str, Rows]") -> Resampled:
    span = 2.0 if "lean" in criterion.terms else 1.0
    value, influence = side.influence(criterion.terms, rows, span)
    estimate = Estimate(name=criterion.name, value=value, n=0, unread=0, neutral=0.0, method="paired outcomes")
    return Resampled(estimate, value, moved=influence)


def _blank(criterion: Criterion, sides: Sides, names: Names, rows: "Sequence[dict[str, Rows]]") -> Finding:
    """Return the finding without a test: both runs' values, in numbers and in people."""
    values, shown, n = [], [], 0
    for side, mine in zip(sides, rows, strict=True):
        # A run without rows that count still shows its own value.
        own = {name: mine[name] if mine[name].any() else _finite(side, name) for name in criterion.columns}
        means = {column: side.mean(column, mask) for column, mask in own.items()}
        known = [weight * mean for column, weight in criterion.terms.items() if (mean := means[column]) is not None]
        value = sum(known) if len(known) == len(criterion.terms) else None
        values.append(value)
        parts = [f"{format_people(means[column])} {word}" for word, column in criterion.shown]
        shown.append(", ".join(parts) or format_people(value))
        n = max(n, int(np.logical_or.reduce([mine[column] for column in criterion.terms]).sum()))
    return Finding(
        criterion.name,
        criterion.words,
        criterion.ahead,
        names,
        (values[0], values[1]),
        (shown[0], shown[1]),
        n,
        criterion.threshold,
    )
