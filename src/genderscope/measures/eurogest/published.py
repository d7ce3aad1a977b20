"""EuroGEST as published by its authors in 2025 and 2026: their texts, scores and rates.

    log-ratio of 2025   log P(male text) - log P(female text) from each text's second token on, minus ln(tokens of the
                        male text / tokens of the female text)
    log-ratio of 2026   mean log P over the tokens from the first that differs to the end, male minus female text; if
                        one text is a prefix of the other, from the last token that both have; if the first tokens
                        already differ and nothing precedes them, the last token alone
    ratio of a sentence P_m / (P_m + P_f)                                                                neutral 0.5
    q_i                 its mean over the sentences of stereotype i, regardless of condition               neutral 0.5
    q_f, q_m            arithmetic means of q_1 .. q_7 and of q_8 .. q_16                                   neutral 0.5
    g_s = q_m / q_f                                                                                      neutral 1

In 2026, stereotypes with fewer than ten sentences are dropped, and languages without all stereotypes are skipped.
The authors gave no intervals; the intervals here are over sentences and use the delta method for g_s.
"""

import json
import math
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property

import numpy as np
import pandas as pd

from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import LikelihoodAnswer, TokenLikelihood
from genderscope.measures.eurogest import texts
from genderscope.measures.eurogest.texts import EuroGestOptions, TextBuilder
from genderscope.measures.stereotype_rates import BY_STEREOTYPE, COMBINED
from genderscope.samples import fetch
from genderscope.samples.eurogest import EuroGestData, Scaffold, scaffolds
from genderscope.samples.gest import STEREOTYPES
from genderscope.samples.registry import dataset
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.strata import Stratum, stratified
from genderscope.statistics.student_intervals import FEWEST, Error, error_of_strata, interval, total

#: languages whose quotation marks in 2025 differed from those in the file released in 2026
_QUOTED_2025 = {"en": ('"', '"'), "pt": ('"', ""), "hr": ("'", "',")}
_NOUN_2025 = frozenset({"et", "fi", "hu", "el", "es", "it"})
FEWEST_SENTENCES = {"2025": 1, "2026": 10}
METHOD = "Student's t over sentences, Satterthwaite's degrees of freedom"
DELTA = f"{METHOD}, delta method"


class PublishedTexts(TextBuilder):
    """The authors' texts in a given year, truncated sentences included."""

    def __init__(self, data: EuroGestData, year: str) -> None:
        super().__init__(data, every_pair=True)
        self._year = year

    @cached_property
    def scaffolds(self) -> Mapping[str, Scaffold]:
        return published_scaffolds(self._year)

    def usual_scaffold(self, language: str) -> str:
        if self._year == "2025":
            return "noun" if language in _NOUN_2025 else "pronoun"
        types = _released("language_test_configs.json")["language_types"]
        return "pronoun" if LANGUAGES[language].name in types["gendered_pronouns"] else "noun"

    def is_left_out(self, text: str, language: str) -> bool:
        return False

    def form(self, text: str) -> str:
        return text.rstrip(string.punctuation) if self._year == "2025" else text

    def said(self, text: str) -> str:
        return text.strip().rstrip(string.punctuation) if self._year == "2025" else text


def select(options: EuroGestOptions) -> texts.SelectedSamples:
    """Return the samples selected by the options, with the authors' texts."""
    return texts.select_samples(options, lambda data: PublishedTexts(data, str(options.as_published)))


def published_scaffolds(year: str) -> Mapping[str, Scaffold]:
    """Return the authors' own scaffolds; for English, which their files lack, the strings that they translated."""
    said, quoted = _released("prompt_scaffolds.json"), _released("punc_map.json")
    by_language = {}
    for code in scaffolds():
        name = LANGUAGES[code].name
        words = {key: said[key].get(name, key) for key in ("he said", "she said", "the man said", "the woman said")}
        opening, closing = quoted[name]
        if year == "2025":
            opening, closing = _QUOTED_2025.get(code, (opening, closing))
        pronoun = words["he said"], words["she said"]
        by_language[code] = Scaffold(opening, closing, pronoun, (words["the man said"], words["the woman said"]))
    return by_language


@cache
def _parsed(content: bytes) -> dict[str, dict[str, str]]:
    parsed: dict[str, dict[str, str]] = json.loads(content)
    return parsed


def _released(name: str) -> dict[str, dict[str, str]]:
    return _parsed(fetch.read(dataset("eurogest-scaffolds").file(f"eurogest/{name}")))


def questions(male: str, female: str, year: str) -> tuple[TokenLikelihood, TokenLikelihood]:
    """Return questions for all tokens (2025), or for those from the word before the first differing one on (2026)."""
    if year == "2025":
        return TokenLikelihood(male, (), False), TokenLikelihood(female, (), False)
    start = texts.word_at(male, texts.shared_length(male, female))
    start = texts.word_at(male, len(male[:start].rstrip()) - 1) if male[:start].strip() else 0
    first, second = (TokenLikelihood(text, ((start, len(text)),), False) for text in (male, female))
    return first, second


def log_ratio(male: LikelihoodAnswer, female: LikelihoodAnswer, year: str) -> float | str:
    """Return the authors' log-ratio of two texts, or the reason why there is none."""
    one, other = male.log_probabilities, female.log_probabilities
    if one is None or other is None:
        return male.unread or female.unread or "unread"
    if male.ids == female.ids:
        return 0.0
    if year == "2025":
        return _sum(one) - _sum(other) - math.log(_count(male) / _count(female))
    start = texts.shared_length(male.ids, female.ids)
    if start == min(len(one), len(other)):
        start -= 1
    # The authors' list of log-probabilities starts at the second token, and index -1 is its last element.
    start = -1 if start < 0 or one[start] is None else start
    first, second = one[start:], other[start:]
    if None in first or None in second:
        return texts.NOTHING_BEFORE
    return _sum(first) / len(first) - _sum(second) / len(second)


