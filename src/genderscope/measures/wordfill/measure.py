"""Shared base of the word-filling measures: the questions about a quadruplet and the computation of its scores."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import Field

from genderscope.core.errors import UserError, unknown
from genderscope.core.questions import LikelihoodAnswer, TokenLikelihood
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase
from genderscope.measures.base import STEREOTYPICAL, Leaning, read_symbols
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain
from genderscope.measures.control_options import ControlOptions
from genderscope.measures.controls import RESPONDS, ControlCase, form_controls, pronouns_in_context
from genderscope.measures.own_data import OwnDataOptions
from genderscope.measures.word_measure import NO_SAMPLE, WordMeasure
from genderscope.measures.wordfill.align import depends_on_order, shared, shared_as_published
from genderscope.measures.wordfill.words import (
    COMPETENT,
    CONTRAST,
    CONTROLLED,
    MEANS,
    SCORE_NAMES,
    SENTENCES,
    SHARES,
    cautions,
    contrast_phrase,
    leads,
    token_log_probabilities,
)
from genderscope.samples.dataset import SampleSet
from genderscope.samples.quadruplets import KeywordSentence, Quadruplet, one_word_apart
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.statistics.paired_comparison import Resampled

KEYWORD_SCORES = ("ss", "csk", "f")
ALL_SCORES = (*KEYWORD_SCORES, "cs")
UNSEEN = "the keyword comes before anything that distinguishes the groups, which a causal model then cannot see"

#: answers about one sample, by sentence name
Answers = dict[str, LikelihoodAnswer]

#: score -> its columns, each with the sentences whose lp is added, subtracted, subtracted and added (equations 1 to 3)
FORMULAS: dict[str, dict[str, tuple[str, ...]]] = {
    "ss": {"ss": ("s0", "s1"), "ss_control": ("s2", "s3")},
    "csk": {"csk": ("s0", "s2"), "csk_control": ("s1", "s3")},
    "f": {"f": ("s0", "s1", "s2", "s3")},
}
SIGNS = (1, -1, -1, 1)
#: sentence -> the sentence it is compared with in cs
PARTNERS = {"s0": "s2", "s2": "s0", "s1": "s3", "s3": "s1"}
CONTROL = Leaning(
    "inclined towards the stereotype's keyword for the control group",
    "inclined towards the other keyword for the control group",
)

SENTENCE_SYMBOLS = read_symbols(__package__, "sentence_symbols.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordFillRow:
    """A quadruplet or pair with its scores; None for missing sentences and scores that were not requested."""

    sample: int
    item: int
    subset: str
    language: str
    target: str | None
    s0: str | None
    s1: str | None
    s2: str | None
    s3: str | None
    keyword0: str | None
    keyword1: str | None
    keyword2: str | None
    keyword3: str | None
    lp0: float | None
    lp1: float | None
    lp2: float | None
    lp3: float | None
    lp_unrelated: float | None
    ss: float | None
    ss_control: float | None
    csk: float | None
    csk_control: float | None
    f: float | None
    cs: float | None
    cs_control: float | None
    #: whether the published alignment of shared tokens depends on which sentence comes first
    order_dependent: bool
    #: tokens with their log-probabilities, as JSON
    tokens: str
    unread: str | None


class WordFillOptions(ControlOptions):
    """Options common to all word-filling measures."""

    scores: tuple[str, ...] | None = Field(
        None,
        description="Compute only these scores, e.g. ss,csk; default: all, or all but cs if samples have ten controls.",
    )


class OwnQuadrupletOptions(WordFillOptions, OwnDataOptions):
    """Options of measures that accept the user's own quadruplets."""

    data: str | None = Field(
        None, description="Read quadruplets from a CSV file (s0,s1,s2,s3) with keywords in <brackets>."
    )
    skip_bad: bool = Field(False, description="Skip and count malformed lines in your file.")

    def ineffective(self) -> str | None:
        if self.data is None and self.skip_bad:
            return "--skip-bad is for malformed lines in your own file; use it only with --data FILE."
        return super().ineffective()


