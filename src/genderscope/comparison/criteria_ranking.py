"""Ranks by criteria: a run ranks behind every run that is better, by the same rule as in a comparison of two runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from genderscope.comparison.criteria_comparison import answers_from_tables, outcome_tables
from genderscope.judgement import Answer, AnswerKind, combine_answers
from genderscope.runs import Result


@dataclass(frozen=True)
class CriteriaStanding:
    """Place of one run among others: those that are better, and those that it is better than."""

    #: best and worst possible rank
    ranks: tuple[int, int]
    #: how much further from neutral the run is than the best of the others, which criteria do not measure
    behind: tuple[None, None, None] = (None, None, None)


def rank_by_criteria(
    results: Sequence[Result], names: Sequence[str], options: Any
) -> tuple[list[CriteriaStanding | None], list[Answer]]:
    """Compare all pairs of runs; return each run's standing, if it can be judged, and the answer for each pair."""
    tables = outcome_tables(results, options)
    pairs = list(combinations(range(len(results)), 2))
    answers = [
        combine_answers(
            answers_from_tables((results[i], results[j]), (tables[i], tables[j]), (names[i], names[j]), len(pairs))
        )
        for i, j in pairs
    ]
    better, worse, judged = [0] * len(results), [0] * len(results), [False] * len(results)
    for (i, j), answer in zip(pairs, answers, strict=True):
        if answer.kind is not AnswerKind.CANNOT_JUDGE:
            judged[i] = judged[j] = True
        if answer.better is not None:
            winner, loser = (i, j) if answer.better == names[i] else (j, i)
            better[loser] += 1
            worse[winner] += 1
    ranked = sum(judged)
    standings = [
        CriteriaStanding((1 + b, ranked - w)) if can_rank else None
        for b, w, can_rank in zip(better, worse, judged, strict=True)
    ]
    return standings, answers
