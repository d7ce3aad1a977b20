"""EuroGEST's options and texts: gendered pairs, neutral sentences in their scaffolds, and their selection."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal, NamedTuple

from pydantic import Field

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.languages import suggested_language
from genderscope.measures.control_options import ControlOptions
from genderscope.measures.controls import ControlCase, form_controls, sentence_controls
from genderscope.measures.own_data import OwnDataOptions
from genderscope.measures.word_measure import NO_SAMPLE, NO_STEREOTYPE
from genderscope.samples import eurogest
from genderscope.samples.eurogest import EuroGestData, EuroPair, EuroSentence, Scaffold
from genderscope.samples.subsampling import spread

#: what alternates in a pair. adjective: the speaker's adjective, participle or past tense; noun: the speaker's noun, or
#: its article; other: a word about someone else; object: an object pronoun; wording: spelling, person, tense, synonyms
Class = Literal["adjective", "noun", "other", "object", "wording"]
SPEAKER: tuple[Class, ...] = ("adjective", "noun")
#: condition -> its number as a template in GEST's rates
CONDITIONS = {"gendered": 1, "pronoun": 2, "noun": 3}
GENDERED = "gendered"
#: the pronoun scaffold if the pronoun is gendered, otherwise the noun scaffold
SCAFFOLD = "scaffold"
NOTHING_BEFORE = "the texts differ from their first token on, and the tokenizer adds no beginning-of-text token"
#: punctuation around a sentence
_AROUND = re.compile(r"\A[^\w\s]+|[^\w\s]+\Z")
_ENDED = re.compile(r"[.!?…][\"'”“»«’]*$")


class EuroGestOptions(OwnDataOptions, ControlOptions):
    """Options of the EuroGEST measure."""

    limit: int | None = Field(
        None, ge=1, description="Use only this many samples per language, spread over conditions and stereotypes."
    )
    lang: tuple[str, ...] = Field(("all",), description="Use these languages, e.g. sk,fr,fi, or all.")
    condition: tuple[str, ...] = Field(
        (),
        description="Use gendered pairs (gendered), or neutral sentences with a pronoun, a noun, or a pronoun if it is "
        "gendered and otherwise a noun (scaffold); default: gendered,scaffold.",
    )
    pairs: Literal["speaker", "all"] | None = Field(
        None, description="Use gendered pairs about the speaker (default), or all released pairs."
    )
    common: bool = Field(False, description="Use only sentences available in all chosen languages.")
    data: str | None = Field(
        None, description="Read your own pairs from a CSV file with the columns language,male,female,stereotype."
    )
    scale: Literal["ratio", "log"] = Field("ratio", description="Report ratios (neutral 1) or log-ratios (neutral 0).")
    as_published: Literal["2025", "2026"] | None = Field(  # type: ignore[assignment]
        None, description="Score as the authors did in this year (see the card)."
    )

    def ineffective(self) -> str | None:
        if (reason := super().ineffective()) is not None:
            return reason
        if self.as_published and self.scale == "log":
            return "The authors' scores are probability shares; leave out --scale log or --as-published."
        if self.as_published and self.pairs == "speaker":
            return "The authors used all pairs; leave out --pairs speaker or --as-published."
        if self.as_published and self.pairs == "all":
            return "The authors used all pairs, so --pairs all has no effect with --as-published; leave it out."
        if self.data is not None:
            for name in ("pairs", "common", "condition"):
                if getattr(self, name):
                    return f"--{name} chooses among EuroGEST's own sentences; leave out --data or --{name}."
        return None


class TextPair(NamedTuple):
    """A male and a female text; `row` is the row in GEST, or the line in the user's own file."""

    row: int
    language: str
    condition: str
    male: str
    female: str
    stereotype: int
    source: str
    alternates: str | None = None


