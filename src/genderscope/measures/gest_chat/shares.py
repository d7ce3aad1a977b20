"""Answers as proportions: how often each outcome occurred among a sentence's parsed answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.gest_chat.character import OUTCOMES as CHARACTERS
from genderscope.measures.gest_chat.draws import has_draws
from genderscope.measures.gest_chat.reading import FEMALE, MALE, NEITHER, OPTIONS, REFUSED
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.proportions import Share, effective
from genderscope.statistics.recurrence import recurring_sentences

Array = npt.NDArray[np.float64]

#: a number of readings so large that pseudo-observations have no effect
EXACT = 1e9
CHOICES = (FEMALE, MALE, NEITHER, REFUSED)


def outcomes_of(form: str) -> tuple[str, ...]:
    """Return the possible outcomes of an answer, in display order."""
    return {"write": CHARACTERS, "letter": OPTIONS}.get(form, CHOICES)


@dataclass(frozen=True)
class Sentences:
    """The sentences of one stereotype, with outcome proportions [sentences, outcomes], NaN if nothing was parsed."""

    outcomes: tuple[str, ...]
    shares: Array
    #: numbers of parsed and of unread answers for each sentence
    read: Array
    unread: Array
    #: text code of each sentence; None if no text recurs
    codes: Codes | None = None

    @property
    def gendered_only(self) -> bool:
        """Whether rates cover only characters with a gender, as in the writing task, rather than all answers."""
        return NEITHER not in self.outcomes

    def share(self, outcome: str) -> Array:
        """Return the proportion of one outcome for each sentence."""
        found: Array = self.shares[:, self.outcomes.index(outcome)]
        return found

    def masculine(self) -> Array:
        """Return the proportion of men among women and men for each sentence; NaN if there are no women or men."""
        women, men = self.share(FEMALE), self.share(MALE)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Array = men / (women + men)
        return found

    def leaning(self) -> Array:
        """Return how masculine each sentence is, from 0 to 1; an answer that chooses no gender counts as one half."""
        if self.gendered_only:
            return self.masculine()
        found: Array = (1 + self.share(MALE) - self.share(FEMALE)) / 2
        return found

    @property
    def step(self) -> float:
        """The step by which one answer moves `leaning`: 0.5 if answers may choose no gender, otherwise 1."""
        return 1.0 if self.gendered_only else 0.5

    def counts(self, values: Array) -> tuple[int, int]:
        """Return the number of sentences with a value, and the number with any unread answers."""
        return int(np.isfinite(values).sum()), int((self.unread > 0).sum())


def vectors(rows: pd.DataFrame, form: str) -> pd.DataFrame:
    """Return one column per outcome: 0 or 1, or the outcome's probability; NaN if unread."""
    outcomes = outcomes_of(form)
    if form == "letter":
        found = rows[list(OPTIONS)].astype("float64")
    else:
        found = pd.DataFrame({each: (rows["outcome"] == each).astype("float64") for each in outcomes}, index=rows.index)
    return found[list(outcomes)].where(rows["unread"].isna(), np.nan)


def sentences(rows: pd.DataFrame, form: str) -> dict[int, Sentences]:
    """Return the sentences of each stereotype, ordered by stereotype."""
    outcomes = list(outcomes_of(form))
    names = ["stereotype", "sample", "wording", "order"]
    table = vectors(rows, form).assign(**{name: rows[name] for name in names}, none=rows["unread"].notna())
    grouped = table.groupby(names[:2])
    shares, counts = grouped[outcomes].mean(), grouped[outcomes[0]].count()
    if has_draws(rows):  # so that a prompt counts as much as any other, however many of its replies could be read
        prompts = table.groupby(names, dropna=False)[outcomes].mean()
        shares = prompts.groupby(level=names[:2]).mean()
    unread = grouped["none"].sum()
    recurring = recurring_sentences(rows) or {}
    found = {}
    for key, part in shares.groupby(level="stereotype"):
        read, missing = (np.asarray(each[part.index], dtype=np.float64) for each in (counts, unread))
        found[int(str(key))] = Sentences(
            tuple(outcomes), part.to_numpy(dtype=np.float64), read, missing, recurring.get(int(str(key)))
        )
    return found


def weight_of(answers: float, form: str) -> float:
    """Return the number of readings behind proportions; effectively infinite for probabilities, which are exact."""
    return EXACT if form == "letter" else answers


def share_of(values: Array, answers: float, strata: int = 1, step: float = 1.0, lone: float = 0.0) -> Share | None:
    """Return the mean over sentences as a proportion, with the effective size implied by the sentences' variance.

    Args:
        values: The mean of each sentence's answers.
        answers: The number of answers.
        strata: The number of such means that are averaged; together they get as many pseudo-answers as one mean.
        step: The largest distance of one answer from the others.
        lone: The variance between sentences if there is only one, which shows none itself.
    """
    known = values[np.isfinite(values)]
    n = len(known)
    if n == 0:
        return None
    variance = float(known.var(ddof=1)) / n if n > 1 else lone
    if answers >= EXACT and variance < 1 / EXACT:
        answers = n  # exact probabilities that are all alike show no variance, but another sentence may deviate
    share = effective(float(known.mean()), variance, max(float(answers), n * strata) / step**2, n)
    # A value between 0 and 1 varies no more than a single yes-or-no answer.
    return Share(share.value, max(1.0, share.size)) if n == 1 else share


def freedom_of(values: Array, answers: float, step: float) -> float:
    """Return the degrees of freedom of the variance over sentences; that of the pseudo-answers is treated as known."""
    known = values[np.isfinite(values)]
    n = len(known)
    variance, added = float(known.var(ddof=1)) / n, step**2 / (max(answers, n) * n)
    return (n - 1) * ((variance + added) / variance) ** 2 if variance > 0 else np.inf


def by_place(rows: pd.DataFrame, form: str) -> tuple[Array, Array, list[str]]:
    """Return each answer's choice by option and by position, [answers, 3] each, and its sentence, wording and draw.

    Answers that chose none of the options have no position and are excluded.
    """
    chosen = vectors(rows, form)[list(OPTIONS)]
    known = chosen.notna().all(axis=1) & (chosen.sum(axis=1) > 0) & rows["order"].notna()
    options: Array = chosen[known].to_numpy(dtype=np.float64)
    orders = [order.split(",") for order in rows.loc[known, "order"]]
    turned = np.array([[OPTIONS.index(option) for option in order] for order in orders], dtype=np.int64).reshape(-1, 3)
    places: Array = np.take_along_axis(options, turned, axis=1) if len(options) else options
    draws = rows.loc[known, "draw"] if has_draws(rows) else repeat(0)
    asked = zip(rows.loc[known, "sample"], rows.loc[known, "wording"], draws, strict=False)
    return options, places, [f"{sample}/{wording}/{draw}" for sample, wording, draw in asked]


def agreement(chosen: Array, labels: Sequence[str]) -> Array:
    """Return, for each sentence, wording and draw, the proportion of pairs of orders with the same choice."""
    codes, groups = pd.factorize(pd.Series(list(labels)))
    sums = np.zeros((len(groups), chosen.shape[1]))
    np.add.at(sums, codes, chosen)
    squares = np.bincount(codes, weights=(chosen**2).sum(axis=1), minlength=len(groups))
    count = np.bincount(codes, minlength=len(groups)).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = ((sums**2).sum(axis=1) - squares) / (count * (count - 1))
    return found
