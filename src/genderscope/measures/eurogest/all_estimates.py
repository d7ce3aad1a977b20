"""All estimates of a run: within, across and between languages."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pandas as pd

from genderscope.measures.eurogest.language_correlations import between_languages, conditions
from genderscope.measures.eurogest.options import EuroGestOptions
from genderscope.measures.eurogest.published import PublishedRates
from genderscope.measures.eurogest.rates import OverLanguages, by_language
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


def _as_published(rows: pd.DataFrame, options: EuroGestOptions) -> Iterator[Estimate]:
    """Yield the authors' numbers for each language, over all sentences and then by condition."""
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