WordOptionsT = TypeVar("WordOptionsT", bound=WordFillOptions)


class WordFilling(WordMeasure[WordOptionsT, Quadruplet, WordFillRow]):
    """A measure that scores quadruplets by keyword probabilities (ss, csk, f) and shared tokens (cs)."""

    citation = CITATIONS["wordfill"]
    asks = frozenset({TokenLikelihood})
    row_type = WordFillRow
    symbols: ClassVar[Mapping[str, str]] = {**SENTENCE_SYMBOLS, **read_symbols(__package__)}
    leanings = dict.fromkeys((SCORE_NAMES["f"], SCORE_NAMES["cs"], CONTRAST, *SHARES), STEREOTYPICAL)
    margins = {  # noqa: RUF012 - only read
        **dict.fromkeys(MEANS, Margin(0.1)),
        **dict.fromkeys(SHARES, Margin(0.03, most=0.5)),
    }
    conditions = (COVERAGE, CONTROLLED, RESPONDS, COMPETENT, BETTER_THAN_CHANCE)
    log_scores = frozenset(MEANS)
    analysis = "genderscope.measures.wordfill.scores"
    row_key: ClassVar[tuple[str, ...]] = ("sample",)
    #: measured in `stereoset` with SmolLM2: target terms hardly differ
    units: ClassVar[Mapping[str, float]] = {"unit": 0.03}
    language: ClassVar[str] = "en"

    def load(self) -> tuple[SampleSet[Quadruplet], Sequence[Quadruplet]]:
        self.sees_after = self.model.sees_after
        loaded = self.load_set().limited(self.options.limit)
        return loaded, loaded.samples

    def load_set(self) -> SampleSet[Quadruplet]:
        """Load the set selected by the options."""
        raise NotImplementedError

    def check_samples(self) -> None:
        if not self.samples:
            raise UserError(f"The set {self.set.name} has no usable samples.")
        self.scores = self._requested(self.options.scores)

    def _possible(self) -> tuple[str, ...]:
        """Return the scores that can be computed for the chosen set."""
        return ALL_SCORES

    def _default_scores(self) -> tuple[str, ...]:
        return self._possible()

    @property
    def many_partners(self) -> bool:
        """Whether sentences are compared with many others, so that all tokens of each are scored once."""
        return False

    def _requested(self, wanted: tuple[str, ...] | None) -> tuple[str, ...]:
        possible = self._possible()
        for name in wanted or ():
            if name not in possible:
                raise unknown(f"score of the set {self.set.name}", name, possible)
        if wanted == ():
            raise UserError(f"The list of scores is empty; choose from {', '.join(possible)}.")
        return tuple(name for name in possible if name in (wanted or self._default_scores()))

    @property
    def _keywords(self) -> bool:
        return any(name in self.scores for name in KEYWORD_SCORES)

    def more_data(self) -> dict[str, Any]:
        return {"dropped": dict(self.set.left_out), "mended": dict(self.set.mended)}

    def own_settings(self) -> dict[str, str]:
        scale = "log10-as-published" if self.options.as_published else "log"
        return {"scores": "+".join(self.scores), "scale": scale}

    def ask(self, sample: Quadruplet) -> tuple[TokenLikelihood, ...]:
        sentences = sample.sentences.values()
        keywords = [self._keyword(s) for s in sentences if self._keywords and s.keyword is not None]
        whole = [self._whole(sample, name) for name in sample.sentences if self._compares(sample)]
        return (*keywords, *whole)

    def _compares(self, sample: Quadruplet) -> bool:
        """Return whether cs is computed: a control with keywords has only one group."""
        return "cs" in self.scores and sample.s2 is not None

    def _keyword(self, sentence: KeywordSentence) -> TokenLikelihood:
        """Return the question for a sentence's keyword, with all its tokens masked at once."""
        assert sentence.keyword is not None
        return TokenLikelihood(sentence.text, (sentence.keyword,), True)

    def _whole(self, sample: Quadruplet, name: str) -> TokenLikelihood:
        """Return the question for the tokens shared with the partner, or for all tokens if there are many partners."""
        partner = None if self.many_partners else sample.sentences.get(PARTNERS.get(name, ""))
        return TokenLikelihood(sample.sentences[name].text, (), False, None if partner is None else partner.text)

    def read(self, sample: Quadruplet, answers: Sequence[LikelihoodAnswer]) -> Iterable[WordFillRow]:
        keyword, whole = self._by_sentence(sample, answers)
        reason = self._unreadable(sample, keyword, whole)
        detail: dict[str, Any] = {
            name: list(zip(answer.tokens, answer.log_probabilities or (), strict=False))
            for name, answer in keyword.items()
        }
        lp = {} if reason else {name: self._lp(answer) for name, answer in keyword.items()}
        scores: dict[str, Any] = {f"lp{name[1]}": lp.get(name) for name in SENTENCES}
        scores |= {"lp_unrelated": lp.get("unrelated"), **self._keyword_scores(lp), "cs": None, "cs_control": None}
        moved = False
        for column, a, b in (("cs", "s0", "s2"), ("cs_control", "s1", "s3")):
            if a in whole and b in whole and not reason:
                scores[column], detail[column] = self._cs(whole[a], whole[b])
                moved = moved or depends_on_order(whole[a].ids, whole[b].ids)
        said = sample.sentences
        texts: dict[str, Any] = {name: said[name].marked if name in said else None for name in SENTENCES}
        texts |= {f"keyword{name[1]}": said[name].word if name in said else None for name in SENTENCES}
        yield WordFillRow(
            sample=sample.index,
            item=sample.item,
            subset=sample.subset,
            language=sample.language or self.language,
            target=sample.target,
            **texts,
            **scores,
            order_dependent=moved,
            tokens=json.dumps(detail, ensure_ascii=False),
            unread=reason,
        )

    def _by_sentence(self, sample: Quadruplet, answers: Sequence[LikelihoodAnswer]) -> tuple[Answers, Answers]:
        """Split the answers into those about keywords and those about whole sentences, by sentence name."""
        named = sample.sentences
        marked = [name for name, sentence in named.items() if self._keywords and sentence.keyword is not None]
        whole = zip(named, answers[len(marked) :], strict=True) if self._compares(sample) else ()
        return dict(zip(marked, answers, strict=False)), dict(whole)

    def _unreadable(self, sample: Quadruplet, keyword: Answers, whole: Answers) -> str | None:
        """Return the reason why a sample cannot be scored, or None."""
        if reasons := [answer.unread for answer in (*keyword.values(), *whole.values()) if answer.unread]:
            return reasons[0]
        if not self.sees_after and keyword and _same_beginning(sample):
            return UNSEEN
        if all(name in keyword for name in SENTENCES):
            k0, k1, k2, k3 = (len(keyword[name].ids) for name in SENTENCES)
            if k0 - k1 != k2 - k3:
                return "the keywords have different numbers of tokens for the group and its control group"
        return None

    def _lp(self, answer: LikelihoodAnswer) -> float:
        """Return lp(s): the mean over jointly masked tokens, or the word's log-probability for a causal model."""
        log_probabilities = [p for p in answer.log_probabilities or () if p is not None]
        return sum(log_probabilities) / (len(log_probabilities) if self.sees_after else 1)

    def _keyword_scores(self, lp: Mapping[str, float]) -> dict[str, float | None]:
        """Compute equations 1 to 3; None if a sentence is missing or the score was not requested."""
        scores: dict[str, float | None] = {}
        for score, columns in FORMULAS.items():
            for column, names in columns.items():
                # ss is always included, because it shows what f corrects for.
                is_computed = all(name in lp for name in names) and (score in self.scores or score == "ss")
                terms = zip(SIGNS, names, strict=False)
                scores[column] = sum(sign * lp[name] for sign, name in terms) if is_computed else None
        return scores

    def _cs(self, first: LikelihoodAnswer, second: LikelihoodAnswer) -> tuple[float, Any]:
        align = shared_as_published if self.options.as_published else shared
        a, b = first.log_probabilities or (), second.log_probabilities or ()
        # A causal model cannot predict the first token; it is the same in both sentences and adds nothing.
        compared = [(first.tokens[i], a[i], second.tokens[j], b[j]) for i, j in align(first.ids, second.ids)]
        differences = [x - y for _, x, _, y in compared if x is not None and y is not None]
        return math.fsum(differences), compared

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.wordfill.scores import by_language, by_subset

        estimates: list[Estimate] = []
        for language, spoken in by_language(rows):
            about = [estimate for scores in by_subset(spoken, self.options) for estimate in scores.estimates()]
            about += likelihood_gain(token_log_probabilities(spoken), self.model.vocabulary)
            estimates += [estimate.with_keys(language=language) for estimate in about]
        return estimates

    def control_values(self, controls: "pd.DataFrame") -> "pd.Series[float]":
        """Return the controls' ss or, if they have no keywords, their cs."""
        keyword, whole = (controls[name].astype("float64") for name in ("ss", "cs"))
        return keyword.fillna(whole)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: WordOptionsT) -> list[Lead]:
        return leads(estimates)

    @classmethod
    def phrase(cls, estimate: Estimate, options: WordOptionsT) -> Phrase | None:
        unit = " on the paper's scale, which is log10" if options.as_published else ""
        if estimate.name == SCORE_NAMES["f"]:
            return contrast_phrase(f"mean f{unit}")
        if estimate.name == CONTRAST:
            return contrast_phrase(f"cs minus cs of the control pairs{unit}")
        return None

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        return cautions(rows, estimates)

    @classmethod
    def leaning(cls, estimate: Estimate) -> Leaning:
        return CONTROL if estimate.group == "control" else super().leaning(estimate)

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: WordFillOptions) -> "Iterable[Resampled]":
        from genderscope.measures.wordfill.scores import by_language, by_subset

        for language, spoken in by_language(rows):
            for scores in by_subset(spoken, options):
                for drawn in scores.resampled(cls.headline):
                    yield replace(drawn, estimate=drawn.estimate.with_keys(language=language))


