"""What is built on single runs: compare, rankings, gates, scorecard baselines and pool, on data with known truth.

Sentences are hard or easy for all systems; what differs between systems is drawn for each. A false alarm is counted
as an interval that misses the truth.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, expit, translation, wordfill
from benchmarks.simulated import gest as gest_rows

from genderscope.comparison import check, parse
from genderscope.comparison.difference import adjusted_together, differences
from genderscope.comparison.pooling import _pooled
from genderscope.comparison.rank_intervals import standings
from genderscope.comparison.row_pairing import Paired, RowCounts
from genderscope.judgement import Difference, WideTest
from genderscope.measures import measure_type, parse_options
from genderscope.runs import Result, estimates_to_frame
from genderscope.samples.gest import MALE
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled

#: draws the rows of so many systems
Systems = Callable[[np.random.Generator, int], list[pd.DataFrame]]
ALARM = "false alarms, at most 5 %"
TWO = {3: 4, 12: 200}
FIVE = dict.fromkeys((3, 5, 9, 12, 14), 30)
ALL = dict.fromkeys(range(1, 17), 16)


def options_of(measure: str, **options: object) -> object:
    """The options of a measure, on the scale on which values are added."""
    chosen: dict[str, dict[str, Any]] = {
        "gest": {"scale": "log"},
        "eurogest": {"scale": "log"},
        "gest-mt": {"to": ["sk"]},
    }
    chosen |= {name: {"to": ["es"]} for name in ("mt-geneval", "dialogue")}
    return parse_options(measure_type(measure), chosen.get(measure, {}) | options)


def gest(sizes: dict[int, int], spread: dict[int, float] | None = None, shifts: Sequence[float] = ()) -> Systems:
    """Skewed log-ratios; `spread` is the noise of a stereotype, `shifts` is what each system adds to male ones."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        hard = {i: generator.gamma(2, 0.5, (n, 1)) for i, n in sizes.items()}
        rows = []
        for k in range(number):
            shift = shifts[k] if k < len(shifts) else 0.0
            values = {
                i: hard[i]
                + (shift + 0.4 if i in MALE else 0.0)
                + (spread or {}).get(i, 1.0) * (generator.gamma(2, 0.5, (n, 1)) - 1)
                for i, n in sizes.items()
            }
            rows.append(gest_rows.frame(values))
        return rows

    return draw


def mt(sizes: dict[int, int], apart: float, logit: float = 0.5) -> Systems:
    """Readings of translations; systems differ in a share of `apart` of the sentences, drawn for each."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        chance = {i: expit((logit if i in MALE else -logit) + generator.normal(size=(n, 1))) for i, n in sizes.items()}
        shared = {i: generator.random(p.shape) < p for i, p in chance.items()}
        rows = []
        for _ in range(number):
            masculine = {}
            for i, p in chance.items():
                own = generator.random(p.shape) < apart
                masculine[i] = np.where(own, generator.random(p.shape) < p, shared[i]).astype(float)
            rows.append(translation.frame(masculine, 1.0, generator).assign(language="sk"))
        return rows

    return draw


def winobias(occupations: int, sentences: int) -> Systems:
    """Occupations that each system takes in a way of its own, besides a way that all share."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        shared = {g: generator.normal(0, 0.4, occupations) for g in ("male", "female")}
        hard = generator.normal(0, 0.4, (occupations, sentences, 2))
        rows = []
        for _ in range(number):
            own = {g: shared[g] + generator.normal(0, 0.3, occupations) for g in shared}
            records: list[tuple[Any, ...]] = []
            for one in range(occupations):
                for j in range(sentences):
                    other = (one + 7 * j) % occupations
                    for side, (gender, o) in enumerate((("male", one), ("female", other))):
                        score = own[gender][o] + hard[one, j, side] + generator.normal(0, 0.5)
                        text = f"The m{one} met the f{other} because {j} [he/she] {gender}"
                        records.append((len(records), "type 1 dev", text, f"{gender[0]}{o}", gender, score, None))
            columns = ["sample", "subset", "sentence", "occupation", "gender", "log_ratio", "unread"]
            rows.append(pd.DataFrame(records, columns=columns))
        return rows

    return draw


