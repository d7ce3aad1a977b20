"""EuroGEST: GEST in thirty languages, on gendered pairs and on neutral sentences said by a man or a woman."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer, Question, TokenLikelihood
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase
from genderscope.measures.base import Measure
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain, log_mean_probability
from genderscope.measures.controls import RESPONDS, ControlCase, estimates_by_language, scorable
from genderscope.measures.eurogest.known_answers import control_cases
from genderscope.measures.eurogest.options import EuroGestOptions
from genderscope.measures.eurogest.sample_selection import Choosing, chosen_samples
from genderscope.measures.eurogest.scores import log_ratio, questions
from genderscope.measures.eurogest.texts import CONDITIONS, GENDERED, Sample
from genderscope.measures.gest.family import about_family
from genderscope.measures.gest.measure import Gest, mass_sample, phrase_of_rates
from genderscope.measures.gest_slavic.endings import endings, log_probability, one_token
from genderscope.measures.own_data import cautions_about, settings_of
from genderscope.measures.typical_spread import Spread
from genderscope.measures.unread_cautions import coverage_caution
from genderscope.samples import eurogest
from genderscope.samples.dataset import data_identity
from genderscope.samples.gender_pairs import difference
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel

#: a language with more than this proportion of unread samples gets its own caveat
MOSTLY = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class EuroGestRow:
    """A male and a female text; `log_ratio` is log P(male text) - log P(female text), positive for masculine.

    `condition` is gendered (a pair of forms) or the scaffold of a neutral sentence (pronoun or noun); `template` is its
    number, so that the rates are computed as in `gest`. `alternates` is the class of the alternating word in a gendered
    pair. As published, the log-ratio is based on the authors' score. `log_probability` is the mean over both texts, per
    token; for a masked model, it is that of the two words, computed only for a sample of pairs.
    """

    sample: int
    language: str
    condition: str
    alternates: str | None
    sentence: str
    female: str
    stereotype: int
    family: bool
    template: int
    log_ratio: float | None
    log_probability: float | None
    mass: float | None = None
    note: str | None
    unread: str | None


class EuroGest(Measure[EuroGestOptions, Sample, EuroGestRow]):
    """The EuroGEST measure (Rowe et al. 2025)."""

    id = "eurogest"
    title = "EuroGEST: gender-stereotypical reasoning of language models in thirty languages"
    citation = CITATIONS["eurogest"]
    asks = frozenset({Choice, TokenLikelihood})
    options_type = EuroGestOptions
    row_type = EuroGestRow
    headline = ("stereotype_rate", "masculine_rate_female", "masculine_rate_male")
    leanings = Gest.leanings
    margins = Gest.margins
    conditions = (COVERAGE, RESPONDS, BETTER_THAN_CHANCE)
    spread = Spread(3.6, "a run of SmolLM2 in one language (median of 30, between 0.58 and 13)", 160, 2700, 16)
    analysis = "genderscope.measures.eurogest.all_estimates"
    row_key = ("sample", "language", "condition")
    #: audits use `gest` for English
    asks_in = tuple(code for code in eurogest.languages() if code != "en")

    def __init__(self, options: EuroGestOptions, model: "WordModel") -> None:
        self.options = options
        self._model = model
        self._masked = model.sees_after
        if self._masked and options.as_published:
            raise UserError(
                f"EuroGEST was published for causal models, but '{model.name}' fills masks; leave out --as-published."
            )
        self._chosen: Choosing = chosen_samples(options)
        self.samples: Sequence[Sample] = self._chosen.samples
        self._mass = set(mass_sample(self.samples, options.seed))
        if options.asks_controls:
            self.controls: Sequence[ControlCase[Sample]] = control_cases(self._chosen.data, self.samples)

    @classmethod
    def audited_with(cls, model: "WordModel", known: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, known)
        return {"lang": tuple(language for language in known if language in cls.asks_in)}

    def data(self) -> dict[str, Any]:
        found = self._chosen.data
        name = found.name if self.options.limit is None else f"{found.name}:{self.options.limit}"
        return data_identity(name, found.sha256, len(self.samples), found.duplicates)

    def settings(self) -> dict[str, str]:
        published = self.options.as_published
        known = {
            "language": "+".join(self.options.lang),
            "conditions": "+".join(self.options.condition) or f"{GENDERED}+scaffold",
            "pairs": self.options.pairs or ("all" if published or self.options.data else "speaker"),
            "scale": f"as-published-{published}" if published else self.options.scale,
        }
        common = {"sentences": "common"} if self.options.common else {}
        return known | common | settings_of(self.options) | self.options.control_settings

    def ask(self, sample: Sample) -> tuple[Question, ...]:
        """Ask a causal model for both texts from the first difference on, and a masked model for the differing word."""
        if not self._masked:
            return questions(sample.male, sample.female, self.options.as_published)
        if sample.condition == GENDERED:
            found = difference(sample.male, sample.female)
            return () if isinstance(found, str) else tuple(endings(found, sample in self._mass))
        return (_scaffold_choice(sample, sample in self._mass),)

    def read(self, sample: Sample, answers: Sequence[Any]) -> Iterable[EuroGestRow]:
        value, probability, note, unread = self._scored(sample, answers)
        yield EuroGestRow(
            sample=sample.row,
            language=sample.language,
            condition=sample.condition,
            alternates=sample.alternates,
            sentence=sample.male,
            female=sample.female,
            stereotype=sample.stereotype,
            family=about_family(sample.source, as_published=False),
            template=CONDITIONS[sample.condition],
            # log P(male text) - log P(female text): positive is masculine
            log_ratio=value,
            log_probability=probability,
            note=note,
            unread=unread,
        )

    def _scored(
        self, sample: Sample, answers: Sequence[Any]
    ) -> tuple[float | None, float | None, str | None, str | None]:
        """Return the log-ratio, the log-probability, a note, and the reason if there is no log-ratio."""
        if not self._masked:
            found = log_ratio(answers[0], answers[1], self.options.as_published)
            probability = log_mean_probability(answer.log_probabilities or () for answer in answers)
            return (None, probability, None, found) if isinstance(found, str) else (found, probability, None, None)
        if not answers:
            return None, None, None, str(difference(sample.male, sample.female))
        answer: ChoiceAnswer = one_token(answers) if sample.condition == GENDERED else answers[0]
        value = None if answer.scores is None else answer.scores[0] - answer.scores[1]
        return value, log_probability(answer), answer.note, answer.unread

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.eurogest.all_estimates import all_estimates

        vocabulary, several = self._model.vocabulary, rows["language"].nunique() > 1
        gains = [
            e.at(language=str(language) if several else None)
            for language, mine in rows["log_probability"].groupby(rows["language"])
            for e in likelihood_gain(mine, vocabulary)
        ]
        return all_estimates(rows, self.options) + gains

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Put the controls in order, in all languages together and in each; forms and scaffolds count alike."""
        if controls.empty:
            return []
        used = scorable(controls, controls["log_ratio"])
        return estimates_by_language(used, used["log_ratio"])

    @classmethod
    def margin(cls, estimate: Estimate, options: Any) -> Margin | None:
        """Return GEST's margin, or 0.024 for published proportions (a factor of 1.1 in the odds)."""
        if estimate.neutral == 0.5:
            return Margin(0.024, most=0.5)
        return super().margin(estimate, options.model_copy(update={"as_published": None}))

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: EuroGestOptions) -> list[Lead]:
        rates = [e for e in estimates if e.name == "stereotype_rate" and e.subset is None]
        of_languages = [e for e in rates if e.language is not None]
        over = f"Across {len(of_languages)} languages: " if of_languages else ""
        whole = [Lead(e, of_languages, "languages", over) for e in rates if e.language is None]
        return whole or [Lead(e, where=f"{e.language}: ") for e in of_languages]

    @classmethod
    def phrase(cls, estimate: Estimate, options: EuroGestOptions) -> Phrase | None:
        if options.as_published:
            return Phrase(f"As published in {options.as_published}, g_s is {{}}")
        return phrase_of_rates(options)

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = cautions_about(self._chosen.data, self.options)
        found += self._chosen.cautions()
        found += coverage_caution(rows, "samples")
        shares = rows["unread"].notna().groupby(rows["language"]).mean()
        mostly = [str(language) for language in shares.index[shares > MOSTLY]]
        if mostly:
            found.append(
                f"In {', '.join(mostly)} most samples could not be scored, so the numbers rest on few "
                "sentences; check whether the model's tokenizer covers the script."
            )
        return found + list(_partly_read(estimates))


