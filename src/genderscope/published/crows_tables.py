"""Shares of stereotypes in Dutch, French and English CrowS-Pairs, recomputed from the authors' score for each pair.

The authors' code gave lower-cased sentences to all four models, including those that distinguish case, and rounded the
sums of natural log-probabilities to three digits. A tie counts as no preference: for all pairs together it stays in the
denominator, for a single bias type it does not.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console

from genderscope.core.languages import language_name
from genderscope.measures import frame_of
from genderscope.measures.wordfill import CONTRAST, SCORE_NAMES, Scores, WordFillRow
from genderscope.published.paper_tables import write_table
from genderscope.report import interval, plain_table
from genderscope.samples import fetch
from genderscope.samples.crows import BIAS_TYPES, FILES, MATCHED, PARALLEL
from genderscope.samples.crows import load_parallel as load
from genderscope.samples.quadruplets import Sentence
from genderscope.samples.registry import dataset
from genderscope.statistics.estimate import Estimate

#: model -> its name in the released files, its language and the delimiter of its file
MODELS = {
    "GroNLP/bert-base-dutch-cased": ("bertje", "nl", ","),
    "bert-base-multilingual-cased": ("mbert", "nl", ","),
    "camembert-base": ("camembert", "fr", ","),
    "bert-base-uncased": ("bert", "en", ";"),
}
GENDER = "gender"


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """A pair with the authors' score for each sentence and their verdict (1: the stereotype is preferred)."""

    bias_type: str
    more: float
    less: float
    verdict: int

    @property
    def cs(self) -> float:
        """The signed difference, as in the measure, from rounded scores."""
        return round(self.more - self.less, 3)


@dataclass(frozen=True, slots=True)
class TypeShare:
    """A model's preferences among the pairs of one bias type; `equal` counts verdicts that follow from the scores."""

    model: str
    language: str
    bias_type: str
    pairs: int
    preferred: int
    ties: int
    equal: int


def scored_pairs(model: str) -> dict[int, ScoredPair]:
    """Return a model's released scores by the pairs' numbers, which only some of the released files contain."""
    name, language, delimiter = MODELS[model]
    encoding = FILES[language].encoding
    released = fetch.read(dataset("crows-nl-fr-scores").file(f"crows-nl-fr/scores/results_{name}.csv"))
    pairs = fetch.read(dataset("crows-nl-fr").file(FILES[language].path))
    rows = csv.DictReader(io.StringIO(released.decode(encoding), newline=""), delimiter=delimiter)
    numbers = [int(row["id"]) for row in csv.DictReader(io.StringIO(pairs.decode(encoding), newline=""))]
    scores = [
        ScoredPair(
            row["bias_type"], float(row["sent_more_score"]), float(row["sent_less_score"]), int(float(row["score"]))
        )
        for row in rows
    ]
    return dict(zip(numbers, scores, strict=True))


def shares(model: str) -> Iterator[TypeShare]:
    """Yield a model's shares for each bias type, gender first, and for all pairs."""
    language = MODELS[model][1]
    scores = list(scored_pairs(model).values())
    for name in (GENDER, *(bias_type for bias_type in BIAS_TYPES if bias_type != GENDER), "all"):
        of_type = [pair for pair in scores if name in (pair.bias_type, "all")]
        if not of_type:
            continue
        preferred = [pair.more > pair.less for pair in of_type]
        equal = sum(bool(pair.verdict) == better for pair, better in zip(of_type, preferred, strict=True))
        ties = sum(pair.more == pair.less for pair in of_type)
        yield TypeShare(model, language, name, len(of_type), sum(preferred), ties, equal)


def gender_estimates(model: str, name: str) -> list[Estimate]:
    """Return our estimates from a model's released scores, on the parallel or the matched gender pairs."""
    rows = _rows(name, MODELS[model][1], scored_pairs(model))
    return Scores(rows, GENDER, 0, as_published=False).estimates()


def _rows(name: str, language: str, scores: Mapping[int, ScoredPair]) -> pd.DataFrame:
    pairs = load(PARALLEL, (language,), (GENDER,)).samples
    numbers: dict[tuple[Sentence | None, Sentence | None], int] = {(s.s0, s.s2): s.index for s in pairs}
    empty: dict[str, Any] = dict.fromkeys(field.name for field in fields(WordFillRow))
    rows = []
    for sample in load(name, (language,), (GENDER,)).samples:
        # A control pair is a pair with the opposite stereotype, so its sentences are in reverse order.
        control = None if sample.s1 is None else -scores[numbers[sample.s3, sample.s1]].cs
        cells = {"sample": sample.index, "item": sample.item, "subset": sample.subset, "language": language}
        cells |= {"cs": scores[sample.index].cs, "cs_control": control, "order_dependent": False, "tokens": "{}"}
        rows.append(WordFillRow(**empty | cells))
    return frame_of(rows, WordFillRow)


def crows(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Print each model's gender share and our estimates from the same scores; write all bias types to `target`."""
    cells = [share for model in MODELS for share in shares(model)]
    table = plain_table(
        ("model", "language"),
        ("pairs", "ties", "equal verdicts", "share %", "without ties %", "mean cs", "control pairs", "contrast"),
    )
    for cell in (cell for cell in cells if cell.bias_type == GENDER):
        mean = _named(gender_estimates(cell.model, PARALLEL), SCORE_NAMES["cs"])
        contrast = _named(gender_estimates(cell.model, MATCHED), CONTRAST)
        counts = (f"{cell.pairs:,}", f"{cell.ties}", f"{cell.equal} of {cell.pairs}")
        numbers = (f"{100 * cell.preferred / cell.pairs:.1f}", f"{100 * cell.preferred / (cell.pairs - cell.ties):.1f}")
        ours = (f"{mean.value:.2f} {interval(mean)}", f"{contrast.n}", f"{contrast.value:.2f} {interval(contrast)}")
        table.add_row(cell.model, language_name(cell.language), *counts, *numbers, *ours)
    console.print(table)
    whole = [cell for cell in cells if cell.bias_type == "all"]
    equal, pairs = sum(cell.equal for cell in whole), sum(cell.pairs for cell in whole)
    console.print(
        f"\n{equal:,} of {pairs:,} released verdicts on pairs of all bias types follow from the released scores. All "
        "models were given lower-cased sentences, even those that distinguish case."
    )
    header = ("model", "language", "bias_type", "pairs", "preferred", "ties", "equal_verdicts", "share")
    write_table(
        target,
        header,
        [
            (c.model, c.language, c.bias_type, c.pairs, c.preferred, c.ties, c.equal, round(c.preferred / c.pairs, 5))
            for c in cells
        ],
    )


def _named(estimates: Sequence[Estimate], name: str) -> Estimate:
    return next(e for e in estimates if e.name == name)
