"""WinoMT: does a translation name a person with the gender that a pronoun in the English sentence shows?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field, field_validator

from genderscope.core.languages import targets
from genderscope.core.questions import TranslationAnswer
from genderscope.grammar.person import PersonReading, person_languages, read_person
from genderscope.judgement import (
    COVERAGE,
    USABLE,
    ValidityCondition,
    estimate_like,
    known_gender,
)
from genderscope.measures.base import read_estimates, read_symbols
from genderscope.measures.competence import VARIED_OUTPUTS
from genderscope.measures.own_data import OwnDataOptions, cautions_about
from genderscope.measures.rows import row_from
from genderscope.measures.translation_controls import stated_gender_cautions
from genderscope.measures.translation_measure import TranslationMeasure, why_no_translation, yields_by_gender
from genderscope.measures.typical_spread import BETWEEN_UNITS, Between, Spread
from genderscope.measures.winomt.unread_reasons import NO_GENDER, NOT_FOUND, OTHER_SENTENCE
from genderscope.samples.dataset import STARTER
from genderscope.samples.registry import CITATIONS
from genderscope.samples.winomt import GENDERS, WinoMtSentence, load_own, load_released
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import TranslationModel

RELEASED = "released"
#: between source and translation in the lines of the original files
SEPARATOR = " ||| "


def _accuracy(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the accuracy over all sentences."""
    share = estimate_like(judged, estimates, "accuracy")
    return None if share is None else share.value


