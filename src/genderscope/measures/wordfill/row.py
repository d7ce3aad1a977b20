"""The row of a word-filling sample."""

from dataclasses import dataclass
from typing import Any

from genderscope.samples.quadruplets import Quadruplet

#: a quadruplet's sentences: stereotype and anti-stereotype for the group, then for its control group
SENTENCES = ("s0", "s1", "s2", "s3")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordFillRow:
    """A quadruplet or pair with its scores; None for missing sentences and scores that were not requested."""

    sample: int
    item: int
    subset: str
    language: str
    target: str | None
    s0: str | None
    s1: str | None
    s2: str | None
    s3: str | None
    keyword0: str | None
    keyword1: str | None
    keyword2: str | None
    keyword3: str | None
    lp0: float | None
    lp1: float | None
    lp2: float | None
    lp3: float | None
    lp_unrelated: float | None
    ss: float | None
    ss_control: float | None
    csk: float | None
    csk_control: float | None
    f: float | None
    cs: float | None
    cs_control: float | None
    #: whether the published alignment of shared tokens depends on which sentence comes first
    order_dependent: bool
    #: tokens with their log-probabilities, as JSON
    tokens: str
    unread: str | None


def sentence_columns(sample: Quadruplet) -> dict[str, Any]:
    """Return the sentences with marked keywords, and the keywords."""
    said = sample.sentences
    marked = {name: said[name].marked if name in said else None for name in SENTENCES}
    return marked | {f"keyword{name[1]}": said[name].word if name in said else None for name in SENTENCES}
