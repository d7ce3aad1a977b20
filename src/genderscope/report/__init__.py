"""Presentation of results: terminal output, figures, HTML pages and text files."""

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from genderscope.runs import Run

    from .charts.drawing import ready_to_draw as ready_to_draw
    from .charts.run_agreement import models_scatter as models_scatter
    from .charts.style import COLUMN as COLUMN, PAGE as PAGE, svg as svg
    from .layout import SafeConsole as SafeConsole
    from .export.formats import comparison_latex as comparison_latex, comparison_markdown as comparison_markdown
    from .export.figure_files import files as files
    from .export.formats import publish as publish
    from .export.text_files import refuse_foreign as refuse_foreign, write_texts as write_texts
    from .html.comparison_page import comparison_page as comparison_page
    from .html.page_template import render_page as render_page
    from .html.report_page import report as report, write_report as write_report, write_reports as write_reports
    from .layout import PlainTable as PlainTable, plain_table as plain_table
    from .scorecard.marks_table import marks_csv as marks_csv, marks_of as marks_of, show_marks as show_marks
    from .scorecard.model_card import model_card as model_card, model_card_section as model_card_section
    from .scorecard.model_card import model_index as model_index
    from .scorecard.scorecard_data import scorecard_csv as scorecard_csv
    from .scorecard.scorecard_files import remove_card as remove_card
    from .scorecard.scorecard_files import scorecard_of as scorecard_of, scorecard_texts as scorecard_texts
    from .scorecard.scorecard_files import write_card as write_card, write_scorecard as write_scorecard
    from .scorecard.scorecard_text import show_scorecard as show_scorecard
    from .terminal.comparison_table import show_comparison as show_comparison, show_gates as show_gates
    from .terminal.analysis_tables import correlation_cells as correlation_cells
    from .terminal.analysis_tables import correlation_table as correlation_table
    from .terminal.analysis_tables import show_pooled as show_pooled
    from .terminal.analysis_tables import show_plan as show_plan
    from .terminal.progress import PlainLines as PlainLines, announced as announced, duration as duration
    from .terminal.progress import plain_lines as plain_lines, progress_bar as progress_bar
    from .terminal.results import show as show
    from .terminal.validation import Labelled as Labelled, show_validation as show_validation, validate as validate
    from .views.declared_view import view_of as view_of
    from .views.plain_view import View as View, interval as interval, number as number
    from .scorecard.cell_text import sort_key as sort_key

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)


class _CallablePackage(ModuleType):
    """A callable package, so that `genderscope.report(runs, out)` writes a page."""

    def __call__(self, runs: "Run | Iterable[Run]", out: str | Path = "report.html") -> Path:
        """Write a self-contained page for one or more finished runs and return its path."""
        from genderscope.report.html.report_page import report

        return report(runs, out)


sys.modules[__name__].__class__ = _CallablePackage
