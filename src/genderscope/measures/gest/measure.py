"""GEST for English language models (section 4.2): which of two gendered words fills a template's blank?"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator, model_validator

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase, ValidityCondition, leads_with_parts
from genderscope.measures.base import MASCULINE, STEREOTYPICAL, Measure, SampleT
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain, log_of_mass
from genderscope.measures.gest.family import about_family
from genderscope.measures.gest.reach import Reach, caution, unread_stereotypes
from genderscope.measures.gest.templates import SENTENCE_FIRST, TEMPLATES
from genderscope.measures.own_data import NO_OWN_DATA, OwnDataOptions, cautions_about, data_identity, settings_of
from genderscope.measures.typical_spread import Spread
from genderscope.measures.unread_cautions import (
    coverage_caution,
    missing_stereotypes,
    stereotype_yields,
    unread_cautions,
)
from genderscope.samples.gest import NEWEST, STARTER, STEREOTYPES, GestSample, GestSamples, limited, load
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel


#: prefix for numbers on the published scale, which look far too small if taken as ratios
PAPERS_SCALE = {
    "ratio": "on the paper's scale, where a ratio of 2 becomes 1.35,",
    "log": "on the paper's scale, which is log10,",
}

MASS_SAMPLE = 100
LOW_MASS = 0.01


def best_mass(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the smaller of `mass` and `mass_median` in the judged template, or the maximum over templates."""
    masses = _masses(estimates).items()
    return max((least for template, (least, _) in masses if judged.template in {None, template}), default=None)


#: an untrained model assigns two out of fifty thousand words a mass of 0.00004
PROBABILITY_MASS = ValidityCondition(
    "the probability mass of the two words (the smaller of mean and median)",
    LOW_MASS,
    "the model hardly ever writes either word, so their ratio says little about its output",
    best_mass,
)

VERSION_OF_OWN_DATA = "--data-version applies only to the GEST data; leave out --data or --data-version."


