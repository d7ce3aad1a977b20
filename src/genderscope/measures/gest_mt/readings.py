"""Parsed genders by stereotype and language, and the masculine proportions that the rates are computed from."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.measures.base import Outcomes
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.bootstrap import resampled_sums
from genderscope.statistics.proportions import agresti_coull, centre
from genderscope.statistics.recurrence import recurring_sentences

Array = npt.NDArray[np.float64]

BY_STEREOTYPE = "masculine_rate_by_stereotype"
#: the rates over one gender's stereotypes
SIDES = ("masculine_rate_female", "masculine_rate_male")


class Readings:
    """Parsed genders of a run; the language None stands for the mean across languages."""

    def __init__(self, rows: pd.DataFrame, seed: int, as_published: bool) -> None:
        self.rows = rows
        self.seed = seed
        self.as_published = as_published
        self.languages = sorted(rows["language"].unique())
        masculine = (rows["gender"] == "masculine").astype(float).where(rows["unread"].isna())
        wide = rows.assign(masculine=masculine).set_index(["stereotype", "sample", "language"])["masculine"]
        #: stereotype -> [samples, languages]: 1 masculine, 0 feminine, NaN if unread
        self.values: dict[int, Array] = {
            int(str(key)): group.to_numpy(dtype=np.float64)
            for key, group in wide.unstack("language").groupby(level="stereotype")
        }
        read: list[npt.NDArray[np.bool_]] = [
            np.asarray(np.isfinite(values).any(axis=0)) for values in self.values.values()
        ]
        known = [columns for columns in read if columns.any()]
        #: stereotype -> sentence code of each sample; None if no sentence recurs
        self.recurring = None if as_published else recurring_sentences(rows)
        #: languages included in means across languages
        self.spanned = [each for k, each in enumerate(self.languages) if all(columns[k] for columns in known)]

    def spans(self) -> list[str | None]:
        """Return the languages to report rates for, preceded by None (their mean) if there are several."""
        return [None, *self.languages] if len(self.languages) > 1 else list(self.languages)

    @property
    def remark(self) -> str | None:
        """A note on the languages excluded from means across languages; None if all are included."""
        unused = [each for each in self.languages if each not in self.spanned]
        if not unused:
            return None
        over = f"based on {', '.join(self.spanned)}" if self.spanned else "missing"
        return f"{', '.join(unused)} could not be read for every stereotype, so the means across languages are {over}"

    def parts(self) -> dict[str, tuple[list[int], Callable[[Callable[[int], Array]], Array]]]:
        """Return, for each rate, its stereotypes and its formula in terms of the stereotypes' rates."""
        female, male = ([i for i in group if i in self.values] for group in (FEMALE, MALE))
        return {
            "masculine_rate_female": (female, lambda rate: _mean(rate, female)),
            "masculine_rate_male": (male, lambda rate: _mean(rate, male)),
            "stereotype_rate": ([*female, *male], lambda rate: _mean(rate, male) - _mean(rate, female)),
            "masculine_rate": ([*female, *male], lambda rate: (_mean(rate, male) + _mean(rate, female)) / 2),
        }

    def drawn(self, name: str, language: str | None) -> tuple[float, Array, list[int]] | None:
        """Return a rate's value, replicates and stratum sizes, or None if a group of stereotypes is missing."""
        parts = self.parts()
        stereotypes, formula = parts[name]
        sides = [name] if name in SIDES else SIDES
        if not all(parts[side][0] for side in sides):
            return None
        value = float(formula(lambda i: np.array([self.rate(i, language)]))[0])
        return value, formula(lambda i: self.replicates(i, language)), self.sizes(stereotypes, language)

    def column(self, language: str) -> int:
        """Return the column index of a language in `values`."""
        return self.languages.index(language)

    def columns(self, language: str | None) -> list[int]:
        """Return the column indices of one language, or of all languages included in the mean."""
        return [self.column(each) for each in (self.spanned if language is None else [language])]

    def share_at(self, stereotype: int, column: int) -> float:
        """Return the masculine proportion of a stereotype's readings in one column."""
        values = self.values[stereotype][:, column]
        read = values[np.isfinite(values)]
        return float(read.mean()) if len(read) else float("nan")

    def rate(self, stereotype: int, language: str | None) -> float:
        """Return the masculine proportion or, as published, the interval's centre, averaged across languages."""
        return self._rates[stereotype, language]

    @cached_property
    def _cells(self) -> list[tuple[int, str | None]]:
        """All stereotypes in each language and, under None, in the languages included in the mean."""
        return [(i, language) for i in self.values for language in (None, *self.languages)]

    @cached_property
    def _rates(self) -> dict[tuple[int, str | None], float]:
        return {cell: self._rate(*cell) for cell in self._cells}

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
        """Return each resample's interval centres by language, as published."""
        present = np.isfinite(values)
        sums = resampled_sums(np.hstack([np.where(present, values, 0.0), present]), generator)
        masculine, read = np.hsplit(sums, 2)
        return centre(masculine, read)

    def replicates(self, stereotype: int, language: str | None) -> Array:
        """Return a stereotype's rate in every resample."""
        means = self._resampled[stereotype]
        chosen = means[:, self.columns(language)]
        return chosen.mean(axis=1) if chosen.shape[1] else np.full(len(means), np.nan)

    def values_of(self, stereotype: int, language: str | None) -> Array:
        """Return a stereotype's readings [samples, languages] in one language, or in those included in the mean."""
        return self.values[stereotype][:, self.columns(language)]

    def present(self, stereotype: int, language: str | None) -> npt.NDArray[np.bool_]:
        """Return a mask of the values that were parsed."""
        return self._present[stereotype, language]

    @cached_property
    def _present(self) -> dict[tuple[int, str | None], npt.NDArray[np.bool_]]:
        return {cell: np.isfinite(self.values_of(*cell)) for cell in self._cells}

    def counts(self, stereotypes: Sequence[int], language: str | None) -> tuple[int, int]:
        """Return the numbers of parsed and unread translations."""
        read = sum(int(self.present(i, language).sum()) for i in stereotypes)
        return read, sum(self.present(i, language).size for i in stereotypes) - read

    def sizes(self, stereotypes: Sequence[int], language: str | None) -> list[int]:
        """Return the number of samples with at least one reading, for each stereotype."""
        return [int(self.present(i, language).any(axis=1).sum()) for i in stereotypes]

    @cached_property
    def family_members(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Stereotype -> mask of its samples about family."""
        first = self.rows.groupby(["stereotype", "sample"])["family"].first()
        return {int(str(i)): each.to_numpy(dtype=bool) for i, each in first.groupby(level="stereotype")}


def _mean(rate: Callable[[int], Array], stereotypes: Sequence[int]) -> Array:
    mean: Array = np.mean([rate(i) for i in stereotypes], axis=0)
    return mean


def outcomes_of(rows: pd.DataFrame, name: str, language: str | None) -> Outcomes:
    """Return 1 for readings that increase the rate (masculine, or stereotypical for f_s), 0 otherwise."""
    chosen = rows if language is None else rows[rows["language"] == language]
    masculine = (chosen["gender"] == "masculine").astype(float)
    if name in {"masculine_rate", "masculine_rate_pooled"}:
        return Outcomes(chosen["sample"], masculine, reach=1)
    return Outcomes(chosen["sample"], masculine.where(chosen["stereotype"].isin(MALE), 1 - masculine), reach=2)
