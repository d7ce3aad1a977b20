"""Hooks that let results and comparisons render and judge themselves without importing the layers above them.

The modules are imported by name on first use.
"""

from importlib import import_module
from typing import Any


def drawn() -> Any:
    """Return the module that renders results and comparisons."""
    return import_module("genderscope.report.export.display")


def html_of(shown: object) -> str | None:
    """Return the HTML for a notebook; None makes the notebook show plain text."""
    html: str | None = drawn().html(shown)
    return html


def judgements_of(result: object) -> Any:
    """Return a run's leading estimates with their judgements."""
    return import_module("genderscope.measures.run_judgements").judge_result(result)
