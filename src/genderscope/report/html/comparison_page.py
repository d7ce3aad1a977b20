"""Comparisons as self-contained pages, with a plot of each difference."""

from typing import Any

from genderscope.comparison import Comparison
from genderscope.report.html.inline_plots import difference_strips
from genderscope.report.html.page_template import render_page
from genderscope.report.terminal import comparison_table as ct


def comparison_page(comparison: Comparison) -> str:
    """Return the comparison as an HTML page without scripts."""
    return render_page(
        "comparison.html.j2",
        ("comparison.css",),
        single_line=True,
        title=f"Comparison of {ct.comparison_title(comparison)}",
        kind="comparison",
        runs=ct.name_runs(comparison),
        pairs=[_pair(comparison, name) for name in comparison.pairs],
        cautions=comparison.cautions,
        method=ct.describe_method(comparison),
    )


def _pair(comparison: Comparison, name: str) -> dict[str, Any]:
    differences, headings = comparison.of(name), ct.full_headings(comparison, name)
    return {
        "name": name,
        "first": comparison.first,
        "shared": ct.describe_shared(comparison, name),
        "verdicts": ct.verdict_sentences(comparison, name),
        "headings": headings,
        "rows": [
            {"cells": list(zip(headings, ct.full_cells(d), strict=True)), "differs": d.differs, "strip": drawn}
            for d, drawn in zip(differences, difference_strips(differences), strict=True)
        ],
    }