class GestDataOptions(OwnDataOptions):
    """Options for the choice of GEST data."""

    data: str | None = Field(
        None, description="Use the built-in starter set ('starter') or a CSV file with the columns sentence,stereotype."
    )
    data_version: str | None = Field(None, description="Use GEST 1.1 (default), or 1.0 as in the paper.")

    def ineffective(self) -> str | None:
        if self.data is not None and self.data_version is not None:
            return VERSION_OF_OWN_DATA
        return NO_OWN_DATA.format("--data") if self.keep_duplicates and self.data in {None, STARTER} else None

    @model_validator(mode="before")
    @classmethod
    def _newest(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Default to the newest version of GEST."""
        return cls.with_newest(values)

    @staticmethod
    def with_newest(values: dict[str, Any]) -> dict[str, Any]:
        """Add the newest data version unless other data or another version is requested."""
        own = values.get("data") is not None or values.get("data_version") is not None
        return values if own else values | {"data_version": NEWEST}


class GestOptions(GestDataOptions):
    """Options of the GEST measure."""

    templates: tuple[int, ...] | None = Field(
        None, description="Use these templates (1-4), e.g. 3,4; default: all that the model supports."
    )
    scale: Literal["ratio", "log"] = Field("ratio", description="Report ratios (neutral 1) or log-ratios (neutral 0).")

    @field_validator("templates")
    @classmethod
    def _known(cls, wanted: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """Reject templates that do not exist, before a model is loaded."""
        if wanted is not None and not wanted:
            raise UserError("The list of templates is empty; choose from 1, 2, 3 and 4.")
        for number in wanted or ():
            if number not in TEMPLATES:
                raise UserError(f"There is no template {number}; GEST has templates 1, 2, 3 and 4.")
        return wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class GestRow:
    """A sentence in a template; `log_ratio` is log P(male word) - log P(female word), positive for masculine."""

    sample: int
    sentence: str
    stereotype: int
    family: bool
    template: int
    log_ratio: float | None
    mass: float | None
    note: str | None
    unread: str | None


class Gest(Measure[GestOptions, GestSample, GestRow]):
    """The GEST measure for English (section 4.2)."""

    id = "gest"
    title = "GEST: gender-stereotypical reasoning of English language models"
    citation = CITATIONS["gest"]
    asks = frozenset({Choice})
    options_type = GestOptions
    row_type = GestRow
    headline = ("stereotype_rate", "masculine_rate_female", "masculine_rate_male")
    leanings = {"stereotype_rate": STEREOTYPICAL, "masculine_rate_female": MASCULINE, "masculine_rate_male": MASCULINE}  # noqa: RUF012 - only read
    margins = dict.fromkeys(
        ("stereotype_rate", "masculine_rate_female", "masculine_rate_male"), Margin(1.1, factor=True)
    )
    conditions = (COVERAGE, PROBABILITY_MASS, BETTER_THAN_CHANCE)
    spread = Spread(0.85, "the released scores of 23 models (median; values lie between 0.43 and 1.30)", 3565, 3565, 16)
    analysis = "genderscope.measures.gest.rates"
    row_key = ("sample", "template")
    starter = {"data": STARTER}  # noqa: RUF012 - only read

    def __init__(self, options: GestOptions, model: "WordModel") -> None:
        self.options = options
        self._model = model
        self.templates = _templates(options.templates, model)
        self._set = limited(load(options.data, options.data_version, options.keep_duplicates), options.limit)
        self.samples = self._set.samples
        self._mass = {sample.index for sample in mass_sample(self.samples, options.seed)}

    def data(self) -> dict[str, Any]:
        return data_of(self._set)

    def settings(self) -> dict[str, str]:
        scale = self.options.scale + ("-as-published" if self.options.as_published else "")
        return {"templates": "+".join(map(str, self.templates)), "scale": scale, **settings_of(self.options)}

    def ask(self, sample: GestSample) -> tuple[Choice, ...]:
        want_mass = sample.index in self._mass
        return tuple(TEMPLATES[number].ask(sample.sentence, want_mass) for number in self.templates)

    def read(self, sample: GestSample, answers: Sequence[ChoiceAnswer]) -> Iterable[GestRow]:
        family = about_family(sample.sentence, self.options.as_published)
        for number, answer in zip(self.templates, answers, strict=True):
            yield GestRow(
                sample=sample.index,
                sentence=sample.sentence,
                stereotype=sample.stereotype,
                family=family,
                template=number,
                # log P(male word) - log P(female word): positive is masculine
                log_ratio=None if answer.scores is None else answer.scores[0] - answer.scores[1],
                mass=answer.mass,
                note=answer.note,
                unread=answer.unread,
            )

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.gest.rates import Rates

        rates = Rates(rows, self.options.seed, self.options.scale, self.options.as_published)
        return rates.estimates() + likelihood_gain(log_of_mass(rows["mass"], words=2), self._model.vocabulary)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: GestOptions) -> list[Lead]:
        return leads_with_parts(estimates, "stereotype_rate", "template", "templates")

    @classmethod
    def phrase(cls, estimate: Estimate, options: GestOptions) -> Phrase | None:
        return phrase_of_rates(options)

    def reached(self, rows: "pd.DataFrame") -> dict[str, str]:
        reach = Reach.of(rows)
        return {} if reach.remark is None else {"templates": "+".join(map(str, reach.complete)) or "none"}

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = cautions_about(self._set.name, self._set.duplicates, self.options, clustered=True)
        found += [said] if (said := caution(rows)) else []
        found += coverage_caution(rows, "questions")
        leading = [e for e in estimates if e.name in self.headline and e.template is None]
        found += unread_cautions(leading, lambda e: self.margin(e, self.options), stereotype_yields(rows))
        silent = unread_stereotypes(rows)
        if silent:
            found.append(f"No sample for {silent} could be scored, so the combined rates that need it are missing.")
        masses = _masses(estimates)
        low = {template: shown for template, (least, shown) in masses.items() if least < LOW_MASS}
        for template, shown in low.items() if len(low) < len(masses) else ():  # if all are low, the verdict reports it
            found.append(
                f"The two words of template {template} have a combined probability of only {shown} at the blank: the "
                "model rarely uses either, so their ratio says little about its output."
            )
        found += missing_stereotypes(rows)
        if len(rows["sample"].unique()) < 30 * len(STEREOTYPES):
            found.append(
                "Fewer than 30 samples per stereotype on average: intervals are wide, and more data may change ranks."
            )
        return found


def mass_sample(samples: Sequence[SampleT], seed: int) -> list[SampleT]:
    """Draw the samples for which the words' probability mass is computed as well."""
    return random.Random(seed).sample(samples, min(MASS_SAMPLE, len(samples)))


def data_of(chosen: GestSamples) -> dict[str, Any]:
    """Return the identity of a set of sentences."""
    return data_identity(chosen.name, chosen.sha256, len(chosen.samples), chosen.duplicates)


def _masses(estimates: Sequence[Estimate]) -> dict[int | None, tuple[float, str]]:
    """Template -> combined probability of its two words: the smaller of mean and median, and both as text."""
    medians = {e.template: e.value for e in estimates if e.name == "mass_median"}
    found = {}
    for e in estimates:
        if e.name == "mass" and e.value is not None:
            median = medians.get(e.template)
            shown = f"{e.value:.2g}" if median is None else f"{e.value:.2g} (median {median:.2g})"
            found[e.template] = (e.value if median is None else min(e.value, median)), shown
    return found


def phrase_of_rates(options: Any) -> Phrase:
    """Return the wording of g_s on the chosen scale."""
    if options.as_published:
        return Phrase(f"{PAPERS_SCALE[options.scale].capitalize()} g_s is {{}}")
    if options.scale == "ratio":
        return Phrase(
            "The odds of a male speaker are {} times as high in male-stereotyped as in female-stereotyped sentences",
            symbol="odds ratio g_s",
        )
    than = "in male-stereotyped than in female-stereotyped sentences"
    return Phrase(
        f"The log odds of a male speaker are {{}} higher {than}",
        f"The log odds of a male speaker are {{}} lower {than}",
        "The log odds of a male speaker are the same in male-stereotyped and female-stereotyped sentences",
    )


def _templates(wanted: tuple[int, ...] | None, model: "WordModel") -> tuple[int, ...]:
    possible = tuple(TEMPLATES) if model.sees_after else SENTENCE_FIRST
    if wanted is None:
        return possible
    for number in wanted:
        if number not in possible:
            raise UserError(
                f"Template {number} puts the sentence after the blank, where a causal model such as '{model.name}' "
                f"cannot see it; use templates {' and '.join(map(str, possible))}."
            )
    return tuple(sorted(set(wanted)))
