"""EuroGEST: a source sentence moves all its translations; in each language it is a gendered pair or in a scaffold."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, wide

from genderscope.measures.eurogest.rates import OverLanguages, between_languages, by_language
from genderscope.samples.gest import FEMALE, MALE

STEREOTYPES = range(1, 17)
CONDITIONS = {1: "gendered", 2: "pronoun"}


def frame(centres: np.ndarray, n: int, gendered: float, common: float, generator: np.random.Generator) -> pd.DataFrame:
    """Rows as the measure makes them, of centres [stereotypes, languages, conditions].

    `n` source sentences a stereotype; `common` is the standard deviation of what a sentence does in every language.
    """
    parts = []
    for i in STEREOTYPES:
        shared = common * (generator.gamma(2.0, 1.0, n) - 2.0) / np.sqrt(2)
        for language in range(centres.shape[1]):
            template = np.where(generator.random(n) < gendered, 1, 2)
            noise = generator.normal(0, 0.6, n)
            parts.append(
                pd.DataFrame(
                    {
                        "sample": (i - 1) * n + np.arange(n),
                        "language": f"l{language}",
                        "condition": [CONDITIONS[t] for t in template],
                        "sentence": "",
                        "stereotype": i,
                        "family": np.arange(n) % 3 == 0,
                        "template": template,
                        "log_ratio": centres[i - 1, language, template - 1] + shared + noise,
                        "mass": np.nan,
                        "unread": None,
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def combined(means: np.ndarray) -> dict[str, float]:
    """The rates of the means of all stereotypes."""
    female, male = (float(np.mean([means[i - 1] for i in group])) for group in (FEMALE, MALE))
    return {"masculine_rate_female": female, "masculine_rate_male": male, "stereotype_rate": male - female}


def rates(languages: int, n: int, gendered: float, common: float):
    """Languages, stereotypes and conditions as they are: only sentences are drawn."""
    made = np.random.default_rng(languages)
    male = np.array([i in MALE for i in STEREOTYPES])[:, None, None]
    centres = 0.3 * male + made.normal(0, 0.3, (16, 1, 1)) + made.normal(0, 0.2, (16, languages, 2))
    used = slice(0, 1) if gendered == 1 else slice(0, 2)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = frame(centres, n, gendered, common, generator)
        seed = int(generator.integers(2**31))
        by_means = {f"l{k}": centres[:, k, used].mean(axis=1) for k in range(languages)}
        for language, found in by_language(rows, seed, "log").items():
            truth = combined(by_means[language])
            for e in found.estimates():
                if e.subset is None and e.name in truth:
                    yield checked(e, truth[e.name], f"{e.name}, one language")
        over = np.mean(list(by_means.values()), axis=0)
        truth = combined(over)
        for e in OverLanguages(rows, seed, "log").estimates():
            if e.name == "masculine_rate_by_stereotype":
                yield checked(e, float(over[e.stereotype - 1]), "q_i, over languages")
            elif e.name in truth:
                yield checked(e, truth[e.name], f"{e.name}, over languages")

    return draw


def drawn(languages: int, n: int, spread: tuple[float, float, float]):
    """Stereotypes and languages drawn at random too: standard deviations of both and of their interplay."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        stereotype, language, both = spread
        columns = generator.normal(0, language, (2, languages))
        male = np.array([int(i in MALE) for i in STEREOTYPES])
        centres = 0.4 * male[:, None] + generator.normal(0, stereotype, (16, 1)) + columns[male]
        centres = centres + generator.normal(0, both, (16, languages))
        rows = frame(np.repeat(centres[:, :, None], 2, axis=2), n, 1, 0.5, generator)
        truth = {"masculine_rate_female": 0.0, "masculine_rate_male": 0.4, "stereotype_rate": 0.4}
        for e in OverLanguages(rows, int(generator.integers(2**31)), "log").estimates():
            if e.name in truth:
                yield wide(e, truth[e.name])

    return draw


def correlation(n: int, likeness: float):
    """The correlation between two languages: what it would be with all sentences."""
    made = np.random.default_rng(3)
    first = made.normal(0, 0.4, 16)
    other = likeness * first + np.sqrt(1 - likeness**2) * made.normal(0, 0.4, 16)
    centres = np.repeat(np.stack([first, other], axis=1)[:, :, None], 2, axis=2)
    truth = float(np.corrcoef(first, other)[0, 1])

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = frame(centres, n, 1, 0.7, generator)
        for e in between_languages(rows, int(generator.integers(2**31)), "log"):
            yield checked(e, truth, "r between languages")

    return draw


