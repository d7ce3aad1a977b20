"""Comparisons of models that are equal over other stereotypes, but not on those of the benchmark.

Each model has an effect of its own on every stereotype, or occupation. The narrow test is about these stereotypes, on
which the models differ; the wide test, which statements about models use, is about all that could be drawn.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, expit
from benchmarks.simulated import gest as gest_rows
from benchmarks.simulated.comparisons import ALARM, Systems, alarm, compared, resampled
from benchmarks.simulated.translation import frame as mt_frame

from genderscope.comparison.criteria_comparison import _columns, _families, _untested
from genderscope.comparison.rank_intervals import standings
from genderscope.judgement import Finding, conclude_answer
from genderscope.measures import measure_type
from genderscope.measures.outcome_tables import base_table, equal_sides, open_outcomes, shares_of
from genderscope.measures.winomt.rates import occupations_of
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.weighted_outcomes import JOINER

#: standard deviation between stereotypes of the released models' log-ratios (median)
SD = 0.2


def gest(n: int, own: float, shift: float = 0.0, noise: float = 0.5) -> Systems:
    """Log-ratios with stereotype effects that all models share, and some of their own; later ones add a shift."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        common = generator.normal(0, 0.3, 17)
        hard = {i: common[i] + 0.4 * (i in MALE) + generator.normal(0, 0.5, (n, 1)) for i in range(1, 17)}
        rows = []
        for k in range(number):
            effects = generator.normal(0, own, 17) + shift * k * np.isin(np.arange(17), MALE)
            values = {i: hard[i] + effects[i] + generator.normal(0, noise, (n, 1)) for i in hard}
            rows.append(gest_rows.frame(values).assign(effect=np.repeat(effects[1:], n)))
        return rows

    return draw


def mt(n: int, own: float, shift: float = 0.0) -> Systems:
    """Readings of translations, with stereotype effects on the logit scale."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        hard = {i: (0.5 if i in MALE else -0.5) + generator.normal(size=(n, 1)) for i in range(1, 17)}
        rows = []
        for k in range(number):
            effects = generator.normal(0, own, 17) + shift * k * np.where(np.isin(np.arange(17), MALE), 1, -1)
            masculine = {i: (generator.random((n, 1)) < expit(hard[i] + effects[i])).astype(float) for i in hard}
            rows.append(mt_frame(masculine, 1.0, generator).assign(language="sk"))
        return rows

    return draw


def on_these(rows: pd.DataFrame) -> float:
    """Return the stereotype rate of a model's own effects on the stereotypes of the benchmark."""
    means = rows.groupby("stereotype")["effect"].mean()
    return float(means[list(MALE)].mean() - means[list(FEMALE)].mean())


def differing(measure: str, systems: Systems, shift: float = 0.0):
    """Look at both tests of the stereotype rate of two models, and at what is said about them."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = systems(generator, 2)
        found = [d for d in compared(measure, rows) if d.of_second.name == "stereotype_rate"]
        for d in found:
            assert d.wide is not None
            yield Checked("wide difference", shift, *(d.wide.contrast.interval() or (None, None)))
            if d.contrast is not None and "effect" in rows[0]:
                truth = on_these(rows[1]) - on_these(rows[0])
                yield Checked("difference on these stereotypes", truth, *(d.contrast.interval() or (None, None)))
        if not shift:
            yield alarm("models differ", any(d.differs for d in found))
            yield alarm("a model is nearer to neutral", any(d.nearer for d in found))

    return draw


def ranked(measure: str, systems: Systems, number: int):
    """Rank models that are equal over other stereotypes."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        runs = [[resampled(measure, rows)["stereotype_rate"]] for rows in systems(generator, number)]
        found = standings(runs, [1.0])
        assert found is not None
        yield alarm("one is called worse", any(s.ranks[0] > 1 for s in found))

    return draw


