"""Gender in dialogue (WMT24 test suite): which gender does a translation system assign to speaker and listener?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Any

from pydantic import Field

from genderscope.core.languages import ADJECTIVE_LANGUAGES, language_name, targets
from genderscope.core.questions import Translation, TranslationAnswer
from genderscope.grammar.adjectives import AdjectiveReading, adjective_readings
from genderscope.judgement import (
    LEAST_ROOM,
    USABLE,
    Lead,
    Margin,
    Phrase,
    ValidityCondition,
    describe_room,
    estimate_like,
    known_gender,
    open_gender,
    read_share,
)
from genderscope.measures.base import MASCULINE, STEREOTYPICAL, Leaning, PublishedOptions, read_symbols
from genderscope.measures.competence import VARIED_OUTPUTS, unusable_translation
from genderscope.measures.dialogue.row import DialogueRow
from genderscope.measures.dialogue.tables import gendered
from genderscope.measures.translation_controls import stated_gender_cautions
from genderscope.measures.translation_measure import SOURCE, TranslationMeasure
from genderscope.measures.typical_spread import BETWEEN_UNITS, Between, Spread
from genderscope.measures.unread_cautions import unread_cautions
from genderscope.samples.dialogue import load
from genderscope.samples.dialogue_annotation import AdjectiveInstance, Source
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import TranslationModel

#: at least 97 % of adjectives are located in the public WMT24 outputs
LOW_LOCATED = 0.9
NEVER_VARIES = "the outcome never varies"
#: with fewer readings in a condition, its balanced cells are nearly empty
FEW = 30
#: adjectives for the differences that do not concern a stereotype
BESIDE_ANOTHER = {
    "structure_ambiguous": Leaning("drawn to the other person's gender", "drawn away from the other person's gender"),
    "structure_determined": Leaning(
        "misled by two people of opposite genders", "misled by two people of the same gender"
    ),
}
#: (estimate, subset) -> its wording; the differences are possible causes of the masculine rate
ABOUT = {
    ("masculine_rate", "stereo_adverb"): Phrase(
        "a speaker of unknown gender is rendered as a man in {percent} of the readings", symbol="M"
    ),
    ("cue_effect", "stereo_adverb"): Phrase("", topic="adverbs"),
    ("cue_effect", "stereo_character_ambiguous"): Phrase("", topic="occupations"),
    ("cue_effect", "structure_ambiguous"): Phrase("", topic="the other speaker's gender"),
    ("accuracy_difference", "stereo_character_determined"): Phrase(
        "", topic="accuracy in line with or against the stereotype"
    ),
    ("accuracy_difference", "structure_determined"): Phrase(
        "", topic="accuracy with two people of the same or opposite gender"
    ),
}
READ = ValidityCondition(
    "the share of adjectives that show a gender",
    0.1,
    "the other adjectives may differ",
    lambda _, e: read_share(e),
    words="only {share} of the adjectives show a gender (at least {needed} are needed)",
)


def room(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the largest possible size of the cue effect, given the mean of the two male proportions it compares."""
    shares = [
        estimate_like(judged, estimates, name) for name in ("masculine_rate_male_cue", "masculine_rate_female_cue")
    ]
    values = [share.value for share in shares if share is not None and share.value is not None]
    return 2 * min(mean(values), 1 - mean(values)) if len(values) == len(shares) else None


ROOM = ValidityCondition(
    "the largest possible size of the cue effect",
    LEAST_ROOM,
    "the cue effect must be near 0; look at the masculine rate instead",
    room,
    applies_to=frozenset({"cue_effect"}),
    words=lambda estimates, judged: describe_room("people", "cue", room(estimates, judged)),
)
#: attributes of an instance that are columns of its row
_ATTRIBUTES = (
    *("subset", "template", "determined", "adjective", "referent"),
    *("speaker", "utterance", "negated", "look_ahead", "adverb"),
)
#: a sentence whose parsing loads the dictionary or reports that it is missing
_PROBE = '"I\'m tired," I said.'


class DialogueOptions(PublishedOptions):
    """Options of the dialogue measure."""

    to: tuple[str, ...] = Field(
        ..., description=f"Translate into these languages, e.g. es,cs, or all ({', '.join(ADJECTIVE_LANGUAGES)})."
    )
    data: str | None = Field(None, description="Use the built-in starter suite ('starter') or a CSV file with a suite.")


