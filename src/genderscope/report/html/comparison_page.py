"""Comparisons as self-contained pages, with a plot of each difference."""

from typing import Any

from genderscope.comparison import Comparison, DifferingReading, differing_readings
from genderscope.judgement import Difference, short_verdict
from genderscope.measures import judge_estimate, margin_of
from genderscope.report.charts.forest import difference_strips
from genderscope.report.html.interval_pictures import KEY, Block, Lane, interval_pictures
from genderscope.report.html.page_template import render_page
from genderscope.report.terminal import comparison_table as ct
from genderscope.report.views.explorer import mark_of


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
        cautions=ct.all_cautions(comparison),
        key=KEY,
        method=ct.describe_method(comparison),
    )


def _pair(comparison: Comparison, name: str) -> dict[str, Any]:
    differences = comparison.of(name)
    sentences, total = differing_readings(comparison, name)
    answers = zip(differences, ct.answer_rows(comparison, name), strict=True)
    return {
        "name": name,
        "first": comparison.first,
        "answer_headings": ct.answer_headings(comparison, name),
        "answer": [{"cells": cells, "differs": d.nearer is not None} for d, cells in answers],
        "picture": interval_pictures([_block(comparison, name, d) for d in comparison.leads(name)]),
        "notes": ct.missing_values(comparison, name),
        "shared": ct.describe_shared(comparison, name),
        "criteria_headings": ct.criteria_headings(comparison, name),
        "criteria": [
            {"cells": cells, "differs": finding is not None and finding.better is not None}
            for finding, cells in ct.criteria_rows(comparison, name)
        ],
        "plain_answers": ct.plain_answers(comparison, name),
        "verdicts": ct.verdict_sentences(comparison, name),
        "sentences": [_sentence(differing, (comparison.first, name)) for differing in sentences],
        "sentences_title": ct.describe_sentences(len(sentences), total),
        "headings": (*ct.full_headings(comparison, name), "plot"),
        "rows": [
            {"cells": (*cells, drawn), "differs": d.differs}
            for d, cells, drawn in zip(
                differences, ct.full_rows(comparison, name), difference_strips(differences), strict=True
            )
        ],
    }


def _block(comparison: Comparison, name: str, d: Difference) -> Block:
    """Return a leading estimate of both runs, on the questions they share, as a block of a picture."""
    sides = ((comparison.first, d.of_first), (name, d.of_second))
    lanes = [
        Lane(label, e, short_verdict(judge_estimate(comparison.runs[label], e)), comparison.runs[label])
        for label, e in sides
    ]
    return Block(d.name, d.of_second.neutral, margin_of(comparison.runs[name], d.of_second), lanes)


def _sentence(differing: DifferingReading, names: tuple[str, str]) -> dict[str, Any]:
    read = zip(names, differing.translations, differing.readings, map(mark_of, differing.readings), strict=True)
    return {"source": differing.source, "origin": ct.describe_origin(differing), "translations": list(read)}
