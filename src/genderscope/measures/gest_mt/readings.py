"""The genders read, by stereotype and language, and the masculine shares from which the rates are computed."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.bootstrap import resampled_means, resampled_sums
from genderscope.statistics.proportions import agresti_coull, centre
from genderscope.statistics.recurrence import recurring_sentences

Array = npt.NDArray[np.float64]


class Readings:
    """The readings. A language of None means the mean over the languages."""

    def __init__(self, rows: pd.DataFrame, seed: int, as_published: bool) -> None:
        self.rows = rows
        self.seed = seed
        self.as_published = as_published
        self.languages = sorted(rows["language"].unique())
        # what several rates need is computed once
        self._rates: dict[tuple[int, str | None], float] = {}
        self._present: dict[tuple[int, str | None], npt.NDArray[np.bool_]] = {}
        masculine = (rows["gender"] == "masculine").astype(float).where(rows["unread"].isna())
        wide = rows.assign(masculine=masculine).set_index(["stereotype", "sample", "language"])["masculine"]
        #: stereotype -> [samples, languages]: 1 masculine, 0 feminine, missing if unread
        self.values: dict[int, Array] = {
            int(str(key)): group.to_numpy(dtype=np.float64)
            for key, group in wide.unstack("language").groupby(level="stereotype")
        }
        read: list[npt.NDArray[np.bool_]] = [
            np.asarray(np.isfinite(values).any(axis=0)) for values in self.values.values()
        ]
        known = [columns for columns in read if columns.any()]
        #: stereotype -> the number of each sample's sentence; None if no sentence recurs
        self.recurring = None if as_published else recurring_sentences(rows)
        #: the languages that a mean over languages is over
        self.spanned = [each for k, each in enumerate(self.languages) if all(columns[k] for columns in known)]

    def spans(self) -> list[str | None]:
        """What rates are reported for: the mean over the languages first if there are several."""
        return [None, *self.languages] if len(self.languages) > 1 else list(self.languages)

    @property
    def remark(self) -> str | None:
        """Say which languages are missing from a mean over languages; None if it is over all of them."""
        unused = [each for each in self.languages if each not in self.spanned]
        if not unused:
            return None
        over = f"over {', '.join(self.spanned)}" if self.spanned else "missing"
        return f"{', '.join(unused)} could not be read for every stereotype, so the means over languages are {over}"

    def parts(self) -> dict[str, tuple[list[int], Callable[[Callable[[int], Array]], Array]]]:
        """Rate -> the stereotypes it is about, and its formula from a stereotype's rates."""
        female, male = ([i for i in group if i in self.values] for group in (FEMALE, MALE))
        return {
            "p_f": (female, lambda rate: _mean(rate, female)),
            "p_m": (male, lambda rate: _mean(rate, male)),
            "f_s": ([*female, *male], lambda rate: _mean(rate, male) - _mean(rate, female)),
            "f_m": ([*female, *male], lambda rate: (_mean(rate, male) + _mean(rate, female)) / 2),
        }

    def drawn(self, name: str, language: str | None) -> tuple[float, Array, list[int]] | None:
        """Value, replicates and sizes of the strata; None if a needed kind of stereotype is missing."""
        parts = self.parts()
        stereotypes, formula = parts[name]
        if (name != "p_m" and not parts["p_f"][0]) or (name != "p_f" and not parts["p_m"][0]):
            return None
        value = float(formula(lambda i: np.array([self.rate(i, language)]))[0])
        return value, formula(lambda i: self.replicates(i, language)), self.sizes(stereotypes, language)

    def column(self, language: str) -> int:
        """The index of a language in `values`."""
        return self.languages.index(language)

    def columns(self, language: str | None) -> list[int]:
        """A language's column, or those that a mean over languages is over."""
        return [self.column(each) for each in (self.spanned if language is None else [language])]

    def share_at(self, stereotype: int, column: int) -> float:
        """The masculine share among the readings of a stereotype in one column."""
        values = self.values[stereotype][:, column]
        read = values[np.isfinite(values)]
        return float(read.mean()) if len(read) else float("nan")

    def rate(self, stereotype: int, language: str | None) -> float:
        """The masculine share, or as published the interval's centre; over languages, their mean."""
        if (stereotype, language) not in self._rates:
            self._rates[stereotype, language] = self._rate(stereotype, language)
        return self._rates[stereotype, language]

    def _rate(self, stereotype: int, language: str | None) -> float:
        rates = []
        for column in self.columns(language):
            share, n = self.share_at(stereotype, column), int(np.isfinite(self.values[stereotype][:, column]).sum())
            rates.append(agresti_coull(round(share * n), n)[0] if self.as_published and n else share)
        return float(np.mean(rates)) if rates else float("nan")

    @cached_property
    def _resampled(self) -> dict[int, Array]:
        return {i: self._drawn_again(v, np.random.default_rng([self.seed, i])) for i, v in self.values.items()}

    def _drawn_again(self, values: Array, generator: np.random.Generator) -> Array:
        """Every resample's shares, or as published the centres of their intervals, by language."""
        if not self.as_published:
            return resampled_means(values, generator)
        present = np.isfinite(values)
        sums = resampled_sums(np.hstack([np.where(present, values, 0.0), present]), generator)
        masculine, read = np.hsplit(sums, 2)
        return centre(masculine, read)

    def replicates(self, stereotype: int, language: str | None) -> Array:
        """The rate of a stereotype in every resample."""
        means = self._resampled[stereotype]
        chosen = means[:, self.columns(language)]
        return chosen.mean(axis=1) if chosen.shape[1] else np.full(len(means), np.nan)

    def values_of(self, stereotype: int, language: str | None) -> Array:
        """[samples, languages] of a stereotype in one language, or in those that a mean is over."""
        return self.values[stereotype][:, self.columns(language)]

    def present(self, stereotype: int, language: str | None) -> npt.NDArray[np.bool_]:
        """Which of them were read."""
        if (stereotype, language) not in self._present:
            self._present[stereotype, language] = np.isfinite(self.values_of(stereotype, language))
        return self._present[stereotype, language]

    def counts(self, stereotypes: Sequence[int], language: str | None) -> tuple[int, int]:
        """Return the numbers of readings and of translations not read."""
        read = sum(int(self.present(i, language).sum()) for i in stereotypes)
        return read, sum(self.present(i, language).size for i in stereotypes) - read

    def sizes(self, stereotypes: Sequence[int], language: str | None) -> list[int]:
        """The number of samples of each stereotype with at least one reading."""
        return [int(self.present(i, language).any(axis=1).sum()) for i in stereotypes]

    @cached_property
    def family_members(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Stereotype -> which of its samples are about family."""
        first = self.rows.groupby(["stereotype", "sample"])["family"].first()
        return {int(str(i)): each.to_numpy(dtype=bool) for i, each in first.groupby(level="stereotype")}


def _mean(rate: Callable[[int], Array], stereotypes: Sequence[int]) -> Array:
    mean: Array = np.mean([rate(i) for i in stereotypes], axis=0)
    return mean
