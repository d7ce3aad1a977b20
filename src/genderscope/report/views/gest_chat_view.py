"""The view of GEST asked of chat models: rates, outcomes of each stereotype, and the forms side by side."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from genderscope.report.charts.intervals import Point, intervals
from genderscope.report.charts.stacked_bars import Slice, stacked
from genderscope.report.charts.style import FEMININE, MASCULINE, NEITHER
from genderscope.report.layout import plain_table
from genderscope.report.views.explorer import Explorer, Part, choices, mark_of, marked, texts
from genderscope.report.views.plain_view import Figure, Line, Named, Table, View, interval, number, numbers
from genderscope.report.views.stereotypes import stereotype_keys, stereotype_label, stereotype_name
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: outcome -> colour; what is no choice of a gender is grey, from dark to light
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
FORMS = {"ask": "asked", "letter": "letter", "write": "written"}
FORM_COLOURS = {"asked": "#8a5fbf", "letter": "#2f7f6f", "written": "#c8641b"}


class GestChatView(View):
    """stereotype_rate and masculine_rate, order effects, and shares of outcomes."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "stereotype_rate": "how much more often answers follow stereotypes than go against them",
        "masculine_rate": "men among the answers that choose a gender",
        "s_i": "the same for one stereotype",
        "share": "share of an outcome",
        "order_effect": "how far the place of an option decides: 0 none, 1 everything",
        "consistency": "how often two orders of the options get the same choice",
        "letter_share": "how often a letter is chosen",
        "coverage": "share of answers that could be read",
        "wording_sd": "how much the rate differs between wordings",
        "variance_share": "part of the wider interval's variance",
    }

    about = (
        "A chat model is asked who is more likely to say a first-person sentence that is tied to a gender stereotype: "
        "women, men or neither, with the options in all six orders. Instead of drawn answers the probabilities of the "
        "letters can be taken (letter), or the model invents a person with that motto, whose gender is read (written)."
    )
    direction = {  # noqa: RUF012 - overrides a mapping that is only read
        "stereotype_rate": ("against stereotypes", "stereotypical"),
        "masculine_rate": ("feminine", "masculine"),
    }

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = result.as_estimates()
        yield _by_stereotype(estimates)
        others = [e for e in estimates if e.name != "s_i" and not (e.name == "share" and e.stereotype is not None)]
        yield Group(
            "", self.estimates_table(others, [e for e in others if not e.keys and e.name in self.direction]), ""
        )

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
                "What the answers came to, for each stereotype: 1 to 7 are about women, 8 to 16 about men.",
            )
        rates = [e for e in estimates if e.name == "s_i" and e.value is not None]
        if rates:
            points = [Point(stereotype_label(e).strip(), e, {"model": name, **stereotype_keys(e)}) for e in rates]
            yield Figure(
                "Stereotype rate by stereotype",
                lambda size: intervals(points, "stereotype rate (neutral 0; right is stereotypical)", size=size),
                "How much more often answers follow the stereotype than go against it, with its 95 % interval.",
            )

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        points = []
        for name, result in runs:
            form = FORMS.get(str(result.config.get("configuration", {}).get("form")), "asked")
            rate = next((e for e in self.headline(result) if e.name == "stereotype_rate"), None)
            if rate is not None:
                model = str(result.config.get("model", {}).get("name") or name)
                points.append(Point(model, rate, {"model": name}, series=form))
        if points:
            points.sort(key=lambda point: (point.row, list(FORM_COLOURS).index(point.series)))
            forms = {form: colour for form, colour in FORM_COLOURS.items() if any(p.series == form for p in points)}
            yield Figure(
                "Asked, by letter, written",
                lambda size: intervals(points, "stereotype_rate (neutral 0)", forms, legend=True, size=size),
                'The stereotype rate of each model in each form, with its 95 % interval: a model that says "neither" '
                "when it is asked may follow stereotypes when it writes.",
            )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows.assign(stereotype=result.rows["stereotype"].map(stereotype_name))
        order = [each if isinstance(each, str) else None for each in frame["order"]]
        named = {"stereotype": "stereotype", "wording": "wording", "outcome": "outcome", "unread": "not read because"}
        return Explorer(
            [
                texts("sentence", "sentence", frame["sentence"]),
                texts("reply", "reply", [_read(row) for row in frame.itertuples()]),
                texts("order", "options in order", order),
                *choices(frame, **named),
            ],
            legend="Marked: the letter that was chosen, or the pronouns of what the model wrote.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        by_stereotype = [e for e in estimates if e.name == "share" and e.stereotype is not None]
        overall = [e for e in estimates if e.name != "s_i" and e not in by_stereotype]
        yield self.page_table("Overall", overall)
        columns = ("stereotype", "s_i", "95 % interval", "neutral", "n", "unread")
        rates = [e for e in estimates if e.name == "s_i" and e.value is not None]
        rows = [Line((stereotype_label(e), *numbers(e)), stereotype_keys(e)) for e in rates]
        yield Table("By stereotype", columns, rows)
        cells = [
            Line((stereotype_label(e), str(e.category), number(e.value), interval(e), f"{e.n:,}"), stereotype_keys(e))
            for e in by_stereotype
        ]
        yield Table(
            "Outcomes by stereotype", ("stereotype", "outcome", "share", "95 % interval", "n"), cells, folded=True
        )


def _read(row: Any) -> list[Part]:
    """Mark in a reply what tells the outcome: the letter, or pronouns."""
    if not isinstance(row.reply, str):
        return []
    if isinstance(row.letter, str):
        found = re.search(rf"[(\[]?\b{row.letter}\b[)\]]?", row.reply, re.IGNORECASE)
        gender = GENDERS.get(str(row.outcome))
        return marked(row.reply, [] if found is None else [(*found.span(), mark_of(gender))])
    spans = [
        (*found.span(), mark_of(gender))
        for gender, words in PRONOUNS.items()
        for found in re.finditer(rf"\b(?:{words})\b", row.reply, re.IGNORECASE)
    ]
    return marked(row.reply, sorted(spans))


def _by_stereotype(estimates: Sequence[Estimate]) -> RenderableType:
    """Lay the stereotypes out for the terminal: rate, interval, and how often each outcome came up."""
    shares: dict[tuple[int | None, str | None], Estimate] = {
        (e.stereotype, e.category): e for e in estimates if e.name == "share" and e.stereotype is not None
    }
    outcomes = [each for each in COLOURS if any(outcome == each for _, outcome in shares)]
    table = plain_table(("stereotype",), ("s_i", "95 % interval", "n", *outcomes))
    for e in estimates:
        if e.name == "s_i":
            cells = [shares.get((e.stereotype, outcome)) for outcome in outcomes]
            shown = ["–" if cell is None or cell.value is None else f"{cell.value:.0%}" for cell in cells]
            table.add_row(*map(Text, (stereotype_label(e), number(e.value), interval(e), str(e.n), *shown)))
    return table
