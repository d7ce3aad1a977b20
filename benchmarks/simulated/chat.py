"""Chat models that choose by chance: sentences differ, the answers in a sentence's six orders are drawn."""

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, lazy, wide

from genderscope.measures.gest_chat.rates import ChatRates
from genderscope.measures.gest_chat.shares import LEFT_OUT
from genderscope.samples.gest import FEMALE, MALE

OPTIONS = np.array(["female", "male", "neither"])
ORDERS = [",".join(order) for order in permutations(OPTIONS)]
_NORMAL = np.random.default_rng(0).normal(size=200_000)


def chances(leaning: np.ndarray | float, neither: float) -> np.ndarray:
    """Probabilities of the options: `leaning` is the log-odds of men over women."""
    men = (1 - neither) / (1 + np.exp(-np.asarray(leaning)))
    return np.stack([1 - neither - men, men, np.full_like(men, neither)], axis=-1)


@lazy
def rates(n: int, lean: float, neither: float, spread: float, form: str = "ask", apart: float = 0.0, draws: int = 1):
    """Sentences of a stereotype lean by `lean` one way or the other and differ by `spread`, stereotypes by `apart`."""

    def mean(centre: float) -> float:
        return float((chances(centre + np.hypot(spread, apart) * _NORMAL, neither) @ [-1, 1, 0]).mean())

    truth_of = {i: mean(lean if i in MALE else -lean) * (1 if i in MALE else -1) for i in range(1, 17)}
    rate = float(np.mean([truth_of[i] for i in MALE if i != LEFT_OUT]) + np.mean([truth_of[i] for i in FEMALE])) / 2
    masculine = float(np.mean([(1 + mean(lean if i in MALE else -lean) / (1 - neither)) / 2 for i in range(1, 17)]))

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        parts: list[np.ndarray] = []
        orders = 1 if form == "write" else 6
        for i in range(1, 17):
            centre = (lean if i in MALE else -lean) + apart * generator.normal()
            p = chances(centre + spread * generator.normal(size=n), 0.0 if form == "write" else neither)
            drawn = (generator.random((n, orders * draws, 1)) > p.cumsum(axis=1)[:, None, :]).sum(axis=2)
            outcomes = OPTIONS[drawn.ravel()]
            if form == "write":  # whether the text tells a gender has nothing to do with which
                outcomes = np.where(generator.random(outcomes.size) < neither, "they", outcomes)
            parts.append(outcomes)
        rows = pd.DataFrame(
            {
                "sample": np.repeat(np.arange(n, 17 * n), orders * draws),
                "stereotype": np.repeat(np.arange(1, 17), n * orders * draws),
                "wording": 1,
                "order": None if form == "write" else np.tile(np.repeat(ORDERS, draws), 16 * n),
                "draw": np.tile(np.arange(draws), 16 * n * orders),
                "outcome": np.concatenate(parts),
                "unread": pd.Series([None] * (16 * n * orders * draws), dtype="string"),
            }
        )
        for e in ChatRates(rows, form, 0, False).estimates():
            if apart and e.name == "stereotype_rate":
                yield wide(e, rate)
            elif not apart and e.name == "stereotype_rate":
                yield checked(e, rate)
            elif not apart and e.name == "masculine_rate" and form == "write":
                yield checked(e, masculine)
            elif not apart and e.name == "stereotype_rate_by_stereotype":
                yield checked(e, truth_of[e.stereotype])
            elif not apart and e.name == "share" and e.category == "neither" and not e.group and not e.stereotype:
                yield checked(e, neither)

    if form == "write":  # among those with a gender
        truth_of = {i: value / (1 - neither) for i, value in truth_of.items()}
        rate = rate / (1 - neither)
    return draw


