"""What the measures of translators share: target languages, settings, controls, and cautions about unread translations.

A subclass sets `self.options`, `self.languages`, `self.dataset` and `self.samples`, and calls `prepare` with its
sources.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from genderscope.core.languages import language_name
from genderscope.core.questions import Question, Translation
from genderscope.grammar import in_the_language
from genderscope.judgement import Lead, leads_by_language
from genderscope.measures.base import Measure, OptionsT, RowT, SampleT
from genderscope.measures.competence import VARIED_OUTPUTS, commonest_translations, unusable_translation
from genderscope.measures.translation_controls import translation_cautions, translation_estimates
from genderscope.measures.unread_cautions import unread_cautions

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import TranslationModel
    from genderscope.samples.dataset import SampleSet
    from genderscope.statistics.estimate import Estimate
    from genderscope.statistics.unread import Yields

#: the language of all sources
SOURCE = "en"
WRONG_LANGUAGE = "wrong language or script"


class TranslationMeasure(Measure[OptionsT, SampleT, RowT]):
    """A measure that asks for translations from English."""

    asks = frozenset({Translation})
    blocking = (VARIED_OUTPUTS,)
    compared_noun = "translations"
    symbols: ClassVar[Mapping[str, str]] = {"unread_share": "not_read"}
    #: the target languages that an audit tries
    audited_languages: ClassVar[Sequence[str]]
    #: the column of the sources, by which an output that is repeated for many of them is noticed
    source_column: ClassVar[str] = "source"
    #: the yield below which a caution is given, and its words
    low_yield: ClassVar[float] = 0.0
    low_yield_words: ClassVar[str]

    languages: tuple[str, ...]
    dataset: "SampleSet[Any]"

    def prepare(self, model: "TranslationModel", sources: Sequence[str], language: str | None = None) -> None:
        """Tell the model which sources it will get, and check that it translates into the target languages."""
        model.expect(sources, *([] if language is None else [language]))
        for target in self.languages if language is None else [language]:
            model.check(SOURCE, target)

    def data(self) -> dict[str, Any]:
        return self.dataset.identity

    def ask(self, sample: SampleT) -> tuple[Question, ...]:
        """Ask for a translation into every target language."""
        source = getattr(sample, self.source_column)
        return tuple(Translation(source, SOURCE, language) for language in self.languages)

    @classmethod
    def audited_with(cls, model: "TranslationModel", model_languages: Sequence[str]) -> dict[str, Any]:
        return {"to": model.translates(SOURCE, cls.audited_languages)}

    def settings(self) -> dict[str, str]:
        kept = {"duplicates": "kept"} if getattr(self.options, "keep_duplicates", False) else {}
        scale = {"scale": "as-published"} if getattr(self.options, "as_published", False) else {}
        return {"to": "+".join(self.languages)} | self.own_settings() | kept | scale

    def own_settings(self) -> dict[str, str]:
        """Return the settings that other measures of translators do not have."""
        return {}

    def estimates(self, rows: "pd.DataFrame") -> "list[Estimate]":
        return self.rates(rows) + commonest_translations(rows, self.source_column)

    def rates(self, rows: "pd.DataFrame") -> "list[Estimate]":
        """Return the rates: by default, the declared ones."""
        return super().estimates(rows)

    @classmethod
    def shown_genders(cls, controls: "pd.DataFrame") -> "pd.Series[str]":
        """Return the gender in the translations of the controls; missing if it could not be interpreted."""
        return controls["reading"].where(controls["unread"].isna())

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> "list[Estimate]":
        return translation_estimates(controls, self.shown_genders)

    def control_cautions(self, controls: "pd.DataFrame") -> list[str]:
        return translation_cautions(controls, self.shown_genders, self.source_column)

    @classmethod
    def leads(cls, estimates: "Sequence[Estimate]", options: OptionsT) -> list[Lead]:
        return [
            lead
            for name in (*cls.headline, *cls.pooled)
            for lead in leads_by_language([e for e in estimates if e.name == name], name != cls.headline[0])
        ]

    def yield_cautions(self, estimates: "Sequence[Estimate]") -> Iterator[str]:
        """Yield a caution for each language in which few translations could be interpreted."""
        for e in estimates:
            is_overall = e.name == "yield" and e.group is None
            if is_overall and e.language and e.value is not None and e.value < self.low_yield:
                words = self.low_yield_words.format(language=language_name(e.language), code=e.language)
                yield f"Only {e.value:.0%} of {words}; the rest may differ."

    def unread_cautions(
        self, estimates: "Sequence[Estimate]", yields: "Yields | None" = None, outcome: str = "gender"
    ) -> Iterator[str]:
        """Yield a caution if unread translations may matter for the headline estimates."""
        named = [e for e in estimates if e.name in self.headline]
        overall = [e for e in named if e.language is None]
        yield from unread_cautions(overall or named, lambda e: self.margin(e, self.options), yields, outcome)


def why_no_translation(text: str, source: str, language: str) -> str | None:
    """Return the reason why an output is not a translation of a source into a language, or None."""
    return unusable_translation(text, source) or (None if in_the_language(text, language) else WRONG_LANGUAGE)


def yields_by_gender(rows: "pd.DataFrame", genders: Sequence[str], units: str) -> "Yields | None":
    """Compare how often sentences about men and about women were read; None unless there are both."""
    from genderscope.statistics.unread import compare_yields

    read = rows["unread"].isna().astype("float64")
    men, women = (read[rows["gender"] == gender].groupby(rows[units]).mean() for gender in genders[:2])
    return compare_yields(men.to_numpy(), women.to_numpy()) if len(men) and len(women) else None
