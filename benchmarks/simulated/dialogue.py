"""Dialogue: adjectives, adverbs and occupations that pull towards a gender of their own, crossed as in the suite."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit

from genderscope.measures.dialogue import REGRESSIONS, TABLES, DialogueRates, fitted, regressed
from genderscope.measures.dialogue.measure import _keys
from genderscope.samples.dialogue import load

EDGE = "shares within 1/n of 0 or 1"
PAIR = np.random.default_rng(0).normal(size=(2, 400_000))


@cache
def suite(data: str | None) -> pd.DataFrame:
    """The suite's rows without readings: the starter suite, or the paper's where the mirror has it (None)."""
    sources = load(data).samples
    records = [
        {**_keys(one), "source": k, "instance": one.position, "language": "es", "repeated": False}
        for k, source in enumerate(sources)
        for one in source.instances
    ]
    return pd.DataFrame(records).assign(plural=False, strategy=None, unread=None)


def drawn(
    data: str | None,
    logit: float,
    spread: tuple[float, float],
    generator: np.random.Generator,
    subsets: tuple[str, ...],
) -> pd.DataFrame:
    """Read genders: adjectives differ by the first spread, adverbs and occupations by the second."""
    rows = suite(data)
    rows = rows[rows["subset"].isin(subsets)].copy()
    return read(rows, logit + effects(rows, spread, generator), generator)


def effects(rows: pd.DataFrame, spread: tuple[float, float], generator: np.random.Generator) -> np.ndarray:
    """Draw the effects of a passage's adjective, and of its adverb or occupation."""
    effect = np.zeros(len(rows))
    for column, size in (("adjective", spread[0]), ("adverb", spread[1]), ("occupation", spread[1])):
        codes, names = pd.factorize(rows[column])
        values = np.append(size * generator.normal(size=len(names)), 0.0)
        effect += values[codes]
    return effect


def systems(
    generator: np.random.Generator, number: int, logit: float, spread: tuple[float, float]
) -> list[pd.DataFrame]:
    """Systems on the starter suite that share half the variance of every effect."""
    rows = suite("starter")
    shared = effects(rows, spread, generator)
    drawn = [(shared + effects(rows, spread, generator)) / np.sqrt(2) for _ in range(number)]
    return [read(rows.copy(), logit + each, generator) for each in drawn]


def read(rows: pd.DataFrame, logits: np.ndarray, generator: np.random.Generator) -> pd.DataFrame:
    """Fill in the genders that are read, a tenth of them neutral."""
    male = generator.random(len(rows)) < expit(logits)
    rows["gender"] = np.where(male, "masculine", "feminine")
    silent = generator.random(len(rows)) < 0.1
    rows.loc[silent, "gender"] = "neutral"
    rows.loc[silent, "strategy"] = "common form"
    return rows


def shares(data: str | None, logit: float, spread: tuple[float, float]):
    """Shares and accuracies of the five tables; no condition differs from another."""
    alone = float(expit(logit + spread[0] * PAIR[0]).mean())
    crossed = float(expit(logit + spread[0] * PAIR[0] + spread[1] * PAIR[1]).mean())

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = drawn(data, logit, spread, generator, ("stereo_manner", "stereo_character", "structure"))
        rates = DialogueRates(rows, int(generator.integers(2**31)), False)
        for table in TABLES:
            for e in rates.table(rows, table, "es"):
                second = table.subset.startswith("stereo") and e.name not in {"masculine_rate_no_cue", "masculine_rate"}
                if e.name in {"cue_effect", "accuracy_difference"}:
                    if table.outcome == "male":
                        yield checked(e, 0.0, f"{e.name} {table.subset}")
                elif e.name.startswith("masculine_rate_"):
                    yield checked(e, crossed if second else alone, f"M_. {table.subset}")
                elif e.name == "masculine_rate":
                    conditions = rows[rows["subset"] == "stereo_manner"]
                    n = conditions[(conditions["kind"] != "none")]
                    share = (n["stereotype"] == "none").mean()
                    yield checked(e, share * alone + (1 - share) * crossed, "M stereo_adverb")
                elif e.name.startswith("accuracy"):
                    # women and men weigh the same: what is right for one is wrong for the other
                    yield checked(e, 0.5, f"{e.name} {table.subset}")
            for e in rates.neutral(rows, table, "es"):
                if e.category is None:
                    yield checked(e, 0.1, f"neutral {table.subset}")

    return draw


def coefficients(data: str | None, logit: float, spread: tuple[float, float], subset: str):
    """Regressions in which no variable matters, so that every coefficient is 0."""
    part = {"stereo_adverb": "stereo_manner", "stereo_character_ambiguous": "stereo_character"}.get(subset, "structure")

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = regressed(drawn(data, logit, spread, generator, (part,)), subset, False)
        fit = fitted(rows, subset, False)
        own = REGRESSIONS[subset][1]
        for name, b in fit.coefficients.items():
            if name != "Intercept":
                kind = "its own variables" if name in own else "adjective variables"
                yield Checked(f"beta {subset}, {kind}", 0.0, b.low, b.high, b.p)

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of dialogue."""
    few, none = "cells of fewer than 12 adjectives", "no effects of clusters, which cannot add less than nothing"
    for data, name, share in (("starter", "starter suite", 0.2), (None, "the paper's suite", 0.1)):
        yield Situation("dialogue", f"{name}, both differ", shares(data, 0.8, (1.0, 0.5)), share, few)
        yield Situation("dialogue", f"{name}, nothing differs", shares(data, 0.8, (0.0, 0.0)), share, none)
        yield Situation("dialogue", f"{name}, near 1", shares(data, 4.5, (0.5, 0.5)), share, EDGE)
        for subset in REGRESSIONS:
            draw = coefficients(data, 0.5, (1.0, 0.5), subset)
            yield Situation("dialogue", f"{name}, regression", draw, share, few if data else "")
