"""Parsed genders by stereotype and language, and the proportions that the rates are computed from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.core.languages import language_name
from genderscope.samples.gest import FEMALE, MALE
from genderscope.statistics.bootstrap import resampled_sums
from genderscope.statistics.proportions import Share, centre
from genderscope.statistics.recurrence import recurring_sentences
from genderscope.statistics.stratified_shares import share_of_columns

Array = npt.NDArray[np.float64]

BY_STEREOTYPE = "masculine_rate_by_stereotype"
#: rate -> weights of p_m and p_f, the mean rates of male and female stereotypes
WEIGHTS = {
    "masculine_rate_female": (0.0, 1.0),
    "masculine_rate_male": (1.0, 0.0),
    "stereotype_rate": (1.0, -1.0),
    "masculine_rate": (0.5, 0.5),
}
#: maximum number of stereotypes named in a remark
MOST_NAMED = 5


@dataclass(frozen=True)
class Readings:
    """Readings of one stereotype [samples, languages]: 1 masculine, 0 feminine, NaN if unread."""

    values: Array

    @cached_property
    def read(self) -> npt.NDArray[np.bool_]:
        """A mask of the parsed values."""
        return np.isfinite(self.values)

    @cached_property
    def samples(self) -> int:
        """The number of samples with at least one reading."""
        return int(self.read.any(axis=1).sum())

    @cached_property
    def share(self) -> Share | None:
        """The masculine proportion, averaged over languages; None if a language has no readings."""
        return share_of_columns(self.values)

    @property
    def language_shares(self) -> Array:
        """The masculine proportion in each language; NaN if it has no readings."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.nansum(self.values, axis=0) / self.read.sum(axis=0))

    def rate(self, as_published: bool) -> float:
        """Return the masculine proportion or, as published, the interval's centre; NaN if a language is unread."""
        if not as_published:
            return float("nan") if self.share is None else self.share.value
        centres = centre(np.nansum(self.values, axis=0), self.read.sum(axis=0).astype(float))
        return float(np.mean(centres)) if len(centres) else float("nan")


class StereotypeReadings:
    """Parsed genders of a run; the language None stands for the mean across languages."""

    def __init__(self, rows: pd.DataFrame, seed: int, as_published: bool) -> None:
        self.rows = rows
        self.seed = seed
        self.as_published = as_published
        self.languages = sorted(rows["language"].unique())
        #: 1 masculine, 0 feminine, NaN if unread
        self.masculine = (rows["gender"] == "masculine").astype(float).where(rows["unread"].isna())
        wide = rows.assign(masculine=self.masculine).set_index(["stereotype", "sample", "language"])["masculine"]
        #: stereotype -> [samples, languages]
        self.values: dict[int, Array] = {
            int(str(key)): group.to_numpy(dtype=np.float64)
            for key, group in wide.unstack("language").groupby(level="stereotype")
        }
        masks = [np.asarray(np.isfinite(values).any(axis=0)) for values in self.values.values()]
        #: stereotype -> sentence code of each sample; None if no sentence recurs
        self.recurring = None if as_published else recurring_sentences(rows)
        #: languages included in means across languages: those with readings for every stereotype that has any
        self.spanned = [
            language for k, language in enumerate(self.languages) if all(mask[k] for mask in masks if mask.any())
        ]

    @cached_property
    def cells(self) -> dict[tuple[int, str | None], Readings]:
        """The readings of each stereotype in each language and, under None, in the languages included in the mean."""
        return {
            (i, language): Readings(values[:, self.columns([language] if language else self.spanned)])
            for i, values in self.values.items()
            for language in (None, *self.languages)
        }

    def spans(self) -> list[str | None]:
        """Return the languages to report rates for, preceded by None (their mean) if there are several."""
        return [None, *self.languages] if len(self.languages) > 1 else list(self.languages)

    @property
    def remark(self) -> str | None:
        """A note on the languages excluded from means across languages; None if all are included."""
        unused = [language for language in self.languages if language not in self.spanned]
        if not unused:
            return None
        over = f"based on {', '.join(self.spanned)}" if self.spanned else "missing"
        return f"{', '.join(unused)} could not be read for every stereotype, so the means across languages are {over}"

    def why_no_rate(self, language: str | None) -> str:
        """Explain why a rate that needs every stereotype has no value."""
        for name, group in (("female", FEMALE), ("male", MALE)):
            if not any(i in self.values for i in group):
                return f"there is no {name}-stereotyped sentence"
        if language is None:
            return self.remark or "no language was read for every stereotype"
        missing = [str(i) for i in sorted(self.values) if not self.cells[i, language].read.any()]
        which = f"stereotype {missing[0]}" if len(missing) == 1 else f"stereotypes {', '.join(missing)}"
        if len(missing) > MOST_NAMED:
            which = f"{len(missing)} of {len(self.values)} stereotypes"
        return f"no {language_name(language)} translation of {which} shows a gender"

    def sides(self, name: str) -> list[tuple[float, list[int]]]:
        """Return the weight and the stereotypes of each side of a rate: male, then female."""
        groups = ([i for i in group if i in self.values] for group in (MALE, FEMALE))
        return [(weight, group) for weight, group in zip(WEIGHTS[name], groups, strict=True) if weight]

    def combine(self, name: str, rate: Callable[[int], Array]) -> Array:
        """Return p_f, p_m, f_s or f_m, given the rates of the stereotypes."""
        means = [weight * np.mean([rate(i) for i in group], axis=0) for weight, group in self.sides(name)]
        return np.asarray(means[0] if len(means) == 1 else means[0] + means[1])

    def rate(self, stereotype: int, language: str | None) -> float:
        """Return the masculine proportion or, as published, the interval's centre, averaged across languages."""
        return self.cells[stereotype, language].rate(self.as_published)

    @cached_property
    def resampled_centres(self) -> dict[int, Array]:
        """Stereotype -> interval centres by language in every resample, as published."""
        centres = {}
        for i, values in self.values.items():
            present = np.isfinite(values)
            counted = np.hstack([np.where(present, values, 0.0), present])
            masculine, read = np.hsplit(resampled_sums(counted, np.random.default_rng([self.seed, i])), 2)
            centres[i] = centre(masculine, read)
        return centres

    def columns(self, languages: Sequence[str]) -> list[int]:
        """Return the column indices of languages in `values`."""
        return [self.languages.index(language) for language in languages]

    def counts(self, stereotypes: Sequence[int], language: str | None) -> tuple[int, int]:
        """Return the numbers of parsed and unread translations."""
        masks = [self.cells[i, language].read for i in stereotypes]
        read = sum(int(mask.sum()) for mask in masks)
        return read, sum(mask.size for mask in masks) - read

    def sizes(self, stereotypes: Sequence[int], language: str | None) -> list[int]:
        """Return the number of samples with at least one reading, for each stereotype."""
        return [self.cells[i, language].samples for i in stereotypes]

    def about_family(self, language: str) -> Iterator[tuple[int, bool, Array]]:
        """Yield the readings of each male stereotype: of its samples about family, then of the others."""
        first = self.rows.groupby(["stereotype", "sample"])["family"].first()
        for i in MALE:
            if i in self.values:
                is_family, values = first[i].to_numpy(dtype=bool), self.cells[i, language].values[:, 0]
                for family in (True, False):
                    yield i, family, values[is_family == family]
