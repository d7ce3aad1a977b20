"""Comparisons between runs of one measure: paired tests, gates and rankings."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .run_discovery import collect as collect, group_by_system as group_by_system, short_name as short_name
    from .comparability import asked_with as asked_with, chart_settings as chart_settings
    from .comparability import comparable_runs as comparable_runs
    from .comparability import describe_setting as describe_setting
    from .conditions import Condition as Condition, RunChecks as RunChecks, parse as parse
    from .difference import MCNEMAR as MCNEMAR, STUDENT as STUDENT
    from .reading_differences import DifferingReading as DifferingReading, differing_readings as differing_readings
    from .conditions import estimate_names as estimate_names, refuse_unknown as refuse_unknown
    from .gates import Gate as Gate, check as check, count_families as count_families
    from .pooling import Pooled as Pooled, pool as pool
    from .power_analysis import PowerAnalysis as PowerAnalysis, plan as plan
    from .ranking import rankings as rankings
    from .release_checks import check_run as check_run
    from .row_pairing import RowCounts as RowCounts
    from .run_comparison import Comparison as Comparison, compare as compare
    from .run_discovery import NOT_FINISHED as NOT_FINISHED, Found as Found, Unusable as Unusable
    from .run_discovery import candidate_folders as candidate_folders, examine as examine, find_runs as find_runs
    from .run_discovery import select_runs as select_runs
    from .scorecard_cells import Cell as Cell, Column as Column, Row as Row, Scorecard as Scorecard
    from .scorecard_table import scorecard as scorecard
    from .measure_validity import Validity as Validity, differently_asked as differently_asked
    from .measure_validity import paired_estimates as paired_estimates
    from .measure_validity import validity as validity

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
