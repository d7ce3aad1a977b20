"""Differences between two equally biased systems in the other measures, and where sentences recur.

A unit (sentence, identity term, adjective, profession) has an effect that both share and one of its own in each.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Situation, chat, dialogue, eurogest, expit, geneval, honest, recurrence, wordfill
from benchmarks.simulated import gest as gest_rows
from benchmarks.simulated.comparisons import Systems, comparison
from benchmarks.simulated.translation import frame as mt_frame

from genderscope.samples.gest import MALE

FEW, EDGE = "n < 12", "shares within 1/n of 0 or 1"


def _effects(generator: np.random.Generator, size: tuple[int, ...], number: int, skewed: bool = False) -> np.ndarray:
    """Effects with standard deviation 1, [systems, *size], of which systems share half the variance."""
    shape = (number + 1, *size)
    drawn = (generator.gamma(1, 1, shape) - 1) if skewed else generator.normal(size=shape)
    return (drawn[:1] + drawn[1:]) / np.sqrt(2)


def recurring(measure: str, listed: recurrence.Listing, n: int) -> Systems:
    """Sentences under two stereotypes, or kept twice, which a system answers alike wherever they are."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        listing = listed(n, generator)
        size = max(int(numbers.max()) for numbers in listing.values()) + 1
        made = []
        for values in _effects(generator, (size, 2), number):
            each = {i: values[numbers] for i, numbers in sorted(listing.items())}
            if measure == "gest":
                rows = gest_rows.frame(each)
            elif measure == "gest-mt":
                masculine = {i: (v[:, :1] > 0).astype(float) for i, v in each.items()}
                rows = mt_frame(masculine, 1.0, generator).assign(language="sk")
            else:
                rows = chat.answers(np.concatenate([expit(2 * v[:, 0]) for v in each.values()]), n, generator)
            made.append(recurrence.named(rows, listing))
        return made

    return draw


def european(languages: int, n: int, gendered: float, listed: recurrence.Listing | None = None) -> Systems:
    """EuroGEST: a source sentence moves its translations; it may be listed under two stereotypes."""
    centres = np.random.default_rng(languages).normal(0, 0.3, (16, languages, 2))

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        listing = {i: (i - 1) * n + np.arange(n) for i in range(1, 17)} if listed is None else listed(n, generator)
        numbers = np.concatenate([listing[i] for i in sorted(listing)])
        stereotypes, size = np.repeat(sorted(listing), n), int(numbers.max()) + 1
        template = np.where(generator.random((size, languages)) < gendered, 0, 1)
        made = []
        for common, own in zip(
            _effects(generator, (size,), number, True), _effects(generator, (size, languages), number), strict=True
        ):
            parts = []
            for k in range(languages):
                kinds = template[numbers, k]
                known = {
                    "sample": np.arange(16 * n),
                    "language": f"l{k}",
                    "condition": [eurogest.CONDITIONS[t + 1] for t in kinds],
                    "sentence": [f"s{j} in l{k}" for j in numbers],
                    "stereotype": stereotypes,
                    "template": kinds + 1,
                    "log_ratio": centres[stereotypes - 1, k, kinds] + (common + 0.7 * own[:, k])[numbers],
                }
                parts.append(pd.DataFrame(known))
            made.append(pd.concat(parts, ignore_index=True).assign(family=False, mass=np.nan, unread=None))
        return made

    return draw


def sparse(languages: tuple[str, ...]) -> Systems:
    """EuroGEST as released in some languages, where a condition may have few sentences."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        rows = eurogest.sparse_rows(languages)
        return [rows.assign(log_ratio=0.8 * each) for each in _effects(generator, (len(rows),), number)]

    return draw


def chatting(n: int, lean: float, refused: float, form: str = "ask") -> Systems:
    """Chat models that answer in six orders, or write a text."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        sign = np.repeat([1.0 if i in MALE else -1.0 for i in range(1, 17)], n)
        effects = _effects(generator, (16 * n,), number)
        return [chat.answers(expit(lean * sign + each), n, generator, refused, form) for each in effects]

    return draw


