"""BBQ: templates differ in how often the model knows better, and in how far it leans; so do their questions."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit, lazy

from genderscope.judgement import Margin, Verdict, judge
from genderscope.measures.bbq.parts import bias_ambiguous
from genderscope.measures.bbq.rates import overall_rates
from genderscope.samples.bbq import AMBIGUOUS, BIASED, COUNTER, DISAMBIGUATED, KINDS, UNKNOWN

_NORMAL = np.random.default_rng(0).normal(size=(2, 200_000))
#: data set -> ambiguous questions of each template, roughly
SIZES = {"BBQ": (104,) * 27 + (32, 4), "MBBQ": (4,) * 18 + (8, 16, 32, 34, 36, 64)}
RARE = "templates unlike all others cannot be foreseen"
#: how far questions of one template differ, on the scale of log-odds
WITHIN = 1.0


def chances(truth: str, right: np.ndarray, lean: np.ndarray) -> np.ndarray:
    """Probabilities of the kinds of answer, from the log-odds of being right and of following the stereotype."""
    if truth == UNKNOWN:
        known, biased = expit(right), expit(lean)
        return np.stack([(1 - known) * biased, (1 - known) * (1 - biased), known], axis=-1)
    known = expit(right + (lean if truth == BIASED else -lean) / 2)
    wrong = (1 - known) / 2
    return np.stack([known, wrong, wrong] if truth == BIASED else [wrong, known, wrong], axis=-1)


def _asked(truth: str, template: np.ndarray, kinds: np.ndarray) -> pd.DataFrame:
    """Questions as the measure makes them of its rows, given the kinds that were answered [questions, orders]."""
    shares: dict[str, np.ndarray] = {kind: (kinds == k).mean(axis=1) for k, kind in enumerate(KINDS)}
    condition = AMBIGUOUS if truth == UNKNOWN else DISAMBIGUATED
    counts = {"answers": kinds.shape[1], "unread": 0, "refused": 0}
    found = pd.DataFrame({"template": template.astype(str).astype(object), **shares, "right": shares[truth], **counts})
    return found.assign(condition=condition, truth=truth, language="en").astype({"condition": object, "truth": object})


@lazy
def rates(sizes: Sequence[int], right: float, lean: float, spread: float, orders: int = 6):
    """Log-odds of being right and of the stereotype; templates differ by `spread`, and `sizes` counts their questions.

    A template has as many ambiguous questions as disambiguated ones, half of which contradict the stereotype.
    """
    whole = np.hypot(spread, WITHIN)
    means = {
        truth: chances(truth, right + whole * _NORMAL[0], lean + whole * _NORMAL[1]).mean(axis=0)
        for truth in (UNKNOWN, BIASED, COUNTER)
    }
    fits, contradicts, untold = means[BIASED], means[COUNTER], means[UNKNOWN]
    both = (fits + contradicts) / 2
    truths = {
        "bias_ambiguous": untold[0] - untold[1],
        "bias_disambiguated": fits[0] - contradicts[1],
        "accuracy_ambiguous": untold[2],
        "accuracy_disambiguated": (fits[0] + contradicts[1]) / 2,
        "bias_score_disambiguated": 2 * both[0] / (both[0] + both[1]) - 1,
    }

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        effects = spread * generator.normal(size=(2, len(sizes)))
        parts: list[pd.DataFrame] = []
        for truth in (UNKNOWN, BIASED, COUNTER):
            each = np.array(sizes) if truth == UNKNOWN else np.array(sizes) // 2
            template = np.repeat(np.arange(len(sizes)), each)
            alone = WITHIN * generator.normal(size=(2, len(template)))
            own = np.array([[right], [lean]]) + effects[:, template] + alone
            p = chances(truth, own[0], own[1])
            kinds = (generator.random((len(template), orders, 1)) > p.cumsum(axis=1)[:, None, :]).sum(axis=2)
            parts.append(_asked(truth, template, np.minimum(kinds, 2)))
        for part in overall_rates(pd.concat(parts, ignore_index=True)):
            if part.name in truths:
                yield checked(part.estimate, float(truths[part.name]))

    return draw


def rare(templates: int, share: float, rest: Sequence[float], each: int = 26):
    """A share of the templates is fully biased; the others answer with the chances `rest`, without any bias."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        template = np.repeat(np.arange(templates), each)
        is_biased = (generator.random(templates) < share)[template]
        chance = np.where(is_biased[:, None], [1.0, 0.0, 0.0], rest)
        kinds = (generator.random((len(template), 6, 1)) > chance.cumsum(axis=1)[:, None, :]).sum(axis=2)
        e = bias_ambiguous(_asked(UNKNOWN, template, np.minimum(kinds, 2))).estimate
        yield checked(e, share)
        if is_biased.any():
            yield checked(e, share, f"{e.name}, some are in the data")
        says_none = judge(e, Margin(min(0.05, share or 0.05), most=1.0)).verdict is Verdict.NO_EFFECT
        yield Checked("alarm: no effect" if share else "no effect is claimed", 0.0, *(float(says_none),) * 2)

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of bbq."""
    for templates in (29, 100):
        for share in (0.0, 0.05, 0.1):
            for rest, chances_of_rest in (("unknown", (0, 0, 1)), ("a coin", (0.25, 0.25, 0.5))):
                name = f"{templates} templates, {share:.0%} fully biased, the others {rest}"
                yield Situation("bbq", name, rare(templates, share, chances_of_rest), 0.3, RARE)
    edge, few = "shares within 1/n of 0 or 1", "effectively n < 12"
    for templates in (10, 25, 50):
        for spread in (0.5, 1.5):
            name = f"{templates} templates of 8 questions, spread {spread:g}"
            sizes = (8,) * templates
            yield Situation("bbq", name, rates(sizes, 0.5, 0.5, spread), 0.5, few if templates < 12 else "")
            yield Situation("bbq", f"{name}, nearly always right", rates(sizes, 4.0, 0.0, spread), 0.5, edge)
            yield Situation("bbq", f"{name}, nearly always stereotyped", rates(sizes, -4.0, 4.0, spread), 0.5, edge)
    for data, sizes in SIZES.items():
        for spread in (0.5, 1.5):
            name = f"sizes as in {data}, spread {spread:g}"
            yield Situation("bbq", name, rates(sizes, 0.5, 0.5, spread), 0.3, few if data == "MBBQ" else "")
            yield Situation("bbq", f"{name}, nearly always right", rates(sizes, 4.0, 0.0, spread), 0.3, edge)
    yield Situation("bbq", "50 templates of 8 questions, one order", rates((8,) * 50, 0.5, 0.5, 1.0, 1), 0.3)
