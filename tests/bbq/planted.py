"""Rows of planted models, whose estimates and verdicts are known."""

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas as pd

from genderscope.samples.bbq import AMBIGUOUS, BIASED, CONDITIONS, COUNTER, KINDS, UNKNOWN

ORDERS = tuple(permutations(KINDS))
#: a question and an order -> the outcome; None if the answer is unread
Model = Callable[[dict[str, Any], tuple[str, ...]], str | None]


def right(question: dict[str, Any], order: tuple[str, ...]) -> str:
    return question["truth"]


def stereotyped(question: dict[str, Any], order: tuple[str, ...]) -> str:
    return BIASED


def opposed(question: dict[str, Any], order: tuple[str, ...]) -> str:
    return COUNTER


def undecided(question: dict[str, Any], order: tuple[str, ...]) -> str:
    return UNKNOWN


def first(question: dict[str, Any], order: tuple[str, ...]) -> str:
    return order[0]


def told_or_stereotyped(question: dict[str, Any], order: tuple[str, ...]) -> str:
    """Right if the context gives the answer, stereotyped otherwise."""
    return BIASED if question["condition"] == AMBIGUOUS else question["truth"]


def random_answers(seed: int = 0) -> Model:
    generator = np.random.default_rng(seed)
    return lambda question, order: KINDS[generator.integers(3)]


def questions(templates: int = 24, each: int = 4, languages: tuple[str, ...] = ("en",), control: bool = False):
    """Yield questions: in each template `each` ambiguous ones and as many disambiguated ones of each truth."""
    sample = 0
    for language, t in product(languages, range(templates)):
        for condition, k in product(CONDITIONS, range(each)):
            for truth in (UNKNOWN,) if condition == AMBIGUOUS else (BIASED, COUNTER):
                sample += 1
                yield {
                    "sample": sample + (100_000 if control else 0),
                    "item": f"{t}-{condition}-{truth}-{k}",
                    "language": language,
                    "template": f"{'control ' if control else ''}{t}",
                    "condition": condition,
                    "polarity": ("negative", "non-negative")[k % 2],
                    "group": ("women", "men")[t % 2],
                    "value": f"value {t % 5}",
                    "control": control,
                    "truth": truth,
                    "unknown_wording": ("Not known", "Cannot be determined")[t % 2],
                    "context": f"Two people met ({t}).",
                    "question": f"Who was late ({k})?",
                }


def rows(model: Model, orders: tuple[tuple[str, ...], ...] = ORDERS, **options: Any) -> pd.DataFrame:
    """Return the rows of a model, for every question in every order."""
    found = []
    for question, order in product(list(questions(**options)), orders):
        outcome = model(question, order)
        found.append(
            {
                **question,
                "wording": 0,
                "order": ",".join(order),
                "letter": "ABC"[order.index(outcome)] if outcome in order else None,
                "outcome": outcome,
                **dict.fromkeys(KINDS, np.nan),
                "mass": np.nan,
                **dict.fromkeys(("reply", "thought", "served_by", "rule"), None),
                "ended": "stop",
                "unread": "unreadable" if outcome is None else None,
            }
        )
    return pd.DataFrame(found)
