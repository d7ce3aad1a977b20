"""MT-GenEval: does a translation preserve the gender given in the English source?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from genderscope.core.errors import UserError
from genderscope.core.languages import GENEVAL_LANGUAGES, LANGUAGES, targets
from genderscope.core.questions import Translation, TranslationAnswer
from genderscope.judgement import (
    COVERAGE,
    USABLE,
    Lead,
    Margin,
    Phrase,
    ValidityCondition,
    estimate_like,
    known_gender,
    leads_by_language,
)
from genderscope.measures.base import Leaning, PublishedOptions
from genderscope.measures.competence import VARIED_OUTPUTS, unusable_translation
from genderscope.measures.mt_geneval.reading import NOT_APART, Reading, read, sentence_of
from genderscope.measures.translation_controls import stated_gender_cautions
from genderscope.measures.translation_measure import SOURCE, TranslationMeasure, yields_by_gender
from genderscope.measures.typical_spread import Spread
from genderscope.samples.dataset import SampleSet
from genderscope.samples.mt_geneval import (
    COUNTERFACTUAL,
    GENDERS,
    SUBSETS,
    Segment,
    Version,
    load,
    load_own,
    sources_in,
)
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import TranslationModel

#: references show a gender in 88 to 100 % of the test segments, Apertium's Spanish output in 76 to 81 %
LOW_YIELD = 0.5


def accuracy(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the proportion of segments with the right gender."""
    share = estimate_like(judged, estimates, "accuracy")
    return None if share is None else share.value


RIGHT_SOMETIMES = ValidityCondition(
    "accuracy",
    0.1,
    "a system that is nearly always wrong has no gap between the genders",
    accuracy,
    applies_to=frozenset({"gap"}),
    words="only {share} of the segments have the right gender (at least {needed} are needed)",
)


