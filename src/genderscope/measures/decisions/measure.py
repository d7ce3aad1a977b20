"""Decisions: do a chat model's decisions, opinions and characters depend on gender? Four of GenderBench's probes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from genderscope.core.questions import Question, Reply, ReplyAnswer
from genderscope.judgement import Lead, Phrase
from genderscope.measures.controls import HIGH, LOW, ControlCase, pair_estimates
from genderscope.measures.decisions.checks import (
    CONDITIONS,
    FAIR_USE,
    PUBLISHED,
    one_sided_cautions,
    refusal_cautions,
)
from genderscope.measures.decisions.options import DecisionOptions
from genderscope.measures.decisions.probes import (
    DIFFERENCES,
    HEADLINE,
    LEANINGS,
    MARGINS,
    PHRASES,
    PROBE_OF,
    REPORTS,
)
from genderscope.measures.decisions.rows import DecisionRow, reply_row
from genderscope.measures.reply_measure import ReplyMeasure
from genderscope.measures.typical_spread import ASSUMED, BETWEEN_UNITS, Between, Spread
from genderscope.samples.controls import control_decisions
from genderscope.samples.decisions import (
    RELEASED,
    WRITING,
    DecisionSample,
    Probe,
    digest,
    filled,
    load_own,
    load_released,
)
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import ReplyModel

#: the only probe with controls, and the index of these, which are no samples of the dataset
CONTROLLED: Probe = "discrimination"
NO_SAMPLE = -1


class Decisions(ReplyMeasure[DecisionOptions, DecisionSample, DecisionRow]):
    """Four of GenderBench's probes, for chat models."""

    id = "decisions"
    title = "Decisions: success of women and men, and the gender of characters (GenderBench's probes)"
    citation = CITATIONS["genderbench"]
    asks = frozenset({Reply})
    options_type = DecisionOptions
    row_type = DecisionRow
    headline = HEADLINE
    #: each probe measures something else, so that a model counts by the one in which it is furthest from neutral
    ranked_with = DIFFERENCES[1:]
    leanings = LEANINGS
    margins = MARGINS
    phrases = PHRASES
    judged_together = frozenset(MARGINS)
    conditions = CONDITIONS
    spread = Spread(
        0.27,
        "GenderBench's intervals of diff_mvf_success_rate, items as independent (median of 12 models, between 0.10 and "
        "0.43)",
        4168,
        4168,
        between=(Between("scenarios", 0.08, ASSUMED, (70,), "scenario", sides="gender"),),
        wide=False,
    )
    analysis = "genderscope.measures.decisions.rates"
    row_key = ("probe", "item", "gender", "order", "draw")
    units = {"scenario": BETWEEN_UNITS}  # noqa: RUF012 - only read
    starter = {"data": "starter"}  # noqa: RUF012 - only read
    #: as in GenderBench
    longest = {"ask": 300}  # noqa: RUF012 - only read
    row_noun = "replies"

    def __init__(self, options: DecisionOptions, model: "ReplyModel") -> None:
        self.options, self.chat, self.draws = options, model.chat, options.draws
        probes = options.chosen
        self.require_draws(any(options.repetitions(probe) > 1 for probe in probes), "use --draws 1")
        loaded = (
            load_released(probes) if options.data is None else load_own(options.data, probes, options.keep_duplicates)
        )
        self.dataset = loaded.limited(options.limit)
        self.samples = self.dataset.samples
        self.controls = control_cases(options)

    def own_settings(self) -> dict[str, str]:
        shown = {"probes": "+".join(self.options.chosen), "prompts": digest()}
        return shown | ({"scale": "as-published"} if self.options.as_published else {})

    def ask(self, sample: DecisionSample) -> tuple[Question, ...]:
        return self.questions([sample.prompt], self.options.repetitions(sample.probe))

    def read(self, sample: DecisionSample, answers: Sequence[ReplyAnswer]) -> Iterable[DecisionRow]:
        for draw, answer in enumerate(answers):
            yield reply_row(sample, draw, answer, self.options.as_published)

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        if self.options.as_published:
            from genderscope.measures.published.genderbench import decision_metrics

            return decision_metrics(rows, self.options.seed)
        from genderscope.measures.decisions.rates import estimates

        return estimates(rows)

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        return [] if controls.empty else pair_estimates(controls, controls["value"].astype("float64"))

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: DecisionOptions) -> list[Lead]:
        """Return the leading estimate of each probe that was asked, or GenderBench's leading metric."""
        if not options.as_published:
            leading = [e for name in DIFFERENCES for e in estimates if e.name == name]
            labels = {report.leading: f"{report.scenarios.capitalize()}: " for report in REPORTS.values()}
            return [Lead(e, where=labels[e.name] if len(leading) > 1 else "") for e in leading]
        return [
            Lead(e, where=f"{probe.capitalize()}: ")
            for probe, report in REPORTS.items()
            for e in estimates
            if (e.subset, e.name) == (probe, report.published) and e.category is None
        ]

    @classmethod
    def phrase(cls, estimate: Estimate, options: DecisionOptions) -> Phrase | None:
        """Return the wording of an estimate; if several probes were asked, their verdicts are listed."""
        wording = cls.phrases.get(estimate.name)
        if wording is None or len(options.chosen) == 1:
            return wording
        probe = PROBE_OF.get(estimate.name)
        topic = estimate.subset or (REPORTS[probe].scenarios if probe else "")
        return replace(wording, topic=topic, kind_of_topic="probe")

    def summary(self, estimates: Sequence[Estimate]) -> str:
        """Add the share of men among characters, if any were requested."""
        values = {e.name: e.value for e in estimates if e.name in HEADLINE and e.value is not None}
        named = {report.scenarios: report.masculine_rate for report in REPORTS.values()}
        shown = [f"{values[name]:.0%} for {what}" for what, name in named.items() if name in values]
        men = f" Men among characters: {', '.join(shown)}." if shown else ""
        return super().summary(estimates) + men

    def data_cautions(self, rows: "pd.DataFrame") -> Iterable[str]:
        return [PUBLISHED] if self.options.as_published else []

    def outcome_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        yield from refusal_cautions(estimates)
        yield from one_sided_cautions(estimates)
        if self.dataset.name.startswith(RELEASED) and rows["probe"].isin(WRITING).any():
            yield FAIR_USE


def control_cases(options: DecisionOptions) -> list[ControlCase[DecisionSample]]:
    """Return requests that anybody would grant, or nobody, in the prompt of the probe that is answered with yes or no.

    The other probes have no controls.
    """
    if options.as_published or CONTROLLED not in options.chosen:
        return []
    return [
        ControlCase(
            DecisionSample(NO_SAMPLE, CONTROLLED, f"control-{pair.pair}", pair.scenario, filled(CONTROLLED, text)),
            pair.kind,
            pair.pair,
            side,
        )
        for pair in control_decisions(few=options.limit is not None)
        for text, side in ((pair.yes, HIGH), (pair.no, LOW))
    ]
