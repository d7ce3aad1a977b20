"""Word filling: quadruplets, controls that come ten to a sample, and samples that share a target term."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit, lazy
from scipy import stats

from genderscope.measures.wordfill.scores import Scores

COLUMNS = ("ss", "ss_control", "csk", "csk_control", "f", "cs", "cs_control", "lp0", "lp1", "lp_unrelated")
MANY = 400_000


def frame(items: np.ndarray, targets: np.ndarray | None, scores: dict[str, np.ndarray]) -> pd.DataFrame:
    """Rows as the measure makes them."""
    known = {"sample": np.arange(len(items)), "item": items, "subset": "x", "unread": None, "language": "en"}
    known["target"] = None if targets is None else [f"t{k}" for k in targets]
    words = {f"keyword{k}": "word" for k in range(4)}
    return pd.DataFrame({name: np.full(len(items), np.nan) for name in COLUMNS} | scores | known | words)


def _pair(generator: np.random.Generator, targets: np.ndarray, spread: float, skewed: bool) -> tuple[np.ndarray, ...]:
    """ss and its control: correlated by 0.5, each with an effect of its target."""
    n, groups = len(targets), int(targets.max()) + 1 if len(targets) else 0
    shared, one, other = (
        (generator.gamma(2, 1, n) - 2) / np.sqrt(2) if skewed else generator.normal(size=n) for _ in "abc"
    )
    effect = spread * generator.normal(size=(2, groups))
    common = np.sqrt(0.5)
    return 0.4 + common * (shared + one) + effect[0][targets], 0.2 + common * (shared + other) + effect[1][targets]


@lazy
def quadruplets(groups: int, each: int, spread: float, skewed: bool = False, copies: int = 1):
    """`groups` targets with `each` samples; without targets where each is 1."""
    ss, control = _pair(np.random.default_rng(0), np.arange(MANY), spread, skewed)
    f = ss - control
    fpr, fnr = float((f <= 0)[ss > 0].mean()), float((f > 0)[ss <= 0].mean())
    truth = {
        ("stereotype_contrast", None, None): 0.2,
        ("stereotype_contrast_share", None, None): float((f > 0).mean()),
        ("keyword_preference", "original", None): 0.4,
        ("keyword_preference_share", "original", None): float((ss > 0).mean()),
        ("score_correlation", None, "ss"): float(np.corrcoef(ss, control)[0, 1]),
        ("score_correlation", None, "f-ss"): float(np.corrcoef(f, ss)[0, 1]),
        ("agreement", None, "f-ss"): float(((f > 0) == (ss > 0)).mean()),
        ("false_positive_rate", None, None): fpr,
        ("false_negative_rate", None, None): fnr,
    }

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        targets = np.repeat(np.arange(groups), each)
        ss, control = _pair(generator, targets, spread, skewed)
        items = np.arange(len(targets))
        if copies > 1:  # ten controls of one sample share its ss
            items, ss, targets = (np.repeat(x, copies) for x in (items, ss, targets))
            control = (
                np.repeat(control, copies) * 0.0
                + 0.2
                + 0.5 * (ss - 0.4)
                + np.sqrt(0.75) * generator.normal(size=len(ss))
            )
        rows = frame(items, targets if each > 1 else None, {"ss": ss, "ss_control": control, "f": ss - control})
        for e in Scores(rows, "x", int(generator.integers(2**31)), False).estimates():
            known = truth.get((e.name, e.group, e.category))
            if known is not None:
                where = e.name if e.category is None else f"{e.name} {e.category}"
                yield checked(e, known, where)

    return draw


@lazy
def plain(groups: int, each: int, pro: float, related: float, spread: float, uneven: float = 0.0):
    """StereoSet as released: lms and icat, means over targets; ss at `pro`.

    Targets differ in their log-odds of a meaningful word by `uneven`, around `related`.
    """
    normal = np.random.default_rng(0).normal(size=MANY)
    by_target = expit(np.log(related / (1 - related)) + uneven * normal[::-1])
    related, mixed = float(by_target.mean()), float((2 * by_target * (1 - by_target)).mean())
    ss = 100 * float(stats.norm.cdf(stats.norm.ppf(pro) * np.sqrt(1 + spread**2) + spread * normal).mean())
    # where one of the two lies below the unrelated word, it lies below the other
    ss = (1 - mixed) * ss + mixed * 50
    lms = 100 * related
    truth = {
        "language_modelling_score": lms,
        "icat_score": lms * min(ss, 100 - ss) / 50,
        "keyword_preference_share": ss / 100,
        "stereotype_score": ss,
    }

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        targets = np.repeat(np.arange(groups), each)
        chance = stats.norm.cdf(stats.norm.ppf(pro) * np.sqrt(1 + spread**2) + spread * generator.normal(size=groups))[
            targets
        ]
        n = len(targets)
        first = generator.random(n) < chance
        easy = by_target[generator.integers(MANY, size=groups)][targets]
        good = generator.random((n, 2)) < easy[:, None]
        lp0, lp1 = np.where(first, 1.0, 0.9), np.where(first, 0.9, 1.0)
        # the unrelated word lies below both, between, or above both, as `good` has it
        lp0, lp1 = np.where(good[:, 0], lp0, lp0 - 5), np.where(good[:, 1], lp1, lp1 - 5)
        known = {"lp0": lp0, "lp1": lp1, "lp_unrelated": np.full(n, -1.0), "ss": np.where(lp0 > lp1, 1.0, -1.0)}
        for e in Scores(frame(np.arange(n), targets, known), "x", int(generator.integers(2**31)), False).estimates():
            if e.name in truth and e.group != "control":
                yield checked(e, truth[e.name])

    return draw


def pairs(n: int):
    """CrowS pairs with control pairs, heavy tails."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        control = generator.standard_t(4, n)
        cs = 0.3 + 0.6 * control + generator.standard_t(4, n)
        share = (0.3, 0.5)
        rows = frame(np.arange(n), None, {"cs": cs, "cs_control": control})
        for e in Scores(rows, "x", int(generator.integers(2**31)), False).estimates():
            if e.name == "sentence_preference_contrast" or (e.name, e.group) == ("sentence_preference", "original"):
                yield checked(e, share[0])
            elif (e.name, e.group) == ("sentence_preference_share", "control"):
                yield checked(e, share[1])
            elif e.name == "score_correlation":
                yield checked(e, 0.6 / np.hypot(0.6, 1.0), "rho cs")

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of StereoSet, CrowS and the Slovak set."""
    few = "n < 12"
    yield Situation("stereoset", "8 quadruplets", quadruplets(8, 1, 0.0), 1, few)
    for n in (12, 60, 250):
        yield Situation("stereoset", f"{n} quadruplets", quadruplets(n, 1, 0.0), 0.6)
    yield Situation("stereoset", "60 skewed quadruplets", quadruplets(60, 1, 0.0, True), 0.6)
    yield Situation("stereoset", "10 targets × 25, spread 0.4", quadruplets(10, 25, 0.4), 0.6, few)
    yield Situation("stereoset", "60 targets × 6, spread 0.4", quadruplets(60, 6, 0.4), 0.4)
    yield Situation("stereoset", "60 samples × 10 controls", quadruplets(60, 1, 0.0, copies=10), 0.4)
    for pro in (0.5, 0.52, 0.6):
        yield Situation("stereoset", f"plain, 60 targets × 6, ss {pro:.0%}", plain(60, 6, pro, 0.9, 0.3), 0.8)
        yield Situation("stereoset", f"plain, 10 targets × 25, ss {pro:.0%}", plain(10, 25, pro, 0.9, 0.3), 0.8, few)
    for groups, each in ((10, 25), (40, 6)):
        name = f"plain, {groups} targets × {each}, lms near 98 %"
        yield Situation("stereoset", name, plain(groups, each, 0.5, 0.985, 0.5, 1.0), 0.8, few if groups < 12 else "")
    for n in (12, 60):
        yield Situation("crows", f"{n} pairs with controls", pairs(n), 0.6)
