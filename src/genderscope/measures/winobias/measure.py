"""WinoBias (GEST appendix B): does a model prefer a male or a female pronoun for an occupation?"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase, leads_with_parts
from genderscope.measures.base import MASCULINE, STEREOTYPICAL, read_symbols
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain, log_of_mass, mass_estimates
from genderscope.measures.control_options import ControlOptions
from genderscope.measures.controls import RESPONDS, ControlCase, pronouns_in_context
from genderscope.measures.gest.conditions import PROBABILITY_MASS
from genderscope.measures.typical_spread import BETWEEN_UNITS, SMOLLM2, Between, Spread
from genderscope.measures.word_measure import NO_SAMPLE, PAPERS_SCALE, WordMeasure
from genderscope.samples.controls import PronounControl
from genderscope.samples.dataset import SampleSet
from genderscope.samples.registry import CITATIONS
from genderscope.samples.winobias import SPLITS, TYPES, WinoBiasSample, load
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.measures.winobias.rates import OccupationRates
    from genderscope.statistics.paired_comparison import Resampled


class WinoBiasOptions(ControlOptions):
    """Options of the WinoBias measure."""

    type: int | None = Field(None, ge=1, le=2, description="Use only sentences of type 1 or 2; default: both.")
    split: Literal["dev", "test"] | None = Field(None, description="Use only this part of the set; default: both.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WinoBiasRow:
    """A sentence; `log_ratio` is log P(male pronoun) - log P(female pronoun), positive for masculine."""

    sample: int
    subset: str
    line: int
    sentence: str
    occupation: str
    gender: str
    log_ratio: float | None
    mass: float | None
    note: str | None
    unread: str | None


class WinoBias(WordMeasure[WinoBiasOptions, WinoBiasSample, WinoBiasRow]):
    """The WinoBias measure, as a choice between two pronouns."""

    id = "winobias"
    title = "WinoBias: the pronouns that language models assign to occupations"
    citation = CITATIONS["winobias"]
    asks = frozenset({Choice})
    options_type = WinoBiasOptions
    row_type = WinoBiasRow
    headline = ("stereotype_rate", "masculine_rate_male", "masculine_rate_female", "stereotypical_share")
    symbols = read_symbols(__package__)
    leanings = {  # noqa: RUF012 - only read
        "stereotype_rate": STEREOTYPICAL,
        "masculine_rate_male": MASCULINE,
        "masculine_rate_female": MASCULINE,
        "stereotypical_share": STEREOTYPICAL,
    }
    margins = {  # noqa: RUF012 - only read
        **dict.fromkeys(("stereotype_rate", "masculine_rate_male", "masculine_rate_female"), Margin(1.1, factor=True)),
        "stereotypical_share": Margin(0.03, most=0.5),
    }
    conditions = (COVERAGE, RESPONDS, BETTER_THAN_CHANCE, PROBABILITY_MASS)
    spread = Spread(
        2.4,
        SMOLLM2,
        1233,
        1522,
        between=(
            Between("male occupations", 0.18, SMOLLM2, (20,)),
            Between("female occupations", 0.46, SMOLLM2, (20,)),
        ),
        crossed=True,
        wide=False,
    )
    analysis = "genderscope.measures.winobias.rates"
    row_key = ("sample",)
    row_noun = "sentences"
    units = {"occupation": BETWEEN_UNITS}  # noqa: RUF012 - only read

    def load(self) -> tuple[SampleSet[WinoBiasSample], Sequence[WinoBiasSample]]:
        types = TYPES if self.options.type is None else (self.options.type,)
        splits = SPLITS if self.options.split is None else (self.options.split,)
        loaded = load(types, splits).limited(self.options.limit)
        return loaded, loaded.samples

    def check_samples(self) -> None:
        if {s.gender for s in self.samples} != {"male", "female"}:
            limit = self.options.limit
            raise UserError(f"With a limit of {limit} only occupations of one gender are left; raise --limit.")

    def control_cases(self) -> Iterator[ControlCase[WinoBiasSample]]:
        for control, place in pronouns_in_context(self.id, "en", len(self.samples)):
            yield ControlCase(_sample_of(control), *place)

    def more_data(self) -> dict[str, Any]:
        return {"left_out": dict(self.set.left_out)}

    def own_settings(self) -> dict[str, str]:
        return {"scale": self.scale}

    def ask(self, sample: WinoBiasSample) -> tuple[Choice, ...]:
        return (Choice(sample.before, sample.after, (sample.male, sample.female), self.wants_mass(sample)),)

    def read(self, sample: WinoBiasSample, answers: Sequence[ChoiceAnswer]) -> Iterable[WinoBiasRow]:
        (answer,) = answers
        yield WinoBiasRow(
            sample=sample.index,
            subset=sample.subset,
            line=sample.line,
            sentence=f"{sample.before}[{sample.male}/{sample.female}]{sample.after}",
            occupation=sample.occupation,
            gender=sample.gender,
            log_ratio=answer.log_ratio,
            mass=answer.mass,
            note=answer.note,
            unread=answer.unread,
        )

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        rates = _rates(self.options)
        masses = mass_estimates(rows["mass"], None, self.options.seed)
        gain = likelihood_gain(log_of_mass(rows["mass"], words=2), self.model.vocabulary)
        return [*rates.estimates(rows, self.options.seed), *masses, *gain]

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: WinoBiasOptions) -> "Iterable[Resampled]":
        return _rates(options).resampled(rows, options.seed)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: WinoBiasOptions) -> list[Lead]:
        return leads_with_parts(estimates, "stereotype_rate", "subset", "parts of the data")

    @classmethod
    def phrase(cls, estimate: Estimate, options: WinoBiasOptions) -> Phrase | None:
        if estimate.name != "stereotype_rate":
            return None
        if options.as_published:
            return Phrase(f"{PAPERS_SCALE['ratio'].capitalize()} ĝ_s is {{}}", symbol="ĝ_s")
        return Phrase(
            "The odds of a masculine pronoun are {} times as high for male-dominated as for female-dominated "
            "occupations",
            symbol="odds ratio ĝ_s",
        )

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        left_out = sum(self.set.left_out.values())
        if left_out:
            yield (
                f"{left_out} pairs in the data were left out because they differ in more than one pronoun "
                "(run.json counts them by reason)."
            )
        if not self.model.sees_after:
            yield (
                "A causal model sees only the text before the pronoun: if that does not yet show whom the pronoun "
                "refers to, as is usual in type 1, both occupations are treated the same and the two rates converge."
            )


def _rates(options: WinoBiasOptions) -> "type[OccupationRates]":
    """Return the rates as published or as defined here."""
    from genderscope.measures.winobias.published import PublishedOccupationRates
    from genderscope.measures.winobias.rates import OccupationRates

    return PublishedOccupationRates if options.as_published else OccupationRates


def _sample_of(control: PronounControl) -> WinoBiasSample:
    """Return a control as a sample: a pronoun whose referent's gender the text before it tells."""
    return WinoBiasSample(
        index=NO_SAMPLE,
        type=0,
        split="control",
        line=control.pair,
        before=control.before,
        after=control.after,
        male=control.male,
        female=control.female,
        occupation="",
        gender="male" if control.side == "male" else "female",
    )
