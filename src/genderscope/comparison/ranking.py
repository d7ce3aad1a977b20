"""Rankings of runs by distance from the neutral point, with one table per set of comparable runs."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from genderscope.comparison.comparability import FILES, as_set, asked_with, required_settings
from genderscope.comparison.row_pairing import analyse_shared, has_unique_keys
from genderscope.comparison.scorecard_cells import Cell
from genderscope.judgement import Answer, distance, label, leading
from genderscope.measures import MEASURES, AnyMeasure, judge_estimate, margin_of, measure_type, options_of
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.comparison.rank_intervals import Standing
    from genderscope.statistics.paired_comparison import Resampled


@dataclass(frozen=True)
class Entry:
    """One run in a ranking; `standing` is based on the questions that all runs answered."""

    path: str
    result: Result
    #: None if the run was not compared, or if the measure's criteria decide which run is better
    standing: "Standing | None"
    #: whether another run has the same rank
    tied: bool
    #: column -> headline estimate
    estimates: Mapping[str, Estimate]

    @property
    def ranks(self) -> tuple[int, int] | None:
        """The run's best and worst possible rank, at 95 % simultaneous confidence for the whole table."""
        return None if self.standing is None else self.standing.ranks

    @property
    def rank(self) -> int | None:
        """1 + the number of runs that are significantly nearer to neutral; None if the run was not compared."""
        return None if self.ranks is None else self.ranks[0]


@dataclass(frozen=True)
class Ranking:
    """Comparable runs, ordered by their distance from neutral."""

    measure: str
    language: str | None
    data: str
    #: non-default options, prompt settings, checksum and version
    options: str
    #: columns used for ranking: the leading column, and those that must be interpreted together with it
    criteria: tuple[str, ...]
    entries: tuple[Entry, ...]
    #: which of two runs is better, for each pair, if the measure's criteria decide
    answers: tuple[Answer, ...] = ()
    #: whether the measure's criteria decide, rather than the distance from neutral
    by_criteria: bool = False

    @property
    def place(self) -> str:
        """The measure with its language, such as gest-mt[sk]."""
        return f"{self.measure}[{self.language}]" if self.language else self.measure

    def cell(self, entry: Entry, column: str) -> Cell:
        """Return a run's result in one column."""
        result, estimate = entry.result, entry.estimates.get(column)
        return Cell(
            entry.path,
            result,
            estimate,
            of_language(result, self.language).coverage,
            None if estimate is None else margin_of(result, estimate),
            None if estimate is None or estimate.value is None else judge_estimate(result, estimate),
            entry.rank,
            entry.tied,
            entry.ranks,
            None if entry.standing is None else entry.standing.behind,
            None if entry.standing is None else entry.standing.over,
        )


@dataclass(frozen=True)
class ComparableRuns:
    """Comparable runs of one measure, in one language or across all languages."""

    measure: str
    language: str | None
    runs: tuple[tuple[str, Result], ...]

    @property
    def paths(self) -> frozenset[str]:
        """The paths of the runs."""
        return frozenset(path for path, _ in self.runs)


def rankings(runs: Mapping[str, Result]) -> list[Ranking]:
    """Rank runs per measure and language, separating runs whose data, options or versions are incomparable.

    The error rate of 5 % holds for each ranking alone; a scorecard corrects those that it shows together.
    """
    return [ranked(group) for group in grouped(runs)]


def ranked_together(groups: Sequence["ComparableRuns"]) -> list[Ranking]:
    """Rank each group of runs; the tables of one measure, such as one per language, are corrected together."""
    tables = Counter(group.measure for group in groups if len(group.runs) > 1)
    return [ranked(group, max(1, tables[group.measure])) for group in groups]


def grouped(runs: Mapping[str, Result]) -> list[ComparableRuns]:
    """Group comparable runs by measure and language."""
    groups: dict[tuple[str, str, str], list[tuple[str, Result]]] = {}
    for path in sorted(runs):
        for language in _languages(runs[path]):
            key = runs[path].measure, language or "", json.dumps(_rules(runs[path], language), sort_keys=True)
            groups.setdefault(key, []).append((path, runs[path]))
    place = {name: k for k, name in enumerate(MEASURES)}
    order = sorted(groups, key=lambda key: (place.get(key[0], len(place)), key))
    return [ComparableRuns(key[0], key[1] or None, tuple(groups[key])) for key in order]


