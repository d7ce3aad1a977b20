"""How a result is shown: terminal, figures, HTML."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.report.charts.agreement import models_scatter
    from genderscope.report.charts.style import COLUMN, PAGE, svg
    from genderscope.report.export.figures import files
    from genderscope.report.export.formats import publish
    from genderscope.report.html.leaderboard import left_out, page, show_rankings, table_csv
    from genderscope.report.html.page import write_report, write_reports
    from genderscope.report.layout import PlainTable, plain_table
    from genderscope.report.terminal.comparison import show_comparison, show_gates
    from genderscope.report.terminal.console import SafeConsole
    from genderscope.report.terminal.correlation import correlation_cells, correlation_table
    from genderscope.report.terminal.planning import planning_sources, planning_table, show_plan
    from genderscope.report.terminal.pooling import show_pooled
    from genderscope.report.terminal.progress import announced, progress_bar
    from genderscope.report.terminal.results import show
    from genderscope.report.terminal.validation import show_validation, validate
    from genderscope.report.views import view_of
    from genderscope.report.views.base import View, interval, number

__all__ = [
    "COLUMN",
    "PAGE",
    "PlainTable",
    "SafeConsole",
    "View",
    "announced",
    "correlation_cells",
    "correlation_table",
    "files",
    "interval",
    "left_out",
    "models_scatter",
    "number",
    "page",
    "plain_table",
    "planning_sources",
    "planning_table",
    "progress_bar",
    "publish",
    "show",
    "show_comparison",
    "show_gates",
    "show_plan",
    "show_pooled",
    "show_rankings",
    "show_validation",
    "svg",
    "table_csv",
    "validate",
    "view_of",
    "write_report",
    "write_reports",
]

__getattr__ = door(
    __name__,
    {
        "COLUMN": "charts.style",
        "PAGE": "charts.style",
        "PlainTable": "layout",
        "SafeConsole": "terminal.console",
        "View": "views.base",
        "announced": "terminal.progress",
        "correlation_cells": "terminal.correlation",
        "correlation_table": "terminal.correlation",
        "files": "export.figures",
        "interval": "views.base",
        "left_out": "html.leaderboard",
        "models_scatter": "charts.agreement",
        "number": "views.base",
        "page": "html.leaderboard",
        "planning_sources": "terminal.planning",
        "plain_table": "layout",
        "planning_table": "terminal.planning",
        "progress_bar": "terminal.progress",
        "publish": "export.formats",
        "show": "terminal.results",
        "show_comparison": "terminal.comparison",
        "show_gates": "terminal.comparison",
        "show_plan": "terminal.planning",
        "show_pooled": "terminal.pooling",
        "show_rankings": "html.leaderboard",
        "show_validation": "terminal.validation",
        "svg": "charts.style",
        "table_csv": "html.leaderboard",
        "validate": "terminal.validation",
        "view_of": "views",
        "write_report": "html.page",
        "write_reports": "html.page",
    },
)
