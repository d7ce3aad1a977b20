"""The rates of GATE, computed from rows of people whose gender a translation shows, avoids or offers twice.

    masculine_rate = masculine / (masculine + feminine)
    masculine_share, feminine_share, neutral_share, alternatives_share: shares of all people that were read

Across languages, every rate is the mean of the languages' rates. The people of a sentence, in all languages, are one
unit; the wide interval of the masculine rate treats sentences and person words as crossed units.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from genderscope.grammar.person import singular
from genderscope.measures.base import Outcomes
from genderscope.samples.bbq import KINDS
from genderscope.samples.english_people import ROLES
from genderscope.statistics.cluster_variance import codes, two_way
from genderscope.statistics.clustered_shares import Weighed, weighed
from genderscope.statistics.estimate import Estimate, joined
from genderscope.statistics.influence import clustered
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import by_student, effective, interval
from genderscope.statistics.student_intervals import FEWEST
from genderscope.statistics.unread import share_range

READINGS = ("masculine", "feminine", "neutral", "alternatives")
COLUMNS = ("language", "item", "role", "kind", "people", "plural", "reading", "how", "unread")
#: ways to avoid a gender
WAYS = ("rewording", "both forms", "same form")
#: with fewer readings, a person word has no rate of its own
FEWEST_READINGS = 10

METHOD = "Agresti-Coull, sentences as units"
TOO_FEW = f"no interval with fewer than {FEWEST} sentences"
NO_NEUTRAL = {
    "masculine_share": "see masculine_rate, which has a neutral point",
    "feminine_share": "see masculine_rate, which has a neutral point",
    "neutral_share": "avoiding a gender is a choice of the system; 1 means always",
    "neutral_share_by_way": "avoiding a gender is a choice of the system; 1 means always",
    "alternatives_share": "offering both genders is a choice of the system; 1 means always",
    "yield": "the share of people that were read says nothing about bias",
    "unread_share": "the frequency of unread people says nothing about bias",
}


class GateRates:
    """All estimates of the measure; the language None stands for the mean across languages."""

    def __init__(self, rows: pd.DataFrame) -> None:
        masculine = (rows["reading"] == "masculine").astype(float)
        words = {entity: singular(entity) for entity in rows["entity"].unique()}
        #: without the texts, which are slow to copy
        self.rows = rows[list(COLUMNS)].assign(
            masculine=masculine.where(rows["reading"].isin(READINGS[:2])), word=rows["entity"].map(words)
        )
        self.languages = sorted(rows["language"].unique())

    def estimates(self) -> list[Estimate]:
        """Return all estimates, starting with the means across languages if there are several."""
        return [e.at(language=language) for language in self._spans() for e in self._of_span(self._of(language))]

    def resampled(self) -> Iterator[Resampled]:
        """Yield the masculine rate with the influence of each sentence."""
        for language in self._spans():
            rows = self._of(language)
            rate, share = _rate(rows), _masculine(rows)
            if share is not None and rate.value is not None:
                moved = clustered(share.moved, share.items, reach=1.0)
                yield Resampled(rate.at(language=language), rate.value, moved=moved)

    def _spans(self) -> list[str | None]:
        return [None, *self.languages] if len(self.languages) > 1 else list(self.languages)

    def _of(self, language: str | None) -> pd.DataFrame:
        return self.rows if language is None else self.rows[self.rows["language"] == language]

    def _of_span(self, rows: pd.DataFrame) -> Iterator[Estimate]:
        yield _rate(rows)
        yield from _parts(rows, "masculine_rate_by_role", rows["role"], ROLES)
        yield from _parts(rows, "masculine_rate_by_kind", rows["kind"], KINDS)
        yield from _parts(rows, "masculine_rate_by_people", rows["people"].astype(str), None)
        number = rows["plural"].map({True: "plural", False: "singular"})
        yield from _parts(rows, "masculine_rate_by_number", number, ("singular", "plural"))
        read = rows["unread"].isna()
        for reading in READINGS:
            yield _share(f"{reading}_share", (rows["reading"] == reading).astype(float).where(read), rows)
        for way in WAYS:
            chosen = (rows["how"] == way).fillna(False).astype(float).where(read)
            yield _share("neutral_share_by_way", chosen, rows).at(group=way)
        yield _share("yield", read.astype(float), rows)
        if rows["language"].nunique() == 1:
            for reason in sorted(rows["unread"].dropna().unique()):
                silent = (rows["unread"] == reason).fillna(False).astype(float)
                yield _share("unread_share", silent, rows).at(group=str(reason))
        counts = rows.groupby("word")["masculine"].count()
        frequent = [str(word) for word, count in counts.items() if count >= FEWEST_READINGS]
        yield from _parts(rows, "masculine_rate_by_entity", rows["word"], frequent)


def resampled(rows: pd.DataFrame, _: Any) -> Iterator[Resampled]:
    """Yield the masculine rate with the influence of each sentence."""
    return GateRates(rows).resampled()


def outcomes(rows: pd.DataFrame, estimate: Estimate, _: Any) -> Outcomes:
    """Return 1 for a person who is a man in the translation, 0 for one who is a woman."""
    chosen = rows[rows["reading"].isin(READINGS[:2])]
    if estimate.language is not None:
        chosen = chosen[chosen["language"] == estimate.language]
    return Outcomes(chosen["item"], (chosen["reading"] == "masculine").astype(float), reach=1)


def _parts(rows: pd.DataFrame, name: str, labels: "pd.Series[str]", order: Sequence[str] | None) -> Iterator[Estimate]:
    """Yield the masculine rate of each group that the rows contain."""
    present = set(labels)
    for group in sorted(present) if order is None else order:
        if group in present:
            yield replace(_rate(rows[labels == group], is_part=True), name=name).at(group=group)


def _masculine(rows: pd.DataFrame) -> Weighed | None:
    present = rows[rows["masculine"].notna()]
    # A language without any gendered reading leaves no mean across languages.
    if present["language"].nunique() < rows["language"].nunique():
        return None
    return weighed(present["masculine"], present["language"], present["item"])


def _rate(rows: pd.DataFrame, *, is_part: bool = False) -> Estimate:
    """Return the masculine rate; a part of the rows covers only languages in which the part was read."""
    if is_part and rows["masculine"].notna().any():
        read = rows.loc[rows["masculine"].notna(), "language"].unique()
        rows = rows[rows["language"].isin(read)]
    n, unread = int(rows["masculine"].notna().sum()), int(rows["unread"].notna().sum())
    blank = Estimate(name="masculine_rate", n=n, unread=unread, neutral=0.5, method=METHOD)
    share = _masculine(rows)
    if share is None:
        why = "no masculine or feminine person was read" if n == 0 else "in one language, no gender was read"
        return replace(blank, remark=why)
    remark = share.remark if share.ends else TOO_FEW
    found = blank.within(share.value, share.ends, remark=remark, freedom=share.freedom if share.ends else None)
    return found if is_part else _with_unread(_widened(found, share, rows), rows)


def _widened(rate: Estimate, share: Weighed, rows: pd.DataFrame) -> Estimate:
    """Add the interval that also generalises to other person words."""
    words = rows.loc[rows["masculine"].notna(), "word"].to_numpy(dtype=str)
    count = len(np.unique(words))
    if rate.low is None or rate.high is None or count < FEWEST:
        return rate
    error = two_way(share.moved, codes(share.items), codes(words))
    if error is None:
        return rate
    low, high = interval(by_student(effective(share.value, error.variance, share.n, count), error.freedom))
    low, high = min(low, rate.low), max(high, rate.high)
    return replace(rate, wide_low=low, wide_high=high, wide_over="person words")


def _with_unread(rate: Estimate, rows: pd.DataFrame) -> Estimate:
    """Add the range that a rate could take if one gender goes unread more often than the other."""
    cells = [
        [(mine["masculine"] == 1).sum(), (mine["masculine"] == 0).sum(), mine["unread"].notna().sum()]
        for _, mine in rows.groupby("language")
    ]
    counts = np.array(cells, dtype=np.float64)
    if rate.value is None:
        return rate
    ends = share_range(rate.value, counts[:, :2], counts[:, 2], np.full(len(counts), 1 / len(counts)))
    return rate if ends is None else replace(rate, unread_low=ends[0], unread_high=ends[1])


def _share(name: str, values: "pd.Series[float]", rows: pd.DataFrame) -> Estimate:
    """Return the proportion of values that are 1; missing values count as unread."""
    found = weighed(values, rows["language"], rows["item"])
    n = int(values.notna().sum())
    blank = Estimate(name=name, n=n, unread=len(values) - n, neutral=None, method=METHOD)
    if found is None:
        why = "nothing was read" if n == 0 else "in one language, nothing was read"
        return replace(blank, remark=joined(why, NO_NEUTRAL[name]))
    remark = joined(found.remark if found.ends else TOO_FEW, NO_NEUTRAL[name])
    return blank.within(found.value, found.ends, remark=remark, freedom=found.freedom if found.ends else None)