def findings(measure: str, tables: list[pd.DataFrame], pairs: int = 1) -> list[Finding]:
    """Return the findings by criteria that a comparison of two outcome tables has, corrected for the pairs of runs."""
    kind = measure_type(measure)
    untested = list(_untested(kind, _columns(tables[0], tables[1]), ("A", "B")))
    families = _families(untested)
    return [one.generalised(families, pairs) for one in untested]


def outcomes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return gest-mt's outcomes of readings that are all usable."""
    male = rows["stereotype"].isin(MALE)
    stereotypes = rows["stereotype"]
    table = base_table(
        rows, rows["sentence"], stereotypes, equal_sides(stereotypes, male), wider=stereotypes, side=male
    )
    return table.assign(usable=1.0).join(open_outcomes(shares_of(rows["gender"]), male, ~male))


def pairs_of_occupations(occupations: int, n: int, own: float) -> Systems:
    """WinoMT's outcomes: each of a sentence's two occupations adds an effect of the model's own."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        first = generator.integers(0, occupations, n)
        second = (first + 1 + generator.integers(0, occupations - 1, n)) % occupations
        women = generator.random(n) < 0.5
        hard = generator.normal(size=n)
        names = [f"o{min(a, b)}+o{max(a, b)}" for a, b in zip(first, second, strict=True)]
        rows = pd.DataFrame({"pair": names, "language": "es"})
        table = base_table(rows, rows["pair"], members=rows["pair"].map(lambda p: JOINER.join(occupations_of(p))))
        tables = []
        for _ in range(number):
            effects = generator.normal(0, own, occupations)
            right = (generator.random(n) < expit(hard + effects[first] + effects[second])).astype(float)
            both = {"right_women": np.where(women, right, np.nan), "right_men": np.where(women, np.nan, right)}
            shown = table.assign(**both, wrong=1 - right, gender_shown=1.0, gender_avoided=0.0, usable=1.0)
            tables.append(shown)
        return tables

    return draw


def by_criteria(measure: str, systems: Systems, prepare=outcomes):
    """Compare two equal systems by criteria: none may be called better."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        found = findings(measure, [prepare(rows) for rows in systems(generator, 2)])
        yield alarm("a system is better", conclude_answer(("A", "B"), found).better is not None)
        yield alarm("a criterion differs significantly", any(f.is_significant for f in found))

    return draw


def several_by_criteria(measure: str, systems: Systems, later: int, prepare=outcomes):
    """Compare several systems with an equal one: none may be called better or worse."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        first, *others = (prepare(rows) for rows in systems(generator, later + 1))
        found = [findings(measure, [first, other], later) for other in others]
        yield alarm("a system is better", any(conclude_answer(("A", "B"), one).better for one in found))

    return draw


def situations() -> Iterator[Situation]:
    """Models that are equal over other stereotypes or occupations, and one that is not."""
    yield Situation("models", "gest, equal over other stereotypes", differing("gest", gest(100, SD)), 1, ALARM)
    yield Situation("models", "gest, equal on every stereotype", differing("gest", gest(100, 0.0)), 1, ALARM)
    yield Situation("models", "gest, one is more stereotyped by 0.5", differing("gest", gest(100, SD, 0.5), 0.5))
    yield Situation("models", "gest-mt, equal over other stereotypes", differing("gest-mt", mt(60, 0.5)), 0.5, ALARM)
    yield Situation("models", "5 ranked, gest", ranked("gest", gest(100, SD), 5), 0.5, ALARM)
    yield Situation("models", "gest-mt by criteria", by_criteria("gest-mt", mt(60, 0.5)), 1, ALARM)
    several = several_by_criteria("gest-mt", mt(60, 0.5), 5)
    yield Situation("models", "gest-mt by criteria, 5 compared with the first", several, 0.5, ALARM)
    winomt = by_criteria("winomt", pairs_of_occupations(40, 1000, 0.4), lambda table: table)
    yield Situation("models", "winomt by criteria", winomt, 1, ALARM)
