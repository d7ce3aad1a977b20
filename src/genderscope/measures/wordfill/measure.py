"""Shared base of the word-filling measures: the questions about a quadruplet and the computation of its scores."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import Field

from genderscope.core.errors import UserError, unknown
from genderscope.core.questions import LikelihoodAnswer, TokenLikelihood
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase
from genderscope.measures.base import STEREOTYPICAL, Leaning, Measure
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain
from genderscope.measures.control_options import ControlOptions
from genderscope.measures.controls import RESPONDS, ControlCase, estimates_by_language
from genderscope.measures.own_data import OwnDataOptions, cautions_about, settings_of
from genderscope.measures.wordfill.align import depends_on_order, shared, shared_as_published
from genderscope.measures.wordfill.row import SENTENCES, WordFillRow, sentence_columns
from genderscope.measures.wordfill.words import (
    COMPETENT,
    CONTRAST,
    CONTROLLED,
    MEANS,
    SCORE_NAMES,
    SHARES,
    cautions,
    contrast_phrase,
    leads,
    token_log_probabilities,
)
from genderscope.samples.dataset import SampleSet
from genderscope.samples.quadruplets import Quadruplet, Sentence
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel
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


class WordFilling(Measure[WordOptionsT, Quadruplet, WordFillRow]):
    """A measure that scores quadruplets by keyword probabilities (ss, csk, f) and shared tokens (cs)."""

    citation = CITATIONS["wordfill"]
    asks = frozenset({TokenLikelihood})
    row_type = WordFillRow
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

    def __init__(self, options: WordOptionsT, model: "WordModel") -> None:
        self.options = options
        self._model = model
        self.sees_after = model.sees_after
        self.set = self._load().limited(options.limit)
        if not self.set.samples:
            raise UserError(f"The set {self.set.name} has no usable samples.")
        self.samples = self.set.samples
        self.scores = self._chosen(options.scores)
        if options.asks_controls:
            self.controls: Sequence[ControlCase[Quadruplet]] = self._controls()

    def _load(self) -> SampleSet[Quadruplet]:
        """Load the samples selected by the options."""
        raise NotImplementedError

    def _controls(self) -> list[ControlCase[Quadruplet]]:
        """Return the pairs with a known answer, each without a control group."""
        return []

    def _possible(self) -> tuple[str, ...]:
        """Return the scores that can be computed for the chosen set."""
        return ALL_SCORES

    def _default_scores(self) -> tuple[str, ...]:
        return self._possible()

    @property
    def many_partners(self) -> bool:
        """Whether sentences are compared with many others, so that all tokens of each are scored once."""
        return False

    def _chosen(self, wanted: tuple[str, ...] | None) -> tuple[str, ...]:
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

    def data(self) -> dict[str, Any]:
        return self.set.identity | {"dropped": dict(self.set.left_out), "mended": dict(self.set.mended)}

    def settings(self) -> dict[str, str]:
        kept: dict[str, str] = settings_of(self.options) if isinstance(self.options, OwnDataOptions) else {}
        scale = "log10-as-published" if self.options.as_published else "log"
        return {"scores": "+".join(self.scores), "scale": scale, **kept, **self.options.control_settings}

    def ask(self, sample: Quadruplet) -> tuple[TokenLikelihood, ...]:
        sentences = sample.sentences.values()
        keywords = [self._keyword(s) for s in sentences if self._keywords and s.keyword is not None]
        whole = [self._whole(sample, name) for name in sample.sentences if self._compares(sample)]
        return (*keywords, *whole)

    def _compares(self, sample: Quadruplet) -> bool:
        """Return whether cs is computed: a control with keywords has only one group."""
        return "cs" in self.scores and sample.s2 is not None

    def _keyword(self, sentence: Sentence) -> TokenLikelihood:
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
        yield WordFillRow(
            sample=sample.index,
            item=sample.item,
            subset=sample.subset,
            language=sample.language or self.language,
            target=sample.target,
            **sentence_columns(sample),
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
        found = [p for p in answer.log_probabilities or () if p is not None]
        return sum(found) / (len(found) if self.sees_after else 1)

    def _keyword_scores(self, lp: Mapping[str, float]) -> dict[str, float | None]:
        """Compute equations 1 to 3; None if a sentence is missing or the score was not requested."""
        scores: dict[str, float | None] = {}
        for score, columns in FORMULAS.items():
            for column, names in columns.items():
                # ss is always included, because it shows what f corrects for.
                known = all(name in lp for name in names) and (score in self.scores or score == "ss")
                terms = zip(SIGNS, names, strict=False)
                scores[column] = sum(sign * lp[name] for sign, name in terms) if known else None
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

        found: list[Estimate] = []
        for language, mine in by_language(rows):
            about = [estimate for scores in by_subset(mine, self.options) for estimate in scores.estimates()]
            about += likelihood_gain(token_log_probabilities(mine), self._model.vocabulary)
            found += [estimate.at(language=language) for estimate in about]
        return found

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Put the controls in order by ss or, if they have no keywords, by cs."""
        if controls.empty:
            return []
        keyword, whole = (controls[name].astype("float64") for name in ("ss", "cs"))
        return estimates_by_language(controls, keyword.fillna(whole))

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

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        about_scores = cautions(rows, estimates)
        if isinstance(self.options, OwnDataOptions):
            return cautions_about(self.set, self.options) + about_scores
        return about_scores

    @classmethod
    def leaning(cls, estimate: Estimate) -> Leaning:
        return CONTROL if estimate.group == "control" else super().leaning(estimate)

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: WordFillOptions) -> "Iterable[Resampled]":
        from genderscope.measures.wordfill.scores import by_language, by_subset

        for language, mine in by_language(rows):
            for scores in by_subset(mine, options):
                for drawn in scores.resampled(cls.headline):
                    yield replace(drawn, estimate=drawn.estimate.at(language=language))


def _same_beginning(sample: Quadruplet) -> bool:
    """Return whether the text before the keyword is the same for both groups."""
    said = {name: s for name, s in sample.sentences.items() if s.keyword is not None}
    starts = [said[name].text[: (said[name].keyword or (0, 0))[0]] for name in SENTENCES if name in said]
    return len(starts) == len(SENTENCES) and starts[0] == starts[2] and starts[1] == starts[3]