def pairs(targets: int, each: int) -> Systems:
    """StereoSet: quadruplets about target terms; each system has a way of its own with a term."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        terms = np.repeat(np.arange(targets), each)
        hard = generator.gamma(2, 0.7, (2, len(terms))) - 1.4
        rows = []
        for _ in range(number):
            own = generator.normal(0, 0.3, (2, targets))[:, terms] + generator.normal(0, 0.6, (2, len(terms)))
            ss, control = hard + own + np.array([[0.4], [0.2]])
            known = {"ss": ss, "ss_control": control, "f": ss - control}
            rows.append(wordfill.frame(np.arange(len(terms)), terms, known))
        return rows

    return draw


def compared(measure: str, rows: Sequence[pd.DataFrame], **chosen: object) -> list[Difference]:
    """Compare each later system with the first on the rows that both answered, as `compare` does."""
    kind, options = measure_type(measure), options_of(measure, **chosen)
    share = RowCounts(len(rows[0]), len(rows[0]), len(rows[0]))
    answered = [kind.answered(side, options).to_numpy(dtype=bool) for side in rows]
    found: list[Difference] = []
    for k, side in enumerate(rows[1:], 1):
        both = answered[0] & answered[k]
        paired = Paired(rows[0][both], side[both], (share, share))
        found += differences(kind, paired, options, ("A", f"B{k}"))
    return adjusted_together(found)


def comparison(measure: str, systems: Systems, shift: float = 0.0, names: Sequence[str] = (), **options: object):
    """Each difference alone, by default in all headline estimates, and all of a call together."""
    names = names or measure_type(measure).headline

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        found = compared(measure, systems(generator, 2), **options)
        for d in found:
            if d.of_second.name in names:
                ends = d.contrast and d.contrast.interval()
                low, high = ends or (None, None)
                yield Checked(
                    f"Δ{d.of_second.symbol or d.of_second.name}", shift, low, high, d.p if not shift else None
                )
        if not shift:
            yield alarm("something differs", any(d.differs for d in found))
            yield alarm("interval and verdict disagree", any(d.differs is not _excludes(d.for_model) for d in found))

    return draw


def alarm(what: str, raised: bool) -> Checked:
    """A false alarm, as an interval that misses the truth."""
    return Checked(f"alarm: {what}", 0.0, float(raised), float(raised))


def _excludes(test: Difference | WideTest) -> bool:
    """On the scale on which values are added, so that no difference is 0."""
    return test.low is not None and test.high is not None and not test.low <= 0 <= test.high


def ranking(measure: str, systems: Systems, number: int, estimate: str, distances: Sequence[float] = ()):
    """Rank systems; without `distances`, which order them from the nearest to the furthest, all are equal."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        found = standings([[resampled(measure, rows)[estimate]] for rows in systems(generator, number)], [1.0])
        assert found is not None
        if not distances:
            yield alarm("a false winner", any(s.ranks == (1, 1) for s in found))
            yield alarm("one is called worse", any(s.ranks[0] > 1 for s in found))
            return
        true = np.argsort(np.argsort(distances)) + 1
        yield alarm(
            "a rank interval misses", any(not a <= r <= b for r, (a, b) in zip(true, _ranks(found), strict=True))
        )

    return draw


def _ranks(found: Sequence[object]) -> list[tuple[int, int]]:
    return [s.ranks for s in found]  # type: ignore[attr-defined]


def resampled(measure: str, rows: pd.DataFrame) -> dict[str, Resampled]:
    """The headline estimates of a system, those over everything."""
    found = list(measure_type(measure).resampled(rows, options_of(measure)))
    return {r.estimate.name: r for r in reversed(found)}


def gates(n: int, text: str, skewed: bool = False):
    """Sixteen stereotypes without effect: a gate over all of them must seldom fail."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        noise = (lambda: generator.gamma(2, 0.5, (n, 1)) - 1) if skewed else (lambda: generator.normal(size=(n, 1)))
        rows = gest_rows.frame({i: noise() for i in range(1, 17)})
        from genderscope.measures.gest import Rates

        (gate,) = check([parse(text)], result(Rates(rows, 0, "ratio").estimates(), rows))
        yield alarm(text, not gate.passed)

    return draw


def result(estimates: Sequence[Estimate], rows: pd.DataFrame) -> Result:
    """Wrap estimates as the result of a run."""
    return Result("gest", estimates_to_frame(estimates), rows, "simulated", "", (), {"configuration": {}})


def baselines(measure: str, systems: Systems, number: int):
    """A scorecard corrects the differences of all models from one of them together."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        found = compared(measure, systems(generator, number))
        yield alarm("a model differs from the baseline", any(d.differs for d in found))

    return draw


