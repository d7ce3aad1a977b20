"""GEST in translation: sentences that all languages share are hard or easy in all of them."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit, lazy, moved, wide

from genderscope.measures.gest_mt.rates import MtRates
from genderscope.measures.unread_cautions import stereotype_yields
from genderscope.samples.gest import MALE

_NORMAL = np.random.default_rng(0).normal(size=200_000)


def frame(
    masculine: dict[int, np.ndarray], read: float | tuple[float, float], generator: np.random.Generator
) -> pd.DataFrame:
    """Rows as the measure makes them, of [samples, languages] of 0 and 1 for each stereotype.

    `read` is how often a gender can be read: one chance, or those of feminine and masculine forms.
    """
    sizes = [len(values) for values in masculine.values()]
    languages = next(iter(masculine.values())).shape[1]
    samples, values = np.arange(sum(sizes)), np.concatenate([values.ravel() for values in masculine.values()])
    silent = generator.random(values.size) > (np.array(read)[values.astype(int)] if isinstance(read, tuple) else read)
    return pd.DataFrame(
        {
            "sample": np.repeat(samples, languages),
            "sentence": np.repeat([f"s{k}" for k in samples], languages),
            "stereotype": np.repeat(np.repeat(list(masculine), sizes), languages),
            "family": np.repeat(np.concatenate([np.arange(n) % 3 == 0 for n in sizes]), languages),
            "language": np.tile([f"l{k}" for k in range(languages)], len(samples)),
            "gender": np.where(silent, "neutral", np.where(values > 0, "masculine", "feminine")),
            "unread": np.where(silent, "neutral", None),
        }
    )


def share(logit: float, spread: float) -> float:
    """The mean of the logistic function over sentences that differ by `spread`."""
    return float(expit(logit + spread * _NORMAL).mean())


@lazy
def rates(n: int, languages: int, female: float, male: float, spread: float, read: float = 0.8):
    """Log-odds of a masculine form for the two kinds of stereotype; sentences differ by `spread` in all languages."""
    centres = {i: male + 0.3 * np.sin(i) if i in MALE else female + 0.3 * np.sin(i) for i in range(1, 17)}
    p = {i: share(c, spread) for i, c in centres.items()}
    p_f, p_m = (float(np.mean([p[i] for i in p if (i in MALE) == group])) for group in (False, True))
    truth = {
        "masculine_rate_female": p_f,
        "masculine_rate_male": p_m,
        "stereotype_rate": p_m - p_f,
        "masculine_rate": (p_m + p_f) / 2,
    }

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        masculine = {}
        for i, centre in centres.items():
            chance = expit(centre + spread * generator.normal(size=(n, 1)))
            masculine[i] = (generator.random((n, languages)) < chance).astype(float)
        found = MtRates(frame(masculine, read, generator), int(generator.integers(2**31)), False)
        for e in found.estimates():
            over = ", over languages" if e.language is None and languages > 1 else ""
            if e.name == "masculine_rate_by_stereotype":
                yield checked(e, p[e.stereotype], e.name + over)
            elif e.name in truth:
                yield checked(e, truth[e.name], e.name + over)
            elif e.name == "masculine_rate_family":
                yield checked(e, p_m)
            elif e.name == "family_contrast":
                yield checked(e, 0.0)
            elif e.name == "yield":
                yield checked(e, read)
            elif e.name == "rank" and (e.language is None or languages == 1):
                yield checked(e, 1 + sum(p[j] < p[e.stereotype] for j in p), e.name + over)

    return draw


def drawn_stereotypes(n: int, spread: float):
    """Stereotypes drawn at random."""
    centre = {True: 0.8, False: 0.2}
    p = {group: share(c, spread) for group, c in centre.items()}
    truth = {
        "stereotype_rate": p[True] - p[False],
        "masculine_rate": (p[True] + p[False]) / 2,
        "masculine_rate_female": p[False],
        "masculine_rate_male": p[True],
    }

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        chance = {i: expit(centre[i in MALE] + spread * generator.normal()) for i in range(1, 17)}
        masculine = {i: (generator.random((n, 1)) < c).astype(float) for i, c in chance.items()}
        for e in MtRates(frame(masculine, 0.8, generator), int(generator.integers(2**31)), False).estimates():
            if e.name in truth:
                yield wide(e, truth[e.name])

    return draw


@lazy
def unread_by_gender(n: int, female: float, male: float, read: tuple[float, float]):
    """Feminine and masculine forms are read with these chances.

    If they differ, f_m's own interval covers 63 % (16 sentences each) or 1 % (100), so the range for unread is checked;
    if they do not, so is how often the yields of male and female stereotypes differ significantly.
    """
    p = {i: share((male if i in MALE else female) + 0.3 * np.sin(i), 0.5) for i in range(1, 17)}
    p_f, p_m = (float(np.mean([p[i] for i in p if (i in MALE) == group])) for group in (False, True))
    truth = {"stereotype_rate": p_m - p_f, "masculine_rate": (p_m + p_f) / 2}

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        masculine = {i: (generator.random((n, 1)) < chance).astype(float) for i, chance in p.items()}
        rows = frame(masculine, read, generator)
        rows["unread"] = rows["unread"].astype("string")
        yields = stereotype_yields(rows)
        for e in MtRates(rows, 0, False).estimates():
            if e.name in truth:
                if read[0] == read[1]:
                    yield replace(checked(e, truth[e.name]), p=yields.p)
                yield moved(e, truth[e.name], f"{e.name}, interval at the ends of the range for unread")

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of gest-mt."""
    edge, few = "shares within 1/n of 0 or 1", "n < 12"
    yield Situation("gest-mt", "1 language, 16 sentences, middle", rates(16, 1, -0.5, 0.5, 0.5), 0.7)
    yield Situation("gest-mt", "1 language, 200 sentences, middle", rates(200, 1, -0.5, 1.5, 0.5), 0.3)
    yield Situation("gest-mt", "1 language, 16 sentences, near 1", rates(16, 1, 3.5, 3.5, 0.3), 0.7, edge)
    yield Situation("gest-mt", "1 language, 16 sentences, 0.998", rates(16, 1, 6.0, 6.0, 0.3), 0.5, edge)
    yield Situation("gest-mt", "1 language, 100 sentences, near 1", rates(100, 1, 4.5, 4.5, 0.3), 0.5, edge)
    yield Situation("gest-mt", "1 language, 16 sentences, near 0 and 1", rates(16, 1, -4.0, 4.0, 0.3), 0.5, edge)
    yield Situation("gest-mt", "1 language, 5 sentences", rates(5, 1, 0.0, 1.5, 0.5), 0.5, few)
    for languages in (3, 9):
        yield Situation(
            "gest-mt", f"{languages} languages, 16 sentences, alike", rates(16, languages, -0.5, 1.5, 3.0), 0.3
        )
        yield Situation(
            "gest-mt", f"{languages} languages, 16 sentences, apart", rates(16, languages, -0.5, 1.0, 0.3), 0.3
        )
        yield Situation(
            "gest-mt", f"{languages} languages, 16 sentences, near 1", rates(16, languages, 5.0, 5.0, 2.0), 0.3, edge
        )
    yield Situation("gest-mt", "3 languages, 6 sentences, alike", rates(6, 3, -0.5, 1.5, 3.0), 0.3, few)
    yield Situation("gest-mt", "3 languages, 60 sentences, near 1", rates(60, 3, 6.0, 6.0, 2.0), 0.3, edge)
    yield Situation("gest-mt", "drawn stereotypes, 16 sentences", drawn_stereotypes(16, 0.7))
    yield Situation("gest-mt", "drawn stereotypes, 100 sentences", drawn_stereotypes(100, 1.2), 0.5)
    for n in (16, 100):
        for read in ((0.73, 0.73), (0.61, 0.805)):
            yield Situation(
                "gest-mt",
                f"{n} sentences, {read[0]:.0%} of feminine and {read[1]:.0%} of masculine forms read",
                unread_by_gender(n, -0.5, 1.0, read),
                0.5,
                "the range is a bound",
            )
