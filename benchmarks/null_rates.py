"""How often compare, gates and rankings see a difference where there is none.

Systems that are alike by construction answer the same sentences; a sentence is hard or easy for all of them, and each
language has a level of its own. Whatever is called different or worse, or fails a gate, is a false alarm. The measure
is a small one of this file, so that a simulation takes a fraction of a second; compare, gates and rankings are real.

    python benchmarks/null_rates.py [--simulations 500]
"""

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from genderscope.comparison import check, compare, count_families, parse, rankings
from genderscope.core.errors import UserError
from genderscope.core.languages import SPEAKER_LANGUAGES
from genderscope.measures import MASCULINE, MEASURES, STEREOTYPICAL, Measure, Options, Outcomes
from genderscope.runs import Result, estimates_to_frame
from genderscope.statistics.bootstrap import RESAMPLES, interval, resampling_weights
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled

HALF = 150
LEANS = {0.0: "neutral", 1.2: "strongly stereotypical"}


@cache
def weights(stratum: int, size: int) -> np.ndarray:
    """The draws, the same for all systems."""
    return resampling_weights(size, np.random.default_rng([0, stratum]), RESAMPLES) / size


class Simulated(Measure[Options, object, object]):
    """f_s = share of masculine forms in male minus female sentences, f_m their mean; by language and over all."""

    id, title, citation = "simulated", "simulated", ""
    asks = frozenset()
    options_type = Options
    headline = ("stereotype_rate", "masculine_rate")
    leanings = {"stereotype_rate": STEREOTYPICAL, "masculine_rate": MASCULINE}  # noqa: RUF012
    row_key = ("sample",)

    @classmethod
    def resampled(cls, rows: pd.DataFrame, options: Options) -> Iterable[Resampled]:
        columns = cls._columns(rows)
        values, male = rows[columns].to_numpy(dtype=float), rows["male"].to_numpy()
        sides = [values[male], values[~male]]
        means = [side.mean(axis=0) for side in sides]
        drawn = [weights(k, len(side)) @ side for k, side in enumerate(sides)]
        for column, language in enumerate([*columns, None] if len(columns) > 1 else [None]):
            (a, ra), (b, rb) = (
                (m.mean(), r.mean(axis=1)) if language is None else (m[column], r[:, column])
                for m, r in zip(means, drawn, strict=True)
            )
            for name, value, replicates, neutral in (
                ("stereotype_rate", a - b, ra - rb, 0.0),
                ("masculine_rate", (a + b) / 2, (ra + rb) / 2, 0.5),
            ):
                sizes = [len(side) for side in sides]
                low, high = interval(replicates, sizes) or (None, None)
                estimate = Estimate(
                    name=name,
                    value=float(value),
                    low=low,
                    high=high,
                    n=len(rows),
                    unread=0,
                    neutral=neutral,
                    method="test",
                ).with_keys(language=language)
                yield Resampled(estimate, float(value), replicates, sizes)

    @classmethod
    def outcomes(cls, rows: pd.DataFrame, estimate: Estimate, options: Options) -> Outcomes:
        of = rows[cls._columns(rows)].mean(axis=1) if estimate.language is None else rows[estimate.language]
        return Outcomes(rows["sample"], of if estimate.name == "masculine_rate" else of.where(rows["male"], 1 - of))

    @staticmethod
    def _columns(rows: pd.DataFrame) -> list[str]:
        return [column for column in rows if column in SPEAKER_LANGUAGES]

    def __init__(self, *_: Any) -> None: ...
    def data(self) -> dict[str, Any]: ...
    def settings(self) -> dict[str, str]: ...
    def ask(self, sample: Any) -> tuple[Any, ...]: ...
    def read(self, sample: Any, answers: Sequence[Any]) -> Any: ...
    def estimates(self, rows: pd.DataFrame) -> list[Estimate]: ...
    def summary(self, estimates: Sequence[Estimate]) -> str: ...


def systems(number: int, languages: Sequence[str], seed: Sequence[int], lean: float = 0.4) -> list[Result]:
    """Return runs of equal systems."""
    return [result(rows, k) for k, rows in enumerate(tables(number, languages, seed, lean))]


def tables(number: int, languages: Sequence[str], seed: Sequence[int], lean: float) -> Iterator[pd.DataFrame]:
    """Yield their rows: the logit of a masculine form is that of stereotype, sentence and language, plus noise."""
    generator = np.random.default_rng(seed)
    male = np.arange(2 * HALF) % 2 == 0
    shape = (2 * HALF, len(languages))
    hard = generator.normal(0, 1.0, (2 * HALF, 1)) + generator.normal(0, 0.7, shape)
    logit = hard + generator.normal(0.3, 0.3, len(languages)) + np.where(male, lean, -lean)[:, None]
    for _ in range(number):
        masculine = generator.random(shape) < 1 / (1 + np.exp(-logit - generator.normal(0, 0.5, shape)))
        rows = pd.DataFrame(masculine.astype(float), columns=list(languages)).assign(sample=range(2 * HALF), male=male)
        yield rows.assign(unread=pd.array([None] * len(rows), dtype="string"))