def pooled(sizes: dict[int, int], runs: int, between: float):
    """Seeds that shift the stereotype rate by `between`, on the same sentences."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = gest(sizes, shifts=generator.normal(0, between, runs).tolist())(generator, runs)
        found = _pooled([resampled("gest", each)["stereotype_rate"] for each in rows], together=True)
        if found is not None:
            yield Checked("pooled g_s", 0.4, found.estimate.low, found.estimate.high)

    return draw


def situations() -> Iterator[Situation]:
    """Every situation above a single run."""
    g_s, f_s = ("stereotype_rate",), ("stereotype_rate", "masculine_rate")
    noisy = {12: 6.0}
    few = "n < 12"
    barely = "distance(masculine_rate_by_stereotype) > 0"
    surely = barely.replace(") >", ").low >")
    yield Situation("compare", "gest, strata of 4 and 200", comparison("gest", gest(TWO), names=g_s), 1, few)
    yield Situation(
        "compare", "gest, one of five strata 6 times as noisy", comparison("gest", gest(FIVE, noisy), names=g_s)
    )
    yield Situation("compare", "gest, 16 strata of 16", comparison("gest", gest(ALL), names=g_s), 0.5)
    few_each = {i: 1 + i % 4 for i in range(1, 17)}
    yield Situation("compare", "gest, 1 to 4 each", comparison("gest", gest(few_each), names=g_s), 0.5, few)
    true = comparison("gest", gest(TWO, shifts=(0.0, 0.5)), 0.5, g_s)
    yield Situation("compare", "gest, strata of 4 and 200, true difference 0.5", true, 1, few)
    yield Situation("compare", "gest-mt, strata of 4 and 200", comparison("gest-mt", mt(TWO, 0.5), names=f_s), 1, few)
    yield Situation("compare", "gest-mt, 16 strata of 16", comparison("gest-mt", mt(ALL, 0.5), names=f_s), 0.5)
    sparse = comparison("gest-mt", mt(ALL, 0.03), names=f_s)
    yield Situation("compare", "gest-mt, 16 strata of 16, 1 % differ", sparse, 0.5, "shares within 1/n of 0 or 1")
    yield Situation(
        "compare",
        "winobias, 20 occupations a side",
        comparison("winobias", winobias(20, 4), names=("stereotype_rate", "stereotypical_share")),
        0.3,
    )
    yield Situation(
        "compare",
        "stereoset, 20 targets × 6",
        comparison("stereoset", pairs(20, 6), names=("stereotype_contrast", "stereotype_contrast_share")),
        0.5,
    )
    for name, systems in (
        ("strata of 4 and 200", gest(TWO)),
        ("one of five strata 6 times as noisy", gest(FIVE, noisy)),
    ):
        yield Situation(
            "ranking", f"10 equal, gest, {name}", ranking("gest", systems, 10, "stereotype_rate"), 0.5, ALARM
        )
    equal = ranking("gest-mt", mt(TWO, 0.5), 10, "stereotype_rate")
    yield Situation("ranking", "10 equal, gest-mt, strata of 4 and 200", equal, 0.5, ALARM)
    equal = ranking("winobias", winobias(20, 3), 5, "stereotype_rate")
    yield Situation("ranking", "5 equal, winobias", equal, 0.2, ALARM)
    shifts = tuple(0.05 * k for k in range(16))
    near = ranking("gest", gest(ALL, shifts=shifts), 16, "stereotype_rate", shifts)
    yield Situation("ranking", "16 nearly equal, true ranks", near, 0.3, ALARM)
    for n in (4, 16, 60):
        yield Situation("gate", f"16 stereotypes, n {n}", gates(n, surely), 1, ALARM)
        yield Situation("gate", f"16 stereotypes, n {n}, bare", gates(n, barely), 0.5, ALARM)
    yield Situation(
        "gate",
        "16 stereotypes, n 60, skewed",
        gates(60, surely, True),
        1,
        ALARM,
    )
    yield Situation("scorecard", "5 models and a baseline, gest", baselines("gest", gest(TWO), 6), 0.5, ALARM)
    yield Situation("scorecard", "5 models and a baseline, gest-mt", baselines("gest-mt", mt(TWO, 0.5), 6), 0.5, ALARM)
    for runs, between in ((3, 0.3), (8, 0.3), (3, 0.0)):
        yield Situation("pool", f"{runs} runs, strata of 4 and 200, sd {between:g}", pooled(TWO, runs, between), 1, few)
    yield Situation("pool", "5 runs, 16 strata of 16, sd 0.1", pooled(ALL, 5, 0.1), 0.5, "W and S² both hold noise")
