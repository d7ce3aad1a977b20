"""GEST for machine translation (section 4.1): which gender does a system assign to a neutral sentence's speaker?"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from genderscope.core.languages import SPEAKER_LANGUAGES, targets
from genderscope.core.questions import TranslationAnswer
from genderscope.grammar import language_plugins, languages, speaker_gender
from genderscope.judgement import (
    LEAST_ROOM,
    USABLE,
    ValidityCondition,
    describe_room,
    estimate_like,
    open_gender,
    read_share,
)
from genderscope.measures.base import read_estimates, read_symbols
from genderscope.measures.competence import VARIED_OUTPUTS
from genderscope.measures.controls import ControlCase
from genderscope.measures.gest import GestDataOptions, about_family
from genderscope.measures.own_data import cautions_about
from genderscope.measures.rows import row_from
from genderscope.measures.translation_controls import source_controls
from genderscope.measures.translation_measure import TranslationMeasure, why_no_translation
from genderscope.measures.typical_spread import Spread, stereotypes
from genderscope.measures.unread_cautions import LOW_COVERAGE, stereotype_yields
from genderscope.measures.word_measure import NO_SAMPLE, NO_STEREOTYPE
from genderscope.samples.dataset import STARTER
from genderscope.samples.gest import GestSample, load
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import TranslationModel

#: yields of related languages vary by less: 62 % to 95 % in the paper, 7 % to 29 % outside Slavic (EuroGEST's pairs)
UNEVEN = 2.0
#: outside Slavic, 7 % to 29 % of the translations show a gender (EuroGEST's pairs)
TRANSLATIONS_READ = ValidityCondition(
    "the share of translations that show a gender",
    0.05,
    "the other translations may differ",
    lambda _, e: read_share(e),
    words="only {share} of the translations show the speaker's gender (at least {needed} are needed)",
)


def room(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the largest possible size of f_s, given the masculine proportion: 2 min(f_m, 1 - f_m)."""
    share = estimate_like(judged, estimates, "masculine_rate")
    return None if share is None or share.value is None else 2 * min(share.value, 1 - share.value)


#: the masculine proportions of some published systems leave little more than 0.1 (Amazon's Polish and Serbian)
ROOM = ValidityCondition(
    "the largest possible size of the stereotype rate",
    LEAST_ROOM,
    "the stereotype rate must be near 0; look at the masculine rate instead",
    room,
    applies_to=frozenset({"stereotype_rate"}),
    words=lambda estimates, judged: describe_room("speakers", "stereotype", room(estimates, judged)),
)


