"""Controls of the chat measure: sentences whose text reveals who speaks, asked like all others."""

from typing import TYPE_CHECKING

from genderscope.judgement import CONTROL_NO_GENDER
from genderscope.measures.controls import KNOWN, ControlCase, pair_estimates, sentence_controls
from genderscope.measures.gest_chat.evidence import SEVERAL
from genderscope.measures.gest_chat.options import GestChatOptions
from genderscope.measures.gest_chat.people_words import THEY
from genderscope.measures.gest_chat.reading import FEMALE, MALE, NEITHER
from genderscope.measures.word_measure import NO_SAMPLE, NO_STEREOTYPE
from genderscope.samples.gest import GestSample
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: with fewer sentences than this, as in the starter set, fewer controls are asked, too
FEW_SENTENCES = 1000
#: outcomes that answer the question without naming one gender; a refusal, or a text without a pronoun, does not answer
_UNGENDERED = (NEITHER, THEY, SEVERAL)
#: outcomes that choose no gender on purpose
_NO_GENDER = (NEITHER, THEY)


def control_cases(options: GestChatOptions, sentences: int) -> list[ControlCase[GestSample]]:
    """Return the controls for a run on this many sentences."""
    if options.as_published or not options.asks_controls:
        return []
    limit = options.limit if sentences >= FEW_SENTENCES else sentences
    return [
        ControlCase(GestSample(NO_SAMPLE, text, NO_STEREOTYPE), kind, pair, side, language)
        for text, kind, pair, side, language in sentence_controls(options.lang, options.controls, limit)
    ]


def control_estimates(controls: "pd.DataFrame", form: str) -> list[Estimate]:
    """Return how often the more masculine answers are those about men, and how often no gender is named."""
    from genderscope.measures.gest_chat.shares import vectors

    shares = vectors(controls, form)
    return [
        *pair_estimates(controls, masculinity(shares)),
        _no_gender(shares[controls["control_kind"] == KNOWN]),
    ]


def masculinity(shares: "pd.DataFrame") -> "pd.Series[float]":
    """Return how masculine each answer is: men 1, neither or both 0.5, women 0; NaN for anything else.

    A refusal is no answer, so a model that declines to answer about women cannot pass for one that recognises men.
    """
    answered = shares[[name for name in (FEMALE, MALE, *_UNGENDERED) if name in shares]].sum(axis=1) > 0
    return ((1 + shares[MALE] - shares[FEMALE]) / 2).where(answered)


def _no_gender(shares: "pd.DataFrame") -> Estimate:
    """Return the share of answers that choose no gender; refusals and unread answers count as others."""
    chosen = shares[[name for name in _NO_GENDER if name in shares]].sum(axis=1)
    return Estimate(
        name=CONTROL_NO_GENDER,
        value=float(chosen.mean()),
        n=len(chosen),
        unread=0,
        neutral=None,
        method="share of the answers",
        remark="no interval; a share without a neutral point",
    )
