"""GATE: which gender does a translation give people whose gender the English sentence does not reveal?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import Field

from genderscope.core.errors import UserError
from genderscope.core.languages import targets
from genderscope.core.questions import Translation, TranslationAnswer
from genderscope.grammar import in_the_language
from genderscope.grammar.both_forms import alternatives
from genderscope.grammar.person import person_languages
from genderscope.judgement import COVERAGE, USABLE, open_gender
from genderscope.measures.base import Options, read_estimates
from genderscope.measures.competence import VARIED_OUTPUTS, unusable_translation
from genderscope.measures.controls import ControlCase
from genderscope.measures.gate.reading import GateReading, read_people
from genderscope.measures.rows import row_from
from genderscope.measures.translation_controls import source_controls
from genderscope.measures.translation_measure import SOURCE, WRONG_LANGUAGE, TranslationMeasure
from genderscope.measures.typical_spread import ASSUMED, Between, Spread
from genderscope.samples.dataset import STARTER
from genderscope.samples.gate import LANGUAGES as RELEASED_LANGUAGES
from genderscope.samples.gate import GateSentence, load_own, load_released, person_in
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import TranslationModel

RELEASED = "gate"
#: number of a control, which is not part of the data
NO_NUMBER = -1


class GateOptions(Options):
    """Options of the GATE measure."""

    limit: int | None = Field(
        None, ge=1, description="Use only this many sentences per language, spread over roles and numbers of people."
    )
    to: tuple[str, ...] = Field(
        ...,
        description=f"Translate into these languages, e.g. es,fr, or all ({', '.join(RELEASED_LANGUAGES)}; with other "
        f"data: {', '.join(person_languages())}).",
    )
    data: str = Field(
        RELEASED, description="Use the released sentences (gate), the starter set (starter), or your own CSV file."
    )

    @property
    def languages(self) -> tuple[str, ...]:
        """The target languages; raises a UserError for one without released sentences or a reader."""
        readable = tuple(person_languages())
        if self.data != RELEASED:
            return targets(self.to, readable, readable, "target language")
        wanted = targets(self.to, RELEASED_LANGUAGES, readable, "target language")
        if missing := [language for language in wanted if language not in RELEASED_LANGUAGES]:
            raise UserError(
                f"GATE has no sentences for '{missing[0]}', only for {', '.join(RELEASED_LANGUAGES)}; use --data "
                "starter or your own file."
            )
        return wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """A person in a sentence and target language, with the gender of the translation and the words that show it."""

    sentence: int
    #: zero-based place of the person in the sentence
    person: int
    #: number of people in the sentence
    people: int
    language: str
    #: identifier shared by the same English sentence in all languages
    item: str
    source: str
    entity: str
    role: str
    kind: str
    plural: bool
    translation: str | None
    #: masculine, feminine, neutral or alternatives
    reading: str | None
    #: for neutral: rewording, both forms or same form; for alternatives: offered
    how: str | None
    words: str
    unread: str | None


class GateMt(TranslationMeasure[GateOptions, GateSentence, GateRow]):
    """The sentences of Rarrick et al. (2023), extended by Garg et al. (2024)."""

    id = "gate"
    title = "GATE: gender of people in machine translation, if the English sentence does not reveal it"
    citation = CITATIONS["gate"]
    options_type = GateOptions
    row_type = GateRow
    headline = ("masculine_rate",)
    scored_too = ("neutral_share", "alternatives_share")
    leanings, margins, phrases = read_estimates(__package__)
    conditions = (COVERAGE, VARIED_OUTPUTS)
    compared_over = "person words"
    criteria = (*open_gender(), USABLE)
    compared_noun = "people"
    spread = Spread(
        0.13,
        "Apertium's Spanish, 400 released sentences",
        324,
        1619,
        between=(Between("person words", 0.055, ASSUMED, (186,), "entity"),),
        crossed=True,
    )
    analysis = "genderscope.measures.gate.rates"
    translation_columns = ("source", "reading")
    #: in the references, nearly all people are read
    low_yield = 0.8
    low_yield_words = "the people in the {language} translations were read"
    audited_languages = RELEASED_LANGUAGES
    row_key = ("sentence", "person", "language")
    starter = {"data": STARTER}  # noqa: RUF012 - only read

    def __init__(self, options: GateOptions, model: "TranslationModel") -> None:
        self.options = options
        self.languages = options.languages
        released = options.data == RELEASED
        loaded = load_released(self.languages) if released else load_own(options.data, self.languages)
        self.dataset = loaded.limited(options.limit)
        self.samples = self.dataset.samples
        for language in self.languages:
            self.prepare(model, [s.source for s in self.samples if s.language == language], language)
        self.controls: Sequence[ControlCase[GateSentence]] = [
            ControlCase(
                GateSentence(NO_NUMBER, control.text, language, (person_in(control.text, control.person),)),
                *(control.kind, control.pair, control.side, language),
            )
            for control in source_controls(self.id, model, options.limit)
            for language in self.languages
        ]

    def data(self) -> dict[str, Any]:
        left_out = dict(self.dataset.left_out)
        return super().data() | ({"left_out": left_out} if left_out else {})

    def ask(self, sample: GateSentence) -> tuple[Translation, ...]:
        return (Translation(sample.source, SOURCE, sample.language),)

    def read(self, sample: GateSentence, answers: Sequence[TranslationAnswer]) -> Iterable[GateRow]:
        (answer,) = answers
        for place, (person, reading) in enumerate(zip(sample.people, _readings(sample, answer), strict=True)):
            number, people = sample.number, len(sample.people)
            columns = {"translation": answer.text, "reading": reading.gender}
            yield row_from(GateRow, sample, person, reading, sentence=number, person=place, people=people, **columns)

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        cautions = []
        if repeated := self.dataset.duplicates:
            cautions.append(
                f"Left out {repeated:,} rows of '{self.dataset.name}' that name the same person of a sentence again."
            )
        return [*cautions, *self.yield_cautions(estimates), *self.unread_cautions(estimates)]


def _readings(sample: GateSentence, answer: TranslationAnswer) -> list[GateReading]:
    """Return the reading of each person, with the reason if the output is not a translation."""
    reason = answer.unread
    if answer.text is not None:
        reason = unusable_translation(answer.text, sample.source)
        if reason is None and not in_the_language((alternatives(answer.text) or [answer.text])[0], sample.language):
            reason = WRONG_LANGUAGE
        if reason is None:
            return read_people(sample, answer.text)
    return [GateReading(None, None, "", reason or "no translation") for _ in sample.people]