class Dialogue(TranslationMeasure[DialogueOptions, Source, DialogueRow]):
    """The speaker-listener suite of Dawkins et al. (2024)."""

    id = "dialogue"
    title = "Dialogue: speaker and listener gender in machine translation into Spanish, Czech and Icelandic"
    citation = CITATIONS["dialogue"]
    options_type = DialogueOptions
    row_type = DialogueRow
    headline = ("masculine_rate", "cue_effect", "accuracy_difference")
    symbols = read_symbols(__package__)
    conditions = (READ, ROOM, VARIED_OUTPUTS)
    criteria = (*known_gender("rendered", "renders"), *open_gender("people of unknown gender"), USABLE)
    outcomes_module = "genderscope.measures.dialogue.outcome_table"
    least_read = 0.1
    compared_noun = "adjectives"
    leanings = {"masculine_rate": MASCULINE, "cue_effect": STEREOTYPICAL, "accuracy_difference": STEREOTYPICAL}  # noqa: RUF012 - only read
    #: Identical outputs differ by up to 0.058 in the paper's tables, because its balanced subsets were drawn at random.
    margins = {  # noqa: RUF012 - only read
        "masculine_rate": Margin(0.05, most=0.5),
        **dict.fromkeys(("cue_effect", "accuracy_difference"), Margin(0.05, most=1.0)),
    }
    spread = Spread(
        0.34,
        "the released Spanish outputs of 11 systems (median; between 0.22 and 0.53)",
        350,
        350,
        between=(
            Between("adjectives", 0.24, "the released Spanish outputs of 11 systems (median; 0.01 to 0.31)", (52,)),
            Between("adverbs", 0.02, "the released Spanish outputs of 11 systems (median; 0 to 0.22)", (27,)),
        ),
        crossed=True,
        wide=False,
    )
    ranked_with = ("cue_effect",)
    analysis = "genderscope.measures.dialogue.rates"
    translation_columns = ("text", "gender")
    audited_languages = ADJECTIVE_LANGUAGES
    row_key = ("source", "instance", "language")
    units = {"adjective": BETWEEN_UNITS}  # noqa: RUF012 - only read
    starter = {"data": "starter"}  # noqa: RUF012 - only read

    def __init__(self, options: DialogueOptions, model: TranslationModel) -> None:
        self.options = options
        self.languages = targets(options.to, ADJECTIVE_LANGUAGES, ADJECTIVE_LANGUAGES, "target language")
        self._set = load(options.data).limited(options.limit)
        self.samples = self._set.samples
        self._number = {source.text: k for k, source in enumerate(self.samples)}
        self.prepare(model, [source.text for source in self.samples])
        for language in self.languages:
            adjective_readings((), _PROBE, language)  # fail early if a dictionary is missing

    def data(self) -> dict[str, Any]:
        differences = asdict(self._set.differences)
        return self._set.identity | {"instances": len(self._set.instances), "differences": differences}

    def ask(self, sample: Source) -> tuple[Translation, ...]:
        return tuple(Translation(sample.text, SOURCE, language) for language in self.languages)

    def read(self, sample: Source, answers: Sequence[TranslationAnswer]) -> Iterable[DialogueRow]:
        for language, answer in zip(self.languages, answers, strict=True):
            yield from rows_of(sample, self._number[sample.text], answer, language)

    def rates(self, rows: pd.DataFrame) -> list[Estimate]:
        from genderscope.measures.dialogue.rates import DialogueRates

        return DialogueRates(rows, self.options.seed, self.options.as_published).estimates()

    def control_estimates(self, rows: pd.DataFrame, controls: pd.DataFrame) -> list[Estimate]:
        from genderscope.measures.dialogue.outcome_table import control

        return [] if self.options.as_published else control(rows)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: DialogueOptions) -> list[Lead]:
        by_key = {(e.language, e.name, e.subset): e for e in estimates if e.category is None}
        languages = list(dict.fromkeys(language for language, _, _ in by_key))
        return [
            Lead(e, where=f"{language_name(language)}: " if language else "", second=name != "masculine_rate")
            for language in languages
            for name, subset in ABOUT
            if (e := by_key.get((language, name, subset))) is not None
        ]

    @classmethod
    def phrase(cls, estimate: Estimate, options: DialogueOptions) -> Phrase | None:
        return ABOUT.get((estimate.name, estimate.subset or ""))

    def cautions(self, rows: pd.DataFrame, estimates: Sequence[Estimate]) -> list[str]:
        from genderscope.statistics.logistic import HINT, available

        cautions = [said] if (said := self._set.differences.said) else []
        cautions += stated_gender_cautions(estimates)
        for e in estimates:
            if e.name == "located" and e.value is not None and e.value < LOW_LOCATED:
                cautions.append(f"Only {e.value:.0%} of the adjectives were found in the {e.language} translations.")
            if e.name in {"cue_effect", "accuracy_difference"} and e.n < FEW:
                cautions.append(f"{e.scope}: only {e.n} adjectives show a gender, too few for balanced shares.")
        leading = [e for e in estimates if e.name in self.headline]
        cautions += unread_cautions(leading, partial(self.margin, options=self.options))
        if not available():
            cautions.append(HINT)
        return cautions + _separations(estimates)

    @classmethod
    def leaning(cls, estimate: Estimate) -> Leaning:
        return BESIDE_ANOTHER.get(str(estimate.subset)) or super().leaning(estimate)

    @classmethod
    def answered(cls, rows: pd.DataFrame, options: DialogueOptions) -> pd.Series[bool]:
        # A neutral rendering is parsed but has no gender, so it does not count towards any proportion.
        return gendered(rows, options.as_published)


