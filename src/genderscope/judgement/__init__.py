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
        NOT_BEYOND_LIMIT,
        SHORT,
        Phrase,
        explain_failures,
        explain_short_verdicts,
        list_verdicts,
        margin_words,
        short_verdict,
        size_sentence,
        verdict_sentences,
    )
    from genderscope.judgement.summaries import Lead, judge_as, summarise
    from genderscope.judgement.thresholds import Margin
    from genderscope.judgement.verdicts import Verdict, judge_interval

__all__ = [
    "COVERAGE",
    "LEADERBOARD",
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
    "list_verdicts",
    "margin_words",
    "overall",
    "read_share",
    "short_difference",
    "short_verdict",
    "size_sentence",
    "summarise",
    "summarise_difference",
    "verdict_sentences",
    "with_interval",
]

__getattr__ = door(
    __name__,
    {
        **dict.fromkeys(
            ("COVERAGE", "FailedCondition", "ValidityCondition", "estimate_like", "read_share"), "conditions"
        ),
        **dict.fromkeys(
            ("describe_difference", "format_difference", "format_p", "short_difference", "summarise_difference"),
            "differences",
        ),
        **dict.fromkeys(("Judgement", "judge", "overall"), "judging"),
        **dict.fromkeys(("format_number", "format_value", "with_interval"), "numbers"),
        **dict.fromkeys(
            (
                *("SHORT", "Phrase", "explain_short_verdicts", "margin_words", "short_verdict", "size_sentence"),
                "list_verdicts",
                "explain_failures",
                "NOT_BEYOND_LIMIT",
                "verdict_sentences",
            ),
            "sentences",
        ),
        **dict.fromkeys(("Lead", "judge_as", "summarise"), "summaries"),
        **dict.fromkeys(("LEADERBOARD", "SCORECARD", "describe_criteria", "describe_first"), "ranks"),
        "Margin": "thresholds",
        **dict.fromkeys(("Verdict", "judge_interval"), "verdicts"),
    },
)
