"""Comparisons of runs of one measure: paired tests, gates, rankings."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.comparison.agreement import Validity, differently_asked, paired, validity
    from genderscope.comparison.cells import Cell, Column, Row, Scorecard
    from genderscope.comparison.collecting import collect, short_name
    from genderscope.comparison.comparable import asked_with, common_ground, comparable_runs, told_ground
    from genderscope.comparison.comparing import Comparison, compare
    from genderscope.comparison.conditions import Condition, parse, refuse_unknown
    from genderscope.comparison.difference import MCNEMAR, STUDENT, Difference
    from genderscope.comparison.finding import Found, find_runs, select_runs
    from genderscope.comparison.gates import Gate, check
    from genderscope.comparison.labels import distance, label
    from genderscope.comparison.pairing import Share
    from genderscope.comparison.planning import Plan, plan
    from genderscope.comparison.pooling import Pooled, pool
    from genderscope.comparison.ranking import Entry, Ranking, rankings
    from genderscope.comparison.scorecard import scorecard

__all__ = [
    "MCNEMAR",
    "STUDENT",
    "Cell",
    "Column",
    "Comparison",
    "Condition",
    "Difference",
    "Entry",
    "Found",
    "Gate",
    "Plan",
    "Pooled",
    "Ranking",
    "Row",
    "Scorecard",
    "Share",
    "Validity",
    "asked_with",
    "check",
    "collect",
    "common_ground",
    "comparable_runs",
    "compare",
    "differently_asked",
    "distance",
    "find_runs",
    "label",
    "paired",
    "parse",
    "plan",
    "pool",
    "rankings",
    "refuse_unknown",
    "scorecard",
    "select_runs",
    "short_name",
    "told_ground",
    "validity",
]

__getattr__ = door(
    __name__,
    {
        "Cell": "cells",
        "Column": "cells",
        "Comparison": "comparing",
        "Condition": "conditions",
        "Difference": "difference",
        "Entry": "ranking",
        "Found": "finding",
        "Gate": "gates",
        "MCNEMAR": "difference",
        "STUDENT": "difference",
        "Plan": "planning",
        "Pooled": "pooling",
        "Ranking": "ranking",
        "Row": "cells",
        "Scorecard": "cells",
        "Share": "pairing",
        "Validity": "agreement",
        "asked_with": "comparable",
        "check": "gates",
        "collect": "collecting",
        "common_ground": "comparable",
        "comparable_runs": "comparable",
        "compare": "comparing",
        "differently_asked": "agreement",
        "distance": "labels",
        "find_runs": "finding",
        "select_runs": "finding",
        "label": "labels",
        "paired": "agreement",
        "parse": "conditions",
        "plan": "planning",
        "pool": "pooling",
        "rankings": "ranking",
        "refuse_unknown": "conditions",
        "scorecard": "scorecard",
        "short_name": "collecting",
        "told_ground": "comparable",
        "validity": "agreement",
    },
)
