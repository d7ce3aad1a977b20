"""MT-GenEval: a segment is hard or easy in both of its versions, and in every language that has it."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit, moved

from genderscope.measures.mt_geneval.rates import professions as professions_known
from genderscope.measures.mt_geneval.rates import rate_tables as geneval_tables
from genderscope.samples.mt_geneval import CONTEXTUAL, COUNTERFACTUAL, GENDERS
from genderscope.statistics.declared_rates import estimates_of

PROFESSIONS = professions_known()
_NORMAL = np.random.default_rng(0).normal(size=200_000)


def _units(generator: np.random.Generator, n: int, professions: int) -> tuple[np.ndarray, np.ndarray]:
    """The unit of each segment and the word for it: its own, or a profession."""
    if not professions:
        return np.arange(n), np.array([f"person {i}" for i in range(n)])
    frequent = 1 / (np.arange(professions) + 5.0)
    which = generator.choice(professions, n, p=frequent / frequent.sum())
    which[1::2] = professions - 1 - which[1::2]  # what is frequent among men is rare among women
    return which, np.array(PROFESSIONS[:professions])[which]


def versions(
    chances: np.ndarray,
    words: np.ndarray,
    languages: int,
    subset: str,
    read: float | tuple[float, float],
    generator: np.random.Generator,
) -> pd.DataFrame:
    """Rows as the measure makes them, given the chances of an error [segments, genders]."""
    n, parts = len(chances), []
    for language in range(languages):
        outcomes = generator.random((n, 2)) < chances
        chance = np.array(read)[outcomes.astype(int)] if isinstance(read, tuple) else read
        silent = generator.random((n, 2)) > chance
        for k, gender in enumerate(GENDERS):
            # a contextual segment is of one gender only
            mine = np.arange(n) if subset == COUNTERFACTUAL else np.arange(k, n, 2)
            parts.append(
                pd.DataFrame(
                    {
                        "subset": subset,
                        "segment": mine,
                        "gender": gender,
                        "language": f"l{language}",
                        "item": [f"{subset}{i}" for i in mine],
                        "source": [f"They asked the {words[i]}." for i in mine],
                        "reading": np.where(outcomes[mine, k], "wrong", "right"),
                        "mixed": False,
                        "unread": pd.Series(np.where(silent[mine, k], "silent", None), dtype="string"),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def systems(
    generator: np.random.Generator, number: int, n: int, professions: int, languages: int, logit: float
) -> list[pd.DataFrame]:
    """Systems that share half the variance of what makes a segment or a profession hard; women fare worse in all."""
    parts: list[list[pd.DataFrame]] = [[] for _ in range(number)]
    for subset in (COUNTERFACTUAL, CONTEXTUAL):
        which, words = _units(generator, n, professions if subset == CONTEXTUAL else 0)
        hard = generator.normal(size=(number + 1, int(which.max()) + 1))
        for k in range(number):
            own = logit + ((hard[0] + hard[k + 1]) / np.sqrt(2))[which]
            parts[k].append(versions(expit(np.stack([own, own + 1], axis=1)), words, languages, subset, 1.0, generator))
    return [pd.concat(each, ignore_index=True) for each in parts]


def rates(
    n: int,
    languages: int,
    masculine: float,
    feminine: float,
    spread: float,
    read: float | tuple[float, float] = 0.7,
    professions: int = 0,
):
    """Log-odds of an error by gender; `n` counterfactual and `n` contextual segments differ by `spread`.

    `read` is the chance that a version is read, or those of right and of wrong versions. With professions, of which
    some are frequent as in the released set, those of contextual segments differ instead.
    """
    wrong = [expit(centre + spread * _NORMAL) for centre in (masculine, feminine)]
    by_gender = [float(chance.mean()) for chance in wrong]
    both = float(1 - ((1 - wrong[0]) * (1 - wrong[1])).mean())
    error = {COUNTERFACTUAL: both, CONTEXTUAL: float(np.mean(by_gender))}

    def frame(generator: np.random.Generator, subset: str) -> pd.DataFrame:
        which, words = _units(generator, n, professions if subset == CONTEXTUAL else 0)
        hard = spread * generator.normal(size=int(which.max()) + 1)[which]
        chances = np.stack([expit(centre + hard) for centre in (masculine, feminine)], axis=1)
        return versions(chances, words, languages, subset, read, generator)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = pd.concat([frame(generator, subset) for subset in error], ignore_index=True)
        for e in estimates_of(geneval_tables(rows)):
            if (e.language is None) != (languages > 1):
                continue
            if isinstance(read, tuple):  # the intervals alone cover 43 to 91 %: they are about what can be read
                truths = {"error": error[str(e.subset)], "gap": by_gender[1] - by_gender[0]}
                if e.name in truths:
                    what = f"{e.name}, {e.subset}, interval at the ends of the range for unread"
                    yield moved(e, truths[e.name], what)
            elif e.name == "error":
                yield checked(e, error[str(e.subset)], f"error, {e.subset}")
            elif e.name == "accuracy" and e.group in GENDERS:
                yield checked(e, 1 - by_gender[GENDERS.index(str(e.group))], f"accuracy by gender, {e.subset}")
            elif e.name == "gap":
                yield checked(e, by_gender[1] - by_gender[0], f"gap, {e.subset}")
            elif e.name == "yield":
                yield checked(e, read, f"yield, {e.subset}")

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of mt-geneval."""
    edge, few = "shares within 1/n of 0 or 1", "n < 12"
    yield Situation("mt-geneval", "1 language, 300 segments, one in four wrong", rates(300, 1, -2.5, -0.5, 1.5), 0.5)
    yield Situation("mt-geneval", "1 language, 40 segments, one in four wrong", rates(40, 1, -2.5, -0.5, 1.5), 0.5)
    yield Situation("mt-geneval", "1 language, 40 segments, near 0", rates(40, 1, -5.0, -4.5, 1.0), 0.5, edge)
    yield Situation("mt-geneval", "1 language, 300 segments, near 0", rates(300, 1, -6.5, -6.0, 1.0), 0.5, edge)
    yield Situation("mt-geneval", "1 language, 10 segments", rates(10, 1, -1.5, -0.5, 1.0, 0.9), 0.5, few)
    yield Situation(
        "mt-geneval", "1 language, 40 segments, men right, women wrong", rates(40, 1, -4.0, 2.0, 1.0), 0.5, edge
    )
    for languages in (3, 8):
        yield Situation(
            "mt-geneval", f"{languages} languages, 60 segments, alike", rates(60, languages, -2.5, -0.5, 3.0), 0.3
        )
    yield Situation("mt-geneval", "3 languages, 60 segments, near 0", rates(60, 3, -6.0, -5.5, 2.0), 0.3, edge)
    yield Situation(
        "mt-geneval",
        "1 language, 300 segments, 80% of right and 60% of wrong versions read",
        rates(300, 1, -1.5, -0.5, 0.5, (0.8, 0.6)),
        0.3,
        "the range is a bound",
    )
    for n, professions in ((1100, 120), (300, 60)):
        yield Situation(
            "mt-geneval",
            f"1 language, {n} segments, {professions} professions differ",
            rates(n, 1, -2.0, -1.0, 1.0, professions=professions),
            0.5,
        )
    yield Situation(
        "mt-geneval",
        "1 language, 60 segments, 10 professions differ",
        rates(60, 1, -2.0, -1.0, 1.0, professions=10),
        0.5,
        few,
    )
