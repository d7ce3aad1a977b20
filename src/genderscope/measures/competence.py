"""Competence checks that detect untrained or degenerate models by low likelihoods or repetitive output."""

import math
import statistics
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from genderscope.judgement import ValidityCondition
from genderscope.statistics.estimate import Estimate, joined

if TYPE_CHECKING:
    import pandas as pd

GAIN = "likelihood_gain"
PROBABILITY = "token_probability"
COMMONEST = "commonest_output"
ON_LOG_SCALE = "geometric mean per token; Student's t on the log scale"
#: with fewer inputs than this, identical outputs may be legitimate
FEWEST_INPUTS = 10
#: models with random weights reached 0.03 to 1.03, SmolLM2-135M 4.8 (gest) to 10,800 (honest)
LOWEST_GAIN = 2.0
#: floor for probabilities before taking logarithms
TINY = 1e-300


def likelihood_gain(log_probabilities: "pd.Series[float]", vocabulary: int | None) -> list[Estimate]:
    """Return the ratio of the model's geometric mean token probability to that of a uniform distribution.

    Args:
        log_probabilities: The mean log-probability per token in each independent unit, such as a row or a sentence;
            NaN where not computed.
        vocabulary: The vocabulary size; if unknown, no estimate is returned.
    """
    import numpy as np

    from genderscope.statistics.student_intervals import FEWEST, error_of_mean, interval  # slow import

    values = np.array(log_probabilities.dropna(), dtype=np.float64)
    if not len(values) or not vocabulary:
        return []
    mean = float(values.mean()) + math.log(vocabulary)
    bounds = interval(mean, error_of_mean(values[:, None])) if len(values) >= FEWEST else None
    few = None if len(values) >= FEWEST else f"no interval with fewer than {FEWEST} values"
    same = "no interval, because all values are equal" if few is None and bounds is None else None
    remark = joined(few, same, "predictive quality says nothing about bias")
    blank = Estimate(name=GAIN, n=len(values), unread=0, neutral=None, method=ON_LOG_SCALE, remark=remark)
    return [blank.with_value(_ratio(mean), None if bounds is None else map(_ratio, bounds))]


def mean_probability(log_probabilities: "pd.Series[float]") -> list[Estimate]:
    """Return the geometric mean token probability."""
    values = log_probabilities.dropna()
    if values.empty:
        return []
    value = math.exp(float(values.mean()))
    return [
        _plain(
            PROBABILITY, value, len(values), "geometric mean per token", "a model's confidence says nothing about bias"
        )
    ]


def log_mean_probability(texts: Iterable[Iterable[float | None]]) -> float | None:
    """Return the log of the texts' mean probability per token; None if no token has a probability.

    The mean over texts is arithmetic, so that a model is not penalised for strongly preferring one of two alternatives.
    """
    tokens = ([p for p in text if p is not None] for text in texts)
    means = [math.fsum(text_tokens) / len(text_tokens) for text_tokens in tokens if text_tokens]
    if not means:
        return None
    most = max(means)
    return most + math.log(math.fsum(math.exp(mean - most) for mean in means) / len(means))


def log_of_mass(masses: "pd.Series[float]", words: int) -> "pd.Series[float]":
    """Return each row's log mean probability of `words` words, given their combined probability."""
    return masses.dropna().clip(lower=TINY).map(lambda mass: math.log(mass / words))