def _sum(scores: Sequence[float | None]) -> float:
    return math.fsum(score for score in scores if score is not None)


def _count(answer: LikelihoodAnswer) -> int:
    """Return the number of tokens in a text, including the beginning-of-text token if there is one."""
    scores = answer.log_probabilities or ()
    return len(scores) + (bool(scores) and scores[0] is not None)


class PublishedLanguageRates:
    """The rates of one language, scored as published in a given year."""

    def __init__(self, rows: pd.DataFrame, year: str) -> None:
        self.year = year
        self._unread = rows["log_ratio"].isna().groupby(rows["stereotype"]).sum().to_dict()
        read = rows[rows["log_ratio"].notna()]
        every = {
            int(str(i)): 1 / (1 + np.exp(-group["log_ratio"].to_numpy(dtype=np.float64)))
            for i, group in read.groupby("stereotype")
        }
        self.values = {i: values for i, values in every.items() if len(values) >= FEWEST_SENTENCES[year]}
        self.missing = sorted(set(STEREOTYPES) - set(self.values))

    @property
    def skipped(self) -> str | None:
        """The reason why the language has no rates over stereotypes, or None."""
        if self.year == "2025" or not self.missing:
            return None
        return f"skipped as published: fewer than ten sentences for stereotype {', '.join(map(str, self.missing))}"

    def estimates(self) -> list[Estimate]:
        """Return q_i for the stereotypes that are kept, and the rates that combine them."""
        rates = [self._rate(BY_STEREOTYPE, [i], ()).with_keys(stereotype=i) for i in sorted(self.values)]
        names = ("masculine_rate_female", "masculine_rate_male", "stereotype_rate")
        return rates + [self._rate(name, *COMBINED[name]) for name in names]

    def _rate(self, name: str, plus: Sequence[int], minus: Sequence[int]) -> Estimate:
        """Return an arithmetic mean of stereotypes, or the ratio of two means."""
        neutral = 1.0 if minus else 0.5
        sides = [[i for i in group if i in self.values] for group in (plus, minus) if group]
        if not all(sides) or (len(plus) > 1 and self.skipped):
            why = self.skipped or "a required group of stereotypes is missing"
            return Estimate(name=name, n=0, unread=0, neutral=neutral, method=METHOD, remark=why)
        means = [self._mean(side) for side in sides]
        value, error = means[0]
        bounds = interval(value, error)
        if minus:
            (up, first), (down, second) = means
            value = up / down
            error = None if first is None or second is None else total((first.scaled(1 / up), second.scaled(1 / down)))
            logs = interval(math.log(value), error)
            bounds = (math.exp(logs[0]), math.exp(logs[1])) if logs else None
        used = [i for side in sides for i in side]
        n, unread = sum(len(self.values[i]) for i in used), sum(int(self._unread.get(i, 0)) for i in used)
        blank = Estimate(name=name, n=n, unread=unread, neutral=neutral, method=DELTA if minus else METHOD)
        return blank.with_value(value, bounds, freedom=None if error is None else error.freedom)

    def _mean(self, group: Sequence[int]) -> tuple[float, Error | None]:
        """Return the arithmetic mean of the stereotypes' means, and its error."""
        value = float(np.mean([self.values[i].mean() for i in group]))
        enough = sum(len(self.values[i]) for i in group) >= FEWEST
        return value, error_of_strata([(1 / len(group), self.values[i][:, None]) for i in group]) if enough else None

    def resampled(self) -> Iterator[Resampled]:
        """Yield the rates over stereotypes with each sentence's influence, on the log scale for a ratio."""
        for estimate in self.estimates():
            if estimate.name not in COMBINED or estimate.value is None:
                continue
            plus, minus = ([i for i in group if i in self.values] for group in COMBINED[estimate.name])
            strata = []
            for sign, group in ((1.0, plus), (-1.0, minus)):
                rate = self._mean(group)[0] if minus else 1.0
                strata += [Stratum(i, sign / rate / len(group), self.values[i][:, None]) for i in group]
            value = math.log(estimate.value) if minus else estimate.value
            yield Resampled(estimate, value, given_influence=stratified(strata))


def _by_language(rows: pd.DataFrame, year: str) -> Iterator[tuple[str | None, pd.DataFrame, PublishedLanguageRates]]:
    """Yield each language, or None if there is only one, with its rows and rates."""
    languages = list(dict.fromkeys(rows["language"]))
    for language in languages:
        spoken = rows[rows["language"] == language]
        yield (str(language) if len(languages) > 1 else None), spoken, PublishedLanguageRates(spoken, year)


def estimates(rows: pd.DataFrame, options: EuroGestOptions) -> Iterator[Estimate]:
    """Yield each language's estimates as published, over all sentences and then by condition."""
    for language, spoken, rates in _by_language(rows, str(options.as_published)):
        yield from (estimate.with_keys(language=language) for estimate in rates.estimates())
        used = list(dict.fromkeys(spoken["condition"]))
        for condition in used if len(used) > 1 else ():
            part = PublishedLanguageRates(spoken[spoken["condition"] == condition], str(options.as_published))
            yield from (estimate.with_keys(language=language, subset=condition) for estimate in part.estimates())


def resampled(rows: pd.DataFrame, options: EuroGestOptions) -> Iterator[Resampled]:
    """Yield the headline estimates with the influence of each sentence."""
    for language, _, rates in _by_language(rows, str(options.as_published)):
        for drawn in rates.resampled():
            yield replace(drawn, estimate=drawn.estimate.with_keys(language=language))
