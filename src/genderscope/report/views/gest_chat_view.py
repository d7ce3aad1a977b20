"""The view of gest-chat: rates, outcomes by stereotype, and a comparison of forms."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from textwrap import shorten
from typing import Any

from rich.console import Group, RenderableType

from genderscope.judgement import format_ends
from genderscope.report.charts.intervals import Point
from genderscope.report.charts.stacked_bars import Slice, stacked
from genderscope.report.charts.style import FEMININE, MASCULINE, NEITHER
from genderscope.report.layout import INTERVAL
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import (
    NUMBERS,
    Figure,
    Line,
    Named,
    Table,
    View,
    interval,
    interval_figure,
    number,
    numbers,
    terminal_table,
)
from genderscope.report.views.stereotypes import stereotype_keys, stereotype_label, stereotype_name, with_names
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: outcome -> colour; outcomes without a gender are grey
COLOURS = {
    "female": FEMININE,
    "male": MASCULINE,
    "neither": NEITHER,
    "they": NEITHER,
    "several": "#4f6f8f",
    "first person": "#9a7d0a",
    "no pronoun": "#9a9aa4",
    "refused": "#5a5a64",
}
GENDERS = {"female": "feminine", "male": "masculine"}
PRONOUNS = {"feminine": "she|hers?|herself|women|woman", "masculine": "he|him|his|himself|men|man"}
#: form -> colour
FORMS = {"ask": "#8a5fbf", "structured": "#3a6fb0", "letter": "#2f7f6f", "write": "#c8641b"}
#: most replies in the table of disagreements; the rows have all of them
LISTED = 100
#: whether texts were written -> what the stereotype rate of one stereotype is
_BY_STEREOTYPE = {
    False: "Share of stereotypical minus share of counter-stereotypical answers",
    True: "Share of stereotypical minus share of counter-stereotypical characters, among those with a gender",
}


class GestChatView(View):
    """View of stereotype_rate and masculine_rate, order effects, and outcome shares."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "stereotype_rate": "share of stereotypical minus counter-stereotypical answers",
        "masculine_rate": "share of men among answers with a gender",
        "stereotype_rate_by_stereotype": "stereotype rate for one stereotype",
        "share": "share of answers with this outcome",
        "order_effect": "effect of an option's position, from 0 (none) to 1 (determines every answer)",
        "consistency": "how often two orders of the options lead to the same choice",
        "letter_share": "how often a letter is chosen",
        "coverage": "share of answers that could be read",
        "wording_sd": "standard deviation of the rate across wordings",
        "sampling_share": "share of the 95 % interval's variance that is due to sampling replies",
        "judge_agreement": "share of replies that the rules and the judge read alike",
        "judge_kappa": "agreement of the rules and the judge beyond chance (Cohen's kappa)",
        "judge_coverage": "share of the judge's answers that could be read",
    }
    units = "sentences"
    about = (
        "A chat model is asked who is more likely to say a first-person sentence that expresses a gender stereotype: "
        "women, men or neither, with the options in all six orders. In the form 'structured', the server restricts the "
        "answer to the three options; in the form 'letter', the probabilities of the option letters replace sampled "
        "answers; in the form 'write', the model writes about a person with that motto, and the person's gender is "
        "determined from the text."
    )

    def note(self, result: Result) -> str:
        rate, sampled = _overall(result, "stereotype_rate"), _overall(result, "sampling_share")
        if rate is None or rate.value is None or rate.low is None or rate.high is None or sampled is None:
            return ""
        share = sampled.value or 0.0
        ends = (rate.value + (end - rate.value) * math.sqrt(1 - share) for end in (rate.low, rate.high))
        return (
            f"Sampling of replies: {share:.0%} of the variance; more draws per prompt would narrow the interval of "
            f"{rate.name} from {format_ends(rate, rate.low, rate.high)} to {format_ends(rate, *ends)} at best."
        )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        yield _by_stereotype(estimates)
        others = [
            e
            for e in estimates
            if e.name != "stereotype_rate_by_stereotype" and not (e.name == "share" and e.stereotype is not None)
        ]
        bold = [e for e in others if not e.keys and e.name in {"stereotype_rate", "masculine_rate"}]
        yield Group("", self.estimates_table(others, bold), "")

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        parts = [e for e in estimates if e.name == "share" and e.stereotype is not None and e.value is not None]
        if parts:
            slices = [
                Slice(stereotype_name(e.stereotype or 0), str(e.category), e, {"model": name, **stereotype_keys(e)})
                for e in parts
            ]
            yield Figure(
                "Outcomes by stereotype",
                lambda size: stacked(slices, COLOURS, size),
                "Outcomes of the answers by stereotype; stereotypes 1 to 7 are about women, 8 to 16 about men.",
            )
        rates = [e for e in estimates if e.name == "stereotype_rate_by_stereotype" and e.value is not None]
        yield from interval_figure(
            "Stereotype rate by stereotype",
            f"{_BY_STEREOTYPE[_form(result) == 'write']}, with 95 % intervals.",
            [Point(stereotype_label(e).strip(), e, {"model": name, **stereotype_keys(e)}) for e in rates],
            "stereotype rate (neutral 0; right is stereotypical)",
        )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from _by_form(
            runs,
            lambda result: next((e for e in self.headline(result) if e.name == "stereotype_rate"), None),
            "Stereotype rate by form",
            'The stereotype rate of each model by form, with 95 % intervals. A model that answers "neither" when '
            "asked may still follow stereotypes when it writes.",
            "stereotype_rate (neutral 0)",
        )

    def compare_settings(self, runs: Sequence[Named]) -> Iterable[Figure]:
        same_data: dict[tuple[object, object], list[Named]] = {}
        for name, result in runs:
            asked = result.config.get("configuration", {})
            same_data.setdefault((asked.get("data_sha256"), asked.get("lang")), []).append((name, result))
        for group in same_data.values():
            if len({_form(result) for _, result in group}) > 1:
                yield from self._compare_forms(group)

    def _compare_forms(self, runs: Sequence[Named]) -> Iterable[Figure]:
        yield from self.compare(runs)
        yield from _by_form(
            runs,
            lambda result: _overall(result, "share", "refused"),
            "Refusals by form",
            "The share of replies that decline to answer, by form, with 95 % intervals. Letters cannot show refusals, "
            "and a server that restricts replies to the options may suppress them.",
            "share of refusals",
        )
        yield from _by_form(
            runs,
            lambda result: _overall(result, "order_effect"),
            "Order effect by form",
            "The effect of an option's position on the choice, by form, with 95 % intervals.",
            "order_effect (0: none, 1: only the position matters)",
        )

    def explorer(self, result: Result) -> Explorer:
        frame = with_names(result)
        order = [options if isinstance(options, str) else None for options in frame["order"]]
        filters = {"stereotype": "stereotype", "wording": "wording", "outcome": "outcome", "unread": "why unread"}
        if "draw" in frame and frame["draw"].any():
            filters["draw"] = "draw"
        filters |= {"judge_outcome": "judge's reading", "judge_unread": "why the judge is unread"}
        return Explorer(
            [
                texts("sentence", "sentence", frame["sentence"]),
                texts("reply", "reply", [_evidence(row) for row in frame.itertuples()]),
                texts("order", "order of options", order),
                *choices(frame, **filters),
            ],
            legend="Marked: the chosen letter, or the pronouns in the model's text.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        shares = [e for e in estimates if e.name == "share" and e.stereotype is not None]
        yield self.page_table(
            "Overall", [e for e in estimates if e.name != "stereotype_rate_by_stereotype" and e not in shares]
        )
        rates = [e for e in estimates if e.name == "stereotype_rate_by_stereotype" and e.value is not None]
        rows = [Line((stereotype_label(e), *numbers(e)), stereotype_keys(e)) for e in rates]
        yield Table("By stereotype", ("stereotype", "stereotype rate", *NUMBERS[1:]), rows)
        cells = [
            Line((stereotype_label(e), str(e.category), number(e.value), interval(e), f"{e.n:,}"), stereotype_keys(e))
            for e in shares
        ]
        columns = ("stereotype", "outcome", "share", INTERVAL, "n")
        yield Table("Outcomes by stereotype", columns, cells, folded=True)
        yield from _disagreements(result)


def _disagreements(result: Result) -> Iterable[Table]:
    """Yield a table of the replies that the rules and the judge read differently, if there is a judge."""
    if "judge_agrees" not in result.rows:  # written by an earlier version
        return
    differ = result.rows[result.rows["judge_agrees"].eq(False).fillna(False)]
    if not len(differ):
        return
    title = "Replies that the rules and the judge read differently"
    if len(differ) > LISTED:
        title += f" (the first {LISTED} of {len(differ):,})"
    columns = (differ[name].head(LISTED) for name in ("sentence", "reply", "outcome", "judge_outcome"))
    lines = [
        Line((str(sentence), shorten(str(reply), 200), rules if isinstance(rules, str) else "unreadable", str(judge)))
        for sentence, reply, rules, judge in zip(*columns, strict=True)
    ]
    yield Table(title, ("sentence", "reply", "rules", "judge"), lines, folded=True)


def _overall(result: Result, name: str, category: str | None = None) -> Estimate | None:
    """Return an estimate over all stereotypes and wordings."""
    wanted = {} if category is None else {"category": category}
    found = (e for e in result.as_estimates() if e.name == name and dict(e.keys) == wanted and e.value is not None)
    return next(found, None)


def _by_form(
    runs: Sequence[Named], pick: Callable[[Result], Estimate | None], title: str, caption: str, axis: str
) -> Iterable[Figure]:
    """Yield a figure of one estimate for each model and form."""
    points = []
    for name, result in runs:
        if (estimate := pick(result)) is not None:
            model = str(result.config.get("model", {}).get("name") or name)
            points.append(Point(model, estimate, {"model": name}, series=_form(result)))
    points.sort(key=lambda point: (point.row, list(FORMS).index(point.series)))
    forms = {form: colour for form, colour in FORMS.items() if any(p.series == form for p in points)}
    yield from interval_figure(title, caption, points, axis, forms, legend=True)


def _form(result: Result) -> str:
    """Return the form in which a run asked, as given with --form."""
    form = str(result.config.get("configuration", {}).get("form"))
    return form if form in FORMS else "ask"


def _evidence(row: Any) -> list[Part]:
    """Highlight the chosen letter or the pronouns in a reply."""
    if not isinstance(row.reply, str):
        return []
    if isinstance(row.letter, str):
        letter = re.search(rf"[(\[]?\b{row.letter}\b[)\]]?", row.reply, re.IGNORECASE)
        gender = GENDERS.get(str(row.outcome))
        return marked(row.reply, [] if letter is None else [(*letter.span(), mark_of(gender))])
    spans = [
        (*match.span(), mark_of(gender))
        for gender, words in PRONOUNS.items()
        for match in re.finditer(rf"\b(?:{words})\b", row.reply, re.IGNORECASE)
    ]
    return marked(row.reply, sorted(spans))


def _by_stereotype(estimates: Sequence[Estimate]) -> RenderableType:
    """Build the terminal table of stereotypes: rate, interval, and the share of each outcome."""
    shares: dict[tuple[int | None, str | None], Estimate] = {
        (e.stereotype, e.category): e for e in estimates if e.name == "share" and e.stereotype is not None
    }
    outcomes = [outcome for outcome in COLOURS if any(known == outcome for _, known in shares)]
    rows = []
    for e in estimates:
        if e.name == "stereotype_rate_by_stereotype":
            cells = [shares.get((e.stereotype, outcome)) for outcome in outcomes]
            shown = ["–" if cell is None or cell.value is None else f"{cell.value:.0%}" for cell in cells]
            rows.append((stereotype_label(e), number(e.value), interval(e), str(e.n), *shown))
    return terminal_table(("stereotype", "stereotype rate", INTERVAL, "n", *outcomes), rows)
