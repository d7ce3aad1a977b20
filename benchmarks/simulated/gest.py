"""GEST: released log-ratios of real models, taken for a population that is sampled; and stereotypes drawn at random."""

import math
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, lazy, wide

from genderscope.measures.gest import Rates
from genderscope.samples.gest import FEMALE, MALE

MODELS = {"bert-base-uncased": ("english_mlm", 4), "gpt2": ("english_glm", 2)}


@cache
def population(model: str) -> dict[int, np.ndarray]:
    """Stereotype -> [sentences, templates] of log-ratios: the released ones, or skewed ones without a mirror."""
    folder, templates = MODELS[model]
    if os.environ.get("GENDERSCOPE_MIRROR"):
        from genderscope.samples import fetch
        from genderscope.samples.gest import load
        from genderscope.samples.registry import dataset

        released = dataset("gest-predictions")
        names = [f"gest/predictions/{folder}/{model}_template-{k}.txt" for k in range(templates)]
        scores = np.array([fetch.read(released.file(name)).split() for name in names], dtype=np.float64).T
        stereotypes = np.array([s.stereotype for s in load(None, "1.0").samples])
        return {i: scores[stereotypes == i] * math.log(10) for i in range(1, 17)}
    generator = np.random.default_rng(len(model))
    made = {}
    for i in range(1, 17):
        centre = generator.normal(0.3 if i in MALE else -0.1, 0.25) + generator.normal(0, 0.2, templates)
        shared = generator.gamma(2.0, 0.4, (200, 1)) - 0.8
        made[i] = centre + shared + (generator.gamma(2.0, 0.3, (200, templates)) - 0.6)
    return made


def frame(values: dict[int, np.ndarray], family: np.random.Generator | None = None) -> pd.DataFrame:
    """Rows as the measure makes them; a third of the samples speaks of family, at random or every third."""
    sizes = [len(scores) for scores in values.values()]
    templates = next(iter(values.values())).shape[1]
    of_family = [np.arange(n) % 3 == 0 if family is None else family.random(n) < 1 / 3 for n in sizes]
    samples = np.arange(sum(sizes))
    return pd.DataFrame(
        {
            "sample": np.repeat(samples, templates),
            "sentence": np.repeat([f"s{s}" for s in samples], templates),
            "stereotype": np.repeat(np.repeat(list(values), sizes), templates),
            "family": np.repeat(np.concatenate(of_family), templates),
            "template": np.tile(np.arange(1, templates + 1), len(samples)),
            "log_ratio": np.concatenate([scores.ravel() for scores in values.values()]),
            "mass": np.nan,
            "unread": None,
        }
    )


def sampled(model: str, sizes: dict[int, int], generator: np.random.Generator) -> dict[int, np.ndarray]:
    """Draw so many sentences for each stereotype, all templates of a sentence together."""
    drawn = {}
    for i, n in sizes.items():
        scores = population(model)[i]
        drawn[i] = scores[generator.integers(len(scores), size=n)]
    return drawn


def truths(model: str, stereotypes: list[int]) -> dict[str, Any]:
    """The rates of the whole population, on the log scale."""
    means = {i: population(model)[i].mean(axis=0) for i in stereotypes}
    female, male = (
        np.mean([means[i] for i in group if i in means], axis=0) if any(i in means for i in group) else np.nan
        for group in (FEMALE, MALE)
    )
    return {"masculine_rate_female": female, "masculine_rate_male": male, "stereotype_rate": male - female} | {
        f"q_{i}": means[i] for i in stereotypes
    }


