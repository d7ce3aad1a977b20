"""Rows of `gest` that do not depend on the sentence, or only weakly: how often its validity conditions accept them."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.stats import binom, norm

from genderscope.judgement import CONTROL, CONTROL_AUC
from genderscope.measures.controls import RESPONDS, known_answers
from genderscope.measures.gest.conditions import PROMPT_AGREEMENT, PROMPTS_AGREE
from genderscope.measures.gest.rates import Rates
from genderscope.measures.rate_agreement import prompt_agreement
from genderscope.published.gest_lm import reproduced_rows
from genderscope.samples.gest import STEREOTYPES
from genderscope.statistics.discrimination import area_under_curve
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.proportions import plain_interval

Array = npt.NDArray[np.float64]
#: draws log-ratios [sentences, prompts]
Draw = Callable[[np.random.Generator, int, int], Array]

JUDGED = Estimate(name="stereotype_rate", value=1.0, n=1, unread=0, neutral=1.0, method="simulated")
PAIRS, SENTENCES = (12, 44), (64, 256, 3565)
SIDES = ("above", "below")
#: random subsets of released scores
DRAWN = 200


def independent(generator: np.random.Generator, sentences: int, prompts: int) -> Array:
    return generator.normal(size=(sentences, prompts))


def long_tailed(generator: np.random.Generator, sentences: int, prompts: int) -> Array:
    return generator.standard_t(3, size=(sentences, prompts))


def of_uneven_spread(generator: np.random.Generator, sentences: int, prompts: int) -> Array:
    """Answers are unrelated, but some sentences give larger log-ratios than others in every prompt."""
    return generator.normal(size=(sentences, prompts)) * np.exp(0.5 * generator.normal(size=(sentences, 1)))


def alike(r: float) -> Draw:
    """Return a draw in which prompts correlate because they share a reaction to the sentence."""

    def draw(generator: np.random.Generator, sentences: int, prompts: int) -> Array:
        shared, own = generator.normal(size=(sentences, 1)), generator.normal(size=(sentences, prompts))
        return math.sqrt(r) * shared + math.sqrt(1 - r) * own

    return draw


NULLS: dict[str, Draw] = {
    "noise": independent,
    "noise, long tails (t, 3 degrees of freedom)": long_tailed,
    "noise, larger for some sentences": of_uneven_spread,
    "the same noise in all prompts": alike(0.95),
}


def agreement_of(values: Array) -> list[Estimate]:
    """Return the agreement between prompts for sentences that are spread evenly over the stereotypes."""
    tables = dict(enumerate(np.array_split(values, len(STEREOTYPES))))
    return prompt_agreement(tables, range(values.shape[1]), PROMPT_AGREEMENT)


def agrees(estimates: list[Estimate]) -> bool:
    """Return whether the lower end of the agreement is above 0, also with fewer sentences than the condition needs."""
    (found,) = estimates
    return found.low is not None and found.low >= PROMPTS_AGREE.limit


def control(right: int, pairs: int) -> list[Estimate]:
    """Return the control with this number of pairs in the right order."""
    return [known_answers(right, pairs, 0.5)]


def control_passes(pairs: int, share: float) -> float:
    """Return the exact probability that the control accepts a model that gets each pair right with this probability."""
    passed = [right for right in range(pairs + 1) if RESPONDS.failure(control(right, pairs), JUDGED) is None]
    return float(np.sum(binom.pmf(passed, pairs, share)))


def agreement_passes(draw: Draw, sentences: int, prompts: int, replications: int) -> float:
    """Return how often the agreement accepts drawn rows."""
    generator = np.random.default_rng([sentences, prompts])
    drawn = (agreement_of(draw(generator, sentences, prompts)) for _ in range(replications))
    return sum(map(agrees, drawn)) / replications


def area_coverage(pairs: int, shift: float, replications: int) -> tuple[float, float]:
    """Return how often the interval of `control_auc` lies above and below the truth, for values of unit variance."""
    generator = np.random.default_rng([pairs, round(100 * shift)])
    truth, above, below = float(norm.cdf(shift / math.sqrt(2))), 0, 0
    for _ in range(replications):
        high, low = generator.normal(size=(2, pairs))
        _, ends = area_under_curve(list(high + shift), list(low))
        above, below = above + (ends[0] > truth), below + (ends[1] < truth)
    return above / replications, below / replications


def share_coverage(pairs: int, truth: float) -> tuple[float, float]:
    """Return the exact probability that the interval of `control` lies above and below the truth."""
    ends = [plain_interval(right, pairs) for right in range(pairs + 1)]
    chances = np.asarray(binom.pmf(range(pairs + 1), pairs, truth))
    sides = [[low > truth for low, _ in ends], [high < truth for _, high in ends]]
    return float(chances[sides[0]].sum()), float(chances[sides[1]].sum())


def simulated(replications: int) -> None:
    """Print acceptance of noise, rejection of weak models and coverage of the intervals.

    Rows that have nothing to do with the sentence put each pair in the right order with a probability of one half,
    independently of the other rows, so the control needs no simulation, and both conditions pass with the product.
    """
    print("Acceptance of rows that have nothing to do with the sentence")
    chances = {pairs: control_passes(pairs, 0.5) for pairs in PAIRS}
    both = [f"and control, {pairs} pairs ({chance:.2%} alone)" for pairs, chance in chances.items()]
    _heading("rows", "prompts", "sentences", "pass agreement", *both)
    for name, draw in NULLS.items():
        for prompts, sentences in product((2, 3), SENTENCES):
            share = agreement_passes(draw, sentences, prompts, replications)
            _line(name, prompts, f"{sentences:,}", f"{share:.2%}", *(f"{share * chances[p]:.3%}" for p in PAIRS))
    fewer = max(replications // 5, 100)
    print("\nRejection of models that respond")
    _heading("pairs right", *(f"by control, {pairs} pairs" for pairs in PAIRS))
    for right in (0.6, 0.7, 0.8, 0.9, 0.95, 0.99):
        _line(f"{right:.0%}", *(f"{1 - control_passes(pairs, right):.2%}" for pairs in PAIRS))
    _heading("correlation of prompts", *(f"by agreement, {sentences:,} sentences" for sentences in SENTENCES))
    for r in (0.1, 0.2, 0.3, 0.5, 0.7):
        _line(r, *(f"{1 - agreement_passes(alike(r), sentences, 3, fewer):.2%}" for sentences in SENTENCES))
    print("\nIntervals of the controls (95 %)")
    _heading("pairs", "truth", *(f"`{name}` {side} the truth" for name in (CONTROL, CONTROL_AUC) for side in SIDES))
    for pairs, shift in product((6, *PAIRS), (0.0, 0.5, 1.0, 2.0, 3.0)):
        truth = float(norm.cdf(shift / math.sqrt(2)))
        shares = (*share_coverage(pairs, truth), *area_coverage(pairs, shift, fewer))
        _line(pairs, f"{truth:.3f}", *(f"{share:.1%}" for share in shares))


def released() -> None:
    """Print the agreement between templates for the models with released scores, and for some of the sentences."""
    subsets = [f"rejected with {size} sentences, of {DRAWN} draws" for size in SENTENCES[:2]]
    _heading("model", "templates", "sentences", "agreement", "interval", "rejected", *subsets)
    rejected: Counter[str] = Counter()
    for model, rows in reproduced_rows():
        asked = tuple(sorted(set(rows["template"])))
        for chosen in sorted({(3, 4), asked}):
            read = Rates(rows[rows["template"].isin(chosen)], seed=0, scale="ratio")
            (found,) = estimates = prompt_agreement(read.values, read.columns(None), PROMPT_AGREEMENT)
            failed = PROMPTS_AGREE.failure(estimates, JUDGED) is not None
            rejected.update({"models": chosen == (3, 4), "rejected": failed})
            ends, span = f"{found.low:.3f} to {found.high:.3f}", f"{chosen[0]}-{chosen[-1]}"
            some = [_rejected_subsets(read, size) for size in SENTENCES[:2]]
            _line(model, span, f"{found.n:,}", f"{found.value:.3f}", ends, "yes" if failed else "no", *some)
    print(f"\nRejected: {rejected['rejected']} (models: {rejected['models']}).")


def _rejected_subsets(read: Rates, size: int) -> int:
    """Return how many random subsets of a model's sentences are rejected; each stereotype has equally many."""
    generator = np.random.default_rng(size)
    count = 0
    for _ in range(DRAWN):
        each = size // len(read.values)
        tables = {i: table[generator.choice(len(table), each, replace=False)] for i, table in read.values.items()}
        estimates = prompt_agreement(tables, read.columns(None), PROMPT_AGREEMENT)
        count += not agrees(estimates)
    return count


def _heading(*names: str) -> None:
    print(f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}", flush=True)


def _line(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
