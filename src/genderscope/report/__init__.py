"""Views of results: terminal, figures, HTML pages and text files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genderscope.report.charts.drawing import ready_to_draw
    from genderscope.report.charts.run_agreement import models_scatter
    from genderscope.report.charts.style import COLUMN, PAGE, svg
    from genderscope.report.console import SafeConsole
    from genderscope.report.export.comparison_text import comparison_latex, comparison_markdown
    from genderscope.report.export.figure_files import files
    from genderscope.report.export.formats import publish
    from genderscope.report.export.text_files import refuse_foreign, write_texts
    from genderscope.report.html.comparison_page import comparison_page
    from genderscope.report.html.report_page import write_report, write_reports
    from genderscope.report.layout import PlainTable, plain_table
    from genderscope.report.pages import Leaderboard, Run, leaderboard, report
    from genderscope.report.scorecard.model_card import model_card, model_card_section, model_index
    from genderscope.report.scorecard.ranking_tables import page, show_rankings, table_csv
    from genderscope.report.scorecard.scorecard_files import scorecard_of, scorecard_texts, write_card, write_scorecard
    from genderscope.report.scorecard.scorecard_table import show_scorecard
    from genderscope.report.terminal.comparison_table import show_comparison, show_gates
    from genderscope.report.terminal.correlation_table import correlation_cells, correlation_table
    from genderscope.report.terminal.pooled_table import show_pooled
    from genderscope.report.terminal.power_table import planning_sources, planning_table, show_plan
    from genderscope.report.terminal.progress import PlainLines, announced, duration, plain_lines, progress_bar
    from genderscope.report.terminal.results import show
    from genderscope.report.terminal.validation import Labelled, show_validation, validate
    from genderscope.report.views import view_of
    from genderscope.report.views.plain_view import View, interval, number

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
        "View": "views.plain_view",
        "announced": "terminal.progress",
        "comparison_latex": "export.comparison_text",
        "comparison_markdown": "export.comparison_text",
        "comparison_page": "html.comparison_page",
        "correlation_cells": "terminal.correlation_table",
        "correlation_table": "terminal.correlation_table",
        "duration": "terminal.progress",
        "files": "export.figure_files",
        "interval": "views.plain_view",
        "leaderboard": "pages",
        "model_card": "scorecard.model_card",
        "model_card_section": "scorecard.model_card",
        "model_index": "scorecard.model_card",
        "models_scatter": "charts.run_agreement",
        "number": "views.plain_view",
        "page": "scorecard.ranking_tables",
        "planning_sources": "terminal.power_table",
        "plain_lines": "terminal.progress",
        "plain_table": "layout",
        "planning_table": "terminal.power_table",
        "progress_bar": "terminal.progress",
        "publish": "export.formats",
        "ready_to_draw": "charts.drawing",
        "refuse_foreign": "export.text_files",
        "report": "pages",
        "scorecard_of": "scorecard.scorecard_files",
        "scorecard_texts": "scorecard.scorecard_files",
        "show": "terminal.results",
        "show_comparison": "terminal.comparison_table",
        "show_gates": "terminal.comparison_table",
        "show_plan": "terminal.power_table",
        "show_pooled": "terminal.pooled_table",
        "show_rankings": "scorecard.ranking_tables",
        "show_scorecard": "scorecard.scorecard_table",
        "show_validation": "terminal.validation",
        "svg": "charts.style",
        "table_csv": "scorecard.ranking_tables",
        "validate": "terminal.validation",
        "Labelled": "terminal.validation",
        "view_of": "views",
        "write_report": "html.report_page",
        "write_reports": "html.report_page",
        "write_card": "scorecard.scorecard_files",
        "write_scorecard": "scorecard.scorecard_files",
        "write_texts": "export.text_files",
    },
)


class _Callable(type(sys.modules[__name__])):  # type: ignore[misc] # the class that `door` assigned
    """A package that can be called: `genderscope.report(runs, out)` writes a page."""

    def __call__(self, runs: "Run | Iterable[Run]", out: str | Path = "report.html") -> Path:
        """Write one self-contained page for one or many finished runs; return its path."""
        from genderscope.report.pages import report

        return report(runs, out)


sys.modules[__name__].__class__ = _Callable