def rates(model: str, sizes: dict[int, int]):
    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        truth = truths(model, list(sizes))
        seed = int(generator.integers(2**31))
        found = Rates(frame(sampled(model, sizes, generator), generator), seed, "log").estimates()
        ranks = np.argsort(np.argsort([truth[f"q_{i}"].mean() for i in sizes])) + 1
        rank_of = dict(zip(sizes, ranks, strict=True))
        male = {i: n for i, n in sizes.items() if i in MALE}
        fam = sum(n * truth[f"q_{i}"].mean() for i, n in male.items()) / sum(male.values())
        for e in found:
            at = slice(None) if e.template is None else slice(e.template - 1, e.template)
            where = "" if e.template is None else ", one template"
            if e.name == "masculine_rate_by_stereotype":
                yield checked(e, truth[f"q_{e.stereotype}"][at].mean(), f"q_i{where}")
            elif e.name in {"masculine_rate_female", "masculine_rate_male", "stereotype_rate"}:
                yield checked(e, truth[e.name][at].mean(), e.name + where)
            elif e.name == "rank" and e.template is None and len(sizes) == 16:
                yield checked(e, rank_of[e.stereotype])
            elif e.name == "masculine_rate_family" and e.template is None:
                yield checked(e, fam)
            elif e.name == "family_contrast" and e.template is None:
                yield checked(e, fam - truth["masculine_rate_male"].mean())

    return draw


def agreement(model: str, n: int, pair: tuple[int, int]):
    """r between two templates: what it would be with all sentences."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        sizes = dict.fromkeys(range(1, 17), n)
        truth = truths(model, list(sizes))
        x, y = (np.array([truth[f"q_{i}"][t - 1] for i in sizes]) for t in pair)
        rows = frame(sampled(model, sizes, generator))
        e = Rates(rows[rows["template"].isin(pair)], int(generator.integers(2**31)), "log").correlations()
        if e:
            yield checked(e[0], np.corrcoef(x, y)[0, 1])

    return draw


def unrelated(n: int):
    """Two templates whose stereotypes have nothing in common, but whose sentences do."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        centres = [np.cos(np.arange(16)), np.sin(np.arange(16))]
        x, y = (c - c.mean() for c in centres)
        y -= x * (x @ y) / (x @ x)
        values = {}
        for k in range(16):
            common = generator.normal(0, 0.8, n)
            values[k + 1] = np.column_stack([m[k] + common + generator.normal(0, 0.6, n) for m in (x / 2, y / 2)])
        (e,) = Rates(frame(values), int(generator.integers(2**31)), "log").correlations()
        yield checked(e, 0.0)

    return draw


@lazy
def mass(median: float, spread: float, n: int):
    """Probabilities at the blank: log-odds that vary normally, which gives masses with a long tail."""
    many = np.random.default_rng(1).normal(math.log(median / (1 - median)), spread, 2_000_000)
    centre = float((1 / (1 + np.exp(-many))).mean())

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = frame({1: np.zeros((n, 1)), 9: np.zeros((1, 1))})
        odds = generator.normal(math.log(median / (1 - median)), spread, n)
        rows["mass"] = [*(1 / (1 + np.exp(-odds))), np.nan]
        for e in Rates(rows, int(generator.integers(2**31)), "log").masses():
            yield checked(e, {"mass": centre, "mass_median": median}[e.name])

    return draw