def result(rows: pd.DataFrame, number: int) -> Result:
    """Wrap rows as the result of a run."""
    config = {
        "configuration": {"measure": "simulated", "model": f"m{number}", "seed": 0, "as_published": False},
        "data": {"name": "simulated", "sha256": "0" * 64},
        "model": {"name": f"m{number:02}"},
        "versions": {"genderscope": "0"},
    }
    found = [r.estimate for r in Simulated.resampled(rows, Options())]
    return Result("simulated", estimates_to_frame(found), rows, "simulated", "", (), config)


CONDITIONS = (
    "delta(stereotype_rate).low > 0",
    "delta(stereotype_rate) > 0.02",
    "delta(stereotype_rate).p < 0.05",
    "delta(distance(stereotype_rate)) > 0.02",
    "delta(distance(stereotype_rate)).low > 0",
)


def comparing(seed: Sequence[int]) -> dict[str, bool]:
    """Compare two equal systems over nine languages; say which alarms were raised."""
    runs = systems(2, SPEAKER_LANGUAGES, seed)
    found = compare(*runs)
    alarms = {
        "compare, 9 languages: something differs": any(d.differs for d in found.differences),
        "compare: an interval leaves out no difference": any(_excludes(d) for d in found.differences),
        "compare: interval and verdict disagree": any(_excludes(d) != d.differs_on_items for d in found.differences),
    }
    for text in CONDITIONS:
        try:
            alarms[f"gate {text}, 9 languages"] = not check([parse(text)], runs[-1], found)[0].passed
        except UserError:
            continue  # version 0.1.0 does not know it
    return alarms


def _excludes(d: Any) -> bool:
    return bool(d.low is not None and (d.low > d.neutral or d.high < d.neutral))


#: a build with three measures, each of which has three groups of conditions
MEASURES_IN_BUILD = 3
GATES_IN_BUILD = ("distance(stereotype_rate) > 0", "delta(stereotype_rate).p < 0.05", "worse(stereotype_rate).low > 0")


def building(seed: Sequence[int]) -> dict[str, bool]:
    """Gate unbiased systems by several measures; the alarm is that any gate of the build fails."""
    gates = [parse(text) for text in GATES_IN_BUILD]
    groups = MEASURES_IN_BUILD * count_families(gates)
    failed = {1: False, groups: False}
    for measure in range(MEASURES_IN_BUILD):
        runs = systems(2, ("sk",), [*seed, measure], 0.0)
        found = compare(*runs)
        for number in failed:
            failed[number] |= not all(gate.passed for gate in check(gates, runs[-1], found, families=number))
    return {
        f"build with {groups} groups of conditions, each corrected alone": failed[1],
        f"build with {groups} groups of conditions": failed[groups],
    }


def ranking(number: int, lean: float) -> Callable[[Sequence[int]], dict[str, bool]]:
    """Rank equal systems; the alarm is that one of them is called worse."""

    def simulate(seed: Sequence[int]) -> dict[str, bool]:
        runs = {f"{k:02}": run for k, run in enumerate(systems(number, ("sk",), seed, lean))}
        (found,) = rankings(runs)
        where = LEANS.get(lean, "stereotypical")
        worse = any(_worse(entry, place) for place, entry in enumerate(found.entries))
        return {f"ranking, {number} equal {where} systems: one is worse": worse}

    return simulate


def best(number: int, lean: float) -> Callable[[Sequence[int]], dict[str, bool]]:
    """The same without run folders and tables around it, ten times as fast: the comparison of all with all itself."""
    from genderscope.comparison.rank_intervals import standings

    def simulate(seed: Sequence[int]) -> dict[str, bool]:
        drawn = [list(Simulated.resampled(rows, Options()))[:1] for rows in tables(number, ("sk",), seed, lean)]
        found = standings(drawn, [1.0]) or []
        where = LEANS.get(lean, "stereotypical")
        return {f"ranking, {number} equal {where} systems: one is worse": any(s.ranks[0] > 1 for s in found)}

    return simulate


def _worse(entry: Any, place: int) -> bool:
    ranks = getattr(entry, "ranks", None)
    return bool(ranks[0] > 1) if ranks is not None else place > 0 and not entry.tied


def rates(simulate: Callable[[Sequence[int]], Mapping[str, bool]], simulations: int) -> dict[str, float]:
    """Return how often each alarm is raised."""
    raised: Counter[str] = Counter()
    for k in range(simulations):
        raised.update({name: int(alarm) for name, alarm in simulate([1, k]).items()})
    return {name: count / simulations for name, count in raised.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=500)
    simulations = parser.parse_args().simulations
    MEASURES["simulated"] = f"{__name__}:Simulated"
    print("| what | false alarms | ± |\n|---|---|---|")
    for simulate in (comparing, building, best(20, 0.4), best(20, 1.2), best(20, 0.0), best(5, 0.4)):
        began = time.process_time()
        for name, share in rates(simulate, simulations).items():
            doubt = math.sqrt(share * (1 - share) / simulations)
            print(f"| {name} | {share:.1%} | {doubt:.1%} |", flush=True)
        print(f"{time.process_time() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
