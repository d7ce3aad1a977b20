"""StereoSet with control groups: does a model prefer the stereotypical keyword more for the stereotyped group?"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from genderscope.core.questions import LikelihoodAnswer, TokenLikelihood
from genderscope.measures.base import read_symbols
from genderscope.measures.control_options import NO_EFFECT
from genderscope.measures.controls import ControlCase, known_answers
from genderscope.measures.typical_spread import SMOLLM2, Between, Spread
from genderscope.measures.wordfill.measure import (
    KEYWORD_SCORES,
    OwnQuadrupletOptions,
    WordFilling,
    pronouns,
    whole_sentences,
)
from genderscope.samples import stereoset
from genderscope.samples.dataset import SampleSet
from genderscope.samples.quadruplets import KeywordSentence, Quadruplet, load_own
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd


class StereoSetOptions(OwnQuadrupletOptions):
    """Options of the StereoSet measure."""

    set: Literal["gender", "gender-filtered", "race", "profession", "plain"] | None = Field(
        None,
        description="Use this set (default: gender); plain is StereoSet as released, with lms, icat and no controls.",
    )

    def ineffective(self) -> str | None:
        if self.data is not None and self.set is not None:
            return "--set chooses among the released sets; leave out --data or --set."
        if self.controls is not None and self.data is not None:
            return NO_EFFECT.format("the language of your own file is unknown, so that no controls are asked")
        if self.controls is not None and self.set == stereoset.PLAIN:
            return NO_EFFECT.format("the unrelated words of the set 'plain' are its controls")
        return super().ineffective()

    @model_validator(mode="before")
    @classmethod
    def _released(cls, values: dict[str, Any]) -> dict[str, Any]:
        is_given = values.get("data") is not None or values.get("set") is not None
        return values if is_given else values | {"set": "gender"}


class StereoSet(WordFilling[StereoSetOptions]):
    """The StereoSet measure from "In-depth look at word filling", sections 4 and 6."""

    id = "stereoset"
    title = "StereoSet with control groups: keyword probabilities ss, csk and f"
    options_type = StereoSetOptions
    headline = ("stereotype_contrast", "stereotype_contrast_share", "keyword_preference_share")
    symbols = {**WordFilling.symbols, **read_symbols(__package__)}  # noqa: RUF012 - only read
    spread = Spread(
        0.96,
        "the intervals in the paper's Tables 7-12 (gender, median of 6, between 0.67 and 1.2)",
        250,
        250,
        between=(Between("target words", 0.15, SMOLLM2, (10,), "target"),),
        wide=False,
    )

    def load_set(self) -> SampleSet[Quadruplet]:
        if self.options.data is not None:
            return load_own(self.options.data, self.options.skip_bad, self.options.keep_duplicates)
        return stereoset.load(
            self.options.set or "gender", self.options.seed, self.options.as_published, self.sees_after
        )

    @property
    def _as_its_authors(self) -> bool:
        """Whether the plain set is run as published, with the scoring of the original StereoSet paper."""
        return self.options.as_published and self._set == stereoset.PLAIN

    def _keyword(self, sentence: KeywordSentence) -> TokenLikelihood:
        if not self._as_its_authors or sentence.keyword is None:
            return super()._keyword(sentence)
        if self.sees_after:
            return TokenLikelihood(sentence.text, (sentence.keyword, *sentence.again), False, piecewise=True)
        return TokenLikelihood(sentence.text, (), False, piecewise=True)

    def _lp(self, answer: LikelihoodAnswer) -> float:
        """Return lp(s) or, as published, the log mean token probability (causal models: the mean log-probability)."""
        if not self._as_its_authors:
            return super()._lp(answer)
        log_probabilities = [p for p in answer.log_probabilities or () if p is not None]
        if self.sees_after:
            most = max(log_probabilities)  # avoids underflow
            return most + math.log(math.fsum(math.exp(p - most) for p in log_probabilities) / len(log_probabilities))
        return sum(log_probabilities) / len(log_probabilities)

    def control_cases(self) -> Iterable[ControlCase[Quadruplet]]:
        """Return English sentences with a known pronoun; the plain set has its own unrelated words instead."""
        if self._set in (None, stereoset.PLAIN):
            return ()
        return pronouns(len(self.samples)) if self._keywords else whole_sentences(self.language, len(self.samples))

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Use the unrelated words of the plain set: a sample is right if both other words are more probable.

        If only one of them is, it counts half, as in the language modelling score.
        """
        if self._set != stereoset.PLAIN or self.options.as_published:
            return super().control_estimates(rows, controls)
        lp = rows.loc[rows["unread"].isna(), ["lp0", "lp1", "lp_unrelated"]].astype("float64")
        right = [(lp[meaningful] > lp["lp_unrelated"]).sum() for meaningful in ("lp0", "lp1")]
        return [known_answers(float(sum(right)) / 2, len(lp), 0.5)]

    @property
    def many_partners(self) -> bool:
        return self._set in stereoset.CONTROLLED

    def _possible(self) -> tuple[str, ...]:
        return ("ss",) if self._set == stereoset.PLAIN else super()._possible()

    def _default_scores(self) -> tuple[str, ...]:
        # With ten controls per sample, cs takes some 400,000 forward passes, since it needs one per token.
        return KEYWORD_SCORES if self._set in stereoset.CONTROLLED else self._possible()

    @property
    def _set(self) -> str | None:
        """The selected released set, or None for the user's own quadruplets."""
        return self.options.set if self.options.data is None else None