def _separations(estimates: Sequence[Estimate]) -> list[str]:
    """Report which coefficients of each regression have no finite value, and why."""
    sentences = []
    without = [e for e in estimates if e.name == "log_odds" and e.value is None]
    for language, subset in dict.fromkeys((e.language, e.subset) for e in without):
        group = [e for e in without if (e.language, e.subset) == (language, subset)]
        reason = group[0].method.rpartition("coefficient because ")[2]
        which = f"{', '.join(str(e.category) for e in group)}; {group[0].category} because {reason}"
        if reason == NEVER_VARIES:
            which = f"any variable, because {reason}"
        sentences.append(f"Regression of {subset} ({language}): no finite coefficient for {which}.")
    return sentences


def rows_of(source: Source, number: int, answer: TranslationAnswer, language: str) -> Iterable[DialogueRow]:
    """Yield one row per adjective in a passage, with its referent's known attributes and the parsed gender."""
    reason: str | None = answer.unread or "no translation"
    if answer.text is not None:
        reason = unusable_translation(answer.text, source.text)
    readings: Sequence[AdjectiveReading | None] = [None] * len(source.instances)
    if reason is None:
        readings = adjective_readings(source.instances, answer.text or "", language)
    counts = Counter(instance.adjective for instance in source.instances)
    for instance, reading in zip(source.instances, readings, strict=True):
        yield DialogueRow(
            source=number,
            instance=instance.position,
            language=language,
            text=source.text,
            translation=answer.text,
            **_keys(instance),
            repeated=counts[instance.adjective] > 1,
            word=reading.word if reading else None,
            start=reading.start if reading else None,
            end=reading.end if reading else None,
            gender=reading.gender if reading else "unread",
            strategy=reading.strategy if reading else None,
            how=reading.how if reading else None,
            plural=reading.plural if reading else False,
            noun=reading.noun if reading else False,
            unread=reason or (None if reading and reading.gender != "unread" else "adjective not found"),
        )


def _keys(instance: AdjectiveInstance) -> dict[str, Any]:
    """Return the attributes of an instance that the passage reveals; 'none' if unknown."""
    gender, stereotype = instance.gender, instance.stereotype
    agreement = None
    if gender and stereotype in {"M", "F"}:
        agreement = "pro" if gender == stereotype else "anti"
    return {
        **{name: getattr(instance, name) for name in _ATTRIBUTES},
        "kind": instance.traits.kind or "none",
        "sentiment": instance.traits.sentiment or "none",
        "adjective_stereotype": instance.traits.stereotype or "none",
        "true_gender": gender or "none",
        "other_gender": instance.other_gender or "none",
        "equality": instance.equality or "none",
        "stereotype": stereotype or "none",
        "agreement": agreement or "none",
        "occupation": instance.who.occupation,
    }
