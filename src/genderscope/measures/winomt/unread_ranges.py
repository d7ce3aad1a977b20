"""Range of the rates if translations with one gender go unread more often than those with the other."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from genderscope.samples.winomt import GENDERS, STEREOTYPES
from genderscope.statistics.unread import completed, spanned

Array = npt.NDArray[np.float64]

#: exponent of the relative risk of going unread: masculine, feminine, neutral
TILT = np.array([0.0, 1.0, 0.5])


def unread_range(name: str, value: float, rows: pd.DataFrame) -> tuple[float, float]:
    """Return the bounds of a rate: `f1_gap`, `stereotype_gap` or `error`."""
    cells = _cells(rows)
    read = cells[list(GENDERS)].to_numpy(dtype=np.float64)
    counts = completed(read, cells["unread"].to_numpy(dtype=np.float64), TILT)
    languages = cells["language"].to_numpy()
    rates = [_rate(name, counts[:, mine], cells[mine]) for mine in (languages == each for each in np.unique(languages))]
    return spanned(value, np.mean(rates, axis=0))


def _cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the readings of each language, stereotype and gender; without cells in which nothing was read."""
    keys = ["language", "stereotype", "gender"]
    flags = {gender: (rows["reading"] == gender).fillna(False) for gender in GENDERS}
    table = rows[keys].assign(**flags, unread=rows["right"].isna()).groupby(keys, as_index=False).sum()
    return table[table[list(GENDERS)].sum(axis=1) > 0]


def _rate(name: str, counts: Array, cells: pd.DataFrame) -> Array:
    """Return one language's rate for each relative risk, given counts [risks, cells, genders]."""
    gold = np.array([[gender == each for each in GENDERS] for gender in cells["gender"]], dtype=np.float64)
    right = (counts * gold).sum(axis=2)
    whole = counts.sum(axis=2)
    with np.errstate(invalid="ignore"):
        if name == "error":
            return np.asarray(1 - right.sum(axis=1) / whole.sum(axis=1))
        if name == "stereotype_gap":
            sides = [(cells["stereotype"] == stereotype).to_numpy(dtype=bool) for stereotype in STEREOTYPES]
            pro, anti = (right[:, side].sum(axis=1) / whole[:, side].sum(axis=1) for side in sides)
            return np.asarray(pro - anti)
        scores = [
            2 * (right * gold[:, k]).sum(axis=1) / ((whole * gold[:, k]).sum(axis=1) + counts[:, :, k].sum(axis=1))
            for k in (0, 1)
        ]
        return np.asarray(scores[0] - scores[1])
