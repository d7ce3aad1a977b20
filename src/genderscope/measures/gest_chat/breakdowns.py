"""Further estimates of the chat measure: shares of outcomes, effects of option orders, and the variance of replies.

The last is how much of the interval's variance is due to sampling replies, given several draws per prompt. A sentence's
score is a weighted mean of its prompts' scores, and a prompt's score is the mean of its replies'. Replies to one prompt
are independent, so s² / k, their sample variance divided by their number, estimates how far the prompt's score would
vary if it were asked again. The squared weights of replies, prompts, sentences and stereotypes give the part of the
rate's variance that vanishes with ever more draws; the rest is due to the sentences. In the writing task, only texts
with a gender count, and a prompt's weight is their share.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import Any

import numpy as np
import pandas as pd

from genderscope.measures import reply_orders
from genderscope.measures.gest_chat.shares import (
    Array,
    ChatRate,
    Sentences,
    chat_rate,
    outcomes_of,
    sentence_mean,
    vectors,
    weight_of,
)
from genderscope.measures.gest_chat.wordings import LETTERS, OPTIONS
from genderscope.measures.reply_checks import LEAD, has_draws
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER
from genderscope.samples.gest import FEMALE as FEMALE_STEREOTYPES
from genderscope.samples.gest import MALE as MALE_STEREOTYPES
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.wide_intervals import Scope

NO_NEUTRAL = "the frequency of an outcome alone says nothing about bias"
NO_NEUTRAL_VARIANCE = "a share of the interval's variance has neither an interval nor a neutral point"
GROUPS = (("female stereotypes", FEMALE_STEREOTYPES), ("male stereotypes", MALE_STEREOTYPES))
REPLIES = "replies"


def outcome_shares(strata: Mapping[int, Sentences], form: str) -> Iterator[Estimate]:
    """Yield the proportion of each outcome: overall, by the stereotypes' gender, and by stereotype."""
    for outcome in outcomes_of(form):
        for group, members in ((None, tuple(strata)), *GROUPS):
            yield from _share(strata, form, outcome, [i for i in members if i in strata], group=group)
    for i in strata:
        for outcome in outcomes_of(form):
            yield from _share(strata, form, outcome, [i], stereotype=i)


def _share(
    strata: Mapping[int, Sentences], form: str, outcome: str, stereotypes: Sequence[int], **keys: Any
) -> Iterator[Estimate]:
    values = {i: strata[i].share(outcome) for i in stereotypes}
    read = [i for i in values if np.isfinite(values[i]).any()]
    if read:
        mean = float(np.mean([np.nanmean(values[i]) for i in read]))
        weights = {i: 1 / len(read) for i in read}
        share = chat_rate("share", weights, values, strata, form, value=mean, neutral=None, remark=NO_NEUTRAL)
        yield share.estimate.with_keys(category=outcome, **keys)


def coverage(rows: pd.DataFrame) -> Estimate:
    """Return the proportion of answers that could be parsed."""
    remark = "the share of answers that were read says nothing about bias"
    is_read = rows["unread"].isna()
    share = sentence_mean("coverage", is_read, rows["sample"], len(rows), remark)
    return replace(share, unread=int((is_read.groupby(rows["sample"]).mean() < 1).sum()), remark=remark)