class GestMtOptions(GestDataOptions):
    """Options of the machine translation measure."""

    to: tuple[str, ...] = Field(
        ..., description=f"Translate into these languages, e.g. sk,cs, or all ({', '.join(SPEAKER_LANGUAGES)})."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GestMtRow:
    """A sentence in a target language, with the speaker's gender and the words that show it (as JSON)."""

    sample: int
    sentence: str
    stereotype: int
    family: bool
    language: str
    translation: str | None
    gender: str | None
    evidence: str | None
    unread: str | None


class GestMt(TranslationMeasure[GestMtOptions, GestSample, GestMtRow]):
    """The GEST measure for machine translation (section 4.1)."""

    id = "gest-mt"
    title = f"GEST: speaker gender in machine translation into {len(SPEAKER_LANGUAGES)} languages"
    citation = CITATIONS["gest"]
    options_type = GestMtOptions
    row_type = GestMtRow
    headline = ("stereotype_rate", "masculine_rate")
    symbols = {**TranslationMeasure.symbols, **read_symbols(__package__)}  # noqa: RUF012 - only read
    leanings, margins, phrases = read_estimates(__package__)
    conditions = (TRANSLATIONS_READ, ROOM, VARIED_OUTPUTS)
    compared_over = "stereotypes"
    criteria = (*open_gender("speakers"), USABLE)
    spread = Spread(
        0.79,
        "the rates in GEST Table 8 for one language (median of 32, between 0.45 and 0.98)",
        3000,
        3565,
        16,
        between=(stereotypes(0.09, "the rates in GEST Table 8 (median of 32, between 0.02 and 0.18)"),),
    )
    ranked_with = ("masculine_rate",)
    analysis = "genderscope.measures.gest_mt.rates"
    pooled = ("masculine_rate_pooled",)
    translation_columns = ("sentence", "gender")
    source_column = "sentence"
    #: yields in the paper are between 62 % and 95 %; translations without a gendered form are common
    low_yield = 0.5
    low_yield_words = "the {code} translations show a gender"
    audited_languages = SPEAKER_LANGUAGES
    row_key = ("sample", "language")
    starter = {"data": STARTER}  # noqa: RUF012 - only read

    def __init__(self, options: GestMtOptions, model: "TranslationModel") -> None:
        self.options = options
        self.languages = targets(options.to, SPEAKER_LANGUAGES, languages(), "target language")
        self.dataset = load(options.data, options.data_version, options.keep_duplicates).limited(options.limit)
        self.samples = self.dataset.samples
        self.prepare(model, [sample.sentence for sample in self.dataset.in_file_order])
        for language in self.languages:
            speaker_gender("", language)  # fail early if a dictionary is missing
        if not options.as_published:
            self.controls: Sequence[ControlCase[GestSample]] = [
                ControlCase(
                    GestSample(NO_SAMPLE, control.text, NO_STEREOTYPE), control.kind, control.pair, control.side
                )
                for control in source_controls(self.id, model, options.limit)
            ]

    def own_settings(self) -> dict[str, str]:
        brought = language_plugins()
        readers = sorted({brought[language].origin for language in self.languages if language in brought})
        return {"readers": "+".join(readers)} if readers else {}

    def read(self, sample: GestSample, answers: Sequence[TranslationAnswer]) -> Iterable[GestMtRow]:
        family = about_family(sample.sentence, self.options.as_published)
        for language, answer in zip(self.languages, answers, strict=True):
            gender, unread, evidence = _reading(sample.sentence, answer, language)
            yield row_from(
                GestMtRow,
                sample,
                sample=sample.index,
                family=family,
                language=language,
                translation=answer.text,
                gender=gender,
                evidence=evidence,
                unread=unread,
            )

    def rates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.gest_mt.rates import MtRates

        return MtRates(rows, self.options.seed, self.options.as_published).estimates()

    @classmethod
    def shown_genders(cls, controls: "pd.DataFrame") -> "pd.Series[str]":
        neutral = controls["unread"].eq("neutral").fillna(False)
        return controls["gender"].where(controls["unread"].isna()).mask(neutral, "neutral")

    def covered_options(self, rows: "pd.DataFrame") -> dict[str, str]:
        from genderscope.measures.gest_mt.rates import MtRates

        rates = MtRates(rows, self.options.seed, self.options.as_published)
        return {} if rates.remark is None else {"to": "+".join(rates.spanned) or "none"}

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        cautions = cautions_about(self.dataset, self.options, clustered=True)
        odd = rows["unread"].notna() & ~rows["unread"].isin(["neutral", "conflict"])
        if odd.mean() > 1 - LOW_COVERAGE:
            reasons = rows.loc[odd, "unread"].value_counts()
            cautions.append(
                f"{odd.sum():,} of {len(rows):,} outputs are not usable translations, most often: {reasons.index[0]}."
            )
        cautions += [
            f"{e.remark}." for e in estimates if e.name == "stereotype_rate" and e.language is None and e.remark
        ]
        cautions += self.yield_cautions(estimates)
        cautions += self.unread_cautions(estimates, stereotype_yields(rows))
        return cautions + _uneven(estimates)


def _uneven(estimates: Sequence[Estimate]) -> list[str]:
    """Return a caveat if yields differ so much between languages that their rates cover different sentences."""
    yields = sorted((e.value, e.language) for e in estimates if e.name == "yield" and e.value and e.language)
    if not yields or yields[-1][0] < UNEVEN * yields[0][0]:
        return []
    (least, few), (most, many) = yields[0], yields[-1]
    return [
        f"{least:.0%} of the {few} and {most:.0%} of the {many} translations show a gender, so their rates rest on "
        "different sentences; compare systems within a language rather than across these languages."
    ]


def _reading(source: str, answer: TranslationAnswer, language: str) -> tuple[str | None, str | None, str | None]:
    """Return the gender, the reason if there is none, and the evidence as JSON."""
    if answer.text is None:
        return None, answer.unread, None
    if (unusable := why_no_translation(answer.text, source, language)) is not None:
        return None, unusable, None
    reading = speaker_gender(answer.text, language)
    evidence = json.dumps([[e.word, e.start, e.end, e.gender, e.rule] for e in reading.evidence], ensure_ascii=False)
    return reading.gender, None if reading.status == "read" else reading.status, evidence
