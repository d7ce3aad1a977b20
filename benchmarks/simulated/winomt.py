"""WinoMT: pairs of a male and a female occupation, some of which are hard in all their sentences and languages."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit, moved, wide

from genderscope.measures.winomt.rates import estimates as winomt_estimates
from genderscope.samples.winomt import JOINER, SOMEONE

GENDERS = ("masculine", "feminine")
Versions = tuple[str, ...]
SIGNS = {"masculine": 1, "feminine": -1, "neutral": 0}
#: which versions of a sentence there are
TWINS, THREE = GENDERS, (*GENDERS, "neutral")
_NORMAL = np.random.default_rng(0).normal(size=200_000)


@dataclass(frozen=True)
class System:
    """Log-odds of a masculine reading, with the standard deviations of what pairs, occupations and sentences add.

    `follow` is added for a masculine pronoun and subtracted for a feminine one; `stereotype` likewise for a male or
    female occupation. A person with a neutral pronoun is read as neutral with the probability `neutral`.
    """

    lean: float
    follow: float
    stereotype: float
    pairs: float = 0.7
    sentences: float = 0.7
    occupations: float = 0.0
    neutral: float = 0.3
    #: chances that a masculine and a feminine translation is read
    read: tuple[float, float] = (1.0, 1.0)

    def log_odds(self, pronoun: str, occupation: str) -> float:
        """Return the log-odds of a masculine reading in an average sentence."""
        return self.lean + self.follow * SIGNS[pronoun] + self.stereotype * SIGNS[occupation]

    def shares(self, pronoun: str, occupation: str) -> dict[str, float]:
        """Return how often each gender is read, over all sentences of all pairs."""
        spread = np.sqrt(self.pairs**2 + self.sentences**2 + 2 * self.occupations**2)
        masculine = float(expit(self.log_odds(pronoun, occupation) + spread * _NORMAL).mean())
        neutral = self.neutral if pronoun == "neutral" else 0.0
        return {"masculine": (1 - neutral) * masculine, "feminine": (1 - neutral) * (1 - masculine), "neutral": neutral}


def truths(system: System, versions: Versions) -> dict[str, float]:
    """Return what the estimates should find, by what they are about."""
    cells = {(g, o): system.shares(g, o) for g in versions for o in GENDERS}
    right = {cell: shares[cell[0]] for cell, shares in cells.items()}
    found = {"accuracy": float(np.mean(list(right.values())))}
    f1 = {}
    for gender in GENDERS:
        named = sum(shares[gender] for shares in cells.values())
        true = sum(right[gender, o] for o in GENDERS)
        f1[gender] = 2 * true / (named + len(GENDERS))
        found[f"accuracy, {gender}"] = true / len(GENDERS)
    found["f1_gap"] = f1["masculine"] - f1["feminine"]
    pro = float(np.mean([right[g, g] for g in GENDERS]))
    anti = float(np.mean([right[g, o] for g, o in (GENDERS, GENDERS[::-1])]))
    return found | {"accuracy, pro": pro, "accuracy, anti": anti, "stereotype_gap": pro - anti}


def rows_of(
    system: System,
    generator: np.random.Generator,
    pairs: int,
    sentences: int,
    languages: int,
    versions: Versions,
) -> pd.DataFrame:
    """Draw rows as the measure makes them: `sentences` per occupation of a pair, each in all versions.

    As in the released data, every male occupation forms a pair with every female one, as far as there are so many.
    """
    side = int(np.ceil(np.sqrt(pairs)))
    jobs = system.occupations * generator.normal(size=(2, side))
    records: list[tuple[Any, ...]] = []
    for pair in range(pairs):
        men, women = divmod(pair, side)
        hard = system.pairs * generator.normal() + jobs[0, men] + jobs[1, women]
        people = JOINER.join((f"f{women}", f"m{men}"))
        for occupation, k in product(GENDERS, range(sentences)):
            own = hard + system.sentences * generator.normal()
            twin = f"{pair} {occupation} {k}"
            for version in versions:
                stereotype = "" if version == "neutral" else "pro" if version == occupation else "anti"
                chance = float(expit(system.log_odds(version, occupation) + own))
                sentence = (len(records) // languages, f"{twin} {version}", twin)
                for language in range(languages):
                    reading = "masculine" if generator.random() < chance else "feminine"
                    if version == "neutral" and generator.random() < system.neutral:
                        reading = "neutral"
                    is_read = generator.random() < system.read[reading == "feminine"]
                    shown = (reading, None) if is_read else (None, "silent")
                    records.append((*sentence, people, version, stereotype, *shown, language))
    columns = ("number", "item", "twin", "pair", "gender", "stereotype", "reading", "unread", "language")
    rows = pd.DataFrame(records, columns=list(columns))
    text = {name: rows[name].astype("string") for name in ("reading", "unread")}
    empty = pd.Series([None] * len(rows), dtype="string")
    rows = rows.assign(**text, language="l" + rows["language"].astype(str))
    # Accuracies by occupation are not looked at, and take most of the time.
    return rows.assign(source=rows["item"], entity=SOMEONE, other="", other_reading=empty, pronoun=empty)


def scores(system: System, pairs: int, sentences: int = 2, languages: int = 1, versions: Versions = TWINS):
    """Check the estimates of one system.

    If occupations differ, look at the wide intervals; if one gender is read less often, at intervals at the ends of the
    range for unread translations.
    """
    truth = truths(system, versions)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = rows_of(system, generator, pairs, sentences, languages, versions)
        for e in winomt_estimates(rows):
            about = e.name if e.group is None and e.subset is None else f"{e.name}, {e.subset or e.group}"
            if (e.language is None) != (languages > 1) or about not in truth:
                continue
            if system.read[0] != system.read[1]:
                if e.unread_low is not None:
                    yield moved(e, truth[about], f"{about}, interval at the ends of the range for unread")
            elif system.occupations:
                yield replace(wide(e, truth[about]), what=f"{about} (wide)")
            else:
                yield checked(e, truth[about], about)

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of winomt."""
    edge, few = "shares within 1/n of 0 or 1", "n < 12"
    typical = System(1.0, 0.7, 0.7)
    yield Situation("winomt", "1 language, 390 pairs, typical", scores(typical, 390))
    yield Situation("winomt", "1 language, 40 pairs, typical", scores(typical, 40))
    partly = System(1.0, 0.7, 0.7, read=(0.8, 0.8))
    yield Situation("winomt", "1 language, 40 pairs, 80% read", scores(partly, 40))
    yield Situation("winomt", "1 language, 30 pairs, one sentence each", scores(typical, 30, 1))
    yield Situation("winomt", "1 language, 10 pairs, typical", scores(typical, 10), conservative=few)
    yield Situation("winomt", "1 language, 40 pairs that differ widely", scores(System(1.0, 0.7, 0.7, pairs=2.0), 40))
    yield Situation("winomt", "1 language, 60 pairs, with neutral pronouns", scores(typical, 60, versions=THREE))
    always, right = System(5.5, 0.5, 0.5), System(0.3, 5.5, 0.3)
    for pairs, share in ((390, 0.5), (40, 1.0)):
        name = f"1 language, {pairs} pairs, nearly always"
        yield Situation("winomt", f"{name} masculine", scores(always, pairs), share, edge)
        yield Situation("winomt", f"{name} right", scores(right, pairs), share, edge)
    yield Situation("winomt", "1 language, 60 pairs, follows the stereotype", scores(System(0.0, 0.1, 3.0), 60))
    yield Situation("winomt", "3 languages, 40 pairs, alike", scores(typical, 40, languages=3), 0.5)
    for pairs, share in ((400, 0.5), (100, 1.0)):
        name = f"1 language, {pairs} pairs of {int(2 * pairs**0.5)} occupations that differ"
        yield Situation("winomt", name, scores(System(1.0, 0.7, 0.7, occupations=0.7), pairs), share)
    yield Situation(
        "winomt",
        "1 language, 100 pairs, 90% of masculine and 80% of feminine translations read",
        scores(System(1.0, 0.7, 0.7, read=(0.9, 0.8)), 100),
        0.5,
        "the range is a bound",
    )
