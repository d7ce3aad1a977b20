"""How a result is shown: terminal, figures, HTML."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genderscope.report.charts.agreement import models_scatter
    from genderscope.report.charts.drawing import ready_to_draw
    from genderscope.report.charts.style import COLUMN, PAGE, svg
    from genderscope.report.console import SafeConsole
    from genderscope.report.export.comparison import comparison_latex, comparison_markdown
    from genderscope.report.export.figures import files
    from genderscope.report.export.files import refuse_foreign, write_texts
    from genderscope.report.export.formats import publish
    from genderscope.report.html.comparison import comparison_page
    from genderscope.report.html.leaderboard import left_out, page, show_rankings, table_csv
    from genderscope.report.html.page import write_report, write_reports
    from genderscope.report.layout import PlainTable, plain_table
    from genderscope.report.pages import Leaderboard, Run, leaderboard, report
    from genderscope.report.scorecard.model_card import model_card, model_card_section, model_index
    from genderscope.report.scorecard.terminal import show_scorecard
    from genderscope.report.scorecard.writing import scorecard_of, scorecard_texts, write_card, write_scorecard
    from genderscope.report.terminal.comparison import show_comparison, show_gates
    from genderscope.report.terminal.correlation import correlation_cells, correlation_table
    from genderscope.report.terminal.planning import planning_sources, planning_table, show_plan
    from genderscope.report.terminal.pooling import show_pooled
    from genderscope.report.terminal.progress import PlainLines, announced, duration, plain_lines, progress_bar
    from genderscope.report.terminal.results import show
    from genderscope.report.terminal.validation import Labelled, show_validation, validate
    from genderscope.report.views import view_of
    from genderscope.report.views.base import View, interval, number

__all__ = [
    "COLUMN",
    "PAGE",
    "Labelled",
    "Leaderboard",
    "PlainLines",
    "PlainTable",
    "SafeConsole",
    "View",
    "announced",
    "comparison_latex",
    "comparison_markdown",
    "comparison_page",
    "correlation_cells",
    "correlation_table",
    "duration",
    "files",
    "interval",
    "leaderboard",
    "left_out",
    "model_card",
    "model_card_section",
    "model_index",
    "models_scatter",
    "number",
    "page",
    "plain_lines",
    "plain_table",
    "planning_sources",
    "planning_table",
    "progress_bar",
    "publish",
    "ready_to_draw",
    "refuse_foreign",
    "report",
    "scorecard_of",
    "scorecard_texts",
    "show",
    "show_comparison",
    "show_gates",
    "show_plan",
    "show_pooled",
    "show_rankings",
    "show_scorecard",
    "show_validation",
    "svg",
    "table_csv",
    "validate",
    "view_of",
    "write_card",
    "write_report",
    "write_reports",
    "write_scorecard",
    "write_texts",
]

__getattr__ = door(
    __name__,
    {
        "COLUMN": "charts.style",
        "Leaderboard": "pages",
        "PAGE": "charts.style",
        "PlainLines": "terminal.progress",
        "PlainTable": "layout",
        "SafeConsole": "console",
        "View": "views.base",
        "announced": "terminal.progress",
        "comparison_latex": "export.comparison",
        "comparison_markdown": "export.comparison",
        "comparison_page": "html.comparison",
        "correlation_cells": "terminal.correlation",
        "correlation_table": "terminal.correlation",
        "duration": "terminal.progress",
        "files": "export.figures",
        "interval": "views.base",
        "leaderboard": "pages",
        "left_out": "html.leaderboard",
        "model_card": "scorecard.model_card",
        "model_card_section": "scorecard.model_card",
        "model_index": "scorecard.model_card",
        "models_scatter": "charts.agreement",
        "number": "views.base",
        "page": "html.leaderboard",
        "planning_sources": "terminal.planning",
        "plain_lines": "terminal.progress",
        "plain_table": "layout",
        "planning_table": "terminal.planning",
        "progress_bar": "terminal.progress",
        "publish": "export.formats",
        "ready_to_draw": "charts.drawing",
        "refuse_foreign": "export.files",
        "report": "pages",
        "scorecard_of": "scorecard.writing",
        "scorecard_texts": "scorecard.writing",
        "show": "terminal.results",
        "show_comparison": "terminal.comparison",
        "show_gates": "terminal.comparison",
        "show_plan": "terminal.planning",
        "show_pooled": "terminal.pooling",
        "show_rankings": "html.leaderboard",
        "show_scorecard": "scorecard.terminal",
        "show_validation": "terminal.validation",
        "svg": "charts.style",
        "table_csv": "html.leaderboard",
        "validate": "terminal.validation",
        "Labelled": "terminal.validation",
        "view_of": "views",
        "write_report": "html.page",
        "write_reports": "html.page",
        "write_card": "scorecard.writing",
        "write_scorecard": "scorecard.writing",
        "write_texts": "export.files",
    },
)


class _Callable(type(sys.modules[__name__])):  # type: ignore[misc] # the class that the door has given it
    """The room of what draws is also what the room is for: `genderscope.report(runs, out)` writes a page."""

    def __call__(self, runs: "Run | Iterable[Run]", out: str | Path = "report.html") -> Path:
        """Write one self-contained page for one or many finished runs, and return its path."""
        from genderscope.report.pages import report

        return report(runs, out)


sys.modules[__name__].__class__ = _Callable