class GenEvalOptions(PublishedOptions):
    """Options of the MT-GenEval measure."""

    to: tuple[str, ...] = Field(
        ..., description=f"Translate into these languages, e.g. es,fr, or all ({', '.join(GENEVAL_LANGUAGES)})."
    )
    set: Literal["both", "counterfactual", "contextual"] = Field(
        "both", description="Use counterfactual pairs, contextual sentences, or both."
    )
    split: Literal["dev", "test"] | None = Field(None, description="Use the test (default) or dev split.")
    context: Literal["before", "none"] = Field(
        "before",
        description="Translate contextual sentences after the sentence that reveals the gender, or alone.",
    )
    data: str | None = Field(
        None, description="Read your own segments from a CSV or TSV file with the columns source,reference,flipped."
    )

    @model_validator(mode="before")
    @classmethod
    def _test(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Default to the test split, unless the user's own data or a split is given."""
        own = values.get("data") is not None or values.get("split") is not None
        return values if own else values | {"split": "test"}

    @property
    def subsets(self) -> tuple[str, ...]:
        """The subsets to use."""
        return SUBSETS if self.set == "both" else (self.set,)

    def ineffective(self) -> str | None:
        if self.data is not None and self.split is not None:
            return "--split is for the released data; leave out --split or --data."
        if self.context == "none" and self.set == "counterfactual":
            return "--context is for contextual segments; leave it out, or use --set contextual or both."
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class GenEvalRow:
    """A version of a segment in a target language, whether its gender is right, and the words that show it."""

    subset: str
    segment: int
    gender: str
    language: str
    #: identifier shared by the same English segment in all languages
    item: str
    source: str
    reference: str
    flipped: str
    translation: str | None
    #: right or wrong
    reading: str | None
    #: whether the translation contains words of both references
    mixed: bool
    right_words: str
    wrong_words: str
    unread: str | None


class GenEval(TranslationMeasure[GenEvalOptions, Segment, GenEvalRow]):
    """The counterfactual and contextual sets of Currey et al. (2022)."""

    id = "mt-geneval"
    title = "MT-GenEval: whether machine translation into eight languages preserves the gender of the source"
    citation = CITATIONS["mt-geneval"]
    options_type = GenEvalOptions
    row_type = GenEvalRow
    headline = ("error", "gap")
    scored_too = ("accuracy",)
    leanings = {  # noqa: RUF012 - only read
        "error": Leaning("inaccurate", "accurate"),
        "gap": Leaning("favourable to men", "favourable to women"),
    }
    #: with 300 segments, an interval extends 0.05 to either side
    margins = {"error": Margin(0.05, most=1.0), "gap": Margin(0.05, most=1.0)}  # noqa: RUF012 - only read
    conditions = (COVERAGE, RIGHT_SOMETIMES, VARIED_OUTPUTS)
    criteria = (*known_gender(), USABLE)
    spread = Spread(0.48, "Apertium's Spanish, counterfactual segments of the test set", 221, 300)
    #: both sets count, and a system that is always wrong has no gap
    ranked_with = ("error", "gap")
    analysis = "genderscope.measures.mt_geneval.rates"
    translation_columns = ("source", "reading")
    audited_languages = GENEVAL_LANGUAGES
    row_key = ("subset", "segment", "gender", "language")

    def __init__(self, options: GenEvalOptions, model: "TranslationModel") -> None:
        self.options = options
        self.languages = _targets(options)
        self._set = _load(options, self.languages).limited(options.limit)
        self.samples = self._set.samples
        # A stored file has one line per judged sentence, as the released metric expects.
        self._cut = options.context == "before" and not options.as_published and not model.stored
        for language in self.languages:
            self.prepare(model, sources_in(language, self.samples), language)

    def data(self) -> dict[str, Any]:
        return self._set.identity

    def own_settings(self) -> dict[str, str]:
        context = {"context": "none"} if self.options.context == "none" else {}
        return {"set": "+".join(self.options.subsets)} | context

    def ask(self, sample: Segment) -> tuple[Translation, ...]:
        return tuple(Translation(version.source, SOURCE, sample.language) for version in sample.versions)

    def read(self, sample: Segment, answers: Sequence[TranslationAnswer]) -> Iterable[GenEvalRow]:
        for version, answer in zip(sample.versions, answers, strict=True):
            reading, unread = self._reading(version, answer)
            yield GenEvalRow(
                subset=sample.subset,
                segment=sample.number,
                gender=version.gender,
                language=sample.language,
                item=sample.item,
                source=version.source,
                reference=version.reference,
                flipped=version.flipped,
                translation=answer.text,
                reading=None if unread or reading is None else reading.verdict or "right",
                mixed=not unread and reading is not None and reading.mixed,
                right_words=" ".join(sorted(reading.right)) if reading else "",
                wrong_words=" ".join(sorted(reading.wrong)) if reading else "",
                unread=unread,
            )

    def _reading(self, version: Version, answer: TranslationAnswer) -> tuple[Reading | None, str | None]:
        """Return the reading, and the reason if it does not count."""
        if answer.text is None:
            return None, answer.unread
        if self.options.as_published:
            return read(answer.text, version.reference, version.flipped), None
        if (unusable := unusable_translation(answer.text, version.source, version.sentence or "")) is not None:
            return None, unusable
        text: str | None = answer.text
        if self._cut and version.sentence is not None:
            text = sentence_of(answer.text, version.source, version.sentence)
        if text is None:
            return None, NOT_APART
        reading = read(text, version.reference, version.flipped)
        return reading, reading.unread

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.mt_geneval.rates import control

        # Without its context, a contextual sentence does not show the gender.
        known = rows[rows["subset"] == COUNTERFACTUAL] if self.options.context == "none" else rows
        return [] if self.options.as_published else control(known)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: GenEvalOptions) -> list[Lead]:
        return [
            lead
            for subset in SUBSETS
            for name in cls.headline
            for lead in leads_by_language(
                [e for e in estimates if e.name == name and e.subset == subset and e.group is None], name == "gap"
            )
        ]

    @classmethod
    def phrase(cls, estimate: Estimate, options: GenEvalOptions) -> Phrase | None:
        whose = "versions" if estimate.subset == COUNTERFACTUAL else "segments"
        if estimate.name == "gap":
            return Phrase(
                f"Masculine {whose} are right more often than feminine ones, by {{}}",
                f"Masculine {whose} are right less often than feminine ones, by {{}}",
                f"Masculine {whose} are right as often as feminine ones",
            )
        shown = "" if options.as_published else " that show a gender"
        what = "At least one version" if estimate.subset == COUNTERFACTUAL else "The translation"
        return Phrase(f"{what} has the wrong gender in {{percent}} of the {estimate.subset} segments{shown}")

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = []
        found += stated_gender_cautions(estimates)
        for e in estimates:
            whole = e.name == "yield" and e.group is None
            if whole and e.language is not None and e.value is not None and e.value < LOW_YIELD:
                found.append(
                    f"Only {e.value:.0%} of the {LANGUAGES[e.language].name} translations ({e.subset}) show a gender; "
                    "the rest may differ."
                )
        yields = yields_by_gender(rows, GENDERS, "item")
        found += self.unread_cautions(estimates, yields, "result, right or wrong,")
        if self.options.as_published:
            silent = (rows["right_words"] == "") & (rows["wrong_words"] == "") & rows["unread"].isna()
            found.append(
                f"As published, {silent.sum():,} of {len(rows):,} outputs count as right because they "
                "contain no gendered word."
            )
        return found


def _targets(options: GenEvalOptions) -> tuple[str, ...]:
    if options.data is None:
        return targets(options.to, GENEVAL_LANGUAGES, GENEVAL_LANGUAGES, "target language")
    if len(options.to) != 1:
        raise UserError(f"'{options.data}' has references in one language; give only that language with --to.")
    return targets(options.to, GENEVAL_LANGUAGES, tuple(LANGUAGES), "target language")


def _load(options: GenEvalOptions, languages: Sequence[str]) -> SampleSet[Segment]:
    with_context = options.context == "before"
    if options.data is not None:
        return load_own(options.data, languages[0], options.subsets, with_context)
    return load(languages, options.split or "test", options.subsets, with_context)
