"""Unicode normalization in linear time; `unicodedata.normalize` is quadratic in a run of combining marks."""

import re
import unicodedata
from typing import Literal

MOST_MARKS = 30  # maximum number of combining marks per letter, as in Unicode's Stream-Safe Text Format (UAX #15)
#: runs that may exceed that limit; the two halfwidth sound marks decompose to combining marks
_RUN = re.compile(rf"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){{{MOST_MARKS + 1},}}+")


def normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Normalize a text, keeping at most 30 consecutive combining marks."""
    if len(text) > MOST_MARKS and not text.isascii():
        text = _RUN.sub(_with_few_marks, text)
    return unicodedata.normalize(form, text)


def _with_few_marks(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for character in run[0]:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" or character in "\uff9e\uff9f" else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)
