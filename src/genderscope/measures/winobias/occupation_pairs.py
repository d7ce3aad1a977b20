"""The two occupations that a sentence of WinoBias names, which are the units of its intervals."""

import re

import numpy as np
import pandas as pd

from genderscope.statistics.clustered import Labels

GENDERS = ("male", "female")


def sides(rows: pd.DataFrame) -> tuple[Labels, Labels]:
    """Return the names of the male and of the female occupation that each sentence names.

    A sentence is about one occupation and mentions another of the other gender, which other sentences are about; a row
    whose other occupation is not found is a unit of its own.
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
    """Return a pattern that finds any of the occupations as a whole word, the longest first."""
    names = sorted(set(occupations), key=lambda name: (-len(name), name))
    return re.compile(rf"\b({'|'.join(map(re.escape, names))})\b" if names else r"(?!)", re.IGNORECASE)