def _same_beginning(sample: Quadruplet) -> bool:
    """Return whether the text before the keyword is the same for both groups."""
    said = {name: s for name, s in sample.sentences.items() if s.keyword is not None}
    starts = [said[name].text[: (said[name].keyword or (0, 0))[0]] for name in SENTENCES if name in said]
    return len(starts) == len(SENTENCES) and starts[0] == starts[2] and starts[1] == starts[3]


# Controls are sentences about a man or a woman with a word of the right or the wrong gender. One with keywords is
# scored by ss (is the masculine word more probable?), one without by cs (are the other words more probable after the
# masculine pronoun?). Both are higher if the sentence is about a man.


def forms(language: str, limit: int | None) -> Iterator[ControlCase[Quadruplet]]:
    """Yield the sentences whose keyword has a masculine and a feminine form."""
    for form, where in form_controls(language, limit):
        male, female = one_word_apart(form.male, form.female)
        yield ControlCase(Quadruplet(NO_SAMPLE, NO_SAMPLE, "control", male, female, language=language), *where)


def pronouns(samples: int) -> Iterator[ControlCase[Quadruplet]]:
    """Yield English sentences whose keyword is a pronoun, not too many for the number of samples."""
    for text, where in pronouns_in_context("winobias", "en", samples):
        start = len(text.before)
        male, female = (
            KeywordSentence(f"{text.before}{word}{text.after}", (start, start + len(word)))
            for word in (text.male, text.female)
        )
        yield ControlCase(Quadruplet(NO_SAMPLE, NO_SAMPLE, "control", male, female), *where)


def whole_sentences(language: str, samples: int) -> Iterator[ControlCase[Quadruplet]]:
    """Yield pairs of sentences that differ in a pronoun, to be compared by their other words; few for few samples."""
    for text, where in pronouns_in_context("crows", language, samples):
        male, female = (KeywordSentence(f"{text.before}{word}{text.after}") for word in (text.male, text.female))
        sample = Quadruplet(NO_SAMPLE, NO_SAMPLE, "control", male, s2=female, language=language)
        yield ControlCase(sample, *where)
