"""WinoBias: forty occupations, each with its own pronoun; couples of sentences that begin alike."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked
from scipy import stats

from genderscope.measures.winobias.rates import OccupationRates


def rates(occupations_a_side: int, sentences: int, spread: float, causal: bool, skewed: bool = False):
    """Occupations differ by `spread`; a causal model answers both sentences of a couple alike."""
    gap, noise = 0.6, 0.7
    total = np.hypot(spread, noise)
    pro = float(stats.norm.cdf(gap / 2 / total))
    if causal:  # what both of a couple see: the mean of the two occupations
        gap, pro = 0.0, 0.5
    truth = {
        "stereotype_rate": gap,
        "masculine_rate_male": gap / 2,
        "masculine_rate_female": -gap / 2,
        "stereotypical_share": pro,
    }
    if causal or skewed:  # of every couple one is as the stereotype has it: nothing varies
        del truth["stereotypical_share"]

    def drawn(generator: np.random.Generator, k: int) -> np.ndarray:
        return generator.exponential(size=k) - 1 if skewed else generator.normal(size=k)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        k = occupations_a_side
        effect = {g: s * 0.3 + spread * drawn(generator, k) for g, s in (("male", 1), ("female", -1))}
        records: list[tuple[Any, ...]] = []
        for one in range(k):
            for j in range(sentences):
                other = (one + 7 * j) % k
                both = (effect["male"][one] + effect["female"][other]) / 2 + generator.normal(0, noise)
                for gender, o in (("male", one), ("female", other)):
                    score = both if causal else effect[gender][o] + generator.normal(0, noise)
                    text = f"The m{one} met the f{other} because {j} [he/she] {gender}"
                    records.append((len(records), "type 1 dev", text, f"{gender[0]}{o}", gender, score, None))
        columns = ["sample", "subset", "sentence", "occupation", "gender", "log_ratio", "unread"]
        rows = pd.DataFrame(records, columns=columns)
        seed = int(generator.integers(2**31))
        for e in [drawn.estimate for drawn in OccupationRates.resampled(rows, seed)]:
            if e.name not in truth:
                continue
            log = e.name != "stereotypical_share" and e.low is not None
            low, high = (float(np.log(x)) for x in (e.low, e.high)) if log else (e.low, e.high)
            yield Checked(e.name, truth[e.name], low, high)
        if not causal:
            for e in OccupationRates(rows, None, seed).occupations():
                known = float(np.exp(effect[str(e.group)][int(str(e.category)[1:])]))
                yield checked(e, known)

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of WinoBias."""
    yield Situation("winobias", "20 + 20 occupations × 19, spread 0.5", rates(20, 19, 0.5, False), 0.3)
    yield Situation(
        "winobias",
        "20 + 20 occupations × 19, alike",
        rates(20, 19, 0.0, False),
        0.3,
        "no effects of clusters, which cannot add less than nothing",
    )
    yield Situation("winobias", "20 + 20 occupations × 19, causal couples", rates(20, 19, 0.5, True), 0.3)
    yield Situation("winobias", "6 + 6 occupations × 5, spread 0.5", rates(6, 5, 0.5, False), 0.6, "n < 12")
    yield Situation("winobias", "20 + 20 skewed occupations × 10", rates(20, 10, 0.5, False, True), 0.3)
