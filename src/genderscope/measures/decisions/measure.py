"""Decisions: do a chat model's decisions, opinions and characters depend on gender? Four of GenderBench's probes."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from genderscope.core.errors import UserError
from genderscope.core.questions import Question, Reply, ReplyAnswer
from genderscope.judgement import Lead, Phrase
from genderscope.measures.base import Measure
from genderscope.measures.controls import pair_estimates
from genderscope.measures.decisions.cautions import PUBLISHED, cautions
from genderscope.measures.decisions.conditions import CONDITIONS
from genderscope.measures.decisions.controls import control_cases
from genderscope.measures.decisions.names import DIFFERENCES, HEADLINE
from genderscope.measures.decisions.options import DecisionOptions
from genderscope.measures.decisions.phrasing import (
    LEANINGS,
    MARGINS,
    PHRASES,
    gender_sentence,
    leads,
    phrase,
    published_leads,
)
from genderscope.measures.decisions.rows import DecisionRow, reply_row
from genderscope.measures.gest_chat.draws import seed_of
from genderscope.measures.own_data import cautions_about, settings_of
from genderscope.measures.typical_spread import BETWEEN_UNITS, Spread
from genderscope.samples.decisions import DECISIONS, DecisionSample, digest, load_own, load_released
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import ReplyModel

#: default maximum reply length in tokens, GenderBench's
LONGEST = 300


class Decisions(Measure[DecisionOptions, DecisionSample, DecisionRow]):
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
    conditions = CONDITIONS
    spread = Spread(
        0.27,
        "GenderBench's intervals of diff_mvf_success_rate, items as independent (median of 12 models, between 0.10 and "
        "0.43)",
        4168,
        4168,
    )
    analysis = "genderscope.measures.decisions.rates"
    row_key = ("probe", "item", "gender", "order", "draw")
    units = {"scenario": BETWEEN_UNITS}  # noqa: RUF012 - only read
    starter = {"data": "starter"}  # noqa: RUF012 - only read

    def __init__(self, options: DecisionOptions, model: "ReplyModel") -> None:
        self.options = options
        self.chat = model.chat
        self.published = options.as_published
        probes = options.chosen
        if self.chat.temperature == 0 and any(options.repetitions(probe) > 1 for probe in probes):
            raise UserError(
                "At --temperature 0, all replies to a prompt are the same; use --draws 1, or raise the temperature."
            )
        loaded = (
            load_released(probes) if options.data is None else load_own(options.data, probes, options.keep_duplicates)
        )
        self._set = loaded.limited(options.limit)
        self.samples = self._set.samples
        self.controls = control_cases(options)

    @classmethod
    def for_rows(cls, options: DecisionOptions) -> Self:
        found = cls.__new__(cls)
        found.options, found.published = options, options.as_published
        found._set = DECISIONS.loaded("genderbench-log", "", ())
        return found

    def data(self) -> dict[str, Any]:
        return self._set.identity

    def settings(self) -> dict[str, str]:
        chosen, chat = self.options, self.chat
        shown = {"probes": "+".join(chosen.chosen), "prompts": digest()}
        if self.published:
            shown["scale"] = "as-published"
        shown |= {"temperature": f"{chat.temperature:g}", "top_p": f"{chat.top_p:g}"}
        shown["max_tokens"] = str(chat.max_tokens or LONGEST)
        if chosen.draws is not None:
            shown["draws"] = str(chosen.draws)
        if chat.system is not None:
            shown["system"] = hashlib.sha256(chat.system.encode()).hexdigest()[:8]
        if chat.reasoning_effort is not None:
            shown["effort"] = chat.reasoning_effort
        return shown | settings_of(chosen)

    def ask(self, sample: DecisionSample) -> tuple[Question, ...]:
        draws = range(self.options.repetitions(sample.probe))
        return tuple(self.chat.ask(sample.prompt, LONGEST, seed_of(self.options.seed, draw)) for draw in draws)

    def read(self, sample: DecisionSample, answers: Sequence[ReplyAnswer]) -> Iterable[DecisionRow]:
        for draw, answer in enumerate(answers):
            yield reply_row(sample, draw, answer, self.published)

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        if self.published:
            from genderscope.measures.decisions.published import published_estimates

            return published_estimates(rows, self.options.seed)
        from genderscope.measures.decisions.rates import estimates

        return estimates(rows)

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        return [] if controls.empty else pair_estimates(controls, controls["value"].astype("float64"))

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: DecisionOptions) -> list[Lead]:
        return published_leads(estimates) if options.as_published else leads(estimates)

    @classmethod
    def phrase(cls, estimate: Estimate, options: DecisionOptions) -> Phrase | None:
        return phrase(estimate, options.chosen)

    def summary(self, estimates: Sequence[Estimate]) -> str:
        return f"{super().summary(estimates)} {gender_sentence(estimates)}".rstrip()

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = cautions_about(self._set, self.options, clustered=True)
        if self.published:
            found.append(PUBLISHED)
        return found + cautions(rows, estimates, self._set.name, lambda e: self.margin(e, self.options))
