"""Comparisons between runs of one measure: paired tests, gates and rankings."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .agreement import Validity as Validity, differently_asked as differently_asked, paired as paired
    from .agreement import validity as validity
    from .cells import Cell as Cell, Column as Column, Row as Row, Scorecard as Scorecard
    from .collecting import collect as collect, short_name as short_name
    from .comparable import asked_with as asked_with, common_ground as common_ground, comparable_runs as comparable_runs
    from .comparable import told_ground as told_ground
    from .comparing import Comparison as Comparison, compare as compare
    from .conditions import Condition as Condition, parse as parse, refuse_unknown as refuse_unknown
    from .difference import MCNEMAR as MCNEMAR, STUDENT as STUDENT, Difference as Difference
    from .finding import Found as Found, find_runs as find_runs, select_runs as select_runs
    from .gates import Gate as Gate, check as check
    from .labels import distance as distance, label as label
    from .pairing import Share as Share
    from .planning import Plan as Plan, plan as plan
    from .pooling import Pooled as Pooled, pool as pool
    from .ranking import Entry as Entry, Ranking as Ranking, rankings as rankings
    from .scorecard_table import scorecard as scorecard

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
