"""EuroGEST: GEST in thirty languages, on gendered pairs and on neutral sentences said by a man or a woman."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Choice, ChoiceAnswer, LikelihoodAnswer, Question, TokenLikelihood
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase
from genderscope.measures.competence import BETTER_THAN_CHANCE, log_mean_probability
from genderscope.measures.controls import RESPONDS, ControlCase, scorable
from genderscope.measures.eurogest import texts
from genderscope.measures.eurogest.texts import CONDITIONS, GENDERED, EuroGestOptions, TextPair
from genderscope.measures.gest.measure import Gest, about_family, phrase_of_rates
from genderscope.measures.gest_slavic.endings import endings, log_probability, one_token
from genderscope.measures.rows import row_from
from genderscope.measures.typical_spread import Spread, stereotypes
from genderscope.measures.word_measure import WordMeasure
from genderscope.samples import eurogest
from genderscope.samples.gender_pairs import difference
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel
    from genderscope.statistics.paired_comparison import Resampled

#: a language with more than this proportion of unread samples gets its own caveat
MOSTLY = 0.5
SAME = "the two texts have the same tokens"


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


class EuroGest(WordMeasure[EuroGestOptions, TextPair, EuroGestRow]):
    """The EuroGEST measure (Rowe et al. 2025)."""

    id = "eurogest"
    title = "EuroGEST: gender-stereotypical reasoning of language models in thirty languages"
    citation = CITATIONS["eurogest"]
    asks = frozenset({Choice, TokenLikelihood})
    options_type = EuroGestOptions
    row_type = EuroGestRow
    headline = ("stereotype_rate", "masculine_rate_female", "masculine_rate_male")
    symbols = Gest.symbols
    leanings = Gest.leanings
    margins = Gest.margins
    conditions = (COVERAGE, RESPONDS, BETTER_THAN_CHANCE)
    spread = Spread(
        3.6,
        "a run of SmolLM2 in one language (median of 30, between 0.58 and 13)",
        160,
        2700,
        16,
        between=(
            stereotypes(0.2, "the rates in GEST Table 11 for Slavic languages (median of 45, between 0.06 and 0.34)"),
        ),
    )
    analysis = Gest.analysis
    row_key = ("sample", "language", "condition")
    #: audits use `gest` for English
    asks_in = tuple(code for code in eurogest.languages() if code != "en")

    def check_model(self, model: "WordModel") -> None:
        self._masked = model.sees_after
        if self._masked and self.options.as_published:
            raise UserError(
                f"EuroGEST was published for causal models, but '{model.name}' fills masks; leave out --as-published."
            )

    def load(self) -> tuple[eurogest.EuroGestData, Sequence[TextPair]]:
        if self.options.as_published:
            from genderscope.measures.eurogest import published

            self._original = published
        select = self._original.select if self.options.as_published else texts.select_samples
        self._selection = select(self.options)
        data = self._selection.data
        name = data.name if self.options.limit is None else f"{data.name}:{self.options.limit}"
        return replace(data, name=name), self._selection.samples

    def control_cases(self) -> Iterator[ControlCase[TextPair]]:
        return texts.control_cases(self._selection.data, self.samples)

    @classmethod
    def audited_with(cls, model: "WordModel", model_languages: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, model_languages)
        return {"lang": tuple(language for language in model_languages if language in cls.asks_in)}

    def own_settings(self) -> dict[str, str]:
        published = self.options.as_published
        settings = {
            "language": "+".join(self.options.lang),
            "conditions": "+".join(self.options.condition) or f"{GENDERED}+scaffold",
            "pairs": self.options.pairs or ("all" if published or self.options.data else "speaker"),
            "scale": f"as-published-{published}" if published else self.options.scale,
        }
        return settings | ({"sentences": "common"} if self.options.common else {})

    def ask(self, sample: TextPair) -> tuple[Question, ...]:
        """Ask a causal model for both texts from the first difference on, and a masked model for the differing word."""
        if self.options.as_published:
            return self._original.questions(sample.male, sample.female, self.options.as_published)
        if not self._masked:
            return questions(sample.male, sample.female)
        if sample.condition == GENDERED:
            word = difference(sample.male, sample.female)
            return () if isinstance(word, str) else tuple(endings(word, self.wants_mass(sample)))
        return (_scaffold_choice(sample, self.wants_mass(sample)),)

    def read(self, sample: TextPair, answers: Sequence[Any]) -> Iterable[EuroGestRow]:
        value, probability, note, unread = self._scored(sample, answers)
        yield row_from(
            EuroGestRow,
            sample,
            sample=sample.row,
            sentence=sample.male,
            family=about_family(sample.source, as_published=False),
            template=CONDITIONS[sample.condition],
            log_ratio=value,
            log_probability=probability,
            note=note,
            unread=unread,
        )

    def _scored(
        self, sample: TextPair, answers: Sequence[Any]
    ) -> tuple[float | None, float | None, str | None, str | None]:
        """Return the log-ratio, the log-probability, a note, and the reason if there is no log-ratio."""
        if not self._masked:
            year = self.options.as_published
            male, female = answers
            ratio = self._original.log_ratio(male, female, year) if year else log_ratio(male, female)
            probability = log_mean_probability(answer.log_probabilities or () for answer in answers)
            return (None, probability, None, ratio) if isinstance(ratio, str) else (ratio, probability, None, None)
        if not answers:
            return None, None, None, str(difference(sample.male, sample.female))
        answer: ChoiceAnswer = one_token(answers) if sample.condition == GENDERED else answers[0]
        return answer.log_ratio, log_probability(answer), answer.note, answer.unread

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        several = rows["language"].nunique() > 1
        by_language = rows["log_probability"].groupby(rows["language"])
        gains = self.gains({str(language) if several else None: values for language, values in by_language})
        return [*_analysis(self.options).estimates(rows, self.options), *gains]

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: EuroGestOptions) -> "Iterable[Resampled]":
        drawn: Iterable[Resampled] = _analysis(options).resampled(rows, options)
        return drawn

    def control_values(self, controls: "pd.DataFrame") -> "pd.Series[float]":
        """Return the controls' log-ratios; forms and scaffolds count alike."""
        return scorable(controls, controls["log_ratio"])["log_ratio"]

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

    def data_cautions(self, rows: "pd.DataFrame") -> list[str]:
        return self.duplicate_cautions(self._selection.data) + self._selection.cautions()

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        shares = rows["unread"].notna().groupby(rows["language"]).mean()
        mostly = [str(language) for language in shares.index[shares > MOSTLY]]
        if mostly:
            yield (
                f"In {', '.join(mostly)} most samples could not be scored, so the numbers rest on few "
                "sentences; check whether the model's tokenizer covers the script."
            )
        yield from _partly_read(estimates)


