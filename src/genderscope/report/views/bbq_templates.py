"""BBQ's templates: a figure for each language, and a table that quotes those furthest from 0."""

from collections.abc import Iterable, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

from genderscope.core.languages import language_name
from genderscope.report.charts.intervals import Point
from genderscope.report.layout import INTERVAL
from genderscope.report.views.plain_view import (
    Figure,
    KeyedRow,
    Named,
    ReportTable,
    interval,
    interval_figure,
    keys,
    number,
)
from genderscope.report.views.rankings import by_distance
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    from genderscope.report.views.declaration import FigureSpec, TableSpec
    from genderscope.report.views.declared_view import DeclaredView

#: number of templates that are quoted
WORST = 5
#: maximum lengths of a quotation in a table and of a template's label in a chart, where it must fit on one line
QUOTED, LABELLED = 300, 32


def template_figures(view: "DeclaredView", runs: Sequence[Named], part: "FigureSpec") -> Iterable[Figure]:
    """Yield a dot plot of the templates for each language, with questions of those furthest from 0."""
    ((name, result),) = runs
    for language, ranked in _ranked(result).items():
        questions = {template: text for template, (_, text) in _quotations(result, ranked[:WORST]).items()}
        contexts = view.declared.words["context"][ranked[0].name.partition("_by_")[0]]
        points = [
            Point(_row(e, questions), e, {"model": name, **keys(e)}, series=contexts)
            for e in sorted(ranked, key=lambda e: -(e.value or 0.0))
        ]
        where = f", {language_name(language)}" if language else ""
        yield from interval_figure(
            f"Bias by template{where}",
            f"Bias in {contexts} for each template, with 95 % intervals over its questions. The {WORST} templates "
            "furthest from 0 are named by one of their questions; a table quotes them.",
            points,
            part.axis,
            {contexts: view.colours("contexts")[contexts]},
        )


def quoted_templates(view: "DeclaredView", result: Result, part: "TableSpec") -> Iterable[ReportTable]:
    """Yield a table that quotes the templates furthest from 0."""
    lines = []
    for language, ranked in _ranked(result).items():
        quoted = _quotations(result, ranked[:WORST])
        for e in ranked[:WORST]:
            if e.value and str(e.category) in quoted:
                context, question = quoted[str(e.category)]
                where = (language_name(language),) if language else ()
                text = f"{shorten(context, QUOTED)} {question}"
                lines.append(
                    KeyedRow((", ".join((*where, str(e.category))), number(e.value), interval(e), text), keys(e))
                )
    if lines:
        yield ReportTable(
            f"The {WORST} templates furthest from 0", ("template", "bias", INTERVAL, "for example"), lines
        )


def _row(e: Estimate, questions: dict[str, str]) -> str:
    """Return a template's label, with a question if it is one of those furthest from 0."""
    template = str(e.category)
    if template not in questions:
        return template
    return shorten(f"{template}: {questions[template]}", LABELLED, placeholder=" …")


def _ranked(result: Result) -> dict[str | None, list[Estimate]]:
    """Return the templates of each language, in ambiguous contexts if there are any, those furthest from 0 first."""
    templates: dict[str | None, list[Estimate]] = {}
    for name in ("bias_ambiguous_by_template", "bias_disambiguated_by_template"):
        by_language: dict[str | None, list[Estimate]] = {}
        for e in result.as_estimates():
            if e.name == name and e.value is not None:
                by_language.setdefault(e.language, []).append(e)
        templates = {**templates, **{key: of for key, of in by_language.items() if key not in templates}}
    return {language: by_distance(of) for language, of in templates.items()}


def _quotations(result: Result, templates: Sequence[Estimate]) -> dict[str, tuple[str, str]]:
    """Return one context and question of each template."""
    rows = result.rows
    quotations = {}
    for e in templates:
        condition = e.name.removeprefix("bias_").partition("_by_")[0]
        own = rows[(rows["template"].astype(str) == str(e.category)) & (rows["condition"] == condition)]
        own = own if e.language is None else own[own["language"] == e.language]
        negative = own[own["polarity"] == "negative"]
        for row in (negative if len(negative) else own).head(1).itertuples():
            quotations[str(e.category)] = (str(row.context), str(row.question))
    return quotations