def mass_estimates(masses: "pd.Series[float]", template: int | None, seed: int) -> list[Estimate]:
    """Return the mean and median of two words' combined probability at a blank, as a few may dominate the mean.

    The list is empty if there are no values.
    """
    import numpy as np

    from genderscope.statistics.long_tailed import FEWEST_FOR_MEAN, FEWEST_FOR_MEDIAN, mean_interval, median_interval

    values = np.array(masses.dropna(), dtype=np.float64)
    if not len(values):
        return []
    long_tail = f"no interval with fewer than {FEWEST_FOR_MEAN} values, too few to estimate the tail"
    few = f"no interval with fewer than {FEWEST_FOR_MEDIAN} values"
    bounds = mean_interval(values, np.random.default_rng([seed, 98, template or 0]))
    mean = "mass", float(values.mean()), bounds, "bootstrap-t on the logit scale", long_tail
    median = "mass_median", float(np.median(values)), median_interval(values), "order statistics", few
    neutral = "the probability of the two words says nothing about bias"
    return [
        Estimate(name=name, n=len(values), unread=0, neutral=None, method=method)
        .with_keys(template=template)
        .with_value(value, bounds, remark=neutral if bounds else f"{why}; {neutral}")
        for name, value, bounds, method, why in (mean, median)
    ]


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
        e.with_keys(language=str(language))
        for language, subset in translated.groupby("language")
        for e in commonest_output(dict(zip(subset[source], subset["translation"], strict=True)))
    ]


def unusable_translation(text: str, *sources: str) -> str | None:
    """Return the reason why an output is not a translation of its source, or None."""
    said = text.strip().casefold()
    if not said:
        return "empty translation"
    return "untranslated" if said in {source.strip().casefold() for source in sources} else None


def _plain(name: str, value: float, n: int, method: str, remark: str) -> Estimate:
    return Estimate(name=name, value=value, n=n, unread=0, neutral=None, method=method, remark=f"no interval; {remark}")


def _ratio(log_ratio: float) -> float:
    return math.exp(min(log_ratio, 700.0))


def least_gain(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the lower end of the likelihood gain in the judged estimate's language, or the median across languages.

    Gains from earlier versions have no interval, so their values are used.
    """
    gains = [e.value if e.low is None else e.low for e in _named(estimates, GAIN, judged) if e.value is not None]
    return statistics.median(gains) if gains else None


def probability_of(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the geometric mean token probability."""
    return next((e.value for e in _named(estimates, PROBABILITY, judged)), None)


def largest_share(estimates: Sequence[Estimate], judged: Estimate) -> float | None:
    """Return the proportion of the most frequent output in the judged language, or the maximum across languages."""
    return max((e.value for e in _named(estimates, COMMONEST, judged) if e.value is not None), default=None)


def _named(estimates: Iterable[Estimate], name: str, judged: Estimate) -> list[Estimate]:
    """Return the estimates of a name that have a value and are about the judged language."""
    named = [e for e in estimates if e.name == name and e.value is not None]
    return [e for e in named if judged.language in {None, e.language} or e.language is None]


def _below(value: float, limit: float) -> str:
    """Format a value below a limit with as many digits as it takes to look smaller."""
    texts = (f"{value:.{digits}g}" for digits in range(2, 17))
    return next((text for text in texts if float(text) < limit), f"{value}")


def _describe_gain(estimates: Sequence[Estimate], judged: Estimate) -> str:
    gains = _named(estimates, GAIN, judged)
    gain = statistics.median(e.value for e in gains if e.value is not None)
    compared = "hardly better" if gain >= 1 else "worse"
    shown = f"{gain:.2g} times as well"
    if len(gains) == 1 and gains[0].low is not None:
        shown = f"{gain:.2g} times as well, 95 % interval {_below(gains[0].low, LOWEST_GAIN)} to {gains[0].high:.3g}"
    if gain >= LOWEST_GAIN:
        return (
            f"it is not certain that the model predicts these texts better than a guess among all words ({shown}; at "
            f"least {LOWEST_GAIN:g} times is needed)"
        )
    return (
        f"the model predicts these texts {compared} than a guess among all words ({shown}; at least {LOWEST_GAIN:g} "
        "times is needed)"
    )


BETTER_THAN_CHANCE = ValidityCondition(
    "the likelihood gain over a uniform distribution",
    LOWEST_GAIN,
    "it may be untrained, or loaded with the wrong weights or tokenizer",
    least_gain,
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
