"""GEST for English language models (section 4.2): which of two gendered words fills a template's blank?"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator, model_validator

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.judgement import CONTROL, Lead, Margin, Phrase, leads_with_parts
from genderscope.measures.base import MASCULINE, STEREOTYPICAL, PublishedForm, read_symbols
from genderscope.measures.competence import likelihood_gain, log_of_mass
from genderscope.measures.control_options import ControlOptions
from genderscope.measures.controls import ControlCase, pair_estimates, sentence_controls
from genderscope.measures.gest.conditions import CONDITIONS, LOW_MASS, PUBLISHED_PROMPTS, masses
from genderscope.measures.gest.templates import (
    NATURAL,
    OF_THE_PAPER,
    PUBLISHED,
    SENTENCE_FIRST,
    TEMPLATES,
    averaged,
    named_templates,
    of_the_paper,
    own_prompts,
)
from genderscope.measures.own_data import OwnDataOptions, settings_of
from genderscope.measures.rows import row_from
from genderscope.measures.typical_spread import Spread, stereotypes
from genderscope.measures.unread_cautions import missing_stereotypes, stereotype_yields, unread_cautions
from genderscope.measures.word_measure import NO_SAMPLE, NO_STEREOTYPE, PAPERS_SCALE, WordMeasure
from genderscope.samples.controls import digest_of
from genderscope.samples.dataset import STARTER, SampleSet
from genderscope.samples.gest import NEWEST, STEREOTYPES, GestSample, load
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.measures.gest.rates import Rates
    from genderscope.measures.stereotype_rates import Reach
    from genderscope.models import WordModel
    from genderscope.statistics.paired_comparison import Resampled

CHOICES = "natural, published or some of 1 to 8"
#: the topical-bias check of section 7.4: do models react to the topic "family" rather than the stereotype?
FAMILY = re.compile(r"\b(child|children|family|kid|kids|partner)\b", re.IGNORECASE)
#: as published: matched anywhere, even inside other words
FAMILY_AS_PUBLISHED = re.compile(r"child|family|kid|partner")


def about_family(sentence: str, as_published: bool) -> bool:
    """Return whether a sentence mentions family."""
    return (FAMILY_AS_PUBLISHED if as_published else FAMILY).search(sentence) is not None


class GestDataOptions(OwnDataOptions):
    """Options for the choice of GEST data."""

    data: str | None = Field(
        None, description="Use the built-in starter set ('starter') or a CSV file with the columns sentence,stereotype."
    )
    data_version: str | None = Field(None, description="Use GEST 1.1 (default), or 1.0 as in the paper.")

    built_in_data = (STARTER,)

    def ineffective(self) -> str | None:
        if self.data is not None and self.data_version is not None:
            return "--data-version applies only to the GEST data; leave out --data or --data-version."
        return super().ineffective()

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


class GestOptions(GestDataOptions, ControlOptions):
    """Options of the GEST measure."""

    templates: tuple[int | str, ...] | None = Field(
        None,
        description="Ask with these prompts: 'natural', 'published' (the paper's templates), or some of 1-8, e.g. 3,4; "
        "default: natural and, with the released data, published for comparison.",
    )
    prompts: str | None = Field(
        None,
        description="Ask with your own prompts from a CSV file with the columns prompt,male,female; a prompt contains "
        "{blank} and {sentence} (or {speech}, with a comma for the full stop).",
    )
    controls: str | None = Field(  # type: ignore[assignment]
        None,
        description="Use your own controls from a CSV file with the columns male,female (sentences said by a man and "
        "by a woman), or 'none'.",
    )
    scale: Literal["ratio", "log"] = Field("ratio", description="Report ratios (neutral 1) or log-ratios (neutral 0).")

    @model_validator(mode="before")
    @classmethod
    def _natural(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Ask natural and published prompts by default; the paper's numbers need only its own.

        Runs of earlier versions have an entry for the templates even if none were chosen, which keeps its meaning: the
        paper's.
        """
        if "templates" in values or values.get("prompts") is not None:
            return values
        if values.get("as_published"):
            return values | {"templates": (PUBLISHED,)}
        # Published values exist for the released sentences only, so with other data there is nothing to compare.
        return values | {"templates": (NATURAL, PUBLISHED) if values.get("data") is None else (NATURAL,)}

    @field_validator("templates", mode="before")
    @classmethod
    def _known(cls, wanted: Any) -> Any:
        """Reject templates that do not exist, before a model is loaded."""
        if wanted is None:
            return wanted
        named = tuple(int(name) if str(name).strip().lstrip("-").isdigit() else name for name in wanted)
        if not named:
            raise UserError(f"The list of templates is empty; choose {CHOICES}.")
        for name in named:
            if name not in (*TEMPLATES, NATURAL, PUBLISHED):
                raise UserError(f"There is no template {name}; choose {CHOICES}.")
        return named

    def ineffective(self) -> str | None:
        if self.prompts is not None and self.templates is not None:
            return "Own prompts replace the templates; leave out --prompts or --templates."
        if self.as_published and self.controls is not None:
            return "The paper has no controls; leave out --controls or --as-published."
        others = self.prompts is not None or NATURAL in (self.templates or ())
        others = others or any(isinstance(t, int) and t not in OF_THE_PAPER for t in self.templates or ())
        if self.as_published and others:
            return "The paper's numbers exist for templates 1 to 4 only; use --templates published or 1,2,3,4."
        return super().ineffective()


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


