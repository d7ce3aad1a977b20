"""Sentences about the ranking of runs."""

from collections.abc import Sequence
from dataclasses import replace

from genderscope.judgement.answer_sentences import describe_answer, listed
from genderscope.judgement.answers import Answer, AnswerKind

#: note on the ranks in scorecards
RANKS = (
    "A rank is 1 plus the number of runs that are significantly nearer to neutral; = marks a rank that several runs "
    "share. The ranks in brackets are simultaneous 95 % intervals for all runs and languages of a measure, on the "
    "questions that all runs in a table answered. Different measures are not corrected for each other."
)


def describe_criteria(criteria: Sequence[str]) -> str | None:
    """Describe how runs are ranked by several estimates, or return None if there is only one."""
    if len(criteria) < 2:
        return None
    return (
        f"Ranked by {', '.join(criteria)}, whichever is furthest from neutral as a share of its largest possible "
        "distance; these estimates should be interpreted together."
    )


def describe_order(answers: Sequence[Answer]) -> list[str]:
    """Return sentences on which runs are better than which, given the answers for all pairs.

    Two runs get the answer itself.
    """
    if len(answers) == 1:
        return describe_answer(replace(answers[0], language=None))[:1]
    judged = [answer for answer in answers if answer.kind is not AnswerKind.CANNOT_JUDGE]
    names = list(dict.fromkeys(name for answer in judged for name in answer.runs))
    beaten = {name: [other for a in answers if a.better == name for other in a.runs if other != name] for name in names}
    best = [name for name in names if len(beaten[name]) == len(names) - 1]
    sentences = [f"{best[0]} is better than all others."] if best else ["No run is better than all others."]
    sentences += [
        f"{name} is better than {listed(beaten[name])}." for name in names if beaten[name] and name not in best
    ]
    kinds = {
        AnswerKind.TRADE_OFF: "Trade-offs",
        AnswerKind.CONTRADICTION: "The languages disagree",
        AnswerKind.CANNOT_JUDGE: "Cannot be judged",
    }
    for kind, words in kinds.items():
        pairs = [f"{a.runs[0]} and {a.runs[1]}" for a in answers if a.kind is kind]
        sentences += [f"{words}: {'; '.join(pairs)}."] if pairs else []
    return sentences


def describe_first(first: str | None, candidates: int, runs: int, over: str | None = None) -> str:
    """Return a sentence that names the run that ranks first or, if none does, gives the number of candidates.

    `over` names the units that the ranks generalise over, if over more than questions of the same kind.
    """
    also = f" The ranks generalise to other {over or 'questions of this kind'}."
    if first is not None:
        return f"First: {first}, significantly nearer to neutral than all others.{also}"
    return f"No run is significantly nearer to neutral than all others: {candidates} of {runs} may rank first.{also}"