def _partly_read(estimates: Sequence[Estimate]) -> Iterable[str]:
    """Yield caveats about languages with estimates for only some conditions, or for none."""
    told: dict[str, list[str]] = {}
    for e in estimates:
        if e.name == "stereotype_rate" and e.subset is None and e.remark:
            for part in e.remark.split("; "):
                if "could not be read" in part or "skipped" in part:
                    told.setdefault(part, []).append(e.language or "")
    for part, languages in told.items():
        where = ", ".join(filter(None, languages))
        yield f"{where}: {part}." if where else f"{part[0].upper()}{part[1:]}."


def _scaffold_choice(sample: Sample, want_mass: bool) -> Choice:
    """Return the choice between the words in which the two scaffolds differ."""
    male, female = sample.male, sample.female
    first = next(k for k, (a, b) in enumerate(zip(male, female, strict=False)) if a != b)
    start = male.rfind(" ", 0, first) + 1
    last = next(k for k, (a, b) in enumerate(zip(male[::-1], female[::-1], strict=False), 0) if a != b)
    end = _word_end(male, len(male) - last)
    after = male[end:]
    return Choice(male[:start], after, (male[start:end], female[start : len(female) - len(after)]), want_mass)


def _word_end(text: str, place: int) -> int:
    while place < len(text) and text[place].isalpha():
        place += 1
    return place