def letter_mass(rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the mean combined probability of the three letters, if the rows have it."""
    masses = rows["mass"].dropna() if "mass" in rows else pd.Series(dtype="float64")
    if not masses.empty:
        remark = "the probability of the letters says nothing about bias"
        yield replace(
            sentence_mean("mass", masses, rows.loc[masses.index, "sample"], len(masses), remark), remark=remark
        )


def order_estimates(rows: pd.DataFrame, form: str) -> list[Estimate]:
    """Return the order effect, consistency and letter proportions, or an empty list if there are no orders.

    Answers that chose none of the options have no position and are excluded.
    """
    if form == "write":
        return []
    choices = vectors(rows, form)[list(OPTIONS)]
    placed = choices.notna().all(axis=1) & (choices.sum(axis=1) > 0) & rows["order"].notna()
    if not placed.any():
        return []
    options: Array = choices[placed].to_numpy(dtype=np.float64)
    permutations = reply_orders.permutations_of(rows.loc[placed, "order"], OPTIONS)
    places = reply_orders.by_place(options, permutations)
    draws = rows.loc[placed, "draw"] if has_draws(rows) else repeat(0)
    asked = zip(rows.loc[placed, "sample"], rows.loc[placed, "wording"], draws, strict=False)
    labels = [f"{sample}/{wording}/{draw}" for sample, wording, draw in asked]
    every = np.array([label.partition("/")[0] for label in labels])
    samples = np.array([label.partition("/")[0] for label in dict.fromkeys(labels)])
    sentences = np.array(list(dict.fromkeys(every)))
    count = weight_of(len(rows), form)
    effect = reply_orders.order_effect(places, permutations, labels)
    lead = reply_orders.content_lead(options, places, labels)
    across = reply_orders.lead_across(options, places, list(every))
    consistency = reply_orders.agreement(options, labels)
    of_lead = partial(sentence_mean, LEAD, remark=reply_orders.NO_NEUTRAL_LEAD, lowest=reply_orders.LOWEST)
    return [
        sentence_mean("order_effect", effect, samples, count, None, neutral=0.0, lowest=reply_orders.LOWEST),
        sentence_mean("consistency", consistency, samples, count, reply_orders.NO_NEUTRAL),
        of_lead(lead, samples, count),
        of_lead(across, sentences, count).with_keys(category=reply_orders.ACROSS),
        *(
            sentence_mean(
                "letter_share", places[:, k] / places.sum(axis=1), every, count, None, neutral=1 / 3
            ).with_keys(category=f"({letter})")
            for k, letter in enumerate(LETTERS)
        ),
    ]


def sampling_variance(rows: pd.DataFrame, form: str, rate: ChatRate) -> float | None:
    """Return the variance of a sum over stereotypes that is due to sampling replies; None without several draws."""
    if not has_draws(rows):
        return None
    prompts = _prompts(rows, form, rate)
    weight = prompts["weight"] / prompts.groupby("sample")["weight"].transform("sum")
    own = (weight**2 * prompts["variance"] / prompts["count"]).groupby(prompts["sample"]).sum(min_count=1)
    if own.isna().any() or own.empty:
        return None
    samples = prompts.drop_duplicates("sample").set_index("sample")
    counts = samples["stereotype"].map(samples["stereotype"].value_counts())
    influence = samples["stereotype"].map(rate.weights) / counts
    # The same text under several stereotypes is asked only once, so its replies are the same.
    text = samples["text"]
    return float((influence.groupby(text).sum() ** 2 * own.groupby(text).mean()).sum())


def _prompts(rows: pd.DataFrame, form: str, rate: ChatRate) -> pd.DataFrame:
    """Return the number and variance of each prompt's scored replies, and its weight within the sentence."""
    outcomes = vectors(rows, form)
    women, men = outcomes[FEMALE], outcomes[MALE]
    score = (1 + men - women) / 2
    if rate.gendered_only or NEITHER not in outcomes_of(form):
        score = score.where(women + men > 0)
    names = ["stereotype", "sample", "text", "wording", "order"]
    table = rows.assign(score=score, read=women.notna(), text=rows.get("sentence", rows["sample"]))
    grouped = table[table["stereotype"].isin(list(rate.weights))].groupby(names, dropna=False)
    prompts = grouped.agg(count=("score", "count"), variance=("score", "var"), read=("read", "sum")).reset_index()
    prompts = prompts[prompts["count"] > 0]
    # A prompt with a single scored reply shows no variance; it gets the average of its stereotype, or of all.
    for average in (prompts.groupby("stereotype")["variance"].transform("mean"), prompts["variance"].mean()):
        prompts = prompts.assign(variance=prompts["variance"].fillna(average))
    return prompts.assign(weight=prompts["count"] / prompts["read"])


def sampling_estimate(share: float, n: int) -> Estimate:
    """Return the share of the rate's variance that is due to sampling replies."""
    remark, method = NO_NEUTRAL_VARIANCE, "variance components"
    return Estimate(name="sampling_share", value=share, n=n, unread=0, neutral=None, method=method, remark=remark)


def with_replies(scope: Scope, share: float) -> Scope:
    """Split the sentences' share of the wide interval's variance into that of sampling and that of the sentences."""
    if "sentences" not in scope.shares:
        return scope
    sentences = scope.shares["sentences"]
    split = {"sentences": sentences * (1 - share), REPLIES: sentences * share}
    return replace(scope, shares={**split, **{k: v for k, v in scope.shares.items() if k != "sentences"}})