def chosen(n: int, pick: Callable[[int, np.random.Generator], np.ndarray], truth: float):
    """Answers that `pick` draws for each stereotype, [sentences, orders]; every stereotype has the same truth."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        outcomes = np.concatenate([np.broadcast_to(pick(i, generator), (n, 6)).ravel() for i in range(1, 17)])
        rows = pd.DataFrame({"outcome": outcomes, "sample": np.arange(96 * n) // 6, "wording": 1})
        rows = rows.assign(stereotype=1 + rows["sample"] // n, order=np.tile(ORDERS, 16 * n))
        rows["unread"] = pd.Series([None] * len(rows), dtype="string")
        for e in ChatRates(rows, "ask", 0, False).estimates():
            if e.name in {"stereotype_rate", "stereotype_rate_by_stereotype"}:
                yield checked(e, truth)

    return draw


def answers(
    men: np.ndarray, n: int, generator: np.random.Generator, refused: float = 0.0, form: str = "ask"
) -> pd.DataFrame:
    """Rows of answers, given each sentence's chance of a man: in six orders, or one text."""
    orders = 1 if form == "write" else 6
    male = generator.random((len(men), orders)) < men[:, None]
    outcomes = np.where(male, "male", "female").ravel()
    silent = generator.random(outcomes.size) < refused
    rows = pd.DataFrame({"outcome": np.where(silent, "they" if form == "write" else "refused", outcomes), "wording": 1})
    rows["sample"] = np.arange(len(rows)) // orders
    rows = rows.assign(stereotype=1 + rows["sample"] // n, order=None if orders == 1 else np.tile(ORDERS, len(men)))
    return rows.assign(unread=pd.Series([None] * len(rows), dtype="string"))


def refusing(n: int, refused: float, lean: float, alike: bool = False):
    """Most answers refuse, independently or in all six orders of a sentence together."""

    def pick(stereotype: int, generator: np.random.Generator) -> np.ndarray:
        size = (n, 1 if alike else 6)
        men = generator.random(size) < 1 / (1 + np.exp(-lean if stereotype in MALE else lean))
        return np.where(generator.random(size) < refused, "refused", np.where(men, "male", "female"))

    return chosen(n, pick, (1 - refused) * float(np.tanh(lean / 2)))


def by_place(n: int, strength: float):
    """The first option, or any at random; intervals must not be wider than the little that varies."""
    first = np.array([order.split(",")[0] for order in ORDERS])

    def pick(stereotype: int, generator: np.random.Generator) -> np.ndarray:
        return np.where(generator.random((n, 6)) < strength, first, OPTIONS[generator.integers(3, size=(n, 6))])

    return chosen(n, pick, 0.0)


def situations() -> Iterator[Situation]:
    """Every situation of gest-chat."""
    few, edge = "n < 12", "answers of a sentence nearly always alike"
    yield Situation("gest-chat", "at random, 16 sentences", rates(16, 0.0, 1 / 3, 0.0), 0.3)
    yield Situation("gest-chat", "leaning, 16 sentences", rates(16, 0.7, 0.4, 1.0), 0.3)
    yield Situation("gest-chat", "leaning, 100 sentences", rates(100, 0.7, 0.4, 1.0), 0.2)
    yield Situation("gest-chat", "strongly, 16 sentences", rates(16, 3.0, 0.1, 2.0), 0.3, edge)
    yield Situation("gest-chat", "leaning, 5 sentences", rates(5, 0.7, 0.4, 1.0), 0.3, few)
    yield Situation("gest-chat", "written, 16 sentences", rates(16, 0.5, 0.2, 0.8, "write"), 0.3)
    yield Situation("gest-chat", "leaning, 5 draws, 16 sentences", rates(16, 0.7, 0.4, 1.0, draws=5), 0.3)
    yield Situation("gest-chat", "written, 5 draws, 16 sentences", rates(16, 0.5, 0.2, 0.8, "write", draws=5), 0.3)
    yield Situation("gest-chat", "drawn stereotypes, 16 sentences", rates(16, 0.7, 0.4, 0.5, apart=0.8), 0.3)
    seldom = "few answers name a gender"
    yield Situation("gest-chat", "95 % refused, 16 sentences", refusing(16, 0.95, 0.7), 0.3, seldom)
    yield Situation("gest-chat", "95 % refused, 60 sentences", refusing(60, 0.95, 0.7), 0.2, seldom)
    yield Situation(
        "gest-chat", "98 % refused, in all orders alike, 16 sentences", refusing(16, 0.98, 3.0, True), 0.3, seldom
    )
    yield Situation("gest-chat", "the place decides 9 of 10 answers, 16 sentences", by_place(16, 0.85), 0.3, edge)
