"""How frequent keywords are, by the optional package wordfreq."""

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

MISSING = (
    "The correlation of ss with the keywords' frequency was not computed because the package wordfreq is not "
    "installed; add it with: pip install 'genderscope[wordfill]'."
)


def installed() -> bool:
    """Return whether wordfreq is installed."""
    return find_spec("wordfreq") is not None


def log_frequency_ratio(
    first: "pd.Series[str]", second: "pd.Series[str]", language: "pd.Series[str]"
) -> "npt.NDArray[np.float64] | None":
    """Return log10 of how many times as frequent the first keywords are; None without wordfreq.

    A word unknown to the package has no ratio.
    """
    if not installed():
        return None
    import numpy as np

    pairs = zip(first, second, language, strict=True)
    return np.array([_zipf(str(a), str(lang)) - _zipf(str(b), str(lang)) for a, b, lang in pairs], dtype=np.float64)


@cache
def _zipf(word: str, language: str) -> float:
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, language)) or float("nan")
