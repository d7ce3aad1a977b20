"""What a result means: thresholds, validity conditions, verdicts and the sentences about them, in one place."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.judgement.conditions import COVERAGE, FailedCondition, ValidityCondition, estimate_like, read_share
    from genderscope.judgement.differences import (
        describe_difference,
        format_difference,
        format_p,
        short_difference,
        summarise_difference,
    )
    from genderscope.judgement.judging import Judgement, judge, overall
    from genderscope.judgement.numbers import format_number, format_value, with_interval
    from genderscope.judgement.ranks import LEADERBOARD, SCORECARD, describe_criteria, describe_first
    from genderscope.judgement.sentences import (
        MARK_NOTE,
        NOT_BEYOND_LIMIT,
        SHORT,
        Phrase,
        explain_failures,
        explain_short_verdicts,
        list_verdicts,
        margin_words,
        short_verdict,
        significance_mark,
        size_sentence,
        verdict_sentences,
    )
    from genderscope.judgement.summaries import Lead, judge_as, leads_with_parts, summarise
    from genderscope.judgement.thresholds import Margin
    from genderscope.judgement.verdicts import Verdict, judge_interval

__all__ = [
    "COVERAGE",
    "LEADERBOARD",
    "MARK_NOTE",
    "NOT_BEYOND_LIMIT",
    "SCORECARD",
    "SHORT",
    "FailedCondition",
    "Judgement",
    "Lead",
    "Margin",
    "Phrase",
    "ValidityCondition",
    "Verdict",
    "describe_criteria",
    "describe_difference",
    "describe_first",
    "estimate_like",
    "explain_failures",
    "explain_short_verdicts",
    "format_difference",
    "format_number",
    "format_p",
    "format_value",
    "judge",
    "judge_as",
    "judge_interval",
    "leads_with_parts",
    "list_verdicts",
    "margin_words",
    "overall",
    "read_share",
    "short_difference",
    "short_verdict",
    "significance_mark",
    "size_sentence",
    "summarise",
    "summarise_difference",
    "verdict_sentences",
    "with_interval",
]

__getattr__ = door(
    __name__,
    {
        "COVERAGE": "conditions",
        "FailedCondition": "conditions",
        "ValidityCondition": "conditions",
        "estimate_like": "conditions",
        "read_share": "conditions",
        "describe_difference": "differences",
        "format_difference": "differences",
        "format_p": "differences",
        "short_difference": "differences",
        "summarise_difference": "differences",
        "Judgement": "judging",
        "judge": "judging",
        "overall": "judging",
        "format_number": "numbers",
        "format_value": "numbers",
        "with_interval": "numbers",
        "LEADERBOARD": "ranks",
        "SCORECARD": "ranks",
        "describe_criteria": "ranks",
        "describe_first": "ranks",
        "MARK_NOTE": "sentences",
        "NOT_BEYOND_LIMIT": "sentences",
        "SHORT": "sentences",
        "Phrase": "sentences",
        "explain_failures": "sentences",
        "explain_short_verdicts": "sentences",
        "list_verdicts": "sentences",
        "margin_words": "sentences",
        "short_verdict": "sentences",
        "significance_mark": "sentences",
        "size_sentence": "sentences",
        "verdict_sentences": "sentences",
        "Lead": "summaries",
        "judge_as": "summaries",
        "leads_with_parts": "summaries",
        "summarise": "summaries",
        "Margin": "thresholds",
        "Verdict": "verdicts",
        "judge_interval": "verdicts",
    },
)
