"""GATE: person words differ, and so do sentences; the people of a sentence, and its languages, go together."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation, checked, expit, moved, wide

from genderscope.measures.gate.rates import rate_tables
from genderscope.samples.english_people import KINDS, ROLES

#: shares of sentences with one, two and three people, as in the released data
PEOPLE = (0.8, 0.17, 0.03)
NEUTRAL = 0.1
_NORMAL = np.random.default_rng(0).normal(size=200_000)


def frequencies(words: int) -> np.ndarray:
    """How often each person word is used: a few are frequent, most are rare."""
    weights = 1 / (np.arange(words) + 5.0)
    return weights / weights.sum()


def people(
    generator: np.random.Generator,
    n: int,
    languages: int,
    centre: float,
    of_words: np.ndarray,
    spread: float,
    read: float | tuple[float, float],
) -> pd.DataFrame:
    """Rows as the measure makes them: log-odds of a man are those of the word plus those of the sentence."""
    number = generator.choice((1, 2, 3), n, p=PEOPLE)
    sentence = np.repeat(np.arange(n), number)
    word = generator.choice(len(of_words), len(sentence), p=frequencies(len(of_words)))
    chance = expit(centre + of_words[word] + (spread * generator.normal(size=n))[sentence])
    parts = []
    for language in range(languages):
        men = generator.random(len(sentence)) < chance
        neutral = generator.random(len(sentence)) < NEUTRAL
        seen = np.array(read)[men.astype(int)] if isinstance(read, tuple) else read
        silent = generator.random(len(sentence)) > seen
        reading = np.where(neutral, "neutral", np.where(men, "masculine", "feminine"))
        parts.append(
            pd.DataFrame(
                {
                    "language": f"l{language}",
                    "item": [f"s{k}" for k in sentence],
                    "entity": [f"word{k}" for k in word],
                    "role": np.array(ROLES)[sentence % len(ROLES)],
                    "kind": np.array(KINDS)[word % len(KINDS)],
                    "people": number[sentence],
                    "plural": sentence % 2 == 0,
                    "reading": pd.Series(np.where(silent, None, reading), dtype="string"),
                    "how": pd.Series(np.where(~silent & neutral, "same form", None), dtype="string"),
                    "unread": pd.Series(np.where(silent, "silent", None), dtype="string"),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def systems(generator: np.random.Generator, number: int, n: int, words: int, languages: int) -> list[pd.DataFrame]:
    """Systems that share half the variance of what makes a word masculine."""
    of_words = generator.normal(size=(number + 1, words))
    return [
        people(generator, n, languages, 1.0, (of_words[0] + of_words[k + 1]) / np.sqrt(2), 0.5, 1.0)
        for k in range(number)
    ]


def rates(
    n: int,
    languages: int,
    centre: float,
    word_spread: float,
    spread: float,
    words: int = 80,
    read: float | tuple[float, float] = 0.85,
):
    """Log-odds of a man: the centre, the word's (spread `word_spread`) and the sentence's (`spread`).

    The interval is about other sentences with the same words; the wide one about other words, too.
    """
    fixed = word_spread * np.random.default_rng(1).normal(size=words)
    sentences = _NORMAL[:20_000]
    by_word = np.array([float(expit(centre + each + spread * sentences).mean()) for each in fixed])
    narrow = float(frequencies(words) @ by_word)
    total = float(expit(centre + np.hypot(word_spread, spread) * _NORMAL).mean())

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        rows = people(generator, n, languages, centre, fixed, spread, read)
        for e in rate_tables(rows)[0].estimates():
            if (e.language is None) != (languages > 1):
                continue
            if isinstance(read, tuple):
                if e.name == "masculine_rate":
                    yield moved(e, narrow, "masculine_rate, interval at the ends of the range for unread")
            elif e.name in ("masculine_rate", "masculine_rate_by_role"):
                yield checked(e, narrow, e.name)
            elif e.name == "masculine_share":
                yield checked(e, narrow * (1 - NEUTRAL), e.name)
            elif e.name == "neutral_share":
                yield checked(e, NEUTRAL, e.name)
            elif e.name == "yield":
                yield checked(e, read, e.name)
        if isinstance(read, tuple):
            return
        drawn = word_spread * generator.normal(size=words)
        rows = people(generator, n, languages, centre, drawn, spread, read)
        yield wide(next(rate_tables(rows)[0].resampled(["masculine_rate"])).estimate, total)

    return draw


def situations() -> Iterator[Situation]:
    """Every situation of gate."""
    edge, few = "shares within 1/n of 0 or 1", "n < 12"
    yield Situation("gate", "1 language, 400 sentences, words differ", rates(400, 1, 1.5, 1.0, 0.5), 0.3)
    yield Situation("gate", "1 language, 400 sentences, sentences differ", rates(400, 1, 0.5, 0.3, 2.0), 0.3)
    yield Situation("gate", "1 language, 60 sentences", rates(60, 1, 1.0, 1.0, 1.0, words=40), 0.3)
    yield Situation("gate", "1 language, 60 sentences, near 1", rates(60, 1, 5.5, 0.5, 0.5, words=40), 0.3, edge)
    yield Situation("gate", "1 language, 10 sentences", rates(10, 1, 0.5, 0.5, 0.5, words=30), 0.3, few)
    yield Situation("gate", "3 languages, 60 sentences, alike", rates(60, 3, 0.5, 1.0, 2.0, words=40), 0.3)
    yield Situation(
        "gate",
        "1 language, 400 sentences, 90% of men and 60% of women read",
        rates(400, 1, 0.5, 0.5, 0.5, read=(0.6, 0.9)),
        0.3,
        "the range is a bound",
    )