def completing(
    terms: tuple[int, int], patterns: int, k: int, logit: float, spread: float, skewed: bool = False
) -> Systems:
    """HONEST: terms and patterns, crossed."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        by_term = _effects(generator, (sum(terms), 1), number, skewed)
        by_pattern = _effects(generator, (1, patterns), number)
        return [
            honest.frame(expit(logit + spread * (a + b)), terms, k, generator)
            for a, b in zip(by_term, by_pattern, strict=True)
        ]

    return draw


def translating(n: int, professions: int, languages: int, logit: float) -> Systems:
    """MT-GenEval: counterfactual segments, and contextual ones whose professions recur."""
    return lambda generator, number: geneval.systems(generator, number, n, professions, languages, logit)


def speaking(logit: float, spread: tuple[float, float]) -> Systems:
    """Dialogue: adjectives, and adverbs or occupations."""
    return lambda generator, number: dialogue.systems(generator, number, logit, spread)


def paired(targets: int, each: int, controls: int = 1) -> Systems:
    """StereoSet and CrowS: samples about target terms, each with so many controls."""

    def draw(generator: np.random.Generator, number: int) -> list[pd.DataFrame]:
        terms, items = np.repeat(np.arange(targets), each), np.repeat(np.arange(targets * each), controls)
        made = []
        for term, item, own in zip(
            _effects(generator, (2, targets), number),
            _effects(generator, (2, targets * each), number, True),
            _effects(generator, (2, len(items)), number),
            strict=True,
        ):
            ss, control = 0.4 * term[:, terms][:, items] + item[:, items] + 0.5 * own
            ss = ss if controls == 1 else ss - 0.5 * own[0]
            known = {"ss": ss, "ss_control": control, "f": ss - control, "cs": ss, "cs_control": control}
            made.append(wordfill.frame(items, terms[items] if each > 1 else None, known))
        return made

    return draw


def situations() -> Iterator[Situation]:
    """Every situation."""

    def null(measure: str, name: str, systems: Systems, share: float, why: str = "", **options: Any) -> Situation:
        return Situation("compare", f"{measure}, {name}", comparison(measure, systems, **options), share, why)

    for name, listed in (("under two stereotypes", recurrence.under_two), ("kept twice", recurrence.kept_twice)):
        for measure in ("gest", "gest-mt", "gest-chat"):
            why = FEW if listed is recurrence.kept_twice else ""
            yield null(measure, f"16 sentences, {name}", recurring(measure, listed, 16), 0.5, why)
    yield null("eurogest", "5 languages, 40 sentences, half gendered", european(5, 40, 0.5), 0.25)
    yield null("eurogest", "3 languages, 16 pairs, under two", european(3, 16, 1.0, recurrence.under_two), 0.5)
    yield null("eurogest", "gl", sparse(("gl",)), 0.5, "a condition with 1 to 5 readings")
    yield null("eurogest", "gl + ro + ca", sparse(("gl", "ro", "ca")), 0.3, "a condition with 1 to 5 readings")
    yield null("gest-chat", "leaning, 16 sentences", chatting(16, 0.7, 0.4), 0.5)
    yield null("gest-chat", "95 % refused, 16 sentences", chatting(16, 0.7, 0.95), 0.5, EDGE)
    yield null("gest-chat", "written, 16 sentences", chatting(16, 0.7, 0.2, "write"), 0.5, form="write")
    yield null("gest-chat", "5 sentences", chatting(5, 0.7, 0.4), 0.5, FEW)
    for terms, skewed in (((14, 14), False), ((41, 6), False), ((41, 6), True)):
        name = f"{terms[0]} against {terms[1]}{' skewed' if skewed else ''} terms × 15, K 20, 10 %"
        why = FEW if min(terms) < 12 else ""
        yield null("honest", name, completing(terms, 15, 20, -2.5, 0.6, skewed), 0.5, why)
    yield null("honest", "14 against 14 terms × 15, K 5, 1 %", completing((14, 14), 15, 5, -5, 0.6), 0.5, EDGE)
    yield null("mt-geneval", "300 segments, 60 professions", translating(300, 60, 1, -1.5), 0.4)
    yield null("mt-geneval", "300 segments, 60 professions, 3 languages", translating(300, 60, 3, -1.5), 0.2)
    yield null("mt-geneval", "60 segments, 10 professions", translating(60, 10, 1, -1.5), 0.4, FEW)
    yield null("mt-geneval", "300 segments, near 0", translating(300, 60, 1, -5.5), 0.4, EDGE)
    yield null("dialogue", "starter suite, both differ", speaking(0.8, (1.0, 0.5)), 0.3, FEW)
    yield null("dialogue", "starter suite, near 1", speaking(4.5, (0.5, 0.5)), 0.3, EDGE)
    yield null("stereoset", "60 quadruplets", paired(60, 1), 0.5)
    yield null("stereoset", "10 targets × 25", paired(10, 25), 0.5, FEW)
    yield null("stereoset", "60 samples × 10 controls", paired(60, 1, 10), 0.3)
    yield null("crows", "60 pairs with controls", paired(60, 1), 0.5)
