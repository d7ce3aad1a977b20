"""Runs of one measure set beside each other: paired tests, gates, rankings."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.comparison.agreement import Validity, differently_asked, paired, validity
    from genderscope.comparison.comparable import asked_with, common_ground, told_ground
    from genderscope.comparison.comparing import Comparison, compare
    from genderscope.comparison.difference import MCNEMAR, Difference, distance, label
    from genderscope.comparison.gates import Gate, check, parse
    from genderscope.comparison.pairing import Share
    from genderscope.comparison.planning import Plan, plan
    from genderscope.comparison.pooling import Pooled, pool
    from genderscope.comparison.ranking import Entry, Found, Ranking, find_runs, rankings
    from genderscope.comparison.verdict import interval_text, p_text, verdict

__all__ = [
    "MCNEMAR",
    "Comparison",
    "Difference",
    "Entry",
    "Found",
    "Gate",
    "Plan",
    "Pooled",
    "Ranking",
    "Share",
    "Validity",
    "asked_with",
    "check",
    "common_ground",
    "compare",
    "differently_asked",
    "distance",
    "find_runs",
    "interval_text",
    "label",
    "p_text",
    "paired",
    "parse",
    "plan",
    "pool",
    "rankings",
    "told_ground",
    "validity",
    "verdict",
]

__getattr__ = door(
    __name__,
    {
        "Comparison": "comparing",
        "Difference": "difference",
        "Entry": "ranking",
        "Found": "ranking",
        "Gate": "gates",
        "MCNEMAR": "difference",
        "Plan": "planning",
        "Pooled": "pooling",
        "Ranking": "ranking",
        "Share": "pairing",
        "Validity": "agreement",
        "asked_with": "comparable",
        "check": "gates",
        "common_ground": "comparable",
        "compare": "comparing",
        "differently_asked": "agreement",
        "distance": "difference",
        "find_runs": "ranking",
        "interval_text": "verdict",
        "label": "difference",
        "p_text": "verdict",
        "paired": "agreement",
        "parse": "gates",
        "plan": "planning",
        "pool": "pooling",
        "rankings": "ranking",
        "told_ground": "comparable",
        "validity": "agreement",
        "verdict": "verdict",
    },
)