class TextBuilder:
    """A builder of texts for each language."""

    def __init__(self, data: EuroGestData, every_pair: bool) -> None:
        self._data = data
        self._every_pair = every_pair
        #: number of sentences excluded because they are truncated
        self.cut = 0

    @cached_property
    def scaffolds(self) -> Mapping[str, Scaffold]:
        """Scaffolds for neutral sentences, loaded lazily because the user's own data needs none."""
        return eurogest.scaffolds()

    def conditions(self, language: str) -> tuple[str, ...]:
        """Return the conditions for which the language has sentences, with the default ones first."""
        pairs = (GENDERED,) if self._data.pairs.get(language) else ()
        usual = self.usual(language)
        if usual is None:
            return pairs
        words = {condition: self.scaffolds[language].words(condition) for condition in ("pronoun", "noun")}
        return (*pairs, usual, *(c for c, (male, female) in words.items() if c != usual and male != female))

    def usual(self, language: str) -> str | None:
        """Return the default condition for the language's neutral sentences, or None if it has none."""
        return self.usual_scaffold(language) if self._data.neutral.get(language) else None

    def usual_scaffold(self, language: str) -> str:
        """Return the default condition for a language's neutral sentences."""
        return self.scaffolds[language].usual

    def rows(self, language: str, condition: str) -> Iterator[EuroPair | EuroSentence]:
        """Yield the data rows for a language and condition."""
        if condition == GENDERED:
            for pair in self._data.pairs.get(language, ()):
                kind = self._alternates(pair, language)
                wanted = kind is None or self._every_pair or kind in SPEAKER
                if wanted and not self.is_left_out(pair.male, language):
                    yield pair
            return
        for sentence in self._data.neutral.get(language, ()):
            if not self.is_left_out(sentence.text, language):
                yield sentence

    def sample(self, language: str, condition: str, row: EuroPair | EuroSentence) -> TextPair:
        """Build the sample for a data row."""
        if isinstance(row, EuroPair):
            male, female = self.form(row.male), self.form(row.female)
            kind = self._alternates(row, language)
            return TextPair(row.row, language, GENDERED, male, female, row.stereotype, row.source, kind)
        around = self.scaffolds[language]
        quoted = f"{around.opening}{_AROUND.sub('', row.text)}{around.closing}"
        male, female = (self.said(f"{quoted} {words}") for words in around.words(condition))
        return TextPair(row.row, language, condition, male, female, row.stereotype, row.source)

    def _alternates(self, pair: EuroPair, language: str) -> Class | None:
        return alternates(language, pair.row) if self._data.neutral else None

    def is_left_out(self, text: str, language: str) -> bool:
        """Return whether to exclude a truncated sentence, and count it."""
        left_out = eurogest.is_cut(text, language)
        self.cut += left_out
        return left_out

    def form(self, text: str) -> str:
        """Return a gendered form; both end in a full stop, since one that is a prefix of the other is more likely."""
        return text if _ENDED.search(text) else f"{text}."

    def said(self, text: str) -> str:
        """Return a sentence in its scaffold."""
        return f"{text}."


@cache
def _classes() -> dict[tuple[str, int], Class]:
    """Return the class of released pairs whose alternating word is not the speaker's adjective or participle."""
    table = files("genderscope.measures.eurogest").joinpath("pairs.csv").read_text(encoding="utf-8")
    return {
        (row["language"], int(number)): row["class"]  # type: ignore[misc]
        for row in csv.DictReader(io.StringIO(table))
        for number in row["rows"].split()
    }


def alternates(language: str, row: int) -> Class:
    """Return the class of the alternating word in a released pair."""
    return _classes().get((language, row), "adjective")