def _least_accuracy(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the lower of the accuracies for men and for women."""
    named = [e for e in estimates if e.name == "accuracy" and e.language == judged.language]
    values = [e.value for e in named if e.subset is None and e.group in GENDERS[:2] and e.value is not None]
    return min(values) if len(values) > 1 else None


RIGHT_SOMETIMES = ValidityCondition(
    "accuracy",
    0.1,
    "a system that is nearly always wrong has no gap between genders or stereotypes",
    _accuracy,
    words="only {share} of the people have the right gender (at least {needed} are needed)",
)
BOTH_GENDERS = ValidityCondition(
    "the accuracy for the gender that is worse translated",
    0.05,
    "the stereotype gap must be near 0; look at the F1 gap instead",
    _least_accuracy,
    words="the system uses one gender for nearly everybody (of the other, only {share} are right; at least {needed} "
    "are needed)",
    applies_to=frozenset({"stereotype_gap"}),
)


class WinoMtOptions(OwnDataOptions):
    """Options of the WinoMT measure."""

    to: tuple[str, ...] = Field(
        ..., description=f"Translate into these languages, e.g. es,fr, or all ({', '.join(person_languages())})."
    )
    data: str | None = Field(
        None,
        description="Use the released sentences (released, default), the starter set (starter), or your own CSV file "
        "with the columns source,entity,gender (see the card).",
    )

    built_in_data = (STARTER,)

    @field_validator("data")
    @classmethod
    def _default(cls, data: str | None) -> str | None:
        """Give the released sentences one name, so that runs on them have one signature."""
        return None if data == RELEASED else data


@dataclass(frozen=True, slots=True, kw_only=True)
class WinoMtRow:
    """A sentence in a target language, with the gender of both people and the words that show it."""

    number: int
    language: str
    #: identifier shared by repetitions of the same English sentence
    item: str
    #: identifier shared by sentences that differ only in the pronoun; empty if there are none
    twin: str
    source: str
    #: the person whom the pronoun refers to
    entity: str
    other: str
    #: the two people in alphabetical order
    pair: str
    #: gender that the pronoun shows: masculine, feminine or neutral
    gender: str
    #: pro, anti or empty
    stereotype: str
    translation: str | None
    #: masculine, feminine or neutral
    reading: str | None
    other_reading: str | None
    #: gender of the personal pronouns in the translation, if they all have the same
    pronoun: str | None
    words: str
    other_words: str
    unread: str | None


class WinoMt(TranslationMeasure[WinoMtOptions, WinoMtSentence, WinoMtRow]):
    """The sentences of Stanovsky et al. (2019), read without word alignment."""

    id = "winomt"
    title = (
        f"WinoMT: gender of people named by their occupation in translation into {len(person_languages())} languages"
    )
    citation = CITATIONS["winomt"]
    options_type = WinoMtOptions
    row_type = WinoMtRow
    headline = ("f1_gap", "stereotype_gap")
    symbols = {**TranslationMeasure.symbols, **read_symbols(__package__)}  # noqa: RUF012 - only read
    scored_too = ("accuracy",)
    leanings, margins, phrases = read_estimates(__package__)
    conditions = (COVERAGE, RIGHT_SOMETIMES, BOTH_GENDERS, VARIED_OUTPUTS)
    compared_over = "occupations"
    criteria = (*known_gender(), USABLE)
    spread = Spread(
        0.80,
        "released outputs (median of 25 systems and languages, between 0.34 and 0.93), pairs of people as units",
        3888,
        3888,
        between=(
            Between(
                "occupations",
                0.30,
                "released outputs (median of 25 systems and languages, between 0.09 and 0.37)",
                (40,),
                "entity",
                sides="gender",
            ),
        ),
        crossed=True,
    )
    #: a system that always uses one gender has no stereotype gap
    ranked_with = ("stereotype_gap",)
    analysis = "genderscope.measures.winomt.rates"
    translation_columns = ("source", "reading")
    #: yields of released outputs are between 94 % and 100 %
    low_yield = 0.7
    low_yield_words = "the {language} translations show the person's gender"
    audited_languages = tuple(person_languages())
    row_key = ("number", "language")
    units = {"pair": BETWEEN_UNITS}  # noqa: RUF012 - only read
    starter = {"data": STARTER}  # noqa: RUF012 - only read

    def __init__(self, options: WinoMtOptions, model: "TranslationModel") -> None:
        self.options = options
        readable = tuple(person_languages())
        self.languages = targets(options.to, readable, readable, "target language")
        loaded = load_released() if options.data is None else load_own(options.data, options.keep_duplicates)
        self.dataset = loaded.limited(options.limit)
        self.samples = self.dataset.samples
        self.prepare(model, [sentence.source for sentence in self.dataset.in_file_order])

    def read(self, sample: WinoMtSentence, answers: Sequence[TranslationAnswer]) -> Iterable[WinoMtRow]:
        for language, answer in zip(self.languages, answers, strict=True):
            yield row_of(sample, answer, language)

    @classmethod
    def answered(cls, rows: "pd.DataFrame", options: WinoMtOptions) -> "pd.Series[bool]":
        # As published, an unread sentence counts as wrong.
        return rows["unread"].isna() | options.as_published

    def rates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.winomt.rates import estimates

        return estimates(rows, self.options)

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.winomt.rates import control

        return [] if self.options.as_published else control(rows)

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        cautions = cautions_about(self.dataset, self.options, clustered=True)
        cautions += stated_gender_cautions(estimates)
        cautions += self.yield_cautions(estimates)
        cautions += self.unread_cautions(estimates, yields_by_gender(rows, GENDERS, "pair"))
        if self.options.as_published and (unread := int(rows["unread"].notna().sum())):
            cautions.append(f"As published, {unread:,} of {len(rows):,} outputs that could not be read count as wrong.")
        return cautions


def row_of(sample: WinoMtSentence, answer: TranslationAnswer, language: str) -> WinoMtRow:
    """Read both people in a translation."""
    text, person, other, unread = _read_people(sample, answer, language)
    return row_from(
        WinoMtRow,
        sample,
        language=language,
        translation=text,
        reading=person.gender,
        other_reading=other.gender,
        pronoun=person.pronoun,
        words=_words(person),
        other_words=_words(other),
        unread=unread,
    )


def _read_people(
    sample: WinoMtSentence, answer: TranslationAnswer, language: str
) -> tuple[str | None, PersonReading, PersonReading, str | None]:
    """Return the translation, the readings of both people, and the reason if the entity's gender was not read."""
    blank = PersonReading(None)
    if answer.text is None:
        return None, blank, blank, answer.unread
    source, separator, text = answer.text.rpartition(SEPARATOR)
    is_other = separator and source.split() != sample.source.split()
    unusable = OTHER_SENTENCE if is_other else why_no_translation(text, sample.source, language)
    if unusable is not None:
        return text, blank, blank, unusable
    other = sample.other or None
    person = read_person(sample.source, sample.entity, text, language, other, is_antecedent=True)
    second = read_person(sample.source, other, text, language, sample.entity) if other else blank
    reason = NO_GENDER if person.evidence else NOT_FOUND
    return text, person, second, None if person.gender else reason


def _words(reading: PersonReading) -> str:
    return " ".join(dict.fromkeys(mark.word for mark in reading.evidence))