def _headline(result: Result) -> list[Estimate]:
    names = measure_type(result.measure).headline
    return [e for e in result.as_estimates() if e.name in names and e.template is None]


def _languages(result: Result) -> list[str | None]:
    return list(dict.fromkeys(e.language for e in _headline(result)))


def _rules(result: Result, language: str | None) -> dict[str, Any]:
    """Return the settings that runs in one ranking must share; a single-language ranking ignores other languages."""
    rules = required_settings(result)
    partly = result.config.get("reached", {}) if language is None else {}
    rules["asked"] = {k: v for k, v in asked_with(result).items() if k not in {"to", "lexicon"} or k in partly}
    if language is not None:
        rules.pop("to", None)
    return rules


def ranked(group: ComparableRuns, tables: int = 1) -> Ranking:
    """Rank comparable runs, corrected for this number of tables."""
    runs, language = group.runs, group.language
    kind, options = measure_type(runs[0][1].measure), options_of(runs[0][1])
    shown = {path: _columns(result, language) for path, result in runs}
    columns = list(dict.fromkeys(column for estimates in shown.values() for column in estimates))
    every = [e.with_keys(language=None) for estimates in shown.values() for e in estimates.values()]
    lead = label(leading(every, kind.headline))
    columns = [lead, *(column for column in columns if column != lead)]
    units = _units(kind, columns, [e for estimates in shown.values() for e in estimates.items()], options)
    distances = {
        path: _furthest(shown[path], units) if _is_meaningful(result, shown[path], units) else math.inf
        for path, result in runs
    }
    order = sorted(runs, key=lambda run: (distances[run[0]], str(run[1].config["model"]["name"]), run[0]))
    standing: dict[int, Standing] = {}
    answers: list[Answer] = []
    by_criteria = kind.compares_by_criteria(options)
    if by_criteria:
        answers = _answers(order, language, tables)
    else:
        usable = [distances[path] < math.inf for path, _ in order]
        standing = _standings([result for _, result in order], usable, language, units, tables)
    runs_by_rank = Counter(own.ranks[0] for own in standing.values())
    entries = [
        Entry(path, result, own, own is not None and runs_by_rank[own.ranks[0]] > 1, shown[path])
        for (path, result), own in zip(order, map(standing.get, range(len(order))), strict=True)
    ]
    data = min(str(result.config["data"]["name"]) for _, result in runs)
    described = _options(runs[0][1], language)
    return Ranking(kind.id, language, data, described, tuple(units), tuple(entries), tuple(answers), by_criteria)


def unique_names(runs: Sequence[tuple[str, Result]]) -> list[str]:
    """Return the models' names, followed by the path where several runs are of models with the same name."""
    models = [str(result.config["model"]["name"]) for _, result in runs]
    return [
        model if models.count(model) == 1 else f"{model} ({path})"
        for model, (path, _) in zip(models, runs, strict=True)
    ]


def _answers(runs: Sequence[tuple[str, Result]], language: str | None, tables: int) -> list[Answer]:
    """Return which of two runs is better by their measure's criteria, for each pair of usable runs."""
    if len(runs) < 2:
        return []
    from genderscope.comparison.criteria_comparison import answers_for_pairs  # imports numpy

    results = [of_language(result, language) for _, result in runs]
    named = [(r, name) for r, name in zip(results, unique_names(runs), strict=True) if has_unique_keys(r)]
    return answers_for_pairs(
        [result for result, _ in named], [name for _, name in named], options_of(runs[0][1]), tables
    )


def _units(
    kind: type[AnyMeasure], columns: Sequence[str], shown: Sequence[tuple[str, Estimate]], options: Any
) -> dict[str, float]:
    """Return the columns that runs are ranked by, each with its unit; the unit is 1 if there is only one column.

    The unit is the largest possible distance from neutral or, if unknown, the smallest effect of interest.
    """
    of = dict(reversed(shown))
    ranked_columns = [c for k, c in enumerate(columns) if k == 0 or of[c].name in kind.ranked_with]
    declared = {c: kind.margins.get(of[c].name) for c in ranked_columns}
    most = {c: margin.most for c, margin in declared.items() if margin is not None and margin.most is not None}
    if 1 < len(most) == len(ranked_columns):
        return most
    margins = {c: kind.margin(of[c], options) for c in ranked_columns}
    if len(ranked_columns) == 1 or None in margins.values():
        return {ranked_columns[0]: 1.0}
    return {c: margin.distance for c, margin in margins.items() if margin is not None}


