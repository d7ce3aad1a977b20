"""Sentences that recur: listed under two stereotypes, or kept twice under one; GEST, in translation and in chat."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, chat, checked, expit, gest, translation

from genderscope.judgement import with_symbols
from genderscope.measures.gest.measure import Gest
from genderscope.measures.gest.rates import Rates
from genderscope.measures.gest_chat.rates import ChatRates
from genderscope.measures.gest_mt.measure import GestMt
from genderscope.measures.gest_mt.rates import MtRates
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.estimate import Estimate

#: stereotypes that list the same sentences
PAIRS = ((1, 2), (3, 4), (5, 6), (8, 9), (10, 11), (12, 13), (14, 16))
Listing = Callable[[int, np.random.Generator], dict[int, np.ndarray]]


def under_two(n: int, generator: np.random.Generator) -> dict[int, np.ndarray]:
    """Number the sentences of each stereotype: half of them are under another stereotype too."""
    listing = {i: i * n + np.arange(n) for i in (*FEMALE, *MALE)}
    for one, other in PAIRS:
        listing[other] = np.concatenate([listing[one][: n // 2], listing[other][n // 2 :]])
    return listing


def kept_twice(n: int, generator: np.random.Generator) -> dict[int, np.ndarray]:
    """Number the sentences of each stereotype: some occur twice."""
    return {i: i * n + generator.integers(n, size=n) // 2 for i in (*FEMALE, *MALE)}


def named(rows: pd.DataFrame, listing: dict[int, np.ndarray]) -> pd.DataFrame:
    """Give every sample the text of its sentence."""
    numbers = np.concatenate([listing[i] for i in sorted(listing)])
    samples = np.unique(rows["sample"], return_inverse=True)[1]
    return rows.assign(sentence=[f"s{numbers[k]}" for k in samples])


def drawn(listing: dict[int, np.ndarray], columns: int, generator: np.random.Generator) -> dict[int, np.ndarray]:
    """Draw a value for each sentence in each column, the same wherever the sentence is listed."""
    size = max(int(numbers.max()) for numbers in listing.values()) + 1
    values = generator.normal(0, 0.8, (size, 1)) + generator.normal(0, 0.4, (size, columns))
    return {i: values[numbers] for i, numbers in sorted(listing.items())}


def in_gest(listed: Listing, n: int, generator: np.random.Generator) -> Iterator[Checked]:
    listing = listed(n, generator)
    rows = named(gest.frame(drawn(listing, 2, generator), generator), listing)
    rates = Rates(rows, 0, "log")
    overall = (rates.q_f, rates.q_m, rates.g_s, rates.q_fam, rates.family_contrast)
    for e in with_symbols(Gest.symbols, [rates.q_i(2, None), *(rate(None) for rate in overall)]):
        yield checked(e, 0.0)


def in_translation(listed: Listing, n: int, generator: np.random.Generator) -> Iterator[Checked]:
    listing = listed(n, generator)
    masculine = {i: (values < 0).astype(float) for i, values in drawn(listing, 1, generator).items()}
    rows = named(translation.frame(masculine, 1.0, generator), listing)
    yield from _in_halves(with_symbols(GestMt.symbols, MtRates(rows, 0, False).estimates()))


#: estimates whose truth is their neutral point
RATES = {
    *("masculine_rate_by_stereotype", "masculine_rate_female", "masculine_rate_male", "masculine_rate"),
    *("stereotype_rate", "stereotype_rate_by_stereotype"),
}


def _in_halves(estimates: list[Estimate]) -> Iterator[Checked]:
    for e in estimates:
        if e.name in RATES:
            yield checked(e, e.neutral or 0.0)


def in_chat(listed: Listing, n: int, generator: np.random.Generator) -> Iterator[Checked]:
    listing = listed(n, generator)
    chance = np.concatenate([expit(2 * values[:, 0]) for values in drawn(listing, 1, generator).values()])
    rows = named(chat.answers(chance, n, generator), listing)
    yield from _in_halves(ChatRates(rows, "ask", 0, False).estimates())


def situations() -> Iterator[Situation]:
    """Both ways to recur, in three measures."""
    for name, listed in (("under two stereotypes", under_two), ("kept twice", kept_twice)):
        for n in (6, 16):
            few = "n < 12" if n < 12 or listed is kept_twice else ""
            for measure, draw in (("gest", in_gest), ("gest-mt", in_translation), ("gest-chat", in_chat)):
                yield Situation("recurrence", f"{measure}, {n} sentences, {name}", partial(draw, listed, n), 0.4, few)
