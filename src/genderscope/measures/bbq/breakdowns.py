"""BBQ's rates by stereotyped group, template and value, and the shares of outcomes."""

from collections.abc import Iterator

import pandas as pd

from genderscope.measures.bbq.kinds import AMBIGUOUS, CONDITIONS, DISAMBIGUATED, KINDS, REFUSED, UNKNOWN
from genderscope.measures.bbq.parts import (
    QUESTIONS,
    TEMPLATES,
    Part,
    accuracy,
    bias_ambiguous,
    bias_disambiguated,
    share_of,
)
from genderscope.statistics.estimate import Estimate

NO_NEUTRAL = "the frequency of an outcome alone says nothing about bias"


def breakdowns(questions: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the rates of each part of the questions, which may be in several languages."""
    yield from _outcome_shares(questions)
    several = questions["language"].nunique() > 1
    for group, mine in by_group(questions):
        yield from (part.estimate.at(group=group) for part in _rates(mine))
    if several:  # templates, values and wordings belong to one language
        return
    for template, mine in questions.groupby(TEMPLATES, sort=False):
        yield from (part.estimate.at(category=str(template)) for part in _differences(mine, "template", QUESTIONS))
    for value, mine in questions.groupby("value", sort=False):
        yield from (part.estimate.at(category=str(value)) for part in _differences(mine, "value", TEMPLATES))
    ambiguous = questions[questions["condition"] == AMBIGUOUS]
    for wording, mine in ambiguous.groupby("unknown_wording", sort=False):
        if ambiguous["unknown_wording"].nunique() > 1:
            part = Part("unknown_share_by_wording", mine, share_of(mine[UNKNOWN], mine), None, remark=NO_NEUTRAL)
            yield part.estimate.at(category=str(wording))


def by_group(questions: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the questions about each stereotyped group that all languages have; none if there is only one."""
    for group, mine in questions.groupby("group", sort=False):
        if questions["group"].nunique() > 1 and mine["language"].nunique() == questions["language"].nunique():
            yield str(group), mine


def _rates(questions: pd.DataFrame) -> Iterator[Part]:
    yield from _differences(questions)
    for condition in CONDITIONS:
        if (questions["condition"] == condition).any():
            yield accuracy(questions, condition)


def _differences(questions: pd.DataFrame, by: str = "", units: str = TEMPLATES) -> Iterator[Part]:
    """Yield the differences of the contexts that were asked about."""
    ending = f"_by_{by}" if by else ""
    if (questions["condition"] == AMBIGUOUS).any():
        yield bias_ambiguous(questions, f"bias_ambiguous{ending}", units)
    if (questions["condition"] == DISAMBIGUATED).any():
        yield bias_disambiguated(questions, f"bias_disambiguated{ending}", units)


def _outcome_shares(questions: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the share of each outcome among the answers that were read, by context."""
    for condition in CONDITIONS:
        mine = questions[questions["condition"] == condition]
        read = mine["answers"] + mine["refused"]
        for outcome in (*KINDS, REFUSED) if len(mine) else ():
            count = mine["refused"] if outcome == REFUSED else (mine[outcome] * mine["answers"]).fillna(0.0)
            share = share_of((count / read).where(read > 0), mine)
            part = Part("share", mine, share, None, remark=NO_NEUTRAL, why="no answer could be read")
            yield part.estimate.at(category=outcome, subset=condition)