def _is_meaningful(result: Result, estimates: Mapping[str, Estimate], units: Mapping[str, float]) -> bool:
    """Return whether at least one of a run's ranking estimates is meaningful."""
    present = [e for column in units if (e := estimates.get(column)) is not None]
    return any(judge_estimate(result, e).is_meaningful for e in present)


def _furthest(estimates: Mapping[str, Estimate], units: Mapping[str, float]) -> float:
    """Return a run's largest distance from neutral among its ranking estimates; infinite if one is missing."""
    distances = [distance(estimates[column]) if column in estimates else None for column in units]
    return max(
        math.inf if far is None else abs(far) / unit for far, unit in zip(distances, units.values(), strict=True)
    )


def _columns(result: Result, language: str | None) -> dict[str, Estimate]:
    """Return a language's headline estimates by column, at the highest level of aggregation (fewest keys)."""
    candidates = [e for e in _headline(result) if e.language == language and e.group != "control"]
    fewest = {e.name: min(k.number_of_keys for k in candidates if k.name == e.name) for e in candidates}
    return {label(e.with_keys(language=None)): e for e in candidates if e.number_of_keys == fewest[e.name]}


def _standings(
    results: Sequence[Result], ranked: Sequence[bool], language: str | None, units: Mapping[str, float], tables: int
) -> "dict[int, Standing]":
    """Compare all ranked runs on the questions they share; runs that cannot be compared are omitted."""
    positions = [k for k, is_ranked in enumerate(ranked) if is_ranked]
    kind = measure_type(results[0].measure)
    if len(positions) < 2 or not kind.row_key:  # without row keys, rows cannot be paired
        return {}
    from genderscope.comparison.rank_intervals import standings  # imports numpy, which a single run does not need

    options = options_of(results[0])

    def influences(rows: "pd.DataFrame") -> "list[Resampled] | None":
        by_column: dict[str, Resampled] = {}
        for resampled in kind.resampled(rows, options):
            column = label(resampled.estimate.with_keys(language=None))
            if column in units and resampled.estimate.language in {language, None}:
                by_column[column] = resampled
                if len(by_column) == len(units):  # the others are not needed and take time
                    return [by_column[name] for name in units]
        return None

    kept, drawn = analyse_shared([of_language(results[k], language) for k in positions], options, influences)
    compared = [run for run in drawn if run is not None]
    if len(compared) < len(drawn):
        return {}
    placed = standings(compared, list(units.values()), tables)
    return {} if placed is None else {positions[k]: standing for k, standing in zip(kept, placed, strict=True)}


def of_language(result: Result, language: str | None) -> Result:
    """Return the result with only one language's rows; unchanged if `language` is None or rows have no language."""
    if language is None or "language" not in measure_type(result.measure).row_key:
        return result
    return result.selecting(lambda rows: rows[rows["language"] == language])


def _options(result: Result, language: str | None) -> str:
    """Describe the non-default options, prompt settings, checksum and version."""
    rules = _rules(result, language)
    kind = measure_type(result.measure).options_type
    fields = kind.model_fields
    own = [k for k in fields if rules.get(k) is not None and k not in FILES]
    # Defaults may depend on other options, so they are taken from an instance with only the required ones and the data.
    configuration = result.config["configuration"]
    required = {k: configuration.get(k) for k, field in fields.items() if field.is_required()}
    data = {"data": configuration["data"]} if "data" in fields and configuration.get("data") is not None else {}
    defaults = kind(**required, **data).model_dump()
    set_options = [f"{k}={_text(rules[k])}" for k in own if k in required or rules[k] != as_set(defaults.get(k))]
    # If an option was left at its default, the value that the measure chose is shown instead.
    partly = result.config.get("reached", {})
    told = {k: v for k, v in sorted(rules["asked"].items()) if v is not None}
    usual = {k for k in fields if rules.get(k) is None or rules[k] == as_set(defaults.get(k))}
    asked = [f"{k}={v}" for k, v in told.items() if k not in fields or k in usual or k in partly]
    return ", ".join([f"checksum {rules['data'][:8]}", *set_options, *asked, f"genderscope {rules['version']}"])


def _text(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)
