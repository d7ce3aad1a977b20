"""GEST for Slavic language models (section 4.3): does a model prefer a sentence's masculine or feminine form?"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer
from genderscope.judgement import COVERAGE, Lead, Phrase
from genderscope.measures.competence import BETTER_THAN_CHANCE
from genderscope.measures.control_options import NO_EFFECT, ControlOptions
from genderscope.measures.controls import RESPONDS, ControlCase, form_controls, scorable
from genderscope.measures.gest.measure import Gest, about_family, phrase_of_rates, rates_of
from genderscope.measures.gest_slavic.endings import endings, log_probability, one_token
from genderscope.measures.own_data import OwnDataOptions
from genderscope.measures.typical_spread import Spread, stereotypes
from genderscope.measures.unread_cautions import stereotype_yields, unread_cautions
from genderscope.measures.word_measure import NO_SAMPLE, NO_STEREOTYPE, WordMeasure
from genderscope.samples.dataset import SampleSet, data_identity
from genderscope.samples.gender_pairs import GenderPair, difference, load, load_released
from genderscope.samples.gest import STEREOTYPES
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.measures.gest.rates import Rates
    from genderscope.models import WordModel
    from genderscope.statistics.paired_comparison import Resampled

#: value of --pairs that selects the paper's own pairs
RELEASED = "released"
RELEASED_LANGUAGES = ("be", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk")


@dataclass(frozen=True, slots=True)
class SlavicSample:
    """A pair of sentences with its index in the file and its language, if known."""

    index: int
    language: str | None
    pair: GenderPair


class GestSlavicOptions(OwnDataOptions, ControlOptions):
    """Options of the Slavic GEST measure."""

    pairs: str | None = Field(
        None,
        description="Read pairs from a CSV file made by 'genderscope pairs build', with {lang} in its name for several "
        "languages, or use the released ones (released).",
    )
    lang: tuple[str, ...] = Field(
        (), description="Use pairs in these languages, e.g. sk, and check that both genders can be read."
    )
    multi_token: bool = Field(
        False, description="Also score pairs that differ in several tokens, by their mean (not in the paper)."
    )
    scale: Literal["ratio", "log"] = Field("ratio", description="Report ratios (neutral 1) or log-ratios (neutral 0).")

    data_option = "pairs"
    built_in_data = (RELEASED,)

    def ineffective(self) -> str | None:
        if self.keep_duplicates and self.as_published:
            return "The paper dropped duplicate pairs; leave out --keep-duplicates or --as-published."
        if (reason := super().ineffective()) is not None:
            return reason
        if self.controls is not None and not self.lang:
            return NO_EFFECT.format("the controls need a language (--lang)")
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class GestSlavicRow:
    """A pair of sentences; `log_ratio` is log P(male form) - log P(female form), positive for masculine.

    `log_probability` is the log of the forms' mean probability, computed only for a sample of pairs. The rates are
    computed as in `gest`, with the pairs as a single template without mass.
    """

    sample: int
    language: str
    sentence: str
    female: str
    stereotype: int
    family: bool
    template: int = 1
    log_ratio: float | None
    log_probability: float | None
    mass: float | None = None
    note: str | None
    unread: str | None


class GestSlavic(WordMeasure[GestSlavicOptions, SlavicSample, GestSlavicRow]):
    """The GEST measure for Slavic languages (section 4.3)."""

    id = "gest-slavic"
    title = "GEST: gender-stereotypical reasoning of Slavic language models, on sentence pairs"
    citation = CITATIONS["gest"]
    asks = frozenset({Choice})
    options_type = GestSlavicOptions
    row_type = GestSlavicRow
    headline = ("stereotype_rate", "masculine_rate_female", "masculine_rate_male")
    symbols = Gest.symbols
    leanings = Gest.leanings
    margins = Gest.margins
    conditions = (COVERAGE, RESPONDS, BETTER_THAN_CHANCE)
    spread = Spread(
        3.1,
        "the intervals in GEST Table 11 for one language (median of 45, between 1.9 and 5.6)",
        1200,
        strata=16,
        between=(stereotypes(0.2, "the rates and intervals in GEST Table 11 (median of 45, between 0.06 and 0.34)"),),
    )
    analysis = Gest.analysis
    row_key = ("sample", "language")
    row_noun = "pairs"
    sentences_are_units = True
    asks_in = RELEASED_LANGUAGES

    def load(self) -> tuple[None, Sequence[SlavicSample]]:
        options = self.options
        if options.pairs is None:
            raise UserError(
                "Measure 'gest-slavic' needs --pairs FILE ('genderscope pairs build' makes one) or --pairs released."
            )
        self._sets = {
            language: _pairs(file, language, options).limited(options.limit)
            for language, file in _files(options.pairs, options.lang).items()
        }
        return None, tuple(
            SlavicSample(index, language, pair)
            for language, pairs in self._sets.items()
            for index, pair in enumerate(pairs.samples)
        )

    def check_samples(self) -> None:
        for pairs in self._sets.values():
            if all(isinstance(difference(p.male, p.female), str) for p in pairs.samples):
                raise UserError(
                    f"No pair in '{pairs.name}' differs in exactly one word; check it with 'genderscope pairs check'."
                )

    def control_cases(self) -> Iterator[ControlCase[SlavicSample]]:
        for language in filter(None, self._sets):
            for form, place in form_controls(language, self.options.limit):
                pair = GenderPair(form.male, form.female, NO_STEREOTYPE, "")
                yield ControlCase(SlavicSample(NO_SAMPLE, language, pair), *place)

    @classmethod
    def audited_with(cls, model: "WordModel", model_languages: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, model_languages)
        return {
            "pairs": RELEASED,
            "lang": tuple(language for language in model_languages if language in RELEASED_LANGUAGES),
        }

    def data(self) -> dict[str, Any]:
        names, sums = ([getattr(pairs, what) for pairs in self._sets.values()] for what in ("name", "sha256"))
        digest = sums[0] if len(sums) == 1 else hashlib.sha256("".join(sums).encode()).hexdigest()
        duplicates = sum(pairs.duplicates for pairs in self._sets.values())
        return data_identity("+".join(names), digest, len(self.samples), duplicates)

    def own_settings(self) -> dict[str, str]:
        tokens = "all" if self.options.multi_token else "one"
        return {"language": "+".join(self.options.lang) or "unknown", "tokens": tokens, "scale": self.scale}

    def ask(self, sample: SlavicSample) -> tuple[Choice, ...]:
        """Return choices between the whole words and between every shorter pair of endings.

        Only the tokenizer can determine which endings are single tokens; the others cost no forward pass.
        """
        word = difference(sample.pair.male, sample.pair.female)
        return () if isinstance(word, str) else tuple(endings(word, self.wants_mass(sample)))

    def read(self, sample: SlavicSample, answers: Sequence[ChoiceAnswer]) -> Iterable[GestSlavicRow]:
        pair = sample.pair
        word = difference(pair.male, pair.female)
        answer = ChoiceAnswer(None, unread=word) if isinstance(word, str) else self._chosen(answers)
        yield GestSlavicRow(
            sample=sample.index,
            language=sample.language or "unknown",
            sentence=pair.male,
            female=pair.female,
            stereotype=pair.stereotype,
            family=about_family(pair.source, self.options.as_published),
            log_ratio=answer.log_ratio,
            log_probability=log_probability(answer),
            note=answer.note,
            unread=answer.unread,
        )

    def _chosen(self, answers: Sequence[ChoiceAnswer]) -> ChoiceAnswer:
        return one_token(answers, self.options.multi_token, " (--multi-token scores them)")

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        rates = _rates(rows, self.options)
        estimates = [e.with_keys(language=language) for language, own in rates.items() for e in own.estimates()]
        for a, b in combinations(rates, 2):
            estimates += rates[a].agreement(None, rates[b], None, f"languages {a} and {b}")
        spoken = {language: rows if language is None else rows[rows["language"] == language] for language in rates}
        return estimates + self.gains({language: own["log_probability"] for language, own in spoken.items()})

    def control_values(self, controls: "pd.DataFrame") -> "pd.Series[float]":
        return scorable(controls, controls["log_ratio"])["log_ratio"]

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: GestSlavicOptions) -> "Iterable[Resampled]":
        for language, rates in _rates(rows, options).items():
            for drawn in rates.resampled():
                yield replace(drawn, estimate=drawn.estimate.with_keys(language=language))

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: GestSlavicOptions) -> list[Lead]:
        of_languages = [e for e in estimates if e.name == "stereotype_rate"]
        several = len(of_languages) > 1
        return [Lead(e, where=f"{e.language}: " if several else "") for e in of_languages]

    @classmethod
    def phrase(cls, estimate: Estimate, options: GestSlavicOptions) -> Phrase | None:
        return replace(phrase_of_rates(options), unit="pairs")

    def data_cautions(self, rows: "pd.DataFrame") -> list[str]:
        return [caution for pairs in self._sets.values() for caution in self.duplicate_cautions(pairs)]

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        leading = [e for e in estimates if e.name in self.headline]
        yield from unread_cautions(leading, lambda e: self.margin(e, self.options), stereotype_yields(rows))
        unconfirmed = sum(_unconfirmed(pairs.samples, language) for language, pairs in self._sets.items() if language)
        if unconfirmed:
            yield f"In {unconfirmed:,} of {len(rows):,} pairs, the reader found no masculine and feminine form."
        for language in self._sets:
            spoken = rows if len(self._sets) == 1 else rows[rows["language"] == language]
            silent = sorted(set(STEREOTYPES) - set(spoken.loc[spoken["log_ratio"].notna(), "stereotype"]))
            if silent:
                where = "" if len(self._sets) == 1 else f" in '{language}'"
                numbers = ", ".join(map(str, silent))
                yield f"No pair was read{where} for these stereotypes, which are missing from the rates: {numbers}."
        if not self.model.sees_after:
            yield "A causal model sees only the text before the word that differs; the paper used masked models."


def _rates(rows: "pd.DataFrame", options: GestSlavicOptions) -> "dict[str | None, Rates]":
    """Return the rates for each language, under the key None if there is only one.

    Each language has its own random stream for resampling.
    """
    from genderscope.measures.stereotype_rates import with_readings

    languages = list(dict.fromkeys(rows["language"]))
    return {
        None if len(languages) == 1 else language: rates_of(
            with_readings(rows[rows["language"] == language]), options, k
        )
        for k, language in enumerate(languages)
    }


def _files(pairs: str, languages: Sequence[str]) -> dict[str | None, str]:
    """Return the file for each language, under the key None if no language is given."""
    if len(languages) > 1 and pairs != RELEASED and "{lang}" not in pairs:
        raise UserError(
            f"--pairs names one file, '{pairs}', for {len(languages)} languages; write {{lang}} for the language, "
            "e.g. --pairs 'pairs-{lang}.csv'."
        )
    if not languages and "{lang}" in pairs:
        raise UserError(f"--pairs is '{pairs}', but no language is given; add --lang, e.g. --lang sk,cs.")
    return {language: pairs.replace("{lang}", language or "") for language in dict.fromkeys(languages or (None,))}


def _pairs(pairs: str, language: str | None, options: GestSlavicOptions) -> SampleSet[GenderPair]:
    if pairs != RELEASED:
        return load(pairs, options.keep_duplicates, options.as_published)
    if language is None:
        raise UserError("The released pairs cover nine languages; choose at least one with --lang.")
    return load_released(language, options.as_published)


def _unconfirmed(pairs: Sequence[GenderPair], language: str) -> int:
    """Count the pairs in which the masculine and feminine forms are not recognised."""
    from genderscope.grammar import speaker_gender

    return sum(
        (speaker_gender(pair.male, language).gender, speaker_gender(pair.female, language).gender)
        != ("masculine", "feminine")
        for pair in pairs
    )
