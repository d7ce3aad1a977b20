"""How much of the interval's variance is due to sampling replies, given several draws per prompt.

A sentence's score is a weighted mean of its prompts' scores, and a prompt's score is the mean of its replies'. Replies
to one prompt are independent, so s² / k, their sample variance divided by their number, estimates how far the prompt's
score would vary if it were asked again. The squared weights of replies, prompts, sentences and stereotypes give the
part of the rate's variance that vanishes with ever more draws; the rest is due to the sentences. In the writing task,
only texts with a gender count, and a prompt's weight is their share.
"""

from dataclasses import replace

import pandas as pd

from genderscope.measures.gest_chat.draws import has_draws
from genderscope.measures.gest_chat.part import Part
from genderscope.measures.gest_chat.reading import FEMALE, MALE, NEITHER
from genderscope.measures.gest_chat.shares import outcomes_of, vectors
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.wide_intervals import Scope

REPLIES = "replies"
NAME = "sampling_share"
NO_NEUTRAL = "a share of the interval's variance has neither an interval nor a neutral point"
METHOD = "variance components"


def sampling_variance(rows: pd.DataFrame, form: str, part: Part) -> float | None:
    """Return the variance of a sum over stereotypes that is due to sampling replies; None without several draws."""
    if not has_draws(rows):
        return None
    prompts = _prompts(rows, form, part)
    weight = prompts["weight"] / prompts.groupby("sample")["weight"].transform("sum")
    own = (weight**2 * prompts["variance"] / prompts["count"]).groupby(prompts["sample"]).sum(min_count=1)
    if own.isna().any() or own.empty:
        return None
    samples = prompts.drop_duplicates("sample").set_index("sample")
    counts = samples["stereotype"].map(samples["stereotype"].value_counts())
    influence = samples["stereotype"].map(part.weights) / counts
    # The same text under several stereotypes is asked only once, so its replies are the same.
    text = samples["text"]
    found = (influence.groupby(text).sum() ** 2 * own.groupby(text).mean()).sum()
    return float(found)


def _prompts(rows: pd.DataFrame, form: str, part: Part) -> pd.DataFrame:
    """Return the number and variance of each prompt's scored replies, and its weight within the sentence."""
    chosen = vectors(rows, form)
    women, men = chosen[FEMALE], chosen[MALE]
    score = (1 + men - women) / 2
    if part.gendered_only or NEITHER not in outcomes_of(form):
        score = score.where(women + men > 0)
    names = ["stereotype", "sample", "text", "wording", "order"]
    table = rows.assign(score=score, read=women.notna(), text=rows.get("sentence", rows["sample"]))
    grouped = table[table["stereotype"].isin(list(part.weights))].groupby(names, dropna=False)
    prompts = grouped.agg(count=("score", "count"), variance=("score", "var"), read=("read", "sum")).reset_index()
    prompts = prompts[prompts["count"] > 0]
    # A prompt with a single scored reply shows no variance; it gets the average of its stereotype, or of all.
    for known in (prompts.groupby("stereotype")["variance"].transform("mean"), prompts["variance"].mean()):
        prompts = prompts.assign(variance=prompts["variance"].fillna(known))
    return prompts.assign(weight=prompts["count"] / prompts["read"])


def sampling_estimate(share: float, n: int) -> Estimate:
    """Return the share of the rate's variance that is due to sampling replies."""
    blank = Estimate(name=NAME, n=n, unread=0, neutral=None, method=METHOD, remark=NO_NEUTRAL)
    return replace(blank, value=share)


def with_replies(scope: Scope, share: float) -> Scope:
    """Split the sentences' share of the wide interval's variance into that of sampling and that of the sentences."""
    if "sentences" not in scope.shares:
        return scope
    sentences = scope.shares["sentences"]
    split = {"sentences": sentences * (1 - share), REPLIES: sentences * share}
    return replace(scope, shares={**split, **{k: v for k, v in scope.shares.items() if k != "sentences"}})
