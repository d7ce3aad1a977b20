"""The two occupations in each WinoBias sentence, which are the units of its intervals."""

import re

import numpy as np
import pandas as pd

from genderscope.statistics.cluster_variance import Labels

GENDERS = ("male", "female")


def sides(rows: pd.DataFrame) -> tuple[Labels, Labels]:
    """Return the male and the female occupation in each sentence.

    Each sentence is about one occupation and mentions another of the opposite gender, which is looked up among the
    occupations of other sentences. If none is found, the row is a unit of its own.
    """
    named = {gender: _finder(rows.loc[rows["gender"] == gender, "occupation"]) for gender in GENDERS}
    labels: dict[str, list[str]] = {gender: [] for gender in GENDERS}
    columns = (rows[name].tolist() for name in ("sample", "gender", "occupation", "sentence"))
    for sample, gender, occupation, sentence in zip(*columns, strict=True):
        for each in GENDERS:
            found = named[each].search(sentence) if each != gender else None
            name = occupation if each == gender else found[0] if found else f"{sample} alone"
            labels[each].append(name.lower())
    male, female = (np.array(labels[gender], dtype=np.str_) for gender in GENDERS)
    return male, female


def _finder(occupations: "pd.Series[str]") -> re.Pattern[str]:
    """Return a pattern that matches any of the occupations as a whole word, longest first."""
    names = sorted(set(occupations), key=lambda name: (-len(name), name))
    return re.compile(rf"\b({'|'.join(map(re.escape, names))})\b" if names else r"(?!)", re.IGNORECASE)
