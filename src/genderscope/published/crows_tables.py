"""Shares of stereotypes in Dutch, French and English CrowS-Pairs, recomputed from the authors' score for each pair.

The authors' code gave lower-cased sentences to all four models, including those that distinguish case, and rounded the
sums of natural log-probabilities to three digits. A tie counts as no preference: for all pairs together it stays in the
denominator, for a single bias type it does not.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
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
from genderscope.samples.quadruplets import KeywordSentence
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


def scored_pairs(model: str) -> pd.DataFrame:
    """Return a model's released scores by the pairs' numbers, which only some of the released files contain."""
    name, language, delimiter = MODELS[model]
    encoding = FILES[language].encoding
    released = fetch.read(dataset("crows-nl-fr-scores").file(f"crows-nl-fr/scores/results_{name}.csv"))
    pairs = fetch.read(dataset("crows-nl-fr").file(FILES[language].path))
    numbers = pd.read_csv(io.BytesIO(pairs), encoding=encoding, usecols=["id"])["id"]
    scores = pd.read_csv(io.BytesIO(released), encoding=encoding, sep=delimiter)
    return scores.set_index(pd.Index(numbers))


def shares(model: str) -> Iterator[dict[str, Any]]:
    """Yield a model's counts for each bias type, gender first, and for all pairs.

    `equal_verdicts` counts the authors' verdicts that follow from their scores.
    """
    scores = scored_pairs(model)
    more, less = scores["sent_more_score"], scores["sent_less_score"]
    pairs = scores.assign(preferred=more > less, ties=more == less)
    pairs["equal_verdicts"] = (pairs["score"] != 0) == pairs["preferred"]
    for name in (GENDER, *(bias_type for bias_type in BIAS_TYPES if bias_type != GENDER), "all"):
        of_type = pairs if name == "all" else pairs[pairs["bias_type"] == name]
        if len(of_type):
            counts = {column: int(of_type[column].sum()) for column in ("preferred", "ties", "equal_verdicts")}
            yield {"model": model, "language": MODELS[model][1], "bias_type": name, "pairs": len(of_type), **counts}


def gender_estimates(model: str, name: str) -> list[Estimate]:
    """Return our estimates from a model's released scores, on the parallel or the matched gender pairs."""
    scores = scored_pairs(model)
    cs = (scores["sent_more_score"] - scores["sent_less_score"]).round(3)
    rows = _rows(name, MODELS[model][1], dict(zip(cs.index.tolist(), cs.tolist(), strict=True)))
    return Scores(rows, GENDER, 0, as_published=False).estimates()


def _rows(name: str, language: str, cs: Mapping[int, float]) -> pd.DataFrame:
    """Return rows of the measure with the scores by pair number."""
    pairs = load(PARALLEL, (language,), (GENDER,)).samples
    numbers: dict[tuple[KeywordSentence | None, KeywordSentence | None], int] = {(s.s0, s.s2): s.index for s in pairs}
    empty: dict[str, Any] = dict.fromkeys(field.name for field in fields(WordFillRow))
    rows = []
    for sample in load(name, (language,), (GENDER,)).samples:
        # A control pair is a pair with the opposite stereotype, so its sentences are in reverse order.
        control = None if sample.s1 is None else -cs[numbers[sample.s3, sample.s1]]
        values = {"sample": sample.index, "item": sample.item, "subset": sample.subset, "language": language}
        values |= {"cs": cs[sample.index], "cs_control": control, "order_dependent": False, "tokens": "{}"}
        rows.append(WordFillRow(**empty | values))
    return frame_of(rows, WordFillRow)


def crows(console: Console, _runs: Sequence[Path], target: Path | None) -> None:
    """Print each model's gender share and our estimates from the same scores; write all bias types to `target`."""
    cells = [counts for model in MODELS for counts in shares(model)]
    table = plain_table(
        ("model", "language"),
        ("pairs", "ties", "equal verdicts", "share %", "without ties %", "mean cs", "control pairs", "contrast"),
    )
    for cell in (cell for cell in cells if cell["bias_type"] == GENDER):
        model, pairs, preferred, ties = (cell[name] for name in ("model", "pairs", "preferred", "ties"))
        mean = _named(gender_estimates(model, PARALLEL), SCORE_NAMES["cs"])
        contrast = _named(gender_estimates(model, MATCHED), CONTRAST)
        counts = (f"{pairs:,}", f"{ties}", f"{cell['equal_verdicts']} of {pairs}")
        numbers = (f"{100 * preferred / pairs:.1f}", f"{100 * preferred / (pairs - ties):.1f}")
        ours = (f"{mean.value:.2f} {interval(mean)}", f"{contrast.n}", f"{contrast.value:.2f} {interval(contrast)}")
        table.add_row(model, language_name(cell["language"]), *counts, *numbers, *ours)
    console.print(table)
    whole = [cell for cell in cells if cell["bias_type"] == "all"]
    equal, pairs = (sum(cell[name] for cell in whole) for name in ("equal_verdicts", "pairs"))
    console.print(
        f"\n{equal:,} of {pairs:,} released verdicts on pairs of all bias types follow from the released scores. All "
        "models were given lower-cased sentences, even those that distinguish case."
    )
    rows = [(*cell.values(), round(cell["preferred"] / cell["pairs"], 5)) for cell in cells]
    write_table(target, (*cells[0], "share"), rows)


def _named(estimates: Sequence[Estimate], name: str) -> Estimate:
    return next(e for e in estimates if e.name == name)
