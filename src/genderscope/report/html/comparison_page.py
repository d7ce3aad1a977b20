"""A comparison as one page: what the terminal shows, with each difference drawn."""

from dataclasses import replace
from typing import Any

from markupsafe import Markup

from genderscope.comparison import Comparison, Difference
from genderscope.report.charts.forest import Axis
from genderscope.report.html.page_template import asset, policy, rendered
from genderscope.report.html.strip import strip
from genderscope.report.terminal.compared import headings, runs_of, texts, title_of, verdicts_of
from genderscope.report.terminal.comparison_table import method, shared
from genderscope.statistics.estimate import Estimate
from genderscope.version import __version__


def comparison_page(comparison: Comparison) -> str:
    """Write the page; it needs nothing else and has no script."""
    style = asset("style.css") + asset("comparison.css")
    return rendered(
        "comparison.html.j2",
        True,
        title=title_of(comparison),
        runs=runs_of(comparison),
        pairs=[_pair(comparison, name) for name in comparison.pairs],
        cautions=comparison.cautions,
        method=method(comparison),
        style=Markup(style),
        policy=policy(style, ""),
        version=__version__,
    )


def _pair(comparison: Comparison, name: str) -> dict[str, Any]:
    found = comparison.of(name)
    drawn = [_drawn(d) for d in found]
    heads = headings(comparison, name)
    rows = [
        {"cells": list(zip(heads, texts(d), strict=True)), "differs": d.differs, "strip": _strip(e, drawn)}
        for d, e in zip(found, drawn, strict=True)
    ]
    return {
        "name": name,
        "first": comparison.first,
        "shared": shared(comparison, name),
        "verdicts": verdicts_of(comparison, name),
        "headings": heads,
        "rows": rows,
    }


def _drawn(d: Difference) -> Estimate:
    return replace(d.of_second, value=d.value, low=d.low, high=d.high, neutral=d.neutral)


def _strip(e: Estimate, drawn: list[Estimate]) -> Markup:
    """Draw a difference; those of one name share their scale."""
    return strip(e, Axis.around([k for k in drawn if (k.name, k.neutral) == (e.name, e.neutral)]))
