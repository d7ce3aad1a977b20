"""Chat models that answer in all six orders: by chance, by content, by the place of an option, or by a mixture.

The order effect is checked like any interval. The condition on orders must reject random answers and answers by place,
and accept answers by content; a wrong decision is counted as an interval that misses.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import numpy as np
import numpy.typing as npt
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked

from genderscope.measures.bbq import rates as bbq
from genderscope.measures.bbq.checks import ORDER as BBQ_ORDER
from genderscope.measures.gest_chat.breakdowns import order_estimates
from genderscope.measures.gest_chat.checks import ORDER as CHAT_ORDER
from genderscope.measures.gest_chat.wordings import OPTIONS
from genderscope.samples.bbq import KINDS
from genderscope.statistics.estimate import Estimate

Choices = npt.NDArray[np.int64]
#: draws the chosen options, [questions, 6], from the preferred option of each question
Model = Callable[[np.random.Generator, int], Choices]

ORDERS = np.array(list(permutations(range(3))))
RATE = Estimate(name="stereotype_rate", value=0.0, n=1, unread=0, neutral=0.0, method="simulated")
BIAS = Estimate(name="bias_ambiguous", value=0.0, n=1, unread=0, neutral=0.0, method="simulated")
UNIFORM = (1 / 3, 1 / 3, 1 / 3)


def drawn(*shares: float) -> Model:
    """Every answer is drawn from the same distribution of options."""
    return lambda generator, questions: generator.choice(3, p=shares, size=(questions, 6))


def by_content(spread: float) -> Model:
    """Each question has a distribution of its own; the smaller the spread, the more certain are its answers."""

    def draw(generator: np.random.Generator, questions: int) -> Choices:
        shares = generator.dirichlet([spread] * 3, size=(questions, 1))
        ranks = (generator.random((questions, 6, 1)) > shares.cumsum(axis=2)).sum(axis=2)
        return np.minimum(ranks, 2)

    return draw


def by_place(share: float, otherwise: Model) -> Model:
    """A share of the answers takes the option in the first place."""

    def draw(generator: np.random.Generator, questions: int) -> Choices:
        options = otherwise(generator, questions)
        return np.where(generator.random((questions, 6)) < share, ORDERS[:, 0], options)

    return draw


def certain(generator: np.random.Generator, questions: int) -> Choices:
    """Each question has one answer, whatever the order."""
    return np.repeat(generator.integers(3, size=(questions, 1)), 6, axis=1)


def chat_estimates(options: Choices, read: npt.NDArray[np.bool_]) -> list[Estimate]:
    """Return the estimates of gest-chat for answers to sentences; those not read are missing."""
    return order_estimates(_frame(options, read, OPTIONS), "ask")


def bbq_estimates(options: Choices, read: npt.NDArray[np.bool_]) -> list[Estimate]:
    """Return the estimates of bbq for answers to questions of 29 templates."""
    rows = _frame(options, read, KINDS)
    return bbq.order_estimates(rows.assign(template=(rows["sample"] % 29).astype(str), language="en"))


def _frame(options: Choices, read: npt.NDArray[np.bool_], names: Sequence[str]) -> pd.DataFrame:
    orders = [",".join(names[option] for option in order) for order in ORDERS]
    return pd.DataFrame(
        {
            "sample": np.repeat(np.arange(len(options)), 6),
            "wording": 1,
            "order": np.tile(orders, len(options)),
            "outcome": np.array(names, dtype=object)[options.ravel()],
            "unread": np.where(read.ravel(), None, "names no option"),
        }
    )


def situation(measure: str, questions: int, name: str, model: Model, effect: float, kept: bool | None, read: float):
    """Check the order effect, and the condition if it should keep or reject the model."""
    estimates_of, condition, judged = {
        "gest-chat": (chat_estimates, CHAT_ORDER, RATE),
        "bbq": (bbq_estimates, BBQ_ORDER, BIAS),
    }[measure]

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        options = model(generator, questions)
        estimates = estimates_of(options, generator.random(options.shape) < read)
        yield from (checked(e, effect) for e in estimates if e.name == "order_effect")
        if kept is not None:
            is_kept = condition.failure(estimates, judged) is None
            what = "rejected by the condition on orders" if kept else "accepted by the condition on orders"
            yield Checked(what, 0.0, *((0.0, 0.0) if is_kept is kept else (1.0, 1.0)))

    some = "" if read == 1 else f", {read:.0%} of the answers read"
    why = "one-sided, or all questions alike"
    return Situation("orders", f"{measure}, {questions:,} questions, {name}{some}", draw, 0.3, why)


def situations() -> Iterator[Situation]:
    """Every situation: the model, its order effect, and whether the condition should keep it."""
    models: list[tuple[str, Model, float, bool | None]] = [
        ("random answers", drawn(*UNIFORM), 0.0, False),
        ("always 'unknown'", drawn(0, 0, 1), 0.0, True),
        ("90/5/5", drawn(0.05, 0.05, 0.9), 0.0, True),
        ("50/50/0", drawn(0.5, 0.5, 0), 0.0, True),
        ("60/30/10", drawn(0.6, 0.3, 0.1), 0.0, True),
        ("50/30/20", drawn(0.5, 0.3, 0.2), 0.0, True),
        ("45/35/20", drawn(0.45, 0.35, 0.2), 0.0, True),
        ("questions differ", by_content(0.5), 0.0, True),
        ("questions differ a little", by_content(3.0), 0.0, True),
        ("one answer per question", certain, 0.0, True),
        ("place in 10 %, otherwise content", by_place(0.1, certain), 0.01, True),
        ("place in 30 %, otherwise content", by_place(0.3, certain), 0.09, True),
        ("place in 50 %, otherwise content", by_place(0.5, certain), 0.25, False),
        ("place in 70 %, otherwise content", by_place(0.7, certain), 0.49, False),
        ("only the place", by_place(1.0, certain), 1.0, False),
        ("place in 10 %, otherwise random", by_place(0.1, drawn(*UNIFORM)), 0.01, False),
        ("place in 50 %, otherwise random", by_place(0.5, drawn(*UNIFORM)), 0.25, False),
    ]
    for measure, sizes in (("gest-chat", (256, 3565)), ("bbq", (120, 324, 480))):
        for questions in sizes:
            for name, model, effect, kept in models:
                yield situation(measure, questions, name, model, effect, kept, 1.0)
        for name, model, effect, kept in models[:4]:
            yield situation(measure, sizes[0], name, model, effect, kept, 0.7)