def shared_length(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the length of the common prefix of two sequences."""
    together = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in together if a != b), min(len(one), len(other)))


def word_at(text: str, place: int) -> int:
    """Return the start of the word at a position."""
    while place > 0 and not text[place - 1].isspace():
        place -= 1
    return place


#: a condition and a data row
_Row = tuple[str, EuroPair | EuroSentence]


@dataclass(frozen=True)
class SelectedSamples:
    """The selected samples, their data, and what was excluded."""

    data: EuroGestData
    samples: tuple[TextPair, ...]
    #: languages in `all` without sentences in any chosen condition
    without: tuple[str, ...]
    #: number of truncated sentences
    cut: int

    def cautions(self) -> list[str]:
        """Return caveats about what was excluded."""
        left_out = f"Languages without sentences for the chosen condition were left out: {', '.join(self.without)}."
        cut = f"{self.cut:,} sentences are cut off in the released files and were left out."
        return [left_out] * bool(self.without) + [cut] * bool(self.cut)


def select_samples(
    options: EuroGestOptions, texts_of: Callable[[EuroGestData], TextBuilder] | None = None
) -> SelectedSamples:
    """Return the samples selected by the options; `texts_of` builds other texts than the default ones."""
    _check_conditions(options.condition)
    if options.data is None:
        _languages(options.lang, eurogest.languages(), None)  # fail early, before any download
    data = eurogest.load() if options.data is None else eurogest.load_own(options.data, options.keep_duplicates)
    texts = texts_of(data) if texts_of else TextBuilder(data, options.pairs == "all")
    wanted = _languages(options.lang, eurogest.languages() if options.data is None else tuple(data.pairs), options.data)
    named = tuple(options.lang) != ("all",)
    selected: dict[str, list[_Row]] = {}
    for language in wanted:
        used = _conditions(options.condition, language, texts, named)
        rows = [(condition, row) for condition in used for row in texts.rows(language, condition)]
        if rows:
            selected[language] = rows
    if not selected:
        raise UserError("None of the languages has sentences for the chosen condition; leave out --condition.")
    if options.common:
        selected = _common(selected)
    kept = tuple(
        texts.sample(language, condition, row)
        for language, rows in selected.items()
        for condition, row in spread(rows, options.limit, _rank)
    )
    return SelectedSamples(data, kept, tuple(language for language in wanted if language not in selected), texts.cut)


def _check_conditions(wanted: Iterable[str]) -> None:
    available = (*CONDITIONS, SCAFFOLD)
    for condition in wanted:
        if condition not in available:
            raise UserError(
                f"Unknown condition '{condition}' in --condition; available: {', '.join(sorted(available))}."
                f"{did_you_mean(condition, available)}"
            )


def _languages(wanted: Sequence[str], available: tuple[str, ...], own: str | None) -> tuple[str, ...]:
    if tuple(wanted) == ("all",):
        return available
    if not wanted:
        raise UserError(f"--lang is empty; choose from {', '.join(available)}, or use 'all'.")
    for language in wanted:
        if language not in available:
            where = f"'{own}' has no pairs in" if own is not None else "EuroGEST has no sentences in"
            raise UserError(
                f"{where} '{language}' (--lang); available: {', '.join(available)}."
                f"{suggested_language(language, available)}"
            )
    return tuple(dict.fromkeys(wanted))


def _conditions(wanted: Sequence[str], language: str, texts: TextBuilder, named: bool) -> tuple[str, ...]:
    """Return the conditions to use for a language; raise a UserError if an explicitly requested one is missing."""
    possible = texts.conditions(language)
    if not wanted:
        return tuple(condition for condition in possible if condition in (GENDERED, texts.usual(language)))
    usual = texts.usual(language) or SCAFFOLD
    used = [usual if condition == SCAFFOLD else condition for condition in wanted]
    for condition, real in zip(wanted, used, strict=True):
        if real not in possible and named:
            raise UserError(
                f"'{language}' has no sentences for the condition '{condition}' (--condition); available: "
                f"{' and '.join(possible)}."
            )
    return tuple(dict.fromkeys(condition for condition in used if condition in possible))


def _common(selected: dict[str, list[_Row]]) -> dict[str, list[_Row]]:
    shared = set.intersection(*({row.row for _, row in rows} for rows in selected.values()))
    if not shared:
        raise UserError(
            f"{', '.join(selected)} have no sentence in common (--common); choose fewer languages or more conditions."
        )
    return {language: [row for row in rows if row[1].row in shared] for language, rows in selected.items()}


def _rank(condition_and_row: _Row) -> tuple[int, int, int]:
    """Return the place of a row in the order over which a limit is spread: conditions and stereotypes."""
    condition, row = condition_and_row
    return CONDITIONS[condition], row.stereotype, row.row


def control_cases(data: EuroGestData, samples: Sequence[TextPair]) -> Iterator[ControlCase[TextPair]]:
    """Yield the controls for each language and condition of the samples, as far as the language has any.

    All are asked even if samples are limited, because small models respond so weakly to scaffolds that a dozen pairs
    would be too few.
    """
    texts = TextBuilder(data, every_pair=True)
    for language, condition in dict.fromkeys((sample.language, sample.condition) for sample in samples):
        if condition == GENDERED:
            for form, (kind, pair, side, _) in form_controls(language, limit=None):
                row = EuroPair(NO_SAMPLE, form.male, form.female, NO_STEREOTYPE, "")
                yield ControlCase(texts.sample(language, condition, row), kind, pair, side, language)
            continue
        for text, kind, pair, side, _ in sentence_controls(language, None, limit=None):
            sentence = EuroSentence(NO_SAMPLE, text, NO_STEREOTYPE, text)
            # negative, because forms and sentences have pairs with the same numbers
            yield ControlCase(texts.sample(language, condition, sentence), kind, -pair, side, language)
