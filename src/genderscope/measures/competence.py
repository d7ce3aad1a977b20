"""Competence checks that detect untrained or degenerate models by low likelihoods or repetitive output."""

import math
import statistics
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from genderscope.judgement import ValidityCondition
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

GAIN = "likelihood_gain"
PROBABILITY = "token_probability"
COMMONEST = "commonest_output"
#: with fewer inputs than this, identical outputs may be legitimate
FEWEST_INPUTS = 10
#: models with random weights reached 0.03 to 1.03, SmolLM2-135M 4.8 (gest) to 10,800 (honest)
LOWEST_GAIN = 2.0
#: floor for probabilities before taking logarithms
TINY = 1e-300


def likelihood_gain(log_probabilities: "pd.Series[float]", vocabulary: int | None) -> list[Estimate]:
    """Return the ratio of the model's geometric mean token probability to that of a uniform distribution.

    Args:
        log_probabilities: The mean log-probability per token in each row; NaN where not computed.
        vocabulary: The vocabulary size; if unknown, no estimate is returned.
    """
    known = log_probabilities.dropna()
    if known.empty or not vocabulary:
        return []
    gain = math.exp(min(float(known.mean()) + math.log(vocabulary), 700.0))
    return [_plain(GAIN, gain, len(known), "geometric mean per token", "predictive quality says nothing about bias")]


def mean_probability(log_probabilities: "pd.Series[float]") -> list[Estimate]:
    """Return the geometric mean token probability."""
    known = log_probabilities.dropna()
    if known.empty:
        return []
    value = math.exp(float(known.mean()))
    return [
        _plain(
            PROBABILITY, value, len(known), "geometric mean per token", "a model's confidence says nothing about bias"
        )
    ]


def log_mean_probability(texts: Iterable[Iterable[float | None]]) -> float | None:
    """Return the log of the texts' mean probability per token; None if no token has a probability.

    The mean over texts is arithmetic, so that a model is not penalised for strongly preferring one of two alternatives.
    """
    tokens = ([p for p in text if p is not None] for text in texts)
    means = [math.fsum(each) / len(each) for each in tokens if each]
    if not means:
        return None
    most = max(means)
    return most + math.log(math.fsum(math.exp(mean - most) for mean in means) / len(means))


def log_of_mass(masses: "pd.Series[float]", words: int) -> "pd.Series[float]":
    """Return each row's log mean probability of `words` words, given their combined probability."""
    return masses.dropna().clip(lower=TINY).map(lambda mass: math.log(mass / words))


def commonest_output(outputs: Mapping[Hashable, str]) -> list[Estimate]:
    """Return the proportion of inputs with the most frequent output, or an empty list if there are too few inputs.

    Args:
        outputs: The output for each distinct input.
    """
    if len(outputs) < FEWEST_INPUTS:
        return []
    texts = [text.strip() for text in outputs.values()]
    share = max(map(texts.count, set(texts))) / len(texts)
    return [_plain(COMMONEST, share, len(texts), "share of the inputs", "repeated outputs say nothing about bias")]


def commonest_translations(rows: "pd.DataFrame", source: str) -> list[Estimate]:
    """Return the proportion of the most frequent translation in each language."""
    translated = rows[rows["translation"].notna()]
    return [
        e.at(language=str(language))
        for language, mine in translated.groupby("language")
        for e in commonest_output(dict(zip(mine[source], mine["translation"], strict=True)))
    ]


def unusable_translation(text: str, *sources: str) -> str | None:
    """Return the reason why an output is not a translation of its source, or None."""
    said = text.strip().casefold()
    if not said:
        return "empty translation"
    return "untranslated" if said in {each.strip().casefold() for each in sources} else None


def _plain(name: str, value: float, n: int, method: str, remark: str) -> Estimate:
    return Estimate(name=name, value=value, n=n, unread=0, neutral=None, method=method, remark=f"no interval; {remark}")


def gain_of(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the likelihood gain for the judged estimate's language, or the median across languages."""
    return statistics.median(found) if (found := _values(estimates, GAIN, judged)) else None


def probability_of(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the geometric mean token probability."""
    return next(iter(_values(estimates, PROBABILITY, judged)), None)


def largest_share(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the proportion of the most frequent output in the judged language, or the maximum across languages."""
    return max(_values(estimates, COMMONEST, judged), default=None)


def _values(estimates: Iterable[Estimate], name: str, judged: Estimate) -> list[float]:
    named = [e for e in estimates if e.name == name and e.value is not None]
    mine = [e for e in named if judged.language in {None, e.language} or e.language is None]
    return [e.value for e in mine if e.value is not None]


def _describe_gain(estimates: Sequence[Estimate], judged: Estimate) -> str:
    gain = gain_of(estimates, judged) or 0.0
    compared = "hardly better" if gain >= 1 else "worse"
    return (
        f"the model predicts these texts {compared} than a guess among all words ({gain:.2g} times as well; at least "
        f"{LOWEST_GAIN:g} times is needed)"
    )


BETTER_THAN_CHANCE = ValidityCondition(
    "the likelihood gain over a uniform distribution",
    LOWEST_GAIN,
    "it may be untrained, or loaded with the wrong weights or tokenizer",
    gain_of,
    words=_describe_gain,
    is_about_model=True,
)
VARIED_OUTPUTS = ValidityCondition(
    "the share of the most frequent output",
    0.75,
    "its outputs hardly depend on the inputs",
    largest_share,
    at_least=False,
    words="the system gives the same output for {share} of the inputs (at most {needed} are allowed)",
    is_about_model=True,
)
