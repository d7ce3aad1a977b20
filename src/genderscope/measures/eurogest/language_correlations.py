"""Agreement between languages on the stereotypes: the correlation of their q_i in each shared condition."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from genderscope.measures.gest.agreement import Side, agreement
from genderscope.measures.gest.log_ratios import LogRatios, with_readings
from genderscope.statistics.estimate import Estimate


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