def drawn_scopes(n: int, templates: int, spread: tuple[float, float, float]):
    """Stereotypes and templates that are drawn at random too: standard deviations of both and of their interplay."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        stereotype, template, both = spread
        columns = generator.normal(0, template, (2, templates))
        values = {}
        for i in range(1, 17):
            male = int(i in MALE)
            centre = 0.4 * male + generator.normal(0, stereotype) + columns[male]
            centre = centre + generator.normal(0, both, templates)
            shared = generator.gamma(2.0, 0.4, (n, 1)) - 0.8
            values[i] = centre + shared + generator.normal(0, 0.5, (n, templates))
        found = Rates(frame(values), int(generator.integers(2**31)), "log")
        female, male = columns.mean(axis=1)  # the wide interval is over other stereotypes, with these templates
        truths_of = {
            "stereotype_rate": 0.4 + male - female,
            "masculine_rate_female": female,
            "masculine_rate_male": 0.4 + male,
        }
        for e in (found.g_s(None), found.q_f(None), found.q_m(None)):
            yield wide(e, float(truths_of[e.name]))

    return draw


#: log-ratios without a gender: name -> how they are drawn, and their mean
SKEWED_LOG_RATIOS = {
    "normal": (lambda generator, size: generator.normal(size=size), 0.0),
    "exponential": (lambda generator, size: generator.exponential(size=size), 1.0),
    "lognormal": (lambda generator, size: generator.lognormal(size=size), math.exp(0.5)),
    "3 % decide": (lambda generator, size: generator.normal(0, 0.5, size) + 3 * (generator.random(size) < 0.03), 0.09),
}


def skewed(n: int, name: str):
    """Intervals of q_i that carry no remark; for normal log-ratios also how often one does, as a test."""
    drawn, truth = SKEWED_LOG_RATIOS[name]

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rates = Rates(frame({i: drawn(generator, (n, 1)) for i in range(1, 17)}), 0, "log")
        for e in (rates.q_i(i, None) for i in range(1, 17)):
            if name == "normal":
                yield Checked("masculine_rate_by_stereotype", truth, e.low, e.high, p=float(e.remark is None))
            else:
                yield Checked("q_i without remark", truth, *((e.low, e.high) if e.remark is None else (None, None)))

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of GEST; gest-slavic computes with the same rates, of one template."""
    few = "n < 12"
    for model in MODELS:
        for n in (2, 3, 4, 5, 8):
            yield Situation(
                "gest", f"{model}, {n} sentences each", rates(model, dict.fromkeys(range(1, 17), n)), 0.5, few
            )
        yield Situation("gest", f"{model}, 16 sentences each", rates(model, dict.fromkeys(range(1, 17), 16)), 0.5)
    yield Situation("gest", "one stereotype a side, 2 sentences", rates("gpt2", {3: 2, 12: 2}), 1, few)
    yield Situation("gest", "one stereotype a side, 4 sentences", rates("gpt2", {3: 4, 12: 4}), 1, few)
    yield Situation("gest", "one stereotype a side, 3 and 8 sentences", rates("gpt2", {3: 3, 12: 8}), 1, few)
    sizes = {i: 1 + i % 4 for i in range(1, 17)}
    yield Situation("gest", "1 to 4 sentences each", rates("gpt2", sizes), 0.5, few)
    for n in (8, 16, 60):
        yield Situation(
            "gest", f"r of BERT's templates 3 and 4, {n} sentences", agreement("bert-base-uncased", n, (3, 4))
        )
        yield Situation(
            "gest", f"r of BERT's templates 1 and 3, {n} sentences", agreement("bert-base-uncased", n, (1, 3))
        )
        yield Situation("gest", f"r of unrelated templates, {n} sentences", unrelated(n))
    for median, spread in ((0.001, 1.5), (0.05, 1.2), (0.7, 1.5)):
        yield Situation("gest", f"mass around {median}, spread {spread}, n 100", mass(median, spread, 100))
    yield Situation("gest", "mass around 0.05, spread 1.2, n 16", mass(0.05, 1.2, 16))
    for templates, spreads in (
        (4, (0.3, 0.2, 0.2)),
        (4, (0.1, 0.4, 0.1)),
        (4, (0.3, 0.0, 0.0)),
        (2, (0.3, 0.0, 0.1)),
        (1, (0.3, 0, 0)),
    ):
        told = ", ".join(f"{s:g}" for s in spreads)
        yield Situation(
            "gest", f"drawn stereotypes and {templates} templates, spread {told}", drawn_scopes(16, templates, spreads)
        )
    yield Situation("gest", "normal log-ratios, 4 sentences", skewed(4, "normal"), 0.5, few)
    for n in (16, 60):
        for name in SKEWED_LOG_RATIOS:
            yield Situation("gest", f"{name} log-ratios, {n} sentences", skewed(n, name), 0.5)
