"""All estimates of a run: within, across and between languages."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from genderscope.measures.eurogest.options import EuroGestOptions
from genderscope.measures.eurogest.published import PublishedRates
from genderscope.measures.eurogest.rates import OverLanguages, by_language
from genderscope.measures.gest.agreement import Side, agreement
from genderscope.measures.gest.log_ratios import LogRatios, with_readings
from genderscope.measures.gest.rates import outcomes
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled

__all__ = ["all_estimates", "outcomes", "resampled"]


def all_estimates(rows: pd.DataFrame, options: EuroGestOptions) -> list[Estimate]:
    """Return all estimates; in a run with a single language, estimates have no language key."""
    if options.as_published:
        return list(_as_published(rows, options))
    rates = by_language(rows, options.seed, options.scale)
    if len(rates) == 1:
        (only,) = rates.values()
        return only.estimates()
    found = OverLanguages(rows, options.seed, options.scale).estimates()
    parts = list(conditions(rows))
    for subset, chosen in parts if len(parts) > 1 else ():
        over = OverLanguages(chosen, options.seed, options.scale)
        found += [estimate.at(subset=subset) for estimate in over.estimates() if estimate.name != "variance_share"]
    found += [estimate.at(language=language) for language, each in rates.items() for estimate in each.estimates()]
    return found + between_languages(rows, options.seed, options.scale)


def between_languages(rows: pd.DataFrame, seed: int, scale: str) -> list[Estimate]:
    """Return the correlation of q_i between every pair of languages, in each condition available for both.

    Pronoun and noun scaffolds count as one condition here. Both languages translate the same source sentences, so their
    errors are correlated, which is corrected for; if hardly any sentences are shared, as with `--limit`, the errors are
    treated as independent. `n` counts the source sentences available in either language.
    """
    found = []
    for subset, chosen in conditions(rows):
        numbers = {str(language): k for k, language in enumerate(dict.fromkeys(chosen["language"]))}
        read = with_readings(chosen.assign(template=chosen["language"].map(numbers)))
        both = LogRatios(read, seed, scale == "ratio", False)
        alone = {k: LogRatios(read[read["template"] == k], seed, scale == "ratio", False) for k in numbers.values()}
        for (a, k), (b, j) in combinations(numbers.items(), 2):
            sides: tuple[Side, Side] = ((alone[k], None), (alone[j], None))
            if all(np.isfinite(values[:, [k, j]]).all(axis=1).sum() >= 2 for values in both.values.values()):
                sides = ((both, k), (both, j))
            estimate = agreement(*sides, f"languages {a} and {b}")
            if estimate is not None:
                n = sum(int(np.isfinite(values[:, [k, j]]).any(axis=1).sum()) for values in both.values.values())
                unread = int(chosen.loc[chosen["language"].isin([a, b]), "log_ratio"].isna().sum())
                found.append(replace(estimate, n=n, unread=unread).at(subset=subset))
    return found


def conditions(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the rows of gendered pairs, and those of neutral sentences in each language's first scaffold."""
    gendered = rows[rows["condition"] == "gendered"]
    neutral = rows[rows["condition"] != "gendered"]
    first = neutral.groupby("language")["template"].transform("min") if len(neutral) else neutral["template"]
    for name, chosen in (("gendered", gendered), ("scaffold", neutral[neutral["template"] == first])):
        if len(chosen):
            yield name, chosen


def _as_published(rows: pd.DataFrame, options: EuroGestOptions) -> Iterator[Estimate]:
    """Yield each language's estimates as published, over all sentences and then by condition."""
    for language, rates in _published(rows, options).items():
        yield from (estimate.at(language=language) for estimate in rates.estimates())
        mine = rows if language is None else rows[rows["language"] == language]
        used = list(dict.fromkeys(mine["condition"]))
        for condition in used if len(used) > 1 else ():
            part = PublishedRates(mine[mine["condition"] == condition], str(options.as_published), options.seed)
            yield from (estimate.at(language=language, subset=condition) for estimate in part.estimates())


def _published(rows: pd.DataFrame, options: EuroGestOptions) -> dict[str | None, PublishedRates]:
    """Return the published rates for each language, under the key None if there is only one."""
    languages = list(dict.fromkeys(rows["language"]))
    return {
        None if len(languages) == 1 else str(language): PublishedRates(
            rows[rows["language"] == language], str(options.as_published), options.seed + k
        )
        for k, language in enumerate(languages)
    }


def resampled(rows: pd.DataFrame, options: EuroGestOptions) -> Iterable[Resampled]:
    """Yield the headline estimates with the influence of each sentence."""
    if options.as_published:
        for language, rates in _published(rows, options).items():
            for each in rates.resampled():
                yield replace(each, estimate=each.estimate.at(language=language))
        return
    languages = by_language(rows, options.seed, options.scale)
    if len(languages) > 1:
        yield from OverLanguages(rows, options.seed, options.scale).resampled()
    for name, of_language in languages.items():
        for each in of_language.resampled():
            yield replace(each, estimate=each.estimate.at(language=name if len(languages) > 1 else None))