class Gest(WordMeasure[GestOptions, GestSample, GestRow]):
    """The GEST measure for English (section 4.2)."""

    id = "gest"
    title = "GEST: gender-stereotypical reasoning of English language models"
    citation = CITATIONS["gest"]
    asks = frozenset({Choice})
    options_type = GestOptions
    row_type = GestRow
    headline = ("stereotype_rate", "masculine_rate_female", "masculine_rate_male")
    symbols = read_symbols(__package__)
    leanings = {"stereotype_rate": STEREOTYPICAL, "masculine_rate_female": MASCULINE, "masculine_rate_male": MASCULINE}  # noqa: RUF012 - only read
    margins = dict.fromkeys(headline, Margin(1.1, factor=True))
    conditions = CONDITIONS
    spread = Spread(
        0.86,
        "the released scores of 23 models (median; values lie between 0.43 and 1.30)",
        3565,
        3565,
        16,
        between=(stereotypes(0.19, "the released scores of 23 models (median; values lie between 0.09 and 0.26)"),),
    )
    analysis = "genderscope.measures.stereotype_rates"
    row_key = ("sample", "template")
    row_noun = "questions"
    sentences_are_units = True
    starter = {"data": STARTER}  # noqa: RUF012 - only read

    def check_model(self, model: "WordModel") -> None:
        own = self.options.prompts
        self._prompts = dict(TEMPLATES) if own is None else own_prompts(own, model.sees_after)
        self.templates = tuple(self._prompts) if own else _templates(self.options.templates, model)

    def load(self) -> tuple[SampleSet[GestSample], Sequence[GestSample]]:
        options = self.options
        loaded = load(options.data, options.data_version, options.keep_duplicates).limited(options.limit)
        return loaded, loaded.samples

    def control_cases(self) -> Iterator[ControlCase[GestSample]]:
        controls = sentence_controls("en", self.options.controls, self.options.limit)
        for text, kind, pair, side, language in controls:
            yield ControlCase(GestSample(NO_SAMPLE, text, NO_STEREOTYPE), kind, pair, side, language)

    def more_data(self) -> dict[str, Any]:
        return {} if self.options.prompts is None else {"prompts": {n: astuple(p) for n, p in self._prompts.items()}}

    def settings(self) -> dict[str, str]:
        own = {} if self.options.prompts is None else {"prompts": digest_of(self._prompts)}
        own |= {} if self.options.controls is None else {"controls": digest_of(self.controls)}
        asked = {"templates": "+".join(map(str, self.templates)), "scale": self.scale}
        return asked | settings_of(self.options) | own

    def ask(self, sample: GestSample) -> tuple[Choice, ...]:
        return tuple(self._prompts[n].ask(sample.sentence, self.wants_mass(sample)) for n in self.templates)

    def read(self, sample: GestSample, answers: Sequence[ChoiceAnswer]) -> Iterable[GestRow]:
        family = about_family(sample.sentence, self.options.as_published)
        for number, answer in zip(self.templates, answers, strict=True):
            yield row_from(GestRow, sample, answer, sample=sample.index, family=family, template=number)

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        mass = rows.loc[rows["template"].isin(averaged(self.templates)), "mass"]
        by_sentence = log_of_mass(mass, words=2).groupby(rows["sample"]).mean()
        return rates_of(rows, self.options).estimates() + likelihood_gain(by_sentence, self.model.vocabulary)

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: GestOptions) -> "Iterable[Resampled]":
        return rates_of(rows, options).resampled()

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Put the controls in order by their mean over the averaged prompts, and by each prompt."""
        if controls.empty:
            return []

        def ordered(templates: Sequence[int], **keys: int) -> list[Estimate]:
            used = controls[controls["template"].isin(templates)]
            return pair_estimates(used, used["log_ratio"], **keys)

        estimates = ordered(averaged(self.templates))
        if paper := of_the_paper(self.templates):
            estimates += [replace(e, name=e.name + PUBLISHED_PROMPTS) for e in ordered(paper) if e.name == CONTROL]
        apart = self.templates if len(self.templates) > 1 else ()
        return estimates + [e for template in apart for e in ordered([template], template=template)]

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: GestOptions) -> list[Lead]:
        leads = leads_with_parts(estimates, "stereotype_rate", "template", "prompts")
        used = averaged(e.template for e in estimates if e.name == "stereotype_rate" and e.template is not None)
        return [replace(lead, parts=[part for part in lead.parts if part.template in used]) for lead in leads]

    @classmethod
    def main_estimates(cls, estimates: Sequence[Estimate]) -> Sequence[Estimate]:
        """Leave out the templates that the rates do not average, which are asked only for published values."""
        used = averaged(e.template for e in estimates if e.template is not None)
        return [e for e in estimates if e.template is None or e.template in used]

    @classmethod
    def published_form(cls, estimate: Estimate, estimates: Sequence[Estimate]) -> PublishedForm | None:
        """Return the rate over the paper's templates, and these as a setting, if the run averages other prompts."""
        paper = of_the_paper(e.template for e in estimates if e.name == "stereotype_rate" and e.template is not None)
        same = (e for e in estimates if e.name == estimate.name + PUBLISHED_PROMPTS and e.keys == estimate.keys)
        published = next(same, None) if paper else None
        return None if published is None else (published, {"templates": "+".join(map(str, paper))})

    @classmethod
    def phrase(cls, estimate: Estimate, options: GestOptions) -> Phrase | None:
        return phrase_of_rates(options)

    def covered_options(self, rows: "pd.DataFrame") -> dict[str, str]:
        reach = _reach(rows)
        return {} if reach.remark("template") is None else {"templates": "+".join(map(str, reach.complete)) or "none"}

    def data_cautions(self, rows: "pd.DataFrame") -> list[str]:
        """Add a caveat about excluded templates and the most frequent reason."""
        reach = _reach(rows)
        remark = reach.remark("template")
        if remark is None:
            return super().data_cautions(rows)
        unused = rows["template"].isin(set(reach.columns) - set(reach.complete))
        most = rows.loc[unused, "unread"].value_counts().index[0]
        return [*super().data_cautions(rows), f"{remark[0].upper()}{remark[1:]}; most often because: {most}."]

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        from genderscope.measures.stereotype_rates import enumerated

        leading = [e for e in estimates if e.name in self.headline and e.template is None]
        yield from unread_cautions(leading, lambda e: self.margin(e, self.options), stereotype_yields(rows))
        covered = _reach(rows).stereotypes
        silent = sorted(set(map(int, rows["stereotype"])) - set(covered))
        if silent and covered:
            unread = enumerated("stereotype", silent)
            yield f"No sample for {unread} could be scored, so the combined rates that need it are missing."
        used = averaged(self.templates)
        asked = {t: mass for t, mass in masses(estimates).items() if t in used}
        rare = asked and all(least < LOW_MASS for least, _ in asked.values())
        for template, (_, shown) in asked.items() if rare else ():
            yield (
                f"The two words of template {template} have a combined probability of only {shown} at the blank: the "
                "model rarely uses either, so their ratio says little about the texts that it writes."
            )
        yield from missing_stereotypes(rows)
        if len(rows["sample"].unique()) < 30 * len(STEREOTYPES):
            yield "Fewer than 30 samples per stereotype on average: intervals are wide, and more data may change ranks."


def rates_of(rows: "pd.DataFrame", options: Any, stream: int = 0) -> "Rates":
    """Return the rates on the scale set by the options; `stream` selects another random stream for resampling."""
    from genderscope.measures.gest.published import PublishedRates
    from genderscope.measures.gest.rates import Rates

    return (PublishedRates if options.as_published else Rates)(rows, options.seed + stream, options.scale)


def _reach(rows: "pd.DataFrame") -> "Reach":
    from genderscope.measures.stereotype_rates import Reach

    return Reach.of(rows, averaged)


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


def _templates(wanted: tuple[int | str, ...] | None, model: "WordModel") -> tuple[int, ...]:
    """Return the numbers of the chosen templates; without a choice, those of the paper, as in earlier versions."""
    numbers = named_templates(("published",) if wanted is None else wanted, model.sees_after)
    for number in numbers:
        if not model.sees_after and number not in SENTENCE_FIRST:
            raise UserError(
                f"Template {number} puts the sentence after the blank, where a causal model such as '{model.name}' "
                f"cannot see it; use some of {', '.join(map(str, SENTENCE_FIRST))}."
            )
    return numbers