#: released sentences of each stereotype: gendered pairs, neutral sentences
COUNTS = {
    "gl": (
        (6, 2, 9, 4, 10, 13, 6, 3, 11, 11, 6, 9, 5, 1, 12, 6),
        (112, 95, 137, 78, 102, 66, 86, 97, 77, 83, 112, 127, 93, 74, 82, 74),
    ),
    "ro": (
        (21, 10, 8, 3, 14, 25, 10, 8, 16, 7, 6, 8, 5, 5, 13, 14),
        (186, 156, 212, 158, 147, 124, 171, 185, 164, 167, 190, 181, 183, 145, 150, 144),
    ),
    "ca": (
        (19, 5, 9, 6, 15, 15, 15, 7, 17, 17, 5, 9, 10, 6, 9, 7),
        (126, 111, 158, 93, 110, 91, 107, 108, 106, 103, 144, 141, 103, 92, 87, 86),
    ),
    "sk --limit 480": (
        (27, 22, 33, 26, 25, 18, 27, 31, 29, 25, 36, 29, 26, 22, 28, 26),
        (5, 4, 3, 3, 2, 2, 5, 3, 4, 5, 2, 2, 4, 3, 2, 1),
    ),
}
#: stereotypes of which a condition has 1 to 5 readings
SPARSE = {"gl": (14, 2, 8, 4), "ro": (4, 13), "ca": (2, 11), "sk --limit 480": (16, 5, 10)}


def sparse_rows(languages: tuple[str, ...]) -> pd.DataFrame:
    """What is asked in languages as released; samples are their own in each."""
    parts = []
    for language in languages:
        for condition, counts in enumerate(COUNTS[language]):
            known: dict[str, Any] = {
                "language": language,
                "condition": CONDITIONS[condition + 1],
                "template": condition + 1,
            }
            parts.append(pd.DataFrame({"stereotype": np.repeat(STEREOTYPES, counts)}).assign(**known))
    rows = pd.concat(parts, ignore_index=True)
    sample = rows.groupby(["language", "template"]).cumcount() + 10_000 * (rows["template"] - 1)
    return rows.assign(sample=sample, sentence="", family=False, mass=np.nan, unread=None)


def sparse(languages: tuple[str, ...], noise: tuple[float, float], skewed: bool = False):
    """Languages as released, where a condition may have a single sentence; `noise` is the deviation by condition."""
    made = np.random.default_rng(5)
    centres = made.normal(0, 0.4, (len(languages), 2, 16)) + 0.3 * np.isin(STEREOTYPES, MALE)
    uneven = np.exp(made.normal(0, 0.25, 16))

    asked = sparse_rows(languages)
    language, condition = asked["language"].map(languages.index).to_numpy(), asked["template"].to_numpy() - 1
    stereotype = asked["stereotype"].to_numpy() - 1
    centre, scale = centres[language, condition, stereotype], np.array(noise)[condition] * uneven[stereotype]

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        n = len(asked)
        drawn = (generator.gamma(2.0, 1.0, n) - 2.0) / np.sqrt(2) if skewed else generator.normal(size=n)
        rows = asked.assign(log_ratio=centre + scale * drawn)
        over = centres.mean(axis=(0, 1))
        found: Any
        few: tuple[int, ...]
        if len(languages) > 1:
            found, few = OverLanguages(rows, 0, "log"), ()
            errors = [
                found.combined(name, None)
                for name in ("masculine_rate_female", "masculine_rate_male", "stereotype_rate")
            ]
        else:
            (found,) = by_language(rows, 0, "log").values()
            few = SPARSE[languages[0]]
            errors = [found.q_f(None), found.q_m(None), found.g_s(None), *(found.q_i(i, None) for i in STEREOTYPES)]
        for e in errors:
            if e.name == "masculine_rate_by_stereotype":
                what = f"q_{e.stereotype}" if e.stereotype in few else "q_i, others"
                yield checked(e, float(over[e.stereotype - 1]), what)
            else:
                yield checked(e, combined(over)[e.name])

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of eurogest."""
    few = "n < 12"
    lone = "a condition with 1 to 5 readings"
    for language in ("gl", "ro", "sk --limit 480"):
        yield Situation("eurogest", f"sparse, {language}", sparse((language,), (0.8, 0.6)), 1, lone)
    yield Situation("eurogest", "sparse, gl, skewed", sparse(("gl",), (0.8, 0.6), True), 1, lone)
    yield Situation("eurogest", "sparse, gl, noisy pairs", sparse(("gl",), (1.5, 0.6)), 1, lone)
    yield Situation("eurogest", "sparse, gl, noisy scaffolds", sparse(("gl",), (0.5, 1.5)), 1, lone)
    yield Situation("eurogest", "sparse, gl + ro + ca", sparse(("gl", "ro", "ca"), (0.8, 0.6)), 0.5)
    yield Situation("eurogest", "5 languages, 10 pairs each", rates(5, 10, 1, 0.7), 0.4, few)
    yield Situation("eurogest", "5 languages, 40 sentences each, half gendered", rates(5, 40, 0.5, 0.7), 0.4)
    yield Situation("eurogest", "30 languages, 40 sentences each, half gendered", rates(30, 40, 0.5, 0.7), 0.2)
    yield Situation("eurogest", "5 languages, 40 sentences each, nothing shared", rates(5, 40, 0.5, 0.0), 0.4)
    yield Situation("eurogest", "languages drawn at random, 6 of them", drawn(6, 20, (0.3, 0.2, 0.1)), 0.5)
    yield Situation("eurogest", "languages drawn at random, 20 of them", drawn(20, 20, (0.3, 0.2, 0.1)), 0.3)
    for n in (10, 40, 150):
        yield Situation("eurogest", f"r of related languages, {n} sentences each", correlation(n, 0.7), 0.5)
    yield Situation("eurogest", "r of unrelated languages, 40 sentences each", correlation(40, 0.0), 0.5)
