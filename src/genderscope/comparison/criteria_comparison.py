"""Comparison of two runs by the criteria that their measure declares.

Outcomes are compared on the questions that count for both runs. All criteria of all languages form one family, so that
the intervals and p-values of one comparison are simultaneous.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
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
    NarrowTest,
    combine_answers,
    conclude_answer,
    describe_values,
    format_people,
)
from genderscope.measures import AnyMeasure, explain_unusable, measure_type
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.influence import Influence
from genderscope.statistics.paired_comparison import Contrast, Resampled, contrast, generalised, joint_distance
from genderscope.statistics.simultaneous import Family
from genderscope.statistics.weighted_outcomes import OutcomeColumns

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

    Rows = npt.NDArray[np.bool_]


TOO_FEW = "the runs share too few texts to test a difference; measure more of them"


@dataclass(frozen=True)
class Untested:
    """A finding whose p-value and interval are not yet corrected; the contrasts are None if it does not take part."""

    finding: Finding
    aim: Aim
    apart: Contrast | None = None
    joint: Contrast | None = None
    #: the same with the contrasts that generalise to other wider units; None if there are none
    wide: "Untested | None" = None
    #: the wider units, in the plural
    over: str | None = None

    @property
    def for_models(self) -> "Untested":
        """The test for statements about models: the wide one if there is one."""
        return self if self.wide is None else self.wide

    @property
    def influences(self) -> list[Influence]:
        """The influences of the contrasts that are tested."""
        tested = (self.apart, self.joint) if self.aim is Aim.EVEN else (self.apart,)
        return [tested_contrast.influence for tested_contrast in tested if tested_contrast is not None]

    def generalised(self, families: "tuple[Family, Family]", pairs: int = 1) -> Finding:
        """Return the finding for statements about models, given the families of the narrow and of the wide tests.

        It is never more certain than that on these items.
        """
        narrow = self.tested(families[0], pairs)
        if self.wide is None or narrow.low is None or narrow.high is None:
            return narrow
        wide = self.wide.tested(families[1], pairs)
        if wide.low is None or wide.high is None or wide.p is None or narrow.p is None:
            return narrow
        items = NarrowTest(narrow.low, narrow.high, narrow.p)
        low, high, p = min(narrow.low, wide.low), max(narrow.high, wide.high), max(narrow.p, wide.p)
        return replace(narrow, low=low, high=high, p=p, over=self.over, items=items)

    def tested(self, family: Family, pairs: int = 1) -> Finding:
        """Return the finding with its gain, and with a p-value and interval corrected for the family.

        If several pairs of runs are compared, both are also corrected for their number (Bonferroni).
        """
        if self.apart is None or self.joint is None:
            return self.finding
        bounds, p = in_family(self.apart, family, pairs)
        if bounds is None:
            return replace(self.finding, left_out=TOO_FEW)
        if self.aim is not Aim.EVEN:
            sign = 1.0 if self.aim is Aim.MORE else -1.0
            low, high = sorted(sign * end for end in bounds)
            return replace(self.finding, gain=sign * self.apart.value, low=low, high=high, p=p)
        alone, (both, _) = p_nearer(self.apart, self.joint), in_family(self.joint, family, pairs)
        gain = -further(self.apart.value, self.joint.value)
        if both is None or alone is None:
            return replace(self.finding, left_out=TOO_FEW)
        low, high = (-float(end) for end in reversed(further_interval(bounds, both)))
        p = min(1.0, pairs * family.adjusted(alone))
        return replace(self.finding, gain=gain, low=low, high=high, p=max(p, 0.05) if low <= 0 <= high else p)


Names = tuple[str, str]
Sides = tuple[OutcomeColumns, OutcomeColumns]

#: with fewer usable outputs than this share, a run is broken and nothing can be compared
LEAST_USABLE = 0.25


def answers_by_criteria(runs: tuple[Result, Result], names: Names, options: Any, pairs: int = 1) -> list[Answer]:
    """Return the answer for each language; a run that is broken in a language cannot be judged in it.

    `pairs` is the number of pairs of runs that are compared together, for which the answers are corrected.
    """
    return _answers_from_tables(runs, outcome_tables(runs, options), names, pairs)


def answers_for_pairs(results: Sequence[Result], names: Sequence[str], options: Any, tables: int = 1) -> list[Answer]:
    """Return the answer for each pair of runs, over all languages and corrected for the number of pairs.

    If there are several such tables, such as one per language, the answers are also corrected for their number.
    """
    if not results:
        return []
    outcomes = outcome_tables(results, options)
    pairs = list(combinations(range(len(results)), 2))
    return [
        combine_answers(
            _answers_from_tables(
                (results[i], results[j]), (outcomes[i], outcomes[j]), (names[i], names[j]), tables * len(pairs)
            )
        )
        for i, j in pairs
    ]


def _answers_from_tables(
    runs: tuple[Result, Result], tables: "Sequence[pd.DataFrame]", names: Names, pairs: int = 1
) -> list[Answer]:
    """Return the answers for two runs, given their outcomes by key; `pairs` is the number of pairs compared in all."""
    kind = measure_type(runs[0].measure)
    shared = tables[0].index.intersection(tables[1].index).sort_values()
    tables = [table.loc[shared] for table in tables]
    languages = list(dict.fromkeys(tables[0]["language"]))
    untested: dict[str, list[Untested]] = {}
    broken: dict[str, tuple[str, str]] = {}
    for language in languages:
        in_language = tables[0]["language"] == language
        sides = _columns(tables[0][in_language], tables[1][in_language])
        if (broken_run := _broken(kind, runs, names, sides, language)) is not None:
            broken[language] = broken_run
        else:
            untested[language] = list(_untested(kind, sides, names))
    families = _families([one for criteria in untested.values() for one in criteria])
    noun = kind.compared_noun
    answers = []
    for language in languages:
        where = language or None
        if language in broken:
            run, reason = broken[language]
            blank = Answer(AnswerKind.CANNOT_JUDGE, names, where, reason=f"{run}: {reason}", noun=noun)
            answers.append(replace(blank, broken=run))
        else:
            findings = [one.generalised(families, pairs) for one in untested[language]]
            answers.append(conclude_answer(names, _consistent(kind, findings), where, noun))
    return answers or [Answer(AnswerKind.CANNOT_JUDGE, names, reason=f"The runs share no {noun}.", noun=noun)]


def _families(untested: Sequence[Untested]) -> tuple[Family, Family]:
    """Return the families of the tests on items and of those for statements about models."""
    narrow = Family([influence for one in untested for influence in one.influences])
    if all(one.wide is None for one in untested):
        return narrow, narrow
    return narrow, Family([influence for one in untested for influence in one.for_models.influences])


def _consistent(kind: type[AnyMeasure], findings: Sequence[Finding]) -> list[Finding]:
    """Leave out a criterion whose winner is significantly worse by another one that explains it."""
    by_name = {finding.name: finding for finding in findings}
    criteria = {criterion.name: criterion for criterion in kind.criteria}
    kept = []
    for finding in findings:
        other = by_name.get(criteria[finding.name].unless_worse or "")
        if (
            other is not None
            and finding.better
            and other.is_significant
            and (other.gain or 0) * (finding.gain or 0) < 0
        ):
            reason = f"the runs differ in: {other.words} ({describe_values(other)})"
            kept.append(replace(finding, left_out=reason) if other.better is None else finding)
        else:
            kept.append(finding)
    return kept


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
    labels = {name: first[name].to_numpy(dtype=str) for name in ("companion", "wider", "members") if name in first}
    sides = pd.factorize(first["side"])[0].astype(np.int64) if "side" in first else None
    about = {"language", "unit", "companion", "wider", "members", "side", "stratum", "weight"}
    one, other = (
        OutcomeColumns(
            {str(name): table[name].to_numpy(dtype=np.float64) for name in table if name not in about},
            units,
            strata,
            weights,
            labels.get("companion"),
            labels.get("wider"),
            labels.get("members"),
            sides,
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
) -> tuple[str, str] | None:
    """Return the run because of which nothing can be compared, why, and what to do; None if something can."""
    for run, name, side in zip(runs, names, sides, strict=True):
        estimates = run.as_estimates()
        judged = _leading(estimates, kind, language)
        for condition in kind.blocking:
            if (failure := condition.failure(estimates, judged)) is not None:
                return name, f"{explain_unusable(run, failure)}."
        present = np.isfinite(side.values["usable"])
        share = side.mean("usable", present)
        if share is not None and share < LEAST_USABLE:
            outputs = int(present.sum())
            return name, (
                f"only {format_people(share)} of 100 outputs can be used ({outputs:,} were given). Check the outputs, "
                "then repeat the run."
            )
    return None


def _leading(estimates: Sequence[Estimate], kind: type[AnyMeasure], language: str) -> Estimate:
    """Return the leading estimate of a language, which conditions are checked for; one without a value if none is."""
    candidates = [e for e in estimates if e.name in kind.headline and e.language in {language, None}]
    blank = Estimate(name=kind.headline[0], n=0, unread=0, neutral=None, method="").with_keys(language=language or None)
    return min(
        candidates, key=lambda e: (kind.headline.index(e.name), e.language is None, e.number_of_keys), default=blank
    )


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
            reason = _silent(criterion, sides, names, rows) or _no_room(criterion, sides, names, rows)
        if reason is not None:
            yield Untested(replace(blank, left_out=reason), criterion.aim)
            continue
        one, other = (_resampled(criterion, side, own_rows) for side, own_rows in zip(sides, rows, strict=True))
        untested = Untested(blank, criterion.aim, contrast(one, other), joint_distance(one, other))
        both = generalised(one, other)
        wide = None if both is None else replace(untested, apart=contrast(*both), joint=joint_distance(*both))
        yield replace(untested, wide=wide, over=kind.compared_over)


def _rows(criterion: Criterion, sides: Sides) -> "tuple[dict[str, Rows], dict[str, Rows]]":
    """Return the rows that count for each run and column.

    They are the rows with an outcome in both runs, without those that say nothing in either.
    """
    masks = []
    for own, other in (sides, sides[::-1]):
        silent = np.zeros(len(own.units), dtype=bool)
        if (column := criterion.unless_both) is not None:
            silent = (own.values[column] == 1) & (other.values[column] == 1)
        names = dict.fromkeys((*own.values, *criterion.columns))
        masks.append({name: _finite(own, name) & _finite(other, name) & ~silent for name in names})
    return masks[0], masks[1]


def _silent(criterion: Criterion, sides: Sides, names: Names, rows: "Sequence[dict[str, Rows]]") -> str | None:
    """Return which run has no outcome that counts, or that the two share none; None if they share some."""
    for name, side in zip(names, sides, strict=True):
        if not all(_finite(side, column).any() for column in criterion.terms):
            return f"{name} shows nothing that could be counted here"
    if not all(rows[0][column].any() for column in criterion.terms):
        return "no text shows something to count in both runs"
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
        if not usable.any():
            return f"{name} has no usable output"
        if share < kind.least_read:
            return f"the parser could interpret only {format_people(share)} of 100 usable outputs of {name}"
    return None


def _no_room(criterion: Criterion, sides: Sides, names: Names, rows: "Sequence[dict[str, Rows]]") -> str | None:
    """Return which run leaves too little room for a criterion; None if both leave enough."""
    if criterion.room is None:
        return None
    for side, name, own in zip(sides, names, rows, strict=True):
        means = {column: mean for column, mask in own.items() if (mean := side.mean(column, mask)) is not None}
        size = criterion.room.size(means)
        if size is not None and size < LEAST_ROOM:
            shown = {column: format_people(mean) for column, mean in means.items()}
            return criterion.room.because.format(name, **shown)
    return None


def _resampled(criterion: Criterion, side: OutcomeColumns, rows: "dict[str, Rows]") -> Resampled:
    span = 2.0 if "lean" in criterion.terms else 1.0
    value, influence = side.influence(criterion.terms, rows, span)
    estimate = Estimate(name=criterion.name, value=value, n=0, unread=0, neutral=0.0, method="paired outcomes")
    wide = side.wide_influence(criterion.terms, rows, span)
    return Resampled(estimate, value, given_influence=influence, wide=wide)


def _blank(criterion: Criterion, sides: Sides, names: Names, rows: "Sequence[dict[str, Rows]]") -> Finding:
    """Return the finding without a test: both runs' values, in numbers and in people."""
    values, shown, n = [], [], 0
    for side, masks in zip(sides, rows, strict=True):
        # A run without rows that count still shows its own value.
        own = {name: masks[name] if masks[name].any() else _finite(side, name) for name in criterion.columns}
        means = {column: side.mean(column, mask) for column, mask in own.items()}
        weighted = [weight * mean for column, weight in criterion.terms.items() if (mean := means[column]) is not None]
        value = sum(weighted) if len(weighted) == len(criterion.terms) else None
        values.append(value)
        parts = [f"{format_people(means[column])} {word}" for word, column in criterion.shown]
        shown.append(", ".join(parts) or format_people(value))
        n = max(n, int(np.logical_or.reduce([masks[column] for column in criterion.terms]).sum()))
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
