"""Keyword frequencies from the optional package wordfreq."""

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
    """Return the log10 frequency ratios of first to second keywords, or None if wordfreq is not installed.

    The ratio is NaN if either word is unknown to wordfreq.
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