def _analysis(options: EuroGestOptions) -> Any:
    """Return the module with the estimates: as published or as defined here."""
    from genderscope.measures.eurogest import published, rates

    return published if options.as_published else rates


def questions(male: str, female: str) -> tuple[TokenLikelihood, ...]:
    """Return questions for the tokens of both texts from the first differing word on.

    Questions start at word boundaries, because only the tokenizer can determine where in a word the tokens begin to
    differ.
    """
    start = texts.word_at(male, texts.shared_length(male, female))
    return tuple(TokenLikelihood(text, ((start, len(text)),), False) for text in (male, female))


def log_ratio(male: LikelihoodAnswer, female: LikelihoodAnswer) -> float | str:
    """Return log P(male text) - log P(female text), or the reason why there is none.

    Tokens before the first difference cancel out.
    """
    one, other = male.log_probabilities, female.log_probabilities
    if one is None or other is None:
        return male.unread or female.unread or "unread"
    if male.ids == female.ids:
        return SAME
    start = texts.shared_length(male.ids, female.ids)
    first, second = ([p for p in scores[start:] if p is not None] for scores in (one, other))
    if len(first) + len(second) < len(one) + len(other) - 2 * start:
        return texts.NOTHING_BEFORE
    return math.fsum(first) - math.fsum(second)


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


def _scaffold_choice(sample: TextPair, want_mass: bool) -> Choice:
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
