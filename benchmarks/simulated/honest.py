"""HONEST: identity terms and patterns that are hurtful in their own ways, crossed."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit

from genderscope.measures.honest.rates import Shares
from genderscope.reference import position_of, reference_sets
from genderscope.reference.position import KnownValues
from genderscope.reference.values import ReferenceValue
from genderscope.statistics.estimate import Estimate

PAIR = np.random.default_rng(0).normal(size=(2, 400_000))


def frame(chances: np.ndarray, sizes: tuple[int, int], k: int, generator: np.random.Generator) -> pd.DataFrame:
    """Rows as the measure makes them, given the chances of hurtful completions [terms of both groups, patterns]."""
    hits = generator.random((*chances.shape, k)) < chances[..., None]
    terms = [(group, f"{group}{a}") for group, size in zip(("female", "male"), sizes, strict=True) for a in range(size)]
    records = [
        (term, f"p{b}", group, ["an" if hit else "" for hit in each], None)
        for (group, term), row in zip(terms, hits, strict=True)
        for b, each in enumerate(row)
    ]
    return pd.DataFrame(records, columns=["term", "pattern", "group", "categories", "unread"])


def shares(
    terms: int | tuple[int, int], patterns: int, k: int, logits: tuple[float, float], spread: tuple[float, float]
):
    """Log-odds of a hurtful completion for the two groups; standard deviations of terms and of patterns.

    `terms` may differ between the groups; the share over both is then checked only where they are alike.
    """
    sizes = terms if isinstance(terms, tuple) else (terms, terms)
    by_term, by_pattern = spread
    noise = by_term * PAIR[0] + by_pattern * PAIR[1]
    truth = [100 * float(expit(logit + noise).mean()) for logit in logits]

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        of_pattern = by_pattern * generator.normal(size=patterns)
        drawn = [by_term * generator.normal(size=(size, 1)) for size in sizes]
        chances = [expit(logit + each + of_pattern) for logit, each in zip(logits, drawn, strict=True)]
        rows = frame(np.concatenate(chances), sizes, k, generator)
        for e in Shares(rows, [k], ["an"]).estimates():
            if e.name == "difference":
                null = e.p if logits[0] == logits[1] and e.category is None else None
                yield Checked(e.name, truth[0] - truth[1], e.low, e.high, null)
            elif e.group is None:
                if len(set(sizes)) == 1 or logits[0] == logits[1]:
                    yield checked(e, sum(truth) / 2, "honest, both groups")
            else:
                which = f" of {sizes[e.group == 'male']}" if len(set(sizes)) > 1 else ""
                yield checked(e, truth[e.group == "male"], f"{e.name}, one group{which}")

    return draw


def against_reference(k: int, logit: float, spread: tuple[float, float]):
    """Compare a model with the published value of an equal one, which has n but no interval: is it called different?"""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        run, published = (_overall(generator, k, logit, spread) for _ in range(2))
        value = ReferenceValue("honest", "equal", run.name, {}, {}, published.value or 0.0, None, None, published.n)
        position = position_of(run, KnownValues((value,), reference_sets()["honest"]))
        different = float(position.higher + position.lower)
        yield Checked("an equal published model is called different", 0.0, different, different)

    return draw


def _overall(generator: np.random.Generator, k: int, logit: float, spread: tuple[float, float]) -> Estimate:
    terms, patterns = (28, 1), (1, 15)
    effects = spread[0] * generator.normal(size=terms) + spread[1] * generator.normal(size=patterns)
    rows = frame(expit(logit + effects), (14, 14), k, generator)
    return next(e for e in Shares(rows, [k], ["an"]).estimates() if e.name == "honest_score" and e.group is None)


def situations() -> Iterator[Situation]:
    """Every situation of HONEST."""
    for k, logit, spread in (
        (1, -3.0, (0.6, 0.6)),
        (20, -3.0, (0.6, 0.6)),
        (20, -3.0, (0.0, 0.0)),
        (5, -4.5, (0.6, 0.8)),
    ):
        name = f"an equal published model, K {k}, log-odds {logit:g}, spread {spread[0]:g} and {spread[1]:g}"
        yield Situation("honest", name, against_reference(k, logit, spread), 0.5, "at most one value per template")
    edge = "shares within 1/n of 0 or 1"
    yield Situation("honest", "14 terms × 15 patterns, K 20, 10 %", shares(14, 15, 20, (-2.5, -2.5), (0.6, 0.8)), 0.6)
    yield Situation(
        "honest", "14 terms × 15 patterns, K 20, 2 and 4 %", shares(14, 15, 20, (-3.6, -4.4), (0.6, 0.6)), 0.6
    )
    yield Situation(
        "honest", "14 terms × 15 patterns, K 5, 1 %", shares(14, 15, 5, (-5.0, -5.0), (0.6, 0.6)), 0.6, edge
    )
    yield Situation(
        "honest",
        "14 terms × 15 patterns, K 20, no effects",
        shares(14, 15, 20, (-3.0, -3.0), (0.0, 0.0)),
        0.5,
        "no effects of clusters, which cannot add less than nothing",
    )
    yield Situation(
        "honest", "14 terms × 15 patterns, K 1, 0.3 %", shares(14, 15, 1, (-6.0, -6.0), (0.5, 0.5)), 0.6, edge
    )
    yield Situation(
        "honest", "14 terms × 15 patterns, K 5, 0.05 %", shares(14, 15, 5, (-8.0, -8.0), (0.5, 0.5)), 0.6, edge
    )
    yield Situation(
        "honest", "6 terms × 5 patterns, K 5, 10 %", shares(6, 5, 5, (-2.3, -2.3), (0.5, 0.5)), 0.6, "n < 12"
    )
    for sizes, patterns in (((41, 6), 15), ((6, 41), 15), ((20, 3), 12)):
        name = f"{sizes[0]} against {sizes[1]} terms × {patterns} patterns, K 20, 10 %"
        yield Situation("honest", name, shares(sizes, patterns, 20, (-2.5, -2.5), (0.6, 0.5)), 0.6, "n < 12")
    yield Situation(
        "honest",
        "41 against 6 terms × 15 patterns, K 20, 4 %, terms alike",
        shares((41, 6), 15, 20, (-3.2, -3.2), (0.0, 0.5)),
        0.6,
        "no effects of clusters, which cannot add less than nothing",
    )
