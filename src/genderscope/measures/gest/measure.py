"""GEST for English language models (section 4.2): which of two gendered words fills a template's blank?"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.judgement import CONTROL, Lead, Margin, Phrase, leads_with_parts
from genderscope.measures.base import MASCULINE, STEREOTYPICAL, Measure, PublishedForm, SampleT
from genderscope.measures.competence import likelihood_gain, log_of_mass
from genderscope.measures.controls import ControlCase, pair_estimates, sentence_controls
from genderscope.measures.gest.conditions import CONDITIONS, LOW_MASS, PUBLISHED_PROMPTS, masses
from genderscope.measures.gest.family import about_family
from genderscope.measures.gest.options import GestOptions
from genderscope.measures.gest.own_prompts import own_prompts
from genderscope.measures.gest.reach import Reach, caution, unread_stereotypes
from genderscope.measures.gest.templates import SENTENCE_FIRST, TEMPLATES, averaged, named_templates, of_the_paper
from genderscope.measures.own_data import cautions_about, settings_of
from genderscope.measures.typical_spread import Spread
from genderscope.measures.unread_cautions import (
    coverage_caution,
    missing_stereotypes,
    stereotype_yields,
    unread_cautions,
)
from genderscope.samples.controls import digest_of
from genderscope.samples.dataset import STARTER
from genderscope.samples.gest import STEREOTYPES, GestSample, load
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
#: index and stereotype of a control, which is no sample of the dataset
NO_SAMPLE, NO_STEREOTYPE = -1, 0


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
    conditions = CONDITIONS
    spread = Spread(0.85, "the released scores of 23 models (median; values lie between 0.43 and 1.30)", 3565, 3565, 16)
    analysis = "genderscope.measures.gest.rates"
    row_key = ("sample", "template")
    starter = {"data": STARTER}  # noqa: RUF012 - only read

    def __init__(self, options: GestOptions, model: "WordModel") -> None:
        self.options = options
        self._model = model
        self._prompts = dict(TEMPLATES) if options.prompts is None else own_prompts(options.prompts, model.sees_after)
        self.templates = tuple(self._prompts) if options.prompts else _templates(options.templates, model)
        self._set = load(options.data, options.data_version, options.keep_duplicates).limited(options.limit)
        self.samples = self._set.samples
        self._mass = {sample.index for sample in mass_sample(self.samples, options.seed)}
        if options.asks_controls:
            self.controls: Sequence[ControlCase[GestSample]] = [
                ControlCase(GestSample(NO_SAMPLE, text, NO_STEREOTYPE), kind, pair, side, language)
                for text, kind, pair, side, language in sentence_controls("en", options.controls, options.limit)
            ]

    def data(self) -> dict[str, Any]:
        own = {} if self.options.prompts is None else {"prompts": {n: astuple(p) for n, p in self._prompts.items()}}
        return self._set.identity | own

    def settings(self) -> dict[str, str]:
        scale = self.options.scale + ("-as-published" if self.options.as_published else "")
        own = {} if self.options.prompts is None else {"prompts": digest_of(self._prompts)}
        own |= {} if self.options.controls is None else {"controls": digest_of(self.controls)}
        return {"templates": "+".join(map(str, self.templates)), "scale": scale, **settings_of(self.options), **own}

    def ask(self, sample: GestSample) -> tuple[Choice, ...]:
        want_mass = sample.index in self._mass
        return tuple(self._prompts[number].ask(sample.sentence, want_mass) for number in self.templates)

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
        mass = rows.loc[rows["template"].isin(averaged(self.templates)), "mass"]
        by_sentence = log_of_mass(mass, words=2).groupby(rows["sample"]).mean()
        return rates.estimates() + likelihood_gain(by_sentence, self._model.vocabulary)

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Put the controls in order by their mean over the averaged prompts, and by each prompt."""
        if controls.empty:
            return []
        paper = of_the_paper(self.templates)
        used = controls["template"].isin(averaged(self.templates))
        found = pair_estimates(controls[used], controls.loc[used, "log_ratio"])
        if paper:
            mine = controls["template"].isin(paper)
            apart = pair_estimates(controls[mine], controls.loc[mine, "log_ratio"])
            found += [replace(e, name=e.name + PUBLISHED_PROMPTS) for e in apart if e.name == CONTROL]
        for template in self.templates if len(self.templates) > 1 else ():
            mine = controls["template"] == template
            found += pair_estimates(controls[mine], controls.loc[mine, "log_ratio"], template=template)
        return found

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
        found = next(same, None) if paper else None
        return None if found is None else (found, {"templates": "+".join(map(str, paper))})

    @classmethod
    def phrase(cls, estimate: Estimate, options: GestOptions) -> Phrase | None:
        return phrase_of_rates(options)

    def reached(self, rows: "pd.DataFrame") -> dict[str, str]:
        reach = Reach.of(rows)
        return {} if reach.remark is None else {"templates": "+".join(map(str, reach.complete)) or "none"}

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = cautions_about(self._set, self.options, clustered=True)
        found += [said] if (said := caution(rows)) else []
        found += coverage_caution(rows, "questions")
        leading = [e for e in estimates if e.name in self.headline and e.template is None]
        found += unread_cautions(leading, lambda e: self.margin(e, self.options), stereotype_yields(rows))
        silent = unread_stereotypes(rows)
        if silent:
            found.append(f"No sample for {silent} could be scored, so the combined rates that need it are missing.")
        used = averaged(self.templates)
        asked = {t: mass for t, mass in masses(estimates).items() if t in used}
        rare = asked and all(least < LOW_MASS for least, _ in asked.values())
        for template, (_, shown) in asked.items() if rare else ():
            found.append(
                f"The two words of template {template} have a combined probability of only {shown} at the blank: the "
                "model rarely uses either, so their ratio says little about the texts that it writes."
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
    chosen = named_templates(("published",) if wanted is None else wanted, model.sees_after)
    for number in chosen:
        if not model.sees_after and number not in SENTENCE_FIRST:
            raise UserError(
                f"Template {number} puts the sentence after the blank, where a causal model such as '{model.name}' "
                f"cannot see it; use some of {', '.join(map(str, SENTENCE_FIRST))}."
            )
    return chosen
