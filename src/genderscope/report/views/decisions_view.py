"""The view of decisions: differences by probe, success by gender, outcomes, and the scenarios that differ most."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType

from genderscope.report.charts.intervals import Point
from genderscope.report.charts.stacked_bars import Slice, stacked
from genderscope.report.charts.style import FEMININE, MASCULINE, NEITHER, PALETTE
from genderscope.report.views.explorer import Explorer, Mark, Part, choices, marked, texts
from genderscope.report.views.plain_view import (
    DIRECTIONS,
    Figure,
    Named,
    Table,
    View,
    interval_figure,
    keys,
)
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: estimate -> its row in a chart
ROWS = {
    "decision_difference": "decisions: men − women",
    "conflict_difference": "conflicts: men − women",
    "job_stereotype_rate": "occupations: male − female",
    "trait_stereotype_rate": "traits: male − female",
}
KINDS = {
    **dict.fromkeys(("decision_difference", "conflict_difference"), "favours men (right) or women (left)"),
    **dict.fromkeys(("job_stereotype_rate", "trait_stereotype_rate"), "follows stereotypes (right)"),
}
COLOURS = dict(zip(dict.fromkeys(KINDS.values()), (PALETTE[1], PALETTE[0]), strict=True))
AXIS = "difference (neutral 0)"
OUTCOME_COLOURS = {
    "yes": PALETTE[2],
    "no": PALETTE[4],
    "depends": PALETTE[3],
    "female": FEMININE,
    "male": MASCULINE,
    "neither": NEITHER,
    "they": PALETTE[6],
    "no pronoun": "#9a9aa4",
    "first person": PALETTE[5],
    "several": PALETTE[7],
    "refused": "#5a5a64",
}
#: estimates with a row for each scenario
BY_SCENARIO = "_by_scenario"
#: number of scenarios in a chart
MOST = 20
_PRONOUNS = re.compile(r"\b(?:(she|her|hers|herself)|(he|him|his|himself))\b", re.IGNORECASE)
_ANSWER = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)


class DecisionsView(View):
    """View of differences, success rates, outcomes and scenarios."""

    meaning = {  # noqa: RUF012 - overrides a mapping that is only read
        "decision_difference": "yes, men minus women",
        "conflict_difference": "right, men minus women",
        "job_stereotype_rate": "men, male − female jobs",
        "trait_stereotype_rate": "share of men for male traits minus that for female traits",
        "job_masculine_rate": "share of men among characters with an occupation",
        "trait_masculine_rate": "share of men among characters with a trait",
        "decision_log_odds": "log-odds of a positive decision, men minus women",
        "decision_difference_nonbinary": "share of positive decisions, non-binary people minus women and men",
        "success_rate": "share of positive decisions for this gender",
        "first_share": "how often the person named first is said to be right",
        "consistency": "how often the answer is the same if only the genders change",
        "trait_stereotype_rate_by_source": "the same for one inventory",
        "decision_difference_by_scenario": "share of positive decisions, men minus women, in one scenario",
        "conflict_difference_by_scenario": "answers in favour of the man minus the woman in one conflict",
        "share": "share of replies with this outcome",
        "coverage": "share of replies that could be read",
        "masculine_rate": "share of men among characters (GenderBench)",
        "stereotype_rate": "how far characters follow stereotypes (GenderBench)",
        "disparity": "distance of the masculine rate from one half (GenderBench)",
        "correlation": "correlation of the masculine rate with the occupation's stereotype (GenderBench)",
        "max_diff": "largest difference between two genders' success rates (GenderBench)",
        "diff_mvf_success_rate": "success rate of men minus that of women (GenderBench)",
        "diff_success_rate": "success rate of men minus that of women (GenderBench)",
        "diff_abs_success_rate": "absolute difference of the success rates (GenderBench)",
        "undetected_rate_items": "share of items without a readable reply (GenderBench)",
        "undetected_rate_attempts": "share of replies that could not be read (GenderBench)",
    }
    brief = {  # noqa: RUF012 - overrides a mapping that is only read
        "decision_difference": "decisions, men minus women",
        "conflict_difference": "conflicts, men minus women",
        "job_stereotype_rate": "occupations",
        "trait_stereotype_rate": "traits",
    }
    direction = (
        DIRECTIONS
        | dict.fromkeys(
            ("decision_difference", "conflict_difference", "diff_mvf_success_rate", "diff_success_rate"),
            ("favours women", "favours men"),
        )
        | dict.fromkeys(("job_stereotype_rate", "trait_stereotype_rate"), ("counter-stereotypical", "stereotypical"))
        | dict.fromkeys(("job_masculine_rate", "trait_masculine_rate"), ("feminine", "masculine"))
    )
    units = "scenarios"
    about = (
        "The model decides about people whose gender is stated, says who is right in a couple's conflict, and invents "
        "characters for occupations and traits. A model for which gender does not matter says yes to women as often as "
        "to men, agrees with men as often as with women, and invents as many men for female occupations and traits as "
        "for male ones."
    )

    def terminal(self, result: Result) -> Iterable[RenderableType]:
        estimates = [e for e in result.as_estimates() if not e.name.endswith(BY_SCENARIO) and e.name != "share"]
        yield self.estimates_table(estimates, [e for e in estimates if e.name in ROWS])

    def figures(self, name: str, result: Result) -> Iterable[Figure]:
        estimates = result.as_estimates()
        points = [
            Point(ROWS[e.name], e, {"model": name}, series=KINDS[e.name])
            for e in estimates
            if e.name in ROWS and e.value is not None
        ]
        yield from interval_figure(
            "Differences by probe",
            "Positive decisions about men minus women, answers in favour of men minus women, and the share of men "
            "among characters for male minus female occupations and traits, with 95 % intervals over scenarios.",
            points,
            AXIS,
            COLOURS,
            legend=True,
        )
        yield from _outcomes(name, estimates)
        for probe, what in (("decision", "decision"), ("conflict", "conflict")):
            yield from _scenarios(name, estimates, f"{probe}_difference{BY_SCENARIO}", what)

    def compare(self, runs: Sequence[Named]) -> Iterable[Figure]:
        points = [
            Point(f"{ROWS[e.name]}, {name}", e, {"model": name}, series=KINDS[e.name])
            for wanted in ROWS
            for name, result in runs
            for e in result.as_estimates()
            if e.name == wanted and e.value is not None
        ]
        yield from interval_figure(
            "Differences by run",
            "Differences between men and women, or between male and female stereotypes, for each probe and run, with "
            "95 % intervals over scenarios.",
            points,
            AXIS,
            COLOURS,
            legend=True,
        )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows
        return Explorer(
            [
                texts("prompt", "prompt", frame["prompt"]),
                texts("reply", "reply", [_evidence(row) for row in frame.itertuples()]),
                *choices(
                    frame,
                    probe="probe",
                    scenario="scenario",
                    gender="gender",
                    order="order of names",
                    outcome="outcome",
                    unread="why unread",
                ),
            ],
            legend="Marked: the answer, or the pronouns of the character.",
        )

    def tables(self, result: Result) -> Iterable[Table]:
        estimates = result.as_estimates()
        details = [e for e in estimates if e.name.endswith(BY_SCENARIO)]
        shares = [e for e in estimates if e.name in ("share", "coverage")]
        yield self.page_table("Estimates", [e for e in estimates if e not in details and e not in shares])
        if shares:
            yield self.page_table("Outcomes", shares, folded=True)
        if details:
            yield self.page_table("By scenario", details, folded=True)


def _outcomes(name: str, estimates: Sequence[Estimate]) -> Iterable[Figure]:
    slices = [
        Slice(str(e.subset), str(e.category), e, {"model": name, **keys(e)})
        for e in estimates
        if e.name == "share" and e.value is not None
    ]
    if slices:
        yield Figure(
            "Outcomes by probe",
            lambda size: stacked(slices, OUTCOME_COLOURS, size),
            "Outcomes of the replies that were read, by probe.",
        )


def _scenarios(name: str, estimates: Sequence[Estimate], wanted: str, what: str) -> Iterable[Figure]:
    """Yield a dot plot of the scenarios whose difference is furthest from 0."""
    known = [e for e in estimates if e.name == wanted and e.value is not None]
    furthest = sorted(known, key=lambda e: -abs(e.value or 0.0))[:MOST]
    points = [
        Point(str(e.category)[:40], e, {"model": name, **keys(e)}, series=KINDS[f"{what}_difference"])
        for e in sorted(furthest, key=lambda e: -(e.value or 0.0))
    ]
    yield from interval_figure(
        f"Difference by {what}",
        f"Men minus women in each {what}, with 95 % intervals over its items"
        f"{f'; the {MOST} furthest from 0 of {len(known)}' if len(known) > MOST else ''}. With so many, "
        "some stand out in any run.",
        points,
        AXIS,
        COLOURS,
    )


def _evidence(row: Any) -> list[Part]:
    """Highlight the answer in a reply: the letter, yes or no, or the character's pronouns."""
    if not isinstance(row.reply, str):
        return []
    spans: list[tuple[int, int, Mark]] = []
    if row.probe in ("jobs", "inventories"):
        spans = [(*found.span(), "feminine" if found[1] else "masculine") for found in _PRONOUNS.finditer(row.reply)]
    elif row.probe == "discrimination":
        found = _ANSWER.search(row.reply)
        spans = [] if found is None else [(*found.span(), "other")]
    elif isinstance(row.letter, str):
        letter = re.search(rf"[(\[]?\b{row.letter}\b[)\]]?", row.reply, re.IGNORECASE)
        mark: Mark = "masculine" if row.outcome == "male" else "feminine"
        spans = [] if letter is None else [(*letter.span(), mark)]
    return marked(row.reply, spans)
